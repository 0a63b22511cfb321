"""Run the calls of a turn: consult the ledger, run the tool, note its result at once."""

from ..words import reason, warn
from .conversation import Block, tool_uses
from .ledger import is_same_call, load_effects, save_effect
from .ports import Clock, CrashPoint, Emit, go_on, now_ms
from .storage import Folder
from .tools import Tools, result_text, run_tool, tool_result


def run_tool_uses(
    content: list[Block],
    tools: Tools,
    folder: Folder,
    *,
    turn: int = 0,
    emit: Emit = warn,
    crash_point: CrashPoint = go_on,
    clock: Clock = now_ms,
) -> list[Block]:
    """The `tool_result` of each `tool_use` in `content`. Raises LedgerError before a tool runs."""
    results = []
    for call in tool_uses(content):
        entry = load_effects(folder).get(call["id"])
        if entry is not None and is_same_call(entry, call):
            results.append(tool_result(call["id"], result_text(entry["result"])))
            continue
        if entry is not None:
            emit("warning_other_call", id=call["id"], name=call["name"])
        result = run_tool(call, tools)
        crash_point(f"after-tool:{turn}")
        if "is_error" not in result and entry is None:
            # The effect is done: a ledger that can't be written must not be told as a tool that failed.
            try:
                done = {"name": call["name"], "input": call["input"], "result": result["content"], "at": int(clock())}
                save_effect(call["id"], done, folder)
            except Exception as error:
                emit("warning_not_noted", id=call["id"], name=call["name"], reason=reason(error))
            else:
                crash_point(f"after-effect-write:{turn}")
        results.append(result)
    return results
