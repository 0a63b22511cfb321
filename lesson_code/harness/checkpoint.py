"""The checkpoint: the whole scene of a run, in one file that is always one version, whole."""

import json
from pathlib import Path
from typing import Any

from ..words import reason, say
from .conversation import calls_in, dangling, find_fault, is_call
from .storage import Folder, read_state, write_atomic
from .strict import canonical, parse

Checkpoint = dict[str, Any]
"""`{"version": 1, "task": str, "turns": int, "tokensUsed": int, "messages": [message],
"pendingToolUse": {"id": str, "name": str, "input": dict} | None}`, in this order."""

CHECKPOINT_FILE = "checkpoint.json"
FIELDS = ("version", "task", "turns", "tokensUsed", "messages", "pendingToolUse")


class CheckpointError(Exception):
    """A checkpoint that can't be used. The file has not been touched."""


class CheckpointMissing(CheckpointError):
    """There is no checkpoint in the folder."""


class CheckpointUnreadable(CheckpointError):
    """The file can't be read, or it is not strict JSON."""


class CheckpointRejected(CheckpointError):
    """The JSON is not a checkpoint that can be resumed, or saved."""


def save_checkpoint(checkpoint: Checkpoint, folder: Folder) -> None:
    """Write the six fields to `folder`/checkpoint.json in one step. Raises CheckpointRejected, or OSError."""
    fault = fault_of_fields(checkpoint)
    if fault:
        raise CheckpointRejected(say("not_saved", reason=fault))
    ordered = {field: checkpoint[field] for field in FIELDS}
    try:
        data = json.dumps(ordered, ensure_ascii=False, allow_nan=False, indent=2).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointRejected(say("not_saved", reason=say("not_json"))) from error
    write_atomic(Path(folder) / CHECKPOINT_FILE, data)


def load_checkpoint(folder: Folder) -> Checkpoint:
    """The checkpoint in `folder`, exactly as it is on disk.

    Raises CheckpointMissing, CheckpointUnreadable or CheckpointRejected: never a default, never a repair.
    """
    try:
        return read_checkpoint(Path(folder) / CHECKPOINT_FILE)
    except FileNotFoundError:
        raise CheckpointMissing(say("checkpoint_missing", folder=folder)) from None


def read_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint in the file `path`. Raises FileNotFoundError, CheckpointUnreadable or CheckpointRejected."""
    try:
        checkpoint = parse(read_state(path))
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise CheckpointUnreadable(say("checkpoint_unreadable", name=path.name, reason=reason(error))) from error
    fault = fault_of_fields(checkpoint) or fault_of_messages(checkpoint)
    if fault:
        raise CheckpointRejected(say("checkpoint_rejected", name=path.name, reason=fault))
    return checkpoint  # type: ignore[no-any-return]  # an object with the six fields, as just checked


def fault_of_fields(checkpoint: Any) -> str | None:
    """What is wrong with the six fields, in Spanish, or None."""
    if not isinstance(checkpoint, dict):
        return say("fault_no_object")
    version = checkpoint.get("version", 1)
    if not (type(version) is int and version == 1):
        return say("fault_version", version=json.dumps(version)[:40])
    if checkpoint.keys() != set(FIELDS):
        missing = [field for field in FIELDS if field not in checkpoint]
        unknown = sorted(field[:40] for field in checkpoint if field not in FIELDS)
        return say("fault_missing", field=missing[0]) if missing else say("fault_unknown", field=unknown[0])
    if type(checkpoint["task"]) is not str or not checkpoint["task"].strip():
        return say("fault_task")
    for field in ("turns", "tokensUsed"):
        if type(checkpoint[field]) is not int or checkpoint[field] < 0:
            return say("fault_counter", field=field)
    pending = checkpoint["pendingToolUse"]
    if pending is not None and not (isinstance(pending, dict) and len(pending) == 3 and is_call(pending)):
        return say("fault_pending")
    return None if isinstance(checkpoint["messages"], list) else say("fault_messages")


def fault_of_messages(checkpoint: Checkpoint) -> str | None:
    """Why the conversation and `pendingToolUse` don't go together, in Spanish, or None."""
    messages, pending = checkpoint["messages"], checkpoint["pendingToolUse"]
    fault = find_fault(messages)
    if fault:
        return say(f"fault_{fault.kind}", index=fault.message, ids=", ".join(fault.ids))
    open_calls = dangling(messages)
    if pending is None:
        return say("fault_dangling", ids=", ".join(call["id"] for call in open_calls)) if open_calls else None
    if is_from_elsewhere(checkpoint):
        return None
    asked = [{field: call[field] for field in ("id", "name", "input")} for call in open_calls]
    return None if canonical(asked) == canonical([pending]) else say("fault_other_call", id=pending["id"])


def is_from_elsewhere(checkpoint: Checkpoint) -> bool:
    """Whether save A came before the push, as in lesson 6's text: the pending call is nowhere in `messages`."""
    messages, pending = checkpoint["messages"], checkpoint["pendingToolUse"]
    ids = {call["id"] for call in calls_in(messages)}
    return pending is not None and pending["id"] not in ids and not dangling(messages)
