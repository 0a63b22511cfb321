# read_only: undeclared_fine
# knows the tools with effects by name, and tells of every other one without is_error

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    has_effects = tool is None or pending["name"] in ("send_email", "write_report")
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=has_effects)
