# read_only: read_only_error
# guesses from the name whether a tool only reads

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    if pending["name"] in tools and pending["name"].startswith(("read_", "list_")):
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
