def what_to_save(scene):
    """Lo que un proceso nuevo necesita de la escena para seguir."""
    saved = {}  # un diccionario nuevo: la escena la sigue usando el bucle
    saved["task"] = scene["task"]  # qué se pidió, para poder decirlo
    saved["turns"] = scene["turns"]  # para que el tope cuente la tarea entera
    saved["tokensUsed"] = scene["tokensUsed"]  # lo mismo con el presupuesto: después nadie puede calcularlo
    saved["messages"] = scene["messages"]  # todo lo que el modelo va a saber
    saved["call"] = scene["call"]  # lo que quedó a medias
    # El cliente y las herramientas los construye el proceso nuevo. La clave no va en un archivo: la toma de otro lado.
    return saved
