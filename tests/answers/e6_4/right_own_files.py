import json
import os
import tempfile

from lesson_code.harness.tools import describe, result_text, tool_result


def read(folder, name, default=None):
    path = os.path.join(folder, name)
    if default is not None and not os.path.exists(path):
        return default
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(folder, name, value):
    """Sin fsync: contra la muerte del proceso alcanza con renombrar."""
    descriptor, draft = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=2)
    os.replace(draft, os.path.join(folder, name))


def my_reconcile(checkpoint, tools, folder, emit=lambda event, **fields: None):
    call = checkpoint["pendingToolUse"]
    if not call:
        return None
    try:
        entry = read(folder, "effects.json", {}).get(call["id"])
    except (OSError, ValueError) as error:
        from lesson_code.harness import LedgerError

        raise LedgerError("no se puede leer el registro") from error
    if entry and (entry["name"], entry["input"]) == (call["name"], call["input"]):
        emit("hit", id=call["id"], name=call["name"])
        return tool_result(call["id"], entry["result"])
    tool = tools.get(call["name"])
    if tool and tool.read_only:
        emit("rerun", id=call["id"], name=call["name"])
        return run(call, tools)
    emit("unknown", id=call["id"], name=call["name"])
    return tool_result(call["id"], "Nadie sabe si ocurrió.", is_error=True)


def run(call, tools):
    try:
        return tool_result(call["id"], result_text(tools[call["name"]].run(**call["input"])))
    except Exception as error:
        return tool_result(call["id"], f"falló, y pudo ocurrir igual: {error!r}", is_error=True)


def note(folder, call, text):
    try:
        entry = {"name": call["name"], "input": call["input"], "result": text}
        write(folder, "effects.json", {**read(folder, "effects.json", {}), call["id"]: entry})
    except OSError as error:
        print("aviso: no se pudo anotar:", error)


def my_run_agent(client, task, tools, folder, *, resume=False, emit=print, crash_point=lambda label: None):
    if resume:
        scene = read(folder, "checkpoint.json")
        result = my_reconcile(scene, tools, folder, emit)
        if result:
            scene["messages"].append({"role": "user", "content": [result]})
            scene["pendingToolUse"] = None
            write(folder, "checkpoint.json", scene)
    else:
        os.makedirs(folder, exist_ok=True)
        first = {"role": "user", "content": task}
        scene = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0, "messages": [first], "pendingToolUse": None}
        write(folder, "checkpoint.json", scene)
    while True:
        last = scene["messages"][-1]
        if last["role"] == "assistant":
            return "".join(block["text"] for block in last["content"] if block["type"] == "text")
        response = client.messages.create(
            model="claude",
            max_tokens=1000,
            tools=describe(tools),
            tool_choice={"type": "auto", "disable_parallel_tool_use": True},
            messages=scene["messages"],
        )
        content = [block.to_dict(mode="json") for block in response.content]
        scene["tokensUsed"] += response.usage.input_tokens + response.usage.output_tokens
        scene["messages"].append({"role": "assistant", "content": content})
        call = next((block for block in content if block["type"] == "tool_use"), None)
        if call:
            scene["turns"] += 1
            scene["pendingToolUse"] = {key: call[key] for key in ("id", "name", "input")}
        write(folder, "checkpoint.json", scene)
        if call:
            crash_point(f"after-save-a:{scene['turns']}")
            result = run(call, tools)
            crash_point(f"after-tool:{scene['turns']}")
            if not result.get("is_error"):
                note(folder, call, result["content"])
                crash_point(f"after-effect-write:{scene['turns']}")
            scene["messages"].append({"role": "user", "content": [result]})
            scene["pendingToolUse"] = None
            write(folder, "checkpoint.json", scene)
            crash_point(f"after-save-b:{scene['turns']}")
