# gone: gone
# says the truth about a tool that is gone, and forgets is_error

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is None:
        return tool_result(pending["id"], "No se sabe si ocurrió: esa herramienta ya no existe.")
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
