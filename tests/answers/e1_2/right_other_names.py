def what_to_save(scene):
    return {
        "version": 1,
        "tarea": scene["task"],
        "contadores": {"turnos": scene["turns"], "tokens": scene["tokensUsed"]},
        "conversación": scene["messages"],
        "pendiente": scene["call"],
    }
