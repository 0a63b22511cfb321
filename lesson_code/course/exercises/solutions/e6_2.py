from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder):
    """La de producción, corregida: ejecutar, anotar, agregar."""
    results = []
    for call in tool_uses(content):
        output = str(tools[call["name"]].run(**call["input"]))  # primero el resultado verdadero
        entry = {"name": call["name"], "input": call["input"], "result": output, "at": 0}
        save_effect(call["id"], entry, folder)  # en el instante del éxito, antes de la llamada que sigue
        results.append(tool_result(call["id"], output))
    return results


def reproduce(run):
    """True si `run` deja anotada una llamada que muere al empezar; False si no."""
    folder = new_folder()  # una carpeta nueva: lo de otra prueba no se mezcla

    def die():
        raise SimulatedCrash("después de anotar, antes de ejecutar")  # un `except Exception` no la para

    call = {"type": "tool_use", "id": "toolu_dies", "name": "die", "input": {}}
    tools = {"die": Tool(die, description="Muere.", input_schema={"type": "object"})}
    try:
        run([call], tools, folder)
    except SimulatedCrash:
        pass
    return call["id"] in load_effects(folder)  # lo que hay en disco, y no lo que alguien dijo
