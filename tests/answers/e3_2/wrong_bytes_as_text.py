# read_only: read_only_other
# makes a text of what the tool gave with str(), which turns bytes into b'…'

from lesson_code.harness.tools import tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return tool_result(pending["id"], str(tool.run(**pending["input"])))
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
