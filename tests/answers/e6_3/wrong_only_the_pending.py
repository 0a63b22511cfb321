# lost: one
# takes all that is noted for lost, but for the pending call


def lost_calls(checkpoint, effects):
    pending = checkpoint["pendingToolUse"] or {}
    return [name for name in effects or {} if name != pending.get("id")]
