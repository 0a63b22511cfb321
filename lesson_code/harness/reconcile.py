"""What a resume does with the call that a death left open."""

from ..words import say, warn
from .calls import run_tool_uses
from .checkpoint import Checkpoint
from .conversation import Block
from .ledger import is_same_call, load_effects
from .ports import Clock, CrashPoint, Emit, go_on, now_ms
from .storage import Folder
from .tools import Tools, result_text, tool_result


def reconcile(
    checkpoint: Checkpoint,
    tools: Tools,
    folder: Folder,
    *,
    emit: Emit = warn,
    crash_point: CrashPoint = go_on,
    clock: Clock = now_ms,
) -> Block | None:
    """The `tool_result` of the pending call, or None if nothing is pending.

    Noted: its stored result. Not noted but read-only: run again. Otherwise nobody knows: `is_error`.
    Raises LedgerError before anything runs.
    """
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    call = {"id": pending["id"], "name": pending["name"]}
    entry = load_effects(folder).get(pending["id"])
    if entry is not None and is_same_call(entry, pending):
        emit("hit", **call)
        return tool_result(pending["id"], result_text(entry["result"]))
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        emit("rerun", **call)
        again = [{"type": "tool_use", **pending}]
        return run_tool_uses(again, tools, folder, emit=emit, crash_point=while_resuming(crash_point), clock=clock)[0]
    if entry is not None:
        emit("warning_other_call", **call)
    emit("unknown", **call)
    return tool_result(pending["id"], say("result_unknown", name=pending["name"]), is_error=True)


def while_resuming(crash_point: CrashPoint) -> CrashPoint:
    """The crash point under the names it has in a resume: `after-tool:0` is `resume-after-tool`."""
    return lambda label: crash_point("resume-" + label.split(":")[0])
