# before: noted_first
# splits the loop: one that notes, and one that runs

from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder):
    calls = tool_uses(content)
    for call in calls:
        save_effect(call["id"], {"name": call["name"], "input": call["input"], "result": "", "at": 0}, folder)
    return [tool_result(call["id"], str(tools[call["name"]].run(**call["input"]))) for call in calls]


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
