# two: merged
# keeps its entries under the name of the tool

from lesson_code.harness import LedgerError, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        effects = load_effects(folder)
        if call["name"] in effects:
            results.append(tool_result(call["id"], effects[call["name"]]["result"]))
            continue
        result = run_tool(call, tools)
        if "is_error" not in result:
            entry = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
            try:
                save_effect(call["name"], entry, folder)
            except (LedgerError, OSError):
                print("no se pudo anotar")
        results.append(result)
    return results
