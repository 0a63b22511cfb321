# values: lost_messages
# keeps the end of the conversation


def what_to_save(scene):
    return {
        "task": scene["task"],
        "turns": scene["turns"],
        "tokensUsed": scene["tokensUsed"],
        "last": scene["messages"][-1],
        "call": scene["call"],
    }
