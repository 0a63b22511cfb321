# once: mails
# runs the pending call again without knowing whether it had happened


def reconcile(checkpoint, tools):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    output = tools[pending["name"]].run(**pending["input"])
    return {"type": "tool_result", "tool_use_id": pending["id"], "content": str(output)}
