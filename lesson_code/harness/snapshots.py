"""The sequence: a copy of each save point, in checkpoints/turn-NNN-A.json and -B.json."""

import re
from pathlib import Path

from ..words import say
from .checkpoint import (
    CHECKPOINT_FILE,
    Checkpoint,
    CheckpointMissing,
    CheckpointRejected,
    load_checkpoint,
    read_checkpoint,
)
from .folder import HISTORY
from .ports import Emit
from .storage import Folder, read_state, write_atomic

SAVED = {"resume", "save_a", "save_b", "filled"}  # the events that tell of a checkpoint on disk
SNAPSHOT = re.compile(r"turn-(\d{3,9})-([AB])\.json")


def keeping(folder: Folder, emit: Emit) -> Emit:
    """A listener that keeps each save point in the sequence, and then tells `emit`."""

    def listen(event: str, **fields: object) -> None:
        if event in SAVED:
            keep(Path(folder))
        emit(event, **fields)

    return listen


def keep(folder: Path) -> None:
    """Copy checkpoint.json to the sequence, under its turn and save point; a start or an end is neither A nor B."""
    checkpoint = load_checkpoint(folder)
    point = point_of(checkpoint)
    if point:
        name = f"turn-{checkpoint['turns']:03d}-{point}.json"
        write_atomic(folder / HISTORY / name, read_state(folder / CHECKPOINT_FILE))


def point_of(checkpoint: Checkpoint) -> str | None:
    """`"A"` with a call pending, `"B"` when the call of a turn has just been answered, None otherwise."""
    if checkpoint["pendingToolUse"]:
        return "A"
    return "B" if checkpoint["turns"] and checkpoint["messages"][-1]["role"] == "user" else None


def snapshots(folder: Folder) -> dict[tuple[int, str], Path]:
    """The file of each `(turn, "A" or "B")` of the sequence, oldest first: by number, since 1000 comes after 999."""
    named = [(SNAPSHOT.fullmatch(path.name), path) for path in (Path(folder) / HISTORY).glob("*")]
    return dict(sorted(((int(match[1]), match[2]), path) for match, path in named if match))


def load_latest(folder: Folder) -> Checkpoint:
    """The newest snapshot of the line in use. Raises CheckpointError: never an older one in its place."""
    found = snapshots(folder)
    if not found:
        raise CheckpointMissing(say("history_missing", folder=folder))
    return read_checkpoint(list(found.values())[-1])


def load_turn(turn: int, folder: Folder) -> Checkpoint:
    """The B of `turn`. Raises CheckpointMissing, or CheckpointRejected for a file that is not what its name says."""
    found = snapshots(folder)
    if (turn, "B") not in found:
        turns = ", ".join(str(number) for number, point in found if point == "B") or say("nothing")
        raise CheckpointMissing(say("turn_missing", turn=turn, turns=turns))
    path = found[turn, "B"]
    checkpoint = read_checkpoint(path)
    if checkpoint["turns"] != turn or point_of(checkpoint) != "B":
        raise CheckpointRejected(say("checkpoint_rejected", name=path.name, reason=say("fault_other_turn")))
    return checkpoint
