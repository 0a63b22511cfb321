def what_to_save(scene):
    call = scene["call"]
    saved = {"task": scene["task"], "turns": scene["turns"], "tokensUsed": scene["tokensUsed"]}
    saved["messages"] = scene["messages"]
    saved["pendingToolUse"] = {key: call[key] for key in ("id", "name", "input")} if call else None
    return saved
