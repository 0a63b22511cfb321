# json: not_json
# a set and bytes go to no JSON


def what_to_save(scene):
    saved = {name: scene[name] for name in ("turns", "tokensUsed", "messages", "call")}
    return {**saved, "task": scene["task"].encode("utf-8"), "tools": set(scene["tools"])}
