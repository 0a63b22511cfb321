"""What 6.3 checks: the calls that a ledger notes and a checkpoint does not know, in the files of real runs."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ...harness import Tool, run_agent
from ...lab.model import ScriptedModel
from ...lab.scene import Outcome, new_folder, play
from ...lab.strategy import Strategy
from ...lab.tools import make_tools
from ...lab.world import World
from .judging import now
from .kinds import Criterion, Fault, fault

LostCalls = Callable[[Any, Any], Any]

B_ONLY = Strategy(saves="B", ledger="after")
A_BEFORE_PUSH = Strategy(ledger="after", pushes_first=False)


class Fresh(ScriptedModel):
    """Asked again, it gives a new id, as the API does; not a random one, for every check is to say the same."""

    def _new_id(self, messages: list[dict[str, Any]]) -> str:
        assert self.world
        return f"toolu_{len(self.world.calls()) + 1:02d}"


class Case(NamedTuple):
    """The two files of a run, and which of the ids that its model asked for are lost, in the order of the ledger."""

    checkpoint: dict[str, Any]
    effects: dict[str, Any] | None
    lost: list[str]


@cache
def _cases() -> dict[str, Case]:
    """The cases, smallest first: `one` to `backwards` have lost something."""
    several = _die(B_ONLY, "after-effect-write:2", "after-effect-write:2", "after-effect-write:3")
    found = {
        "one": _case(_die(B_ONLY, "after-effect-write:3"), 2),
        "middle": _case(_die(B_ONLY, "after-effect-write:2", "after-save-b:3"), 1),
        "several": _case(several, 1, 2, 4),
        "no_ledger": _case(_die(run_agent, "after-save-a:1")),
        "pending": _case(_die(run_agent, "after-effect-write:3")),
        "elsewhere": _case(_die(A_BEFORE_PUSH, "after-effect-write:3")),
        "not_noted": _case(_die(run_agent, "after-tool:3")),
        "failed": _case(_die(run_agent, "after-save-b:3", tools=_failing)),
        "ended": _case(play(new_folder())),
    }
    case = found["several"]
    effects = dict(reversed((case.effects or {}).items()))
    return {**found, "backwards": Case(case.checkpoint, effects, case.lost[::-1])}


def _die(harness: Callable[..., str], *labels: str, tools: Callable[..., Any] = make_tools) -> Outcome:
    """What is left of a run that died at the first label, and of its resumes, each of which died at the next."""
    left = play(new_folder(), labels[0], harness=harness, tools=tools, model=Fresh())
    for label in labels[1:]:
        left = play(left.folder, label, resume=True, harness=harness, tools=tools, model=Fresh())
    return left


def _case(left: Outcome, *lost: int) -> Case:
    """`lost`: which of the calls that were asked for, counted from 0."""
    asked = [call["asked"] for call in left.world.calls()]
    return Case(left.checkpoint, left.effects, [asked[number] for number in lost])


def _failing(folder: Path, world: World) -> Mapping[str, Tool]:
    """The course's tools, with a report that can't be written."""

    def fails(**given: Any) -> NoReturn:
        raise PermissionError

    tools = make_tools(folder, world)
    return {**tools, "write_report": replace(tools["write_report"], run=fails)}


def _check(*names: str) -> Callable[[LostCalls], Fault | None]:
    def check(lost_calls: LostCalls) -> Fault | None:
        return next(filter(None, (_fault_in(lost_calls, name) for name in names)), None)

    return check


def _fault_in(lost_calls: LostCalls, name: str) -> Fault | None:
    case = copy.deepcopy(_cases()[name])
    now(name)
    given = lost_calls(case.checkpoint, case.effects)
    if not isinstance(given, list):
        return fault("kind", kind=type(given).__name__)
    if given != case.lost:
        return fault(name, wanted=_listed(case.lost), got=_listed(given))
    return None if case == _cases()[name] else fault("spoiled")


def _listed(ids: list[Any]) -> str:
    return ", ".join(map(str, ids)) or "–"


CRITERIA = (
    Criterion("lost", _check("one", "no_ledger")),
    Criterion("anywhere", _check("middle", "several", "backwards")),
    Criterion("known", _check("pending", "elsewhere", "not_noted", "failed", "ended")),
    Criterion("again"),
    Criterion("limit"),
)
