"""The exercises of lesson 4: which tools may be repeated, and the ledger for those that may not."""

import json
from pathlib import Path

from ...lab.desk import CLOSER
from ...lab.tools import NOTES
from ...lab.twelve import CONFIG, DRAFT
from ...lab.twice import run_twice
from ...lab.world import World
from ...words import say
from .kinds import Criterion, Measured, Task
from .ledger_checks import CHECKS

TOOLS = ("read_file", "send_email", "ensure_ticket", "append_log", "set_config", "delete_file")


def _close_it(folder: Path) -> None:
    World(folder).do(CLOSER, say("desk_subject"))


def _write_another(folder: Path) -> None:
    for name in (DRAFT, NOTES):
        (folder / name).write_text(say("twelve_line"), encoding="utf-8")


def _set_another(folder: Path) -> None:
    (folder / CONFIG).write_text(json.dumps({"language": "pt"}), encoding="utf-8")


BROKEN = {"finds": _close_it, "name": _write_another, "value": _set_another}
"""Each condition, and what somebody does between the two runs so that it does not hold."""

CONDITIONS = (*BROKEN, "reads", "same_answer", "none")


def _measure() -> Measured:
    """Run each tool twice: nobody in between, and then with each condition broken."""
    found: dict[str, tuple[str, ...]] = {}
    for name in TOOLS:
        idempotent = run_twice(name).same_world
        rests_on = tuple(each for each, between in BROKEN.items() if not run_twice(name, between).same_world)
        found[name] = ("same_world" if idempotent else "other_world",)
        # That reading starts nothing elsewhere can't be broken from here: it is what is left when no other matters.
        found[_condition(name)] = (rests_on or ("reads",)) if idempotent else ("none",)
    return found


def _condition(name: str) -> str:
    return f"{name}_condition"


TASKS = (
    Task(
        "4.1",
        (
            Criterion("world", fields=TOOLS),
            Criterion("condition", fields=tuple(map(_condition, TOOLS))),
            Criterion("why"),
            Criterion("risk"),
        ),
        form={
            field: options
            for name in TOOLS
            for field, options in ((name, ("same_world", "other_world")), (_condition(name), CONDITIONS))
        },
        measure=_measure,
    ),
    Task(
        "4.2",
        (*(Criterion(name, check) for name, check in CHECKS.items()), Criterion("warned")),
        takes={"run_tool_uses": "content, tools, folder"},
    ),
)
