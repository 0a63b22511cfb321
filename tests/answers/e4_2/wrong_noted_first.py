# process: new_begins
# notes «en curso» before the tool runs, and the result afterwards

import json
from pathlib import Path

from lesson_code.harness import LedgerError, load_effects, write_atomic
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.tools import run_tool, tool_result


def note(folder, call, text):
    effects = load_effects(folder)
    if text is None:
        del effects[call["id"]]
    else:
        effects[call["id"]] = {"name": call["name"], "input": call["input"], "result": text, "at": 0}
    write_atomic(Path(folder) / "effects.json", json.dumps(effects).encode("utf-8"))


def run_tool_uses(content, tools, folder):
    results = []
    for call in tool_uses(content):
        entry = load_effects(folder).get(call["id"])
        if entry is not None and is_same_call(entry, call):
            results.append(tool_result(call["id"], entry["result"]))
            continue
        if entry is None:
            note(folder, call, "en curso")
        result = run_tool(call, tools)
        if entry is None:
            try:
                note(folder, call, None if "is_error" in result else result["content"])
            except (LedgerError, OSError):
                print("no se pudo anotar")
        results.append(result)
    return results
