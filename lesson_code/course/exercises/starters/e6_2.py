"""What lesson 6 gives to begin with in 6.2."""

from lesson_code.harness import save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result


def run_tool_uses_fixed(content, tools, folder):
    """La de producción, tal como estaba: corrígela."""
    results = []
    for call in tool_uses(content):
        entry = {"name": call["name"], "input": call["input"], "result": None, "at": 0}
        save_effect(call["id"], entry, folder)
        output = tools[call["name"]].run(**call["input"])
        results.append(tool_result(call["id"], str(output)))
    return results


def reproduce(run):
    """True si `run` deja anotada una llamada que muere al empezar; False si no."""
    ...
