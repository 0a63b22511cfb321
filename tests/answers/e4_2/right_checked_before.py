import warnings

from lesson_code.harness import load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    calls = tool_uses(content)
    effects = load_effects(folder)
    noted = {call["id"]: effects[call["id"]] for call in calls if call["id"] in effects}
    hits = {call["id"] for call in calls if call["id"] in noted and is_same_call(noted[call["id"]], call)}
    results = []
    for call in calls:
        if call["id"] in hits:
            results += [tool_result(call["id"], noted[call["id"]]["result"])]
        else:
            results += [run_tool(call, tools)]
            if not results[-1].get("is_error", False):
                text = results[-1]["content"]
                entry = {"name": call["name"], "input": call["input"], "result": text, "at": 0}
                try:
                    save_effect(call["id"], entry, folder)
                except Exception as error:
                    warnings.warn(f"no se pudo anotar {call['id']}: {error}", stacklevel=2)
    return results
