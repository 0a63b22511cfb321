from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder):
    answers = {}
    for call in tool_uses(content):
        tool = tools[call["name"]]
        try:
            output = tool.run(**call["input"])
        except Exception as error:
            raise RuntimeError(f"falló {call['name']}") from error
        entry = {"name": call["name"], "input": call["input"], "result": str(output), "at": 0}
        answers[call["id"]] = tool_result(call["id"], entry["result"])
        save_effect(call["id"], entry, folder)
    return list(answers.values())


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
