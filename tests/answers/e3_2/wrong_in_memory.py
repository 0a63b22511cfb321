# once: mails
# remembers what it has answered in the process: a new one remembers nothing

from lesson_code.harness.tools import run_tool, tool_result

answered = set()


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    if tool is None or pending["id"] in answered:
        return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
    answered.add(pending["id"])
    return run_tool(pending, tools)
