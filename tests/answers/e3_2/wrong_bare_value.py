# once: shape
# gives what the tool returned instead of the block that answers the call


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    return tools[pending["name"]].run(**pending["input"])
