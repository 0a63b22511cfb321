# no key of its own for the call: the conversation ends with it; tuples come back as lists


def what_to_save(scene):
    return {
        "task": scene["task"],
        "counters": (scene["turns"], scene["tokensUsed"]),
        "messages": tuple(scene["messages"]),
        "tools": sorted(scene["tools"]),
    }
