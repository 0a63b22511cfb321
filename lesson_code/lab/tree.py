"""The tree of a task, read from disk: its turns, rewinds and forks, and what each line did to the world. Only data."""

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from ..harness.checkpoint import Checkpoint, load_checkpoint
from ..harness.conversation import calls_in
from ..harness.entry import is_finished
from ..harness.folder import ABANDONED, HISTORY
from ..harness.ledger import is_same_call, load_effects
from ..harness.snapshots import files_of, reached
from ..harness.storage import Folder
from ..harness.strict import canonical
from ..harness.timeline import forks_of
from .world import World

TASK, LEFT, FORK = "task", "left", "fork"


@dataclass
class Step:
    """A turn of a line, by its call. `kept`: those of its save points that are on disk, "AB", "A", "B" or "".

    `effects`: what the world has under the call's id, or None if nobody looked. Where a model repeats the ids of
    another line, the world can't tell the two apart.
    """

    turn: int
    name: str
    kept: str
    noted: bool
    pending: bool
    effects: list[str] | None


@dataclass
class Line:
    """A line of turns, which leaves another one after its turn `after`; `lines` are those that leave from this one.

    `kind`: `TASK`, the line in use of a folder; `LEFT`, what a rewind abandoned; `FORK`, a folder of its own.
    """

    kind: str
    name: str
    after: int
    finished: bool
    steps: list[Step]
    lines: list["Line"] = field(default_factory=list)

    def every(self) -> Iterator["Line"]:
        """This line, those that leave from it, those that leave from them, and so on."""
        yield self
        for line in self.lines:
            yield from line.every()


def tree(folder: Folder, world: World | None = None) -> Line:
    """The line in use of the task in `folder`, with all that leave from it. Only reads.

    Raises CheckpointError or LedgerError for a state file that can't be read, and of which there is no copy.
    """
    folder = Path(os.path.abspath(folder))
    scenes = {folder / HISTORY: load_checkpoint(folder), **_left(folder)}
    look = _Look(folder, world, scenes)
    found: list[tuple[Line, list[str]]] = []
    for place, scene in scenes.items():
        keys = _keys(scene)
        parent, after = _leaves(found, keys)
        kind, name = (LEFT, place.name) if parent else (TASK, folder.name)
        line = Line(kind, name, after, is_finished(scene), look.steps(scene, after))
        if parent and line.steps:
            parent.lines.append(line)
        if line.steps or not parent:
            found.append((line, keys))
    for name, turn in forks_of(folder).items():
        fork = tree(folder.with_name(name), world)
        parent, _ = _leaves(found, _keys(load_checkpoint(folder.with_name(name)))[:turn])
        steps = [step for step in fork.steps if step.turn > turn]
        (parent or found[0][0]).lines.append(Line(FORK, name, turn, fork.finished, steps, fork.lines))
    return found[0][0]


class _Look:
    """What is known of the calls of a folder: what is kept of them, noted, and done in the world."""

    def __init__(self, folder: Path, world: World | None, scenes: dict[Path, Checkpoint]) -> None:
        self.noted = load_effects(folder)
        self.done = None if world is None else _done(world)
        self.kept: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for place, scene in scenes.items():
            keys = _keys(scene)
            for turn, point in files_of(place):
                if turn <= len(keys):
                    self.kept[tuple(keys[:turn])].add(point)

    def steps(self, scene: Checkpoint, after: int) -> list[Step]:
        """The turns of a conversation after its turn `after`."""
        keys, open_id = _keys(scene), (scene["pendingToolUse"] or {}).get("id")
        found = []
        for turn, call in list(enumerate(calls_in(scene["messages"]), start=1))[after:]:
            kept = "".join(sorted(self.kept[tuple(keys[:turn])]))
            noted = call["id"] in self.noted and is_same_call(self.noted[call["id"]], call)
            effects = None if self.done is None else self.done[call["id"]]
            found.append(Step(turn, call["name"], kept, noted, call["id"] == open_id, effects))
        return found


def _done(world: World) -> dict[str, list[str]]:
    """What each call did in the world, by its id."""
    done: dict[str, list[str]] = defaultdict(list)
    for effect in world.effects():
        done[effect["done"]].append(effect["about"])
    return done


def _left(folder: Path) -> dict[Path, Checkpoint]:
    """The scene of each line that a rewind abandoned, the newest first: an older one may have left from it."""
    numbered = [place for place in (folder / ABANDONED).glob("*") if place.name.isdecimal()]
    scenes = {place: reached(place, place) for place in sorted(numbered, key=lambda place: -int(place.name))}
    return {place: scene for place, scene in scenes.items() if scene}


def _leaves(found: list[tuple[Line, list[str]]], keys: list[str]) -> tuple[Line | None, int]:
    """The line that shares most of its calls with these, and how many: they leave it after that turn."""
    shared = ((line, _common(keys, theirs)) for line, theirs in found)
    return max(shared, key=lambda pair: pair[1], default=(None, 0))


def _common(some: list[str], others: list[str]) -> int:
    """With how many equal elements the two begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


def _keys(scene: Checkpoint) -> list[str]:
    """A text for each call, the same for the same call."""
    return [canonical([call["id"], call["name"], call["input"]]) for call in calls_in(scene["messages"])]
