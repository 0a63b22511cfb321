from lesson_code.harness import LedgerError, load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def hit(call, folder):
    entry = load_effects(folder).get(call["id"])
    return entry if entry is not None and is_same_call(entry, call) else None


def noted(call, result, folder):
    entry = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
    try:
        save_effect(call["id"], entry, folder)
    except (LedgerError, OSError) as error:
        print(f"{call['id']}: {error}")
    return result


def answer(call, tools, folder):
    entry = hit(call, folder)
    if entry is not None:
        return tool_result(call["id"], entry["result"])
    result = run_tool(call, tools)
    return result if result.get("is_error") else noted(call, result, folder)


def run_tool_uses(content, tools, folder):
    return [answer(call, tools, folder) for call in tool_uses(content)]
