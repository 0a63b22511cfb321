"""What 6.2 checks: when a run_tool_uses notes what it runs, and whether `reproduce` tells those that note too early."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...harness import Tool, reconcile
from ...harness.tools import result_text
from ...lab.noters import NOTERS, described
from ...lab.scene import new_folder, new_place
from ...lab.tools import REPORT, make_tools
from ...lab.world import World
from ...words import say
from .desk_calls import Call, Run, content_of, noted, results_of
from .judging import now
from .kinds import Criterion, Fault, NotYet, fault
from .results import checked, said

Reproduce = Callable[[Run], Any]


def writes(number: int) -> Call:
    """A call that writes the report. Only its id tells it from the other ones."""
    given = {"path": REPORT, "content": "13"}
    return {"type": "tool_use", "id": f"toolu_6{number}", "name": "write_report", "input": given}


def counts(number: int) -> Call:
    """A call whose tool gives a number."""
    return {**writes(number), "name": "count_words", "input": {"text": say("sample_notes")}}


class Turn:
    """A folder and its tools. Before it works each one looks at what is noted then: `seen`. `gave`: what they gave."""

    def __init__(self) -> None:
        self.folder = new_folder()
        self.seen: list[dict[str, Any]] = []
        self.gave: list[str] = []
        tools = make_tools(self.folder, World(self.folder))
        self.tools = {name: replace(tool, run=self._watched(tool)) for name, tool in tools.items()}

    def _watched(self, tool: Tool) -> Callable[..., Any]:
        def work(**given: Any) -> Any:
            self.seen.append(noted(self.folder))
            value = tool.run(**given)
            self.gave.append(result_text(value))
            return value

        return work

    def run(self, run: Run, *calls: Call, moment: str) -> list[dict[str, Any]]:
        """The results that `run` gives for these calls. Raises NotYet if not each of them has run once."""
        results = results_of(run, self.tools, self.folder, *calls, moment=moment)
        if len(self.seen) != len(calls):
            raise NotYet(fault("not_each_once", wanted=len(calls), got=len(self.seen)))
        return results


def _before(run: Run, _: Reproduce) -> Fault | None:
    turn, call = Turn(), writes(1)
    turn.run(run, call, moment="one")
    if call["id"] in turn.seen[0]:
        return fault("noted_first", filler=repr(turn.seen[0][call["id"]]["result"]))
    return _failing(run)


def _failing(run: Run) -> Fault | None:
    """A tool that fails: its error may come out, or be told to the model, and nothing is noted."""
    folder, call, broken = new_folder(), writes(1), RuntimeError(REPORT)

    def fails(**given: Any) -> None:
        raise broken

    tools = make_tools(folder, World(folder))
    tools["write_report"] = replace(tools["write_report"], run=fails)
    now("fails")
    try:
        results = run(content_of(call), tools, folder)
    except Exception as error:
        if broken not in (error, error.__cause__, error.__context__):
            raise
    else:
        given = results[0] if isinstance(results, list) and results else None
        if not said(checked(given, call))[1]:
            return fault("failed_told_fine")
    return fault("failed_noted") if call["id"] in noted(folder) else None


def _result(run: Run, _: Reproduce) -> Fault | None:
    for call in (writes(1), counts(1)):
        turn = Turn()
        results = turn.run(run, call, moment="one")
        if said(results[0]) != (turn.gave[0], False):
            return fault("untrue", wanted=turn.gave[0], got=said(results[0])[0], name=call["name"])
        if found := _not_reused(turn, call):
            return found
    return None


def _not_reused(turn: Turn, call: Call) -> Fault | None:
    """What is wrong with the note of a call, as a resume would find it."""
    entries, events = noted(turn.folder), list[str]()
    if call["id"] not in entries:
        return fault("not_noted", wanted=call["id"], got=", ".join(entries) or "–")
    pending = {field: call[field] for field in ("id", "name", "input")}
    tools = make_tools(turn.folder, World(turn.folder))
    result = reconcile(
        {"pendingToolUse": pending}, tools, turn.folder, emit=lambda event, **fields: events.append(event)
    )
    assert result
    if "hit" not in events:
        return fault("no_hit", name=call["name"], entry=str(entries[call["id"]]))
    is_true = said(result) == (turn.gave[0], False)
    return None if is_true else fault("other_noted", name=call["name"], wanted=turn.gave[0], got=said(result)[0])


def _each(run: Run, _: Reproduce) -> Fault | None:
    turn, first, second = Turn(), writes(1), writes(2)
    turn.run(run, first, second, moment="two")
    if first["id"] not in turn.seen[1]:
        return fault("late", got=", ".join(turn.seen[1]) or "–")
    missing = [call["id"] for call in (first, second) if call["id"] not in noted(turn.folder)]
    return fault("one_missing", wanted=missing[0]) if missing else None


def _told(_: Run, reproduce: Reproduce) -> Fault | None:
    with _elsewhere() as place:
        before = dict(os.environ)
        for name, (run, notes_first) in NOTERS.items():
            now("reproduces", what=described(name))
            given = reproduce(run)
            if not isinstance(given, bool):
                return fault("no_bool", kind=type(given).__name__, what=described(name))
            if given is not notes_first:
                return fault("missed" if notes_first else "accused", what=described(name))
        if left := [path.name for path in place.iterdir()]:
            return fault("left_behind", names=", ".join(sorted(left)))
        return fault("left_set") if before != dict(os.environ) or Path.cwd() != place else None


@contextmanager
def _elsewhere() -> Iterator[Path]:
    """In an empty folder."""
    before, place = Path.cwd(), new_place().resolve()
    os.chdir(place)
    try:
        yield place
    finally:
        os.chdir(before)


CRITERIA = (
    Criterion("filler"),
    Criterion("consequence"),
    Criterion("before", _before),
    Criterion("result", _result),
    Criterion("each", _each),
    Criterion("told", _told),
)
