"""The sequence: a copy of each save point, in checkpoints/turn-NNN-A.json and -B.json."""

import re
from pathlib import Path

from ..words import say
from .checkpoint import (
    CHECKPOINT_FILE,
    Checkpoint,
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    load_checkpoint,
    read_checkpoint,
)
from .conversation import blocks_of
from .folder import ABANDONED, HISTORY, last_number
from .ports import Emit
from .storage import Folder, copy_atomic, make_folder, replace, sync_folder

SAVED = {"resume", "save_a", "save_b", "filled"}  # the events that tell of a checkpoint on disk
Place = tuple[int, str]  # a turn, and "A" or "B"
SNAPSHOT = re.compile(r"turn-([0-9]{3,9})-([AB])\.json")


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
    if is_save_point(checkpoint):
        turn, point = place_of(checkpoint)
        copy_atomic(folder / CHECKPOINT_FILE, folder / HISTORY / f"turn-{turn:03d}-{point}.json")


def place_of(checkpoint: Checkpoint) -> Place:
    """Its turn, and `"A"` with a call pending, `"B"` without one."""
    return checkpoint["turns"], "A" if checkpoint["pendingToolUse"] else "B"


def is_save_point(checkpoint: Checkpoint) -> bool:
    """Whether a call is pending (A), or has just been answered (B)."""
    last = [block for message in checkpoint["messages"][-1:] for block in blocks_of(message["content"])]
    return checkpoint["pendingToolUse"] is not None or any(block["type"] == "tool_result" for block in last)


def snapshots(folder: Folder) -> dict[Place, Path]:
    """The file of each place in the sequence of the line in use, oldest first.

    What is later than checkpoint.json is of a line that a rewind has left, and that a death kept it from moving away.
    """
    found = files_of(Path(folder) / HISTORY)
    try:
        now = place_of(load_checkpoint(folder))
    except CheckpointError:
        return found  # nothing tells where the line stands
    return {place: path for place, path in found.items() if place <= now}


def set_aside(folder: Path, here: Place) -> None:
    """Move what is later than `here` after the line that the last rewind left; nothing there is written over."""
    later = [path for place, path in files_of(folder / HISTORY).items() if place > here]
    aside = last_aside(folder)
    if any((aside / path.name).exists() for path in later):
        aside = next_aside(folder)
    if later:
        make_folder(aside)
        for path in later:
            replace(path, aside / path.name)
        sync_folder(aside)
        sync_folder(folder / HISTORY)


def last_aside(folder: Path) -> Path:
    """Where the last rewind puts what it leaves."""
    return folder / ABANDONED / f"{max(1, last_number(folder / ABANDONED)):03d}"


def next_aside(folder: Path) -> Path:
    """Where the next rewind will put what it leaves: a new folder, or one that a death left empty."""
    last = last_aside(folder)
    if not last.exists() or not any(last.iterdir()):
        return last
    return folder / ABANDONED / f"{int(last.name) + 1:03d}"


def load_latest(folder: Folder) -> Checkpoint:
    """The newest snapshot of the line in use. Raises CheckpointError: never an older one in its place."""
    found = snapshots(folder)
    if not found:
        raise CheckpointMissing(say("history_missing", folder=folder))
    return read_snapshot(*list(found.items())[-1])


def load_turn(turn: int, folder: Folder) -> Checkpoint:
    """The B of `turn`. Raises CheckpointMissing, naming the turns that are there, or another CheckpointError."""
    found = snapshots(folder)
    if (turn, "B") not in found:
        turns = ", ".join(str(number) for number, point in found if point == "B") or say("nothing")
        raise CheckpointMissing(say("turn_missing", turn=turn, turns=turns))
    return read_snapshot((turn, "B"), found[turn, "B"])


def reached(folder: Path, sequence: Path) -> Checkpoint | None:
    """Where a line got to: the checkpoint in `folder` or, if that is no use, its newest snapshot; or None."""
    try:
        return read_checkpoint(folder / CHECKPOINT_FILE)
    except (FileNotFoundError, CheckpointError):
        newest = list(files_of(sequence).values())[-1:]
        return read_checkpoint(newest[0]) if newest else None


def read_snapshot(place: Place, path: Path) -> Checkpoint:
    """The snapshot in `path`. Raises CheckpointError, also when it is not what its name says."""
    checkpoint = read_checkpoint(path)
    if place_of(checkpoint) != place or not is_save_point(checkpoint):
        raise CheckpointRejected(say("checkpoint_rejected", name=path.name, reason=say("fault_other_turn")))
    return checkpoint


def files_of(sequence: Path) -> dict[Place, Path]:
    """The snapshots in a folder by number, since 1000 comes after 999; other names are none of ours."""
    named = [(SNAPSHOT.fullmatch(path.name), path) for path in sequence.glob("*")]
    found = sorted(((int(match[1]), match[2]), path) for match, path in named if match)
    return {place: path for place, path in found if path.name == f"turn-{place[0]:03d}-{place[1]}.json"}
