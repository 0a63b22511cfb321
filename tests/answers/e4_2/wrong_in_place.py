# process: torn
# writes its ledger over the old one: for an instant there is none that can be read

import json
from pathlib import Path

from lesson_code.harness import load_effects
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        effects = load_effects(folder)
        entry = effects.get(call["id"])
        if entry is not None and is_same_call(entry, call):
            results.append(tool_result(call["id"], entry["result"]))
            continue
        result = run_tool(call, tools)
        if "is_error" not in result and entry is None:
            effects[call["id"]] = {"name": call["name"], "input": call["input"], "result": result["content"], "at": 0}
            try:
                Path(folder, "effects.json").write_text(json.dumps(effects), encoding="utf-8")
            except OSError as error:
                print("no se pudo anotar:", error)
        results.append(result)
    return results
