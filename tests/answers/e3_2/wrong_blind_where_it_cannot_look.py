# once: reports
# looks whether the e-mail was sent, and runs everything else again

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    if pending["name"] not in tools:
        return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
    if pending["name"] == "send_email":
        letter = f"{pending['input']['to']}: {pending['input']['text']}"
        if "list_sent" in tools and letter in tools["list_sent"].run():
            return tool_result(pending["id"], "El correo figura entre los enviados.")
    return run_tool(pending, tools)
