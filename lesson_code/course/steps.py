"""The steps of one write, or of several beside each other, with what a death after each of them left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..harness import save_checkpoint
from ..harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from ..lab.disk import OLD, Death
from ..words import say
from .explorer import STEPS

DOES = {
    "open": "writes_open",
    "chunk": "writes_chunk",
    "flush": "writes_flush",
    "fsync": "writes_fsync",
    "close": "writes_close",
    "replace": "writes_replace",
    "fsync-folder": "writes_fsync_folder",
    "remove": "writes_remove",
}
Cuts = Sequence[tuple[str, ...]]
Step = tuple[str, str]
"""The name of a step, and what it does."""
Row = tuple[Step, set[int]]
"""A step of all the writes together, and which writes take it."""


@dataclass
class Write:
    """A write, by the deaths after each of its steps; `before`: the disk before the first one, if it is known."""

    name: str
    deaths: Sequence[Death]
    cuts: Cuts
    before: Death | None

    def seen(self, number: int, *, taken: bool = True) -> dict[str, Any]:
        """The disk after its step `number` (0: before the first), and the one before that step, if it was `taken`."""
        disks = [self.before, *self.deaths]
        now, was = disks[number], disks[number - taken]
        may_read = (self.cuts[number - 1] if number else ()) if self.cuts else None
        step = named(self.deaths)[number - 1][0] if number else ""
        return {"write": self.name, "step": step, "taken": taken, "now": now, "was": was, "may_read": may_read}


def writes_of(deaths: Any, cuts: Any, old: Checkpoint | None) -> list[Write]:
    """The writes that a widget is given. Raises ValueError for one without steps, or with other cuts than steps."""
    named = deaths if isinstance(deaths, Mapping) else {"": deaths}
    cut = cuts if isinstance(cuts, Mapping) else dict.fromkeys(named, cuts)
    found = [Write(name, list(some), list(cut.get(name, ())), _before(old)) for name, some in named.items()]
    if not found or not all(write.deaths for write in found):
        raise ValueError(say("writes_nothing"))
    if not set(cut) <= set(named) or any(write.cuts and len(write.cuts) != len(write.deaths) for write in found):
        raise ValueError(say("writes_other_cuts"))
    return found


def _before(old: Checkpoint | None) -> Death | None:
    if old is None:
        return None
    with TemporaryDirectory(prefix="curso-") as folder:
        save_checkpoint(old, folder)
        return Death(("", "", ""), {CHECKPOINT_FILE: (Path(folder) / CHECKPOINT_FILE).read_bytes()}, OLD, "")


def together(writes: Sequence[Write]) -> list[Row]:
    """The steps of all the writes, each in its own order; a step that several take at that point is one row."""
    rows: list[Row] = []
    for which, write in enumerate(writes):
        merged, steps = list[Row](), named(write.deaths)
        matcher = SequenceMatcher(None, [row[0] for row in rows], steps, autojunk=False)
        for change, i, j, first, last in matcher.get_opcodes():
            new = rows[i:j] if change == "equal" else [(step, set[int]()) for step in steps[first:last]]
            merged += new if change == "equal" else rows[i:j] + new
            for _, takers in new:
                takers.add(which)
        rows = merged
    return rows


def named(deaths: Sequence[Death]) -> list[Step]:
    """The steps in words; the pieces that are handed to the system are counted."""
    kinds = [death.step[0] for death in deaths]
    counted = [f" {kinds[: at + 1].count(kind)}" if kind == "chunk" else "" for at, kind in enumerate(kinds)]
    return [(say(STEPS[kind]) + number, say(DOES[kind])) for kind, number in zip(kinds, counted, strict=True)]
