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
from .storage import TEMPORARY, make_folder, read_state, replace, sync_folder, write_atomic

LOCK = ".lock"
PREVIOUS = "previous"
HISTORY = "checkpoints"  # the sequence of snapshots, where it is kept
ABANDONED = "abandoned"  # what a rewind left behind
FORK_FILE = "fork.json"  # from whom, and from which turn, a fork left


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
        for place in (folder, folder / HISTORY):
            for entry in os.scandir(place) if place.is_dir() else ():
                if TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    os.unlink(entry)
        yield


def archive(folder: Path, emit: Emit) -> None:
    """Move checkpoint and ledger to previous/NNN: copied, synced, renamed, and only then removed, checkpoint first.

    In that order no death leaves a checkpoint whose ledger has gone. What the run kept of its past goes before them.
    """
    names = [name for name in (checkpoint.CHECKPOINT_FILE, ledger.LEDGER_FILE) if os.path.lexists(folder / name)]
    past = [name for name in (HISTORY, ABANDONED, FORK_FILE) if os.path.lexists(folder / name)]
    if not names + past:
        return
    pending = _pending_name(folder)
    copies = {name: read_state(folder / name) for name in names}
    previous = folder / PREVIOUS
    number = next_number(previous)
    draft = previous / f"{number:03d}.tmp"
    if draft.exists():
        shutil.rmtree(draft)  # a death cut an earlier copy short; the originals are still here
    make_folder(draft)
    for name, data in copies.items():
        shutil.copy(folder / name, draft / name)  # with its mode, which the next line keeps
        write_atomic(draft / name, data)
    replace(draft, previous / f"{number:03d}")
    sync_folder(previous)
    for name in past:
        replace(folder / name, previous / f"{number:03d}" / name)
        sync_folder(folder)
    for name in names:
        (folder / name).unlink()
        sync_folder(folder)
    emit("warning_archived", place=f"{PREVIOUS}/{number:03d}", pending=pending)


def next_number(place: Path) -> int:
    """One more than the highest number that names something in `place`."""
    return 1 + max((int(path.name) for path in place.glob("*") if path.name.isdecimal()), default=0)


def _pending_name(folder: Path) -> str:
    try:
        pending = checkpoint.load_checkpoint(folder)["pendingToolUse"]
    except checkpoint.CheckpointMissing:
        pending = None
    except checkpoint.CheckpointError:
        return say("pending_unknown")
    return say("pending_call", name=pending["name"], id=pending["id"]) if pending else say("pending_none")
