# known: pending
# knows only the calls that have their result: a pending one has none


def lost_calls(checkpoint, effects):
    answered = set()
    for message in checkpoint["messages"]:
        if isinstance(message["content"], list):
            answered |= {block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"}
    return [name for name in effects or {} if name not in answered]
