# once: none
# takes the message out and answers nothing, as if nobody had asked


def reconcile(checkpoint, tools):
    if checkpoint["pendingToolUse"]:
        checkpoint["messages"].pop()
        checkpoint["pendingToolUse"] = None
    return None
