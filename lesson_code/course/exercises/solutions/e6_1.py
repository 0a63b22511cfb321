ANSWERS = {
    # ① A recién guardado: la última escritura que terminó es la de A.
    "checkpoint_1": "open",  # A guarda la llamada; el resultado no existe todavía
    "noted_1": "no",  # la herramienta no empezó
    "read_only_1": "again",  # fallo en el registro, y leer otra vez no cambia nada
    "effects_1": "unknown",  # fallo en el registro, y pudo haber ocurrido: se dice que no se sabe
    # ② la herramienta terminó: la última escritura del arnés sigue siendo la de A.
    "checkpoint_2": "open",
    "noted_2": "no",
    "read_only_2": "again",
    "effects_2": "unknown",
    "same_files": "yes",  # nadie escribió en ninguno de los dos archivos entre ① y ②
    "written": "second",  # el mundo sí cambió
    "same_way": "yes",  # quien reanuda lee los dos archivos: si son iguales, hace lo mismo
    # ③ B recién guardado: todo está en su sitio.
    "checkpoint_3": "closed",  # B guarda el resultado y quita la llamada colgante
    "noted_3": "yes",  # la anotación llegó antes que B
    "read_only_3": "nothing",  # `reconcile` devuelve None
    "effects_3": "nothing",  # aquí no importa qué herramienta era
    "fills": "first_two",  # en ③ no falta ningún B: el bucle pregunta enseguida
}
