# left_out: secret
# the key is inside of something else


def what_to_save(scene):
    saved = {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")}
    saved["settings"] = {"client": {"header": "x-api-key: " + scene["api_key"]}}
    return saved
