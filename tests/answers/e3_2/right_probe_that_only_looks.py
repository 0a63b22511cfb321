from lesson_code.harness.tools import run_tool, tool_result


def already_sent(call, tools):
    """Whether the list of sent e-mails has this one; None where nobody can look."""
    try:
        sent = list(tools["list_sent"].run())
    except Exception:
        return None
    return "{to}: {text}".format(**call["input"]) in sent


def reconcile(checkpoint, tools):
    call = checkpoint["pendingToolUse"]
    if call is None:
        return None
    if call["name"] in tools and tools[call["name"]].read_only:
        return run_tool(call, tools)
    if call["name"] == "send_email" and already_sent(call, tools):
        return tool_result(call["id"], "Este correo figura entre los enviados.")
    told = "No hay constancia de que haya ocurrido, y tampoco de que no. Mira antes de repetir."
    return tool_result(call["id"], told, is_error=True)
