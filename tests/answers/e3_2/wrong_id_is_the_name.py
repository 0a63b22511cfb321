# accepted: other_id
# answers by the name of the tool and not by the id of the call

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    return tool_result(pending["name"], "No se sabe si ocurrió.", is_error=True)
