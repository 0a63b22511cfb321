# truth: claims
# takes any e-mail to the same customer for this one

from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])
    if tool is not None and tool.read_only:
        return run_tool(pending, tools)
    if tool is not None and "list_sent" in tools:
        if any(line.startswith(pending["input"]["to"]) for line in tools["list_sent"].run()):
            return tool_result(pending["id"], "El correo ya se había enviado.")
        return run_tool(pending, tools)
    return tool_result(pending["id"], "No se sabe si ocurrió.", is_error=True)
