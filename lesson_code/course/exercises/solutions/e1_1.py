ANSWERS = {
    # Lo lee el modelo, y está en un archivo.
    "1": "memory",
    "1_survives": "yes",
    # Es el contexto del modelo, y con ella el bucle sabe por dónde va. Vive en una variable. También vale "state".
    "2": "both",
    "2_survives": "no",
    # Es para otros, y está en un archivo.
    "3": "output",
    "3_survives": "yes",
    # La cuenta del bucle: una variable.
    "4": "state",
    "4_survives": "no",
    # Lo usa el modelo, pero vive en la respuesta de este turno, dentro del proceso. Lo que es no lo salva.
    "5": "memory",
    "5_survives": "no",
    # Lo que el bucle tiene a medias: otra variable.
    "6": "state",
    "6_survives": "no",
    # Otra cuenta del bucle.
    "7": "state",
    "7_survives": "no",
    # Ya lo tiene la imprenta.
    "8": "output",
    "8_survives": "yes",
    # El modelo las lee en cada solicitud, y el arnés las toma de un archivo.
    "9": "memory",
    "9_survives": "yes",
    # Son para otros, y todavía no salieron del proceso.
    "10": "output",
    "10_survives": "no",
    # La recuerda el modelo mientras esté en `messages`.
    "11": "memory",
    "11_survives": "no",
    # La misma cosa que la 2, en otro lugar. Dice por dónde iba el turno 16, no el 17. También vale "state".
    "12": "both",
    "12_survives": "yes",
}
