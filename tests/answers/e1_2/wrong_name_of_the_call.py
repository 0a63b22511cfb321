# call: lost_call
# a call is more than its name, and the message that asked for it is cut off


def what_to_save(scene):
    saved = {"task": scene["task"], "turns": scene["turns"], "tokensUsed": scene["tokensUsed"]}
    saved["messages"] = scene["messages"]
    if scene["call"]:
        saved["pending"] = scene["call"]["name"]
        saved["messages"] = scene["messages"][:-1]
    return saved
