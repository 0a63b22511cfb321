def lost_calls(checkpoint, effects):
    lost = []
    if effects is None:
        return lost
    for tool_use_id in effects:
        if not knows(checkpoint, tool_use_id):
            lost.append(tool_use_id)
    return lost


def knows(checkpoint, tool_use_id):
    pending = checkpoint["pendingToolUse"]
    if pending is not None and pending["id"] == tool_use_id:
        return True
    for message in checkpoint["messages"]:
        content = message["content"]
        if isinstance(content, str):
            continue
        for block in content:
            if block["type"] == "tool_use" and block["id"] == tool_use_id:
                return True
    return False
