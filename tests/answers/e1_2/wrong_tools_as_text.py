# left_out: as_text
# saves the tools by how they are shown


def what_to_save(scene):
    saved = {name: scene[name] for name in ("task", "turns", "tokensUsed", "messages", "call")}
    saved["tools"] = [repr(tool) for tool in scene["tools"].values()]
    return saved
