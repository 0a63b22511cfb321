# gone: gone_denied
# lets run_tool answer for a tool that is gone: it says that nothing was done

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is None or tool.read_only:
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
