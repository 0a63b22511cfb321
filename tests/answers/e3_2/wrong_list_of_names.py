# read_only: undeclared_ran
# keeps a list of the tools that only read, instead of asking the tool

from lesson_code.harness.tools import run_tool, tool_result

READERS = ("read_notes", "count_words", "list_sent")


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    if pending["name"] in tools and pending["name"] in READERS:
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
