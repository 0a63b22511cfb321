ANSWERS = {
    "a": "rerun",  # `read_notes` quedó colgante y solo lee: ejecutarla otra vez deja el mundo igual
    "b": "refuse",  # la versión es `true`: para el lector no es 1, y nadie sabe quién escribió ese archivo
    "c": "unknown",  # `send_email` quedó colgante: pudo haber salido, y el archivo no lo dice
    "d": "answer",  # el último mensaje es del modelo y no pide nada: la tarea terminó
    "e": "refuse",  # falta `tokensUsed`, y nada en el archivo permite calcularlo
    "f": "ask",  # nada colgante, y el último mensaje es un resultado: le toca al modelo
    "g": "refuse",  # es el punto de control de otra tarea
    "h": "refuse",  # el JSON está cortado
    "i": "refuse",  # la versión es 2: este arnés no sabe qué significan ahí los campos
}
