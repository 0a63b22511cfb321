# accepted: invented
# answers the last call of the conversation, also when it has its answer

from lesson_code.harness.conversation import calls_in
from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    call = calls_in(checkpoint["messages"])[-1]
    tool = tools.get(call["name"])
    if tool is not None and tool.read_only:
        return run_tool(call, tools)
    return tool_result(call["id"], "No se sabe si ocurrió.", is_error=True)
