def lost_calls(checkpoint, effects, *, quiet=True):
    pending = checkpoint.get("pendingToolUse")
    known = [pending["id"]] if pending else []
    for message in checkpoint["messages"]:
        if message["role"] == "user" and not isinstance(message["content"], str):
            known.extend(block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result")
    return list(filter(lambda name: name not in known, effects or []))
