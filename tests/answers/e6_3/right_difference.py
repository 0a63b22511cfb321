from lesson_code.harness.conversation import blocks_of


class Known(set):
    def __init__(self, checkpoint):
        super().__init__(
            block["id"]
            for message in checkpoint["messages"]
            for block in blocks_of(message["content"])
            if block["type"] == "tool_use"
        )
        self.add((checkpoint["pendingToolUse"] or {}).get("id"))


def lost_calls(checkpoint, effects):
    return [*dict.fromkeys(effects or ()).keys() - Known(checkpoint)] and [
        name for name in effects if name not in Known(checkpoint)
    ]
