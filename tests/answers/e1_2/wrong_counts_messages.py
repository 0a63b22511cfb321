# values: lost_turns
# takes the number of messages for that of turns


def what_to_save(scene):
    return {
        "task": scene["task"],
        "turns": len(scene["messages"]),
        "tokensUsed": scene["tokensUsed"],
        "messages": scene["messages"],
    }
