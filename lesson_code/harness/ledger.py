"""The ledger of side effects: one entry per `tool_use_id`, written the instant the tool has succeeded."""

import json
from pathlib import Path
from typing import Any

from ..words import reason, say
from .storage import Folder, read_state, write_atomic
from .strict import can_be_stored, canonical, parse

Entry = dict[str, Any]
"""`{"name": str, "input": dict, "result": str, "at": int}`, `at` in milliseconds since the epoch.
In files from elsewhere `input` may be absent (then any input matches), and `result` any JSON."""

LEDGER_FILE = "effects.json"


class LedgerError(Exception):
    """A ledger that can't be used. The file has not been touched, and is never taken for an empty one."""


def load_effects(folder: Folder) -> dict[str, Entry]:
    """The ledger in `folder`, by `tool_use_id`; `{}` only if there is no file. Raises LedgerError."""
    try:
        effects = parse(read_state(Path(folder) / LEDGER_FILE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise LedgerError(say("ledger_unreadable", reason=reason(error))) from error
    if not isinstance(effects, dict):
        raise LedgerError(say("ledger_unreadable", reason=say("fault_no_object")))
    for tool_use_id, entry in effects.items():
        if not is_entry(entry):
            raise LedgerError(say("ledger_unreadable", reason=say("fault_entry", id=tool_use_id[:128])))
    return effects


def save_effect(tool_use_id: str, entry: Entry, folder: Folder) -> None:
    """Add `entry` to the ledger in one step. The first result of a call is final: it is kept.

    Raises LedgerError (the id belongs to another call, the ledger can't be read, the entry is no JSON) or OSError.
    """
    effects = load_effects(folder)
    if not (is_entry(entry) and can_be_stored({tool_use_id: entry})):
        raise LedgerError(say("not_noted", reason=say("fault_entry", id=tool_use_id)))
    if tool_use_id in effects:
        if is_same_call(effects[tool_use_id], entry):
            return
        raise LedgerError(say("not_noted", reason=say("ledger_other_call", id=tool_use_id)))
    effects[tool_use_id] = entry
    data = json.dumps(effects, ensure_ascii=False, allow_nan=False, indent=2).encode("utf-8")
    write_atomic(Path(folder) / LEDGER_FILE, data)


def is_same_call(entry: Entry, call: dict[str, Any]) -> bool:
    """Whether `entry` notes this very call: same name and same input (true ≠ 1; 1.0 = 1)."""
    same_input = "input" not in entry or canonical(entry["input"]) == canonical(call.get("input"))
    return bool(entry["name"] == call["name"]) and same_input


def is_entry(entry: Any) -> bool:
    """Whether `entry` has the form of an entry."""
    if not isinstance(entry, dict) or not {"name", "result"} <= entry.keys() <= {"name", "input", "result", "at"}:
        return False
    return type(entry["name"]) is str and type(entry.get("input", {})) is dict and type(entry.get("at", 0)) is int
