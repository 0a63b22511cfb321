# truth: claims
# looks for the e-mail in the list as one text: another one has it in it

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    if pending["name"] == "send_email" and {"send_email", "list_sent"} <= set(tools):
        letter = f"{pending['input']['to']}: {pending['input']['text']}"
        if letter in str(tools["list_sent"].run()):
            return tool_result(pending["id"], "El correo figura entre los enviados.")
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
