# read_only: read_only_error
# says «nobody knows» of every tool, also of those that only read

from lesson_code.harness.tools import tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
