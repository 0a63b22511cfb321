import json
import os
import tempfile
import time

from lesson_code.harness import LedgerError
from lesson_code.harness.tools import result_text


def read(path):
    if not os.path.exists(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            effects = json.load(file)
    except (OSError, ValueError) as error:
        raise LedgerError("El registro no se puede leer.") from error
    if not isinstance(effects, dict):
        raise LedgerError("El registro no es un objeto.")
    return effects


def write(path, effects):
    handle, draft = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(effects, file, ensure_ascii=False)
    os.replace(draft, path)


def run_tool_uses(content, tools, folder):
    path = os.path.join(folder, "effects.json")
    results = []
    for block in content:
        if block["type"] != "tool_use":
            continue
        effects = read(path)
        entry = effects.get(block["id"])
        ours = entry is not None and (entry["name"], entry["input"]) == (block["name"], block["input"])
        result = {"type": "tool_result", "tool_use_id": block["id"]}
        if ours:
            results.append({**result, "content": entry["result"]})
            continue
        try:
            text = result_text(tools[block["name"]].run(**block["input"]))
        except Exception as error:
            results.append({**result, "content": f"Falló: {error!r}. Puede que haya ocurrido.", "is_error": True})
            continue
        results.append({**result, "content": text, "is_error": False})
        if entry is None:
            now = int(time.time() * 1000)
            effects[block["id"]] = {"name": block["name"], "input": block["input"], "result": text, "at": now}
            try:
                write(path, effects)
            except OSError as error:
                print("aviso:", error)
    return results
