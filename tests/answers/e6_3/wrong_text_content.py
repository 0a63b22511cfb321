# lost: error
# expects the content of every message to be a list of blocks


def lost_calls(checkpoint, effects):
    known = set()
    for message in checkpoint["messages"]:
        for block in message["content"]:
            if block["type"] == "tool_use":
                known.add(block["id"])
    if checkpoint["pendingToolUse"]:
        known.add(checkpoint["pendingToolUse"]["id"])
    return [name for name in effects or {} if name not in known]
