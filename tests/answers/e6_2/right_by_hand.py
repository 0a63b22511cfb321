import json
import os
import tempfile
from pathlib import Path

from lesson_code.harness import Tool
from lesson_code.lab.crash import SimulatedCrash


def note(folder, call, output):
    path = Path(folder) / "effects.json"
    effects = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    effects[call["id"]] = {"name": call["name"], "input": call["input"], "result": output, "at": 1}
    descriptor, draft = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(effects, file)
    os.replace(draft, path)


def run_tool_uses_fixed(content, tools, folder):
    results = []
    for block in content:
        if block["type"] != "tool_use":
            continue
        output = tools[block["name"]].run(**block["input"])
        note(folder, block, output)
        results.append({"type": "tool_result", "tool_use_id": block["id"], "content": str(output)})
    return results


class Dead(SimulatedCrash):
    pass


def reproduce(run):
    def die():
        raise Dead("x")

    with tempfile.TemporaryDirectory() as name:
        call = {"type": "tool_use", "id": "toolu_9", "name": "muere", "input": {}}
        try:
            run([call], {"muere": Tool(die, description="", input_schema={"type": "object"})}, Path(name))
        except Dead:
            pass
        path = Path(name) / "effects.json"
        return path.exists() and "toolu_9" in json.loads(path.read_text(encoding="utf-8"))
