from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import run_tool
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.scene import new_folder


def run_tool_uses_fixed(content, tools, folder):
    return [answered(call, tools, folder) for call in tool_uses(content)]


def answered(call, tools, folder):
    result = run_tool(call, tools)
    if not result.get("is_error"):
        noted = {"name": call["name"], "input": call["input"], "result": result["content"]}
        save_effect(call["id"], noted, folder)
    return result


def reproduce(run):
    seen = []
    folder = new_folder()

    def look_and_die(**given):
        seen.append("toolu_1" in load_effects(folder))
        raise SimulatedCrash("antes de trabajar")

    tool = Tool(look_and_die, description="Mira y muere.", input_schema={"type": "object"}, read_only=True)
    content = [{"type": "text", "text": "Voy."}, {"type": "tool_use", "id": "toolu_1", "name": "x", "input": {"a": 1}}]
    try:
        run(content, {"x": tool}, folder)
    except BaseException:
        pass
    return seen == [True]
