"""With what a run began: the model, the system text and the tools, in a file of their own beside the checkpoint.

Some models refuse a conversation that another one began, or whose system text or tools are no longer those that they
have seen: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
"""

import json
from pathlib import Path
from typing import Any

from ..words import reason
from .folder import ORIGIN_FILE
from .ports import Emit
from .storage import Folder, read_state, write_atomic
from .strict import canonical, parse
from .tools import Tools, describe

Origin = dict[str, Any]
"""`{"model": str, "system": str, "tools": [{"name", "description", "input_schema"}]}`"""


def remembering(folder: Folder, emit: Emit, *, model: str, tools: Tools, system: str = "") -> Emit:
    """A listener that notes what a run begins with, at its first save A, and says on a resume what is another one."""
    ours: Origin = {"model": model, "system": system, "tools": describe(tools)}
    path = Path(folder) / ORIGIN_FILE

    def listen(event: str, **fields: Any) -> None:
        if event in ("resume", "save_a"):
            if not path.exists():
                write_atomic(path, json.dumps(ours, ensure_ascii=False, indent=2).encode("utf-8"))
            elif event == "resume":
                _compare(path, ours, emit)
        emit(event, **fields)

    return listen


def _compare(path: Path, ours: Origin, emit: Emit) -> None:
    try:
        theirs = parse(read_state(path))
        names = {tool["name"]: tool for tool in theirs["tools"]}
        model, system = theirs["model"], theirs["system"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        emit("warning_origin_unreadable", name=path.name, reason=reason(error))
        return
    if model != ours["model"]:
        emit("warning_other_model", theirs=model, ours=ours["model"])
    if system != ours["system"]:
        emit("warning_other_system")
    now = {tool["name"]: tool for tool in ours["tools"]}
    changed = [name for name in sorted(names | now) if canonical(names.get(name)) != canonical(now.get(name))]
    if changed:
        emit("warning_other_tools", names=", ".join(changed))
