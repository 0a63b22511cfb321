# accepted: spoiled
# puts the result into the messages itself, and gives it back too: the model would get two

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        result = run_tool(pending, tools)
    else:
        result = tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
    checkpoint["messages"].append({"role": "user", "content": [result]})
    return result
