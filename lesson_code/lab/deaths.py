"""A death at each moment of a turn of the course's task: what it leaves, and what a resume makes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .. import harness
from ..words import say
from . import without_ledger
from .crash import MOMENTS
from .scene import Outcome, new_folder, play, play_for_real
from .tools import make_tools
from .world import World

CALLS = {1: "read_notes", 2: "count_words", 3: "write_report"}
"""The turns of the course's task, and the tool that each of them calls."""

REUSE, AGAIN, UNKNOWN, NOTHING = "reuse", "again", "unknown", "nothing"
BRANCHES = {REUSE: ("hit",), AGAIN: ("rerun", "bare_rerun"), UNKNOWN: ("unknown", "bare_unknown"), NOTHING: ()}
"""What a resume does with the pending call, and the events by which it says so."""

AT = 1_700_000_000_000  # ms: the clock of a simulated death, so that a lesson prints the same every day


@dataclass(frozen=True)
class Seen:
    """What is left at one instant: both files as objects (None: no such file), and the effects of the world."""

    checkpoint: dict[str, Any] | None
    effects: dict[str, Any] | None
    world: list[dict[str, Any]]


def look(outcome: Outcome) -> Seen:
    """What a run left."""
    return Seen(outcome.checkpoint, outcome.effects, outcome.world.effects())


@dataclass(frozen=True)
class Bench:
    """How the task is killed and resumed: with the ledger (lessons 4, 6) or without it (lesson 3), for real or not."""

    ledger: bool = True
    real: bool = False

    @property
    def moments(self) -> list[str]:
        """The moments of a turn, in the order in which a run passes them. Without a ledger there is no ★."""
        return [moment for moment in MOMENTS if self.ledger or moment != "★"]

    def die(self, moment: str, turn: int) -> Outcome:
        """A run that died there. Raises KeyError for an unknown moment, NothingHappened for another turn."""
        return self._run(new_folder(), f"{MOMENTS[moment]}:{turn}")

    def before(self, moment: str, turn: int) -> Outcome:
        """The same run, dead at the moment before; before ① the model's answer has just come."""
        place = self.moments.index(moment)
        return self.die(self.moments[place - 1], turn) if place else self._run(new_folder(), f"after-answer:{turn}")

    def resume(self, dead: Outcome) -> Outcome:
        """Another process goes on from what `dead` left, to the end."""
        return self._run(dead.folder, resume=True)

    def _run(self, folder: Path, label: str = "", *, resume: bool = False) -> Outcome:
        if self.real:
            command = "lesson_code.agent" if self.ledger else without_ledger.__name__
            return play_for_real(folder, label, resume=resume, command=command)
        run: Callable[..., str] = partial(harness.run_agent, clock=lambda: AT)
        return play(folder, label, resume=resume, harness=run if self.ledger else without_ledger.run_agent)


def branch_of(dead: Outcome, end: Outcome) -> str:
    """Which branch the resume took, as its log says."""
    pending = dead.checkpoint["pendingToolUse"]
    for branch, events in BRANCHES.items() if pending else ():
        if {say(event, id=pending["id"], name=pending["name"]) for event in events} & {*end.log}:
            return branch
    return NOTHING


def is_read_only(name: str) -> bool:
    """Whether the course has a tool `name`, and declares it read-only."""
    folder = new_folder()
    tool = make_tools(folder, World(folder)).get(name)
    return tool is not None and tool.read_only
