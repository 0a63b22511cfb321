# told: missed
# says no, whatever it is given

from lesson_code.harness import save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import tool_result


def run_tool_uses_fixed(content, tools, folder):
    results = []
    for call in tool_uses(content):
        output = str(tools[call["name"]].run(**call["input"]))
        entry = {"name": call["name"], "input": call["input"], "result": output, "at": 0}
        save_effect(call["id"], entry, folder)
        results.append(tool_result(call["id"], output))
    return results


def reproduce(run):
    return False
