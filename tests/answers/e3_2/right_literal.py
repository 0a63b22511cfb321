UNKNOWN = "El proceso murió antes de guardar el resultado de {}. Puede que haya ocurrido y puede que no: mira antes."


def reconcile(checkpoint, tools):
    pending = checkpoint.get("pendingToolUse")
    if not pending:
        return None
    answer = {"type": "tool_result", "tool_use_id": pending["id"]}
    tool = tools[pending["name"]] if pending["name"] in tools else None
    if tool is None or not tool.read_only:
        text = {"type": "text", "text": UNKNOWN.format(pending["name"])}
        return {**answer, "content": [text], "is_error": True}
    value = tool.run(**pending["input"])
    text = value.decode("utf-8") if isinstance(value, bytes) else str(value)
    return {**answer, "content": text, "is_error": False}
