# call: lost_call
# a summary: neither the conversation nor the call


def what_to_save(scene):
    return {"tarea": scene["task"], "turnos": scene["turns"], "tokens": scene["tokensUsed"]}
