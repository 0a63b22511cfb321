"""The branches of a learner's `reconcile`, each in the files of a real death."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ...harness import LedgerError, Tool, load_effects, save_effect
from ...harness.ledger import LEDGER_FILE
from ...harness.tools import result_text, run_tool
from ...lab.deaths import Bench
from ...lab.scene import Outcome, accepted, new_place
from ...lab.tools import make_tools
from ...lab.world import World
from .judging import anew, now
from .kinds import Fault, fault
from .results import checked, said

EVENTS = HIT, RERUN, UNKNOWN = "hit", "rerun", "unknown"  # by which a reconciliation tells its branch
BRANCH = {
    **{(3, "①"): UNKNOWN, (3, "②"): UNKNOWN, (3, "★"): HIT, (3, "③"): ""},
    **{(1, "①"): RERUN, (1, "②"): RERUN, (1, "★"): HIT, (1, "③"): ""},
}
"""What a resume has to tell of a call that a death left in that turn, at that moment; "" where nothing is pending."""

Call = dict[str, Any]
Prepare = Callable[[Path, Call], None]
Change = Callable[[dict[str, Tool], str], None]


class Case(NamedTuple):
    """A death, what is changed after it, and the branch that is right."""

    turn: int
    mark: str
    branch: str
    prepare: Prepare = lambda folder, call: None
    change: Change = lambda tools, name: None


def _with_another_input(folder: Path, call: Call) -> None:
    save_effect(call["id"], {**_entry(call), "input": {"path": "other.txt"}}, folder)


def _under_another_id(folder: Path, call: Call) -> None:
    save_effect(f"{call['id']}_2", _entry(call), folder)


def _empty(folder: Path, call: Call) -> None:
    save_effect(call["id"], {**_entry(call), "result": ""}, folder)


def _entry(call: Call) -> dict[str, Any]:
    return {"name": call["name"], "input": call["input"], "result": "13", "at": 0}


def _gone(tools: dict[str, Tool], name: str) -> None:
    del tools[name]


def _fails(tools: dict[str, Tool], name: str) -> None:
    def run(**given: Any) -> NoReturn:
        raise RuntimeError(name)

    tools[name] = replace(tools[name], run=run)


CASES = {
    "hit": Case(3, "★", HIT),
    "hit_reading": Case(1, "★", HIT),
    "hit_empty": Case(3, "②", HIT, prepare=_empty),
    "rerun": Case(1, "②", RERUN),
    "unknown": Case(3, "②", UNKNOWN),
    "other_input": Case(3, "②", UNKNOWN, prepare=_with_another_input),
    "under_other_id": Case(3, "②", UNKNOWN, prepare=_under_another_id),
    "gone": Case(1, "②", UNKNOWN, change=_gone),
    "fails": Case(1, "②", RERUN, change=_fails),
}


def heard(branch: str, fields: dict[str, Any]) -> str:
    """A branch and the call of which it was told, as they are compared and shown."""
    return f"{branch}(id={fields.get('id')!r}, name={fields.get('name')!r})"


def fault_in_reconcile(reconcile: Callable[..., Any]) -> Fault | None:
    """The first of the cases in which `reconcile` does not do what is right."""
    for turn in (3, 1):
        tried = Trial(_left("③", turn))
        now("nothing")
        if tried.run(reconcile) is not None:
            return fault("invented")
    return next(filter(None, (_fault_in(reconcile, name) for name in CASES)), None) or _unreadable(reconcile)


@cache
def _left(mark: str, turn: int) -> Outcome:
    return Bench().die(mark, turn)


class Trial:
    """A folder that a death left, its tools, which of them have run since, and the branches that were told of."""

    def __init__(self, left: Outcome, change: Change = lambda tools, name: None) -> None:
        self.folder = Path(shutil.copytree(left.folder, new_place() / "agent-run"))
        self.scene = left.checkpoint
        self.call: Call = self.scene["pendingToolUse"]
        self.ran: list[str] = []
        self.told: list[str] = []
        self.uncounted = make_tools(self.folder, World(self.folder))
        if self.call:
            change(self.uncounted, self.call["name"])
        self.tools = {name: replace(tool, run=self._counted(name, tool)) for name, tool in self.uncounted.items()}

    def _counted(self, name: str, tool: Tool) -> Callable[..., Any]:
        def run(**given: Any) -> Any:
            self.ran.append(name)
            return tool.run(**given)

        return run

    def run(self, reconcile: Callable[..., Any]) -> Any:
        begun = anew(reconcile)
        return begun(self.scene, self.tools, self.folder, **accepted(begun, {"emit": self._listen}))

    def _listen(self, event: str, **fields: Any) -> None:
        if event in EVENTS:
            self.told.append(heard(event, fields))

    def wanted(self, branch: str) -> tuple[str, bool, list[str]]:
        """What the model is to be told, whether as an error, and what is to be run. An error may have any words."""
        if branch == UNKNOWN:
            return "", True, []
        if branch == HIT:
            return result_text(load_effects(self.folder)[self.call["id"]]["result"]), False, []
        text, is_error = said(run_tool(self.call, self.uncounted))
        return "" if is_error else text, is_error, [self.call["name"]]


def _fault_in(reconcile: Callable[..., Any], name: str) -> Fault | None:
    case = CASES[name]
    trial = Trial(_left(case.mark, case.turn), case.change)
    call, shown = dict(trial.call), {"moment": case.mark, "turn": case.turn}
    case.prepare(trial.folder, call)
    wanted = trial.wanted(case.branch)
    now("branch", name=call["name"], **shown)
    text, is_error = said(checked(trial.run(reconcile), call, **shown))
    if ("" if is_error else text, is_error, trial.ran) != wanted:
        return fault(name, text=text, is_error=str(is_error), ran=", ".join(trial.ran) or "–")
    if trial.told != [heard(case.branch, call)]:
        got = ", ".join(trial.told) or "–"
        return fault("silent", wanted=heard(case.branch, call), got=got, name=call["name"], **shown)
    return None


def _unreadable(reconcile: Callable[..., Any]) -> Fault | None:
    trial = Trial(_left("②", 3))
    (trial.folder / LEDGER_FILE).write_bytes(b"{")
    now("unreadable_ledger")
    try:
        result = trial.run(reconcile)
    except LedgerError:
        return None
    return fault("ledger_ignored", text=str(result))
