# before: failed_told_fine
# tells the model a failure as if it were a result

from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder):
    results = []
    for call in tool_uses(content):
        try:
            output = str(tools[call["name"]].run(**call["input"]))
            entry = {"name": call["name"], "input": call["input"], "result": output, "at": 0}
            save_effect(call["id"], entry, folder)
        except Exception as error:
            output = repr(error)
        results.append(tool_result(call["id"], output))
    return results


def reproduce(run):
    folder = new_folder()

    def die():
        raise SimulatedCrash("aquí")

    call = {"type": "tool_use", "id": "toolu_x", "name": "die", "input": {}}
    tools = {"die": Tool(die, description="Muere.", input_schema={"type": "object"})}
    try:
        run([call], tools, folder)
    except SimulatedCrash:
        pass
    return "toolu_x" in load_effects(folder)
