from lesson_code.harness import Tool, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result
from lesson_code.lab.scene import new_folder


def one_by_one(calls, tools, folder):
    for call in calls:
        output = tools[call["name"]].run(**call["input"])
        save_effect(call["id"], {"name": call["name"], "input": call["input"], "result": output}, folder)
        yield tool_result(call["id"], str(output))


def run_tool_uses_fixed(content, tools, folder):
    return list(one_by_one(tool_uses(content), tools, folder))


def reproduce(run):
    def dies(**ignored):
        raise SystemExit(137)

    calls = [{"type": "tool_use", "id": f"toolu_{n}", "name": "dies", "input": {}} for n in (1, 2)]
    folder = new_folder()
    try:
        run(calls, {"dies": Tool(dies, description="d", input_schema={"type": "object"})}, folder)
    except SystemExit:
        pass
    return any(call["id"] in load_effects(folder) for call in calls)
