"""Calls to a desk of tickets, handed to a learner's run_tool_uses: what it gives, and what the desk would say."""

import copy
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...harness import LedgerError, Tool, load_effects
from ...harness.tools import Tools
from ...lab.desk import new_desk
from ...lab.scene import new_place
from ...words import say
from .judging import now
from .kinds import NotYet, fault
from .results import checked, said

Run = Callable[[Any, Any, Any], Any]
Call = dict[str, Any]
Results = list[dict[str, Any]]


def opens(number: int) -> Call:
    """A call that opens a ticket. Only its id tells it from the other ones.

    The checks share no id: what a learner keeps in memory shows where it is about memory, and nowhere else.
    """
    given = {"subject": say("desk_subject")}
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "open_ticket", "input": given}


def ensures(number: int) -> Call:
    """A call that opens one with another tool, and for something else."""
    return {**opens(number), "name": "ensure_ticket", "input": {"subject": say("twelve_report")}}


def ticket(number: int, call: Call) -> tuple[str, bool]:
    """What the desk says when that call opens the ticket of that number."""
    return say("desk_ticket", number=number, subject=call["input"]["subject"]), False


def results_of(run: Run, tools: Tools, folder: Path, *calls: Call, moment: str) -> Results:
    """What `run` gives for a message with these calls. Raises NotYet for what is not a result for each, in order."""
    now(moment)
    found = run(content_of(*calls), tools, folder)
    if not isinstance(found, list):
        raise NotYet(fault("no_list", kind=type(found).__name__))
    if len(found) != len(calls):
        raise NotYet(fault("how_many", wanted=len(calls), got=len(found)))
    return [checked(result, call) for result, call in zip(found, calls, strict=True)]


def content_of(*calls: Call) -> list[dict[str, Any]]:
    """What a model says that makes these calls."""
    return [{"type": "text", "text": say("desk_opens")}, *copy.deepcopy(calls)]


def told(results: Results) -> list[tuple[str, bool]]:
    """What the model is told: of each call the text, and whether it is an error."""
    return [said(result) for result in results]


def noted(folder: Path) -> dict[str, Any]:
    """The ledger that is on disk. Raises NotYet for one that can't be read."""
    try:
        return load_effects(folder)
    except LedgerError:
        raise NotYet(fault("left_unreadable")) from None


def with_opener(tools: Tools, run: Callable[..., Any]) -> dict[str, Tool]:
    """The same tools, but for what opens a ticket."""
    return {**tools, "open_ticket": replace(tools["open_ticket"], run=run)}


def photographs(run: Run, first: Call, second: Call) -> dict[str, Path]:
    """The folder as a process leaves it that dies when its `first` tool begins, its second one, or after both."""
    folder, _, tools = new_desk()
    left: list[Path] = []

    def photograph() -> None:
        left.append(Path(shutil.copytree(folder, new_place() / folder.name, symlinks=True)))

    def watched(tool: Tool) -> Tool:
        def work(**given: Any) -> Any:
            photograph()
            return tool.run(**given)

        return replace(tool, run=work)

    watching = {name: watched(tool) for name, tool in tools.items()}
    results_of(run, watching, folder, first, second, moment="first")
    photograph()
    if len(left) != 3:
        raise NotYet(fault("not_each_once", count=len(left) - 1))
    return dict(zip(("begins", "between", "ended"), left, strict=True))
