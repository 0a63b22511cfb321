# other: taken_for_a_replay
# looks for an entry with the same name and input, whatever its id

from lesson_code.harness import LedgerError, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        for entry in load_effects(folder).values():
            if is_same_call(entry, call):
                results.append(tool_result(call["id"], entry["result"]))
                break
        else:
            result = run_tool(call, tools)
            if "is_error" not in result:
                entry = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
                try:
                    save_effect(call["id"], entry, folder)
                except (LedgerError, OSError):
                    print("no se pudo anotar")
            results.append(result)
    return results
