# values: lost_turns
# a count that comes back as a text is another value


def what_to_save(scene):
    saved = {name: str(scene[name]) for name in ("task", "turns", "tokensUsed")}
    return {**saved, "messages": scene["messages"]}
