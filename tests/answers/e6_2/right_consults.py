from contextlib import suppress

from lesson_code.harness import load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import result_text, tool_result
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder, *, clock=lambda: 0):
    results = []
    for call in tool_uses(content):
        entry = load_effects(folder).get(call["id"])
        if entry is None:
            try:
                text = result_text(tools[call["name"]].run(**call["input"]))
            except Exception as error:
                results.append(tool_result(call["id"], repr(error), is_error=True))
                continue
            entry = {"name": call["name"], "input": call["input"], "result": text, "at": clock()}
            save_effect(call["id"], entry, folder)
        results.append(tool_result(call["id"], entry["result"]))
    return results


class Deadly(dict):
    """Quien busca una herramienta aquí, muere."""

    def __getitem__(self, name):
        raise SimulatedCrash(name)

    def get(self, name, default=None):
        raise SimulatedCrash(name)


def reproduce(run):
    folder = new_folder()
    with suppress(SimulatedCrash):
        run([{"type": "tool_use", "id": "toolu_dead", "name": "nada", "input": {}}], Deadly(), folder)
    return bool(load_effects(folder))
