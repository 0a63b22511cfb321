from lesson_code.harness import load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    """El tool_result de cada tool_use, en orden, con registro de efectos."""
    results = []
    for call in tool_uses(content):
        entry = load_effects(folder).get(call["id"])  # ilegible: LedgerError, antes de ejecutar nada
        if entry is not None and is_same_call(entry, call):
            results.append(tool_result(call["id"], entry["result"]))  # un acierto, aunque el texto esté vacío
            continue
        result = run_tool(call, tools)
        results.append(result)
        if "is_error" in result:
            continue  # lo que falló no se anota: otra vez puede salir bien
        note = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
        try:
            save_effect(call["id"], note, folder)  # en el instante del éxito, antes de la llamada que sigue
        except Exception as error:
            # El efecto ya ocurrió, y el modelo lee su resultado. Que no se pudo anotar se le dice a la persona.
            print("aviso: no se pudo anotar", call["id"], type(error).__name__)
    return results
