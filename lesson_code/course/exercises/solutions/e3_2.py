from lesson_code.harness.tools import run_tool, tool_result


def reconcile(checkpoint, tools):
    """El tool_result de la llamada colgante, o None si no hay ninguna."""
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    tool = tools.get(pending["name"])  # puede que ya no exista
    if tool and tool.read_only:
        return run_tool(pending, tools)  # leer otra vez no le hace nada al mundo
    # ① y ② dejan los mismos archivos: aquí no se puede saber si el efecto ocurrió, y eso es lo que se dice.
    text = "No se sabe si esta llamada ocurrió: el proceso murió antes de guardar su resultado. Mira antes de repetir."
    return tool_result(pending["id"], text, is_error=True)
