"""The folder of a task: one owner at a time, and a fresh start that deletes nothing."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ..words import say
from . import checkpoint, ledger
from .ports import Emit
from .storage import TEMPORARY, copy_atomic, make_folder, replace, sync_folder

LOCK = ".lock"
PREVIOUS = "previous"
HISTORY = "checkpoints"  # the sequence of snapshots, where it is kept
ABANDONED = "abandoned"  # what a rewind left behind
FORK_FILE = "fork.json"  # from whom, and from which turn, a fork left
ORIGIN_FILE = "origin.json"  # with what model, system text and tools the run began


class FolderInUse(Exception):
    """Another process owns the folder; nothing was run."""


@contextmanager
def owned(folder: Path) -> Generator[None, None, None]:
    """Be the folder's one owner, and sweep the temporaries that a death left. Raises FolderInUse.

    The lock is the system's: a SIGKILL frees it. Its file is never deleted or moved.
    """
    make_folder(folder)
    try:
        lock = FileLock(folder / LOCK, timeout=0).acquire()
    except Timeout:
        raise FolderInUse(say("folder_in_use", folder=folder)) from None
    with lock:
        past = [folder / name for name in (HISTORY, ABANDONED) if not (folder / name).is_symlink()]
        for place in [folder, *(Path(below) for top in past for below, _, _ in os.walk(top))]:
            for entry in os.scandir(place):
                if TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    os.unlink(entry)
        yield


def archive(folder: Path, emit: Emit) -> None:
    """Move checkpoint and ledger to previous/NNN: copied, synced, renamed, and only then removed, checkpoint first.

    In that order no death leaves a checkpoint whose ledger or origin has gone. What the run kept of its past goes
    before them.
    """
    names = [n for n in (checkpoint.CHECKPOINT_FILE, ledger.LEDGER_FILE, ORIGIN_FILE) if os.path.lexists(folder / n)]
    past = [name for name in (HISTORY, ABANDONED, FORK_FILE) if os.path.lexists(folder / name)]
    if not names + past:
        return
    pending = _pending_name(folder)
    previous = folder / PREVIOUS
    number = last_number(previous) + 1
    draft = previous / f"{number:03d}.tmp"
    if draft.exists():
        shutil.rmtree(draft)  # a death cut an earlier copy short; the originals are still here
    make_folder(draft)
    for name in names:
        copy_atomic(folder / name, draft / name)
    replace(draft, previous / f"{number:03d}")
    sync_folder(previous)
    for name in past:
        replace(folder / name, previous / f"{number:03d}" / name)
        sync_folder(previous / f"{number:03d}")
        sync_folder(folder)
    for name in names:
        (folder / name).unlink()
        sync_folder(folder)
    emit("warning_archived", place=f"{PREVIOUS}/{number:03d}", pending=pending)


def last_number(place: Path) -> int:
    """The highest number that names something in `place`; 0 if nothing is."""
    return max((int(path.name) for path in place.glob("*") if path.name.isdecimal()), default=0)


def _pending_name(folder: Path) -> str:
    try:
        pending = checkpoint.load_checkpoint(folder)["pendingToolUse"]
    except checkpoint.CheckpointMissing:
        pending = None
    except checkpoint.CheckpointError:
        return say("pending_unknown")
    return say("pending_call", name=pending["name"], id=pending["id"]) if pending else say("pending_none")
