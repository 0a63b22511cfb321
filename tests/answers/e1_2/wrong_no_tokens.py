# values: lost_tokens
# thinks that what was spent can be computed later


def what_to_save(scene):
    return {"task": scene["task"], "turns": scene["turns"], "messages": scene["messages"], "call": scene["call"]}
