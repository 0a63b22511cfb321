"""A way back to a turn, and a second line that leaves from it.

What is taken back is the scene of the decision, not the world: the ledger only grows.
"""

import json
import os
import re
import shutil
from glob import escape
from pathlib import Path

from ..words import say
from .beyond import beyond, calls_of, named
from .checkpoint import (
    CHECKPOINT_FILE,
    Checkpoint,
    CheckpointError,
    CheckpointRejected,
    CheckpointUnreadable,
    load_checkpoint,
    save_checkpoint,
)
from .folder import FORK_FILE, HISTORY, ORIGIN_FILE, owned
from .ledger import LEDGER_FILE, load_effects
from .snapshots import keep, last_aside, load_latest, load_turn, next_aside, place_of, set_aside, snapshots
from .storage import TEMPORARY, Folder, copy_atomic, make_folder, read_state, replace, sync_folder, write_atomic
from .strict import parse

__all__ = ["fork_from", "load_latest", "prune", "rewind_to"]
BRANCH = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def rewind_to(turn: int, folder: Folder, *, accept: bool = False) -> Checkpoint:
    """Make the B of `turn` the checkpoint, and give it back. The ledger stays whole; later files go to abandoned/.

    Raises CheckpointRejected, naming the effects that it can't undo, unless they are accepted; CheckpointMissing.
    """
    load_turn(turn, folder)  # what is refused here creates nothing, not even the lock
    folder = Path(folder)
    with owned(folder):
        target = load_turn(turn, folder)
        effects = beyond(target, folder)
        if effects and not accept:
            raise CheckpointRejected(say("rewind_not_accepted", turn=turn) + named(effects))
        now = usable_checkpoint(folder)
        if now:
            set_aside(folder, place_of(now))  # finish a rewind that a death cut short
        if now != target:
            make_folder(next_aside(folder))
            if (folder / CHECKPOINT_FILE).exists():
                copy_atomic(folder / CHECKPOINT_FILE, last_aside(folder) / CHECKPOINT_FILE)
            save_checkpoint(target, folder)  # from here on the run is back at `turn`, whatever is still to be moved
            set_aside(folder, (turn, "B"))
    return target


def fork_from(turn: int, branch: str, folder: Folder) -> Path:
    """A folder beside `folder`, named after it and `branch`, whose run goes on from the B of `turn`; give it back.

    It inherits the ledger up to that turn; from there on each line notes its own. Raises CheckpointMissing or Rejected.
    """
    target = load_turn(turn, folder)
    if not BRANCH.fullmatch(branch):
        raise CheckpointRejected(say("branch_name", branch=branch))
    folder = Path(os.path.realpath(folder))
    place = folder.with_name(f"{folder.name}-{branch}")
    if os.path.lexists(place):
        raise CheckpointRejected(say("branch_exists", folder=place))
    known, noted = calls_of(target), load_effects(folder)
    draft = place.with_name(f"{place.name}.tmp")
    if draft.exists():
        remove_draft(draft)
    copy_atomic(snapshots(folder)[turn, "B"], draft / CHECKPOINT_FILE)
    keep(draft)
    if noted:
        copy_atomic(folder / LEDGER_FILE, draft / LEDGER_FILE)  # with its mode, which the next write keeps
        inherited = {call_id: entry for call_id, entry in noted.items() if call_id in known}
        write_atomic(draft / LEDGER_FILE, json_bytes(inherited))
    if (folder / ORIGIN_FILE).exists():
        copy_atomic(folder / ORIGIN_FILE, draft / ORIGIN_FILE)
    write_atomic(draft / FORK_FILE, json_bytes({"parent": folder.name, "turn": turn}))
    replace(draft, place)
    sync_folder(place.parent)
    return place


def prune(folder: Folder, turns: int) -> list[str]:
    """Remove the snapshots before the last `turns` turns that can be gone back to, and give their names.

    A turn from which a fork left stays. Raises ValueError for a negative number, CheckpointError, FolderInUse.
    """
    if turns < 0:
        raise ValueError(say("prune_negative"))
    folder = Path(folder)
    if not snapshots(folder):
        return []
    with owned(folder):
        found = snapshots(folder)
        whole = [turn for turn, point in found if point == "B"]
        last_gone = whole[-turns - 1] if len(whole) > turns else 0
        forked = forks_of(folder).values()
        gone = [path for (turn, _), path in found.items() if turn <= last_gone and turn not in forked]
        for path in gone:
            path.unlink()
        sync_folder(folder / HISTORY)
    return [path.name for path in gone]


def forks_of(folder: Folder) -> dict[str, int]:
    """The folders that forked from `folder` and stand beside it, each with the turn from which it left."""
    folder = Path(os.path.realpath(folder))
    found: dict[str, int] = {}
    for path in sorted(folder.parent.glob(f"{escape(folder.name)}-*/{FORK_FILE}")):
        if path.parent.suffix == ".tmp":
            continue  # a fork that a death cut short
        try:
            note = parse(read_state(path))
            if note["parent"] == folder.name:
                found[path.parent.name] = int(note["turn"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointUnreadable(say("fork_unreadable", name=f"{path.parent.name}/{path.name}")) from error
    return found


def usable_checkpoint(folder: Path) -> Checkpoint | None:
    """The checkpoint, or None where it can't be used: going back is then a way out."""
    try:
        return load_checkpoint(folder)
    except CheckpointError:
        return None


def remove_draft(draft: Path) -> None:
    """Remove what a death left of an earlier fork. Raises CheckpointRejected if it holds anything else."""
    ours = {CHECKPOINT_FILE, LEDGER_FILE, FORK_FILE, ORIGIN_FILE, HISTORY}
    if any(path.name not in ours and not TEMPORARY.fullmatch(path.name) for path in draft.iterdir()):
        raise CheckpointRejected(say("branch_exists", folder=draft))
    shutil.rmtree(draft)


def json_bytes(value: object) -> bytes:
    """`value` as the state files hold it."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")
