# accepted: stopped
# an error without a text, which the API refuses

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    return tool_result(pending["id"], "", is_error=True)
