from lesson_code.harness.tools import run_tool, tool_result


def told(pending):
    text = "No se sabe si esta llamada ocurrió: el proceso murió antes de guardar su resultado."
    return tool_result(pending["id"], text, is_error=True)


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    if pending["name"] in tools and tools[pending["name"]].read_only:
        return run_tool(pending, tools)
    if pending["name"] == "send_email" and {"send_email", "list_sent"} <= set(tools):
        given = pending["input"]
        if f"{given['to']}: {given['text']}" in tools["list_sent"].run():
            return tool_result(pending["id"], "El correo figura entre los enviados.")
        return run_tool(pending, tools)
    return told(pending)
