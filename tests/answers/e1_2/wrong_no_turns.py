# values: lost_turns
# thinks that a new process begins to count again


def what_to_save(scene):
    return {"task": scene["task"], "tokensUsed": scene["tokensUsed"], "messages": scene["messages"]}
