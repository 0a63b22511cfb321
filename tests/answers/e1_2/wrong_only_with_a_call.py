# values: error
# thinks that there is always a call


def what_to_save(scene):
    call = {name: scene["call"][name] for name in ("id", "name", "input")}
    return {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages")} | {"pending": call}
