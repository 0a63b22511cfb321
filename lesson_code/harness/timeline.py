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
    CheckpointRejected,
    CheckpointUnreadable,
    save_checkpoint,
)
from .folder import ABANDONED, FORK_FILE, HISTORY, next_number, owned
from .ledger import LEDGER_FILE, load_effects
from .snapshots import keep, load_latest, load_turn, snapshots
from .storage import Folder, make_folder, read_state, replace, sync_folder, write_atomic
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
            raise CheckpointRejected(say("rewind_not_accepted", turn=turn, effects=named(effects)))
        aside = folder / ABANDONED / f"{next_number(folder / ABANDONED):03d}"
        make_folder(aside)
        if (folder / CHECKPOINT_FILE).exists():
            write_atomic(aside / CHECKPOINT_FILE, read_state(folder / CHECKPOINT_FILE))
        later = [path for place, path in snapshots(folder).items() if place > (turn, "B")]
        for path in reversed(later):  # the newest first: a death leaves a sequence without a gap
            replace(path, aside / path.name)
        sync_folder(aside)
        sync_folder(folder / HISTORY)
        save_checkpoint(target, folder)  # from here on the run is back at `turn`
    return target


def fork_from(turn: int, branch: str, folder: Folder) -> Path:
    """A folder beside `folder`, named after it and `branch`, whose run goes on from the B of `turn`; give it back.

    It inherits the ledger up to that turn; from there on each line notes its own. Raises CheckpointMissing or Rejected.
    """
    target = load_turn(turn, folder)
    if not BRANCH.fullmatch(branch):
        raise CheckpointRejected(say("branch_name", branch=branch))
    folder = Path(os.path.abspath(folder))
    place = folder.with_name(f"{folder.name}-{branch}")
    if os.path.lexists(place):
        raise CheckpointRejected(say("branch_exists", folder=place))
    known = calls_of(target)
    inherited = {call_id: entry for call_id, entry in load_effects(folder).items() if call_id in known}
    draft = place.with_name(f"{place.name}.tmp")
    if draft.exists():
        shutil.rmtree(draft)  # a death cut an earlier fork short; the parent has not been touched
    save_checkpoint(target, draft)
    keep(draft)
    write_atomic(draft / LEDGER_FILE, _json(inherited))
    write_atomic(draft / FORK_FILE, _json({"parent": folder.name, "turn": turn}))
    replace(draft, place)
    sync_folder(place.parent)
    return place


def prune(folder: Folder, turns: int) -> list[str]:
    """Remove the snapshots of all but the last `turns` turns, and give their names; a turn that was forked stays."""
    folder = Path(folder)
    with owned(folder):
        found = snapshots(folder)
        last = sorted({turn for turn, _ in found})[-turns:] if turns > 0 else []
        spared = {*last, *forks_of(folder).values()}
        gone = [path for (turn, _), path in found.items() if turn not in spared]
        for path in gone:
            path.unlink()
    return [path.name for path in gone]


def forks_of(folder: Folder) -> dict[str, int]:
    """The folders that forked from `folder` and stand beside it, each with the turn from which it left."""
    folder = Path(os.path.abspath(folder))
    found: dict[str, int] = {}
    for path in sorted(folder.parent.glob(f"{escape(folder.name)}-*/{FORK_FILE}")):
        try:
            note = parse(read_state(path))
            if note["parent"] == folder.name:
                found[path.parent.name] = int(note["turn"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointUnreadable(say("fork_unreadable", name=f"{path.parent.name}/{path.name}")) from error
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")
