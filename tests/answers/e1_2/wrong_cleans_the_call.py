# untouched: spoiled
# closes the call in the scene itself


def what_to_save(scene):
    saved = {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")}
    scene["call"] = None
    return saved
