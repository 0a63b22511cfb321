"""A task with its forks and its world, to be copied, looked at, rewound and forked."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness import load_effects
from ..harness.beyond import beyond
from ..harness.folder import ABANDONED, LOCK
from ..harness.snapshots import load_turn, snapshots
from ..harness.timeline import forks_of
from ..lab.scene import new_place
from ..lab.tree import tree
from ..lab.world import World
from ..words import say
from .branches import brief, call_of

Node = tuple[str, int]
"""A B that can be gone back to: the name of its folder, and its turn."""


@dataclass(frozen=True)
class Task:
    """A task in `folder`, with its forks beside it, and its `world`, in the folder or beside it."""

    folder: Path
    world: World | None

    def copy(self) -> "Task":
        """The same in a place of its own. Raises ValueError for a world that is neither in the folder nor beside it."""
        place = new_place()
        for folder in self.folders(self.folder):
            shutil.copytree(folder, place / folder.name, symlinks=True, ignore=shutil.ignore_patterns(LOCK))
        if self.world is None:
            return Task(place / self.folder.name, None)
        where = Path(os.path.relpath(os.path.realpath(self.world.path.parent), self.folder.parent))
        if where.parts and where.parts[0] != self.folder.name:
            raise ValueError(say("lines_other_world"))
        if not where.parts and self.world.path.exists():
            shutil.copy2(self.world.path, place)
        return Task(place / self.folder.name, World(place / where))

    def folders(self, folder: Path) -> Iterator[Path]:
        """`folder`, those that forked from it, those that forked from them, and so on."""
        yield folder
        for name in forks_of(folder):
            yield from self.folders(folder.with_name(name))

    def nodes(self) -> dict[Node, str]:
        """The B points that can be gone back to, each as a phrase."""
        found = {}
        for folder in self.folders(self.folder):
            calls = {step.turn: call_of(step) for step in tree(folder, self.world).steps}
            key = "lines_node" if folder == self.folder else "lines_fork_node"
            for turn in (turn for turn, point in snapshots(folder) if point == "B"):
                found[folder.name, turn] = say(
                    key, turn=turn, name=folder.name, call=calls.get(turn, say("lines_none"))
                )
        return found

    def beyond(self, node: Node) -> list[str]:
        """What the B of a node does not know, and the world does or may: what a rewind to it can't undo."""
        folder = self.folder.with_name(node[0])
        noted, found = load_effects(folder), beyond(load_turn(node[1], folder), folder)
        return [self.did(one.id, noted) if one.sure else say("lines_maybe", name=one.name) for one in found]

    def did(self, call_id: str, noted: dict[str, Any]) -> str:
        """What a noted call did, as the world has it or, if nobody looks there, as the ledger has."""
        effects = self.world.effects() if self.world else []
        did = "; ".join(effect["about"] for effect in effects if effect["done"] == call_id)
        return say("lines_call", name=noted[call_id]["name"], did=brief(did or str(noted[call_id]["result"])))

    def counts(self, name: str) -> dict[str, int]:
        """How many calls the ledger of a folder notes and, if somebody looks there, how many effects the world has."""
        noted = {"lines_noted": len(load_effects(self.folder.with_name(name)))}
        return noted | ({"lines_happened": len(self.world.effects())} if self.world else {})

    def aside(self, name: str) -> set[str]:
        """The files that the rewinds of a folder have put aside."""
        folder = self.folder.with_name(name)
        return {path.relative_to(folder).as_posix() for path in (folder / ABANDONED).rglob("*") if path.is_file()}
