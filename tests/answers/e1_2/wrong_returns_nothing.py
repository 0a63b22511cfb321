# call: kind
# makes the dictionary and does not give it back


def what_to_save(scene):
    saved = {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")}
    print(saved)
