# json: not_json
# a dictionary that holds itself


def what_to_save(scene):
    saved = {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")}
    saved["self"] = saved
    return saved
