# Lo que se quiere cambiar decide: nada, una decisión, la cantidad de líneas o un archivo.
ANSWERS = {
    # Lo decidido está bien: se sigue desde el último punto de control, aunque sea un A. Volver repetiría una.
    "tables": "resume",
    # La decisión no sirve, y lo que salió de ella tampoco: se vuelve al B de antes. El borrador sigue en el mundo.
    "contract": "rewind",
    # Se quieren las dos líneas, desde el mismo B: cada una en su carpeta y con su registro.
    "two_fixes": "fork",
    # Un punto de control no guarda ese archivo; quien guarda los de ayer es el control de versiones.
    "config": "git",
}
