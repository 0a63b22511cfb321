from lesson_code.harness import load_effects, save_effect
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


class Ledger:
    def __init__(self, folder):
        self.folder = folder
        self.effects = load_effects(folder)

    def find(self, call):
        entry = self.effects.get(call["id"])
        return [entry["result"]] if entry and is_same_call(entry, call) else []

    def note(self, call, text):
        entry = {"name": call["name"], "input": call["input"], "result": text, "at": 0}
        save_effect(call["id"], entry, self.folder)
        self.effects[call["id"]] = entry


def run_tool_uses(content, tools, folder, *, warn=print):
    ledger = Ledger(folder)
    results = []
    for call in tool_uses(content):
        found = ledger.find(call)
        result = tool_result(call["id"], found[0]) if found else run_tool(call, tools)
        if not found and "is_error" not in result:
            try:
                ledger.note(call, result["content"])
            except Exception as error:
                warn("no se pudo anotar:", error)
        results.append(result)
    return results
