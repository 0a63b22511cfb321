# other: taken_by_its_id
# takes whatever is noted under the id, also of another call

from lesson_code.harness import LedgerError, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        effects = load_effects(folder)
        if call["id"] in effects:
            results.append(tool_result(call["id"], effects[call["id"]]["result"]))
            continue
        result = run_tool(call, tools)
        if "is_error" not in result:
            entry = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
            try:
                save_effect(call["id"], entry, folder)
            except (LedgerError, OSError):
                print("no se pudo anotar")
        results.append(result)
    return results
