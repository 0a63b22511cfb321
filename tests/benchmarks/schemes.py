"""The schemes that are measured beside the engines: each is a harness, and never ends by itself."""

import json
import os
from pathlib import Path
from typing import Any

from lesson_code.harness import run_agent
from lesson_code.harness.storage import sync_folder

RESULT = "ventas " * 128  # 896 bytes; with the call, and what JSON adds, it is some 1 KB a turn


def v1(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> None:
    """The lesson's harness."""
    run_agent(client, task, tools, folder, resume=resume, max_turns=1_000_000)


def plain(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> None:
    """The same scheme in the plainest Python: no check, no lock, and the ledger in memory."""
    messages: list[Any] = [{"role": "user", "content": task}]
    scene: dict[str, Any] = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0, "messages": messages}
    effects: dict[str, Any] = {}
    if resume:
        scene = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
        effects = json.loads((folder / "effects.json").read_text(encoding="utf-8"))
    while True:
        content = [block.to_dict() for block in client.messages.create(messages=scene["messages"]).content]
        call = content[-1]
        scene["turns"] += 1
        scene["messages"].append({"role": "assistant", "content": content})
        scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
        put(folder / "checkpoint.json", dumped(scene))
        effects[call["id"]] = {"name": "note", "input": call["input"], "result": RESULT, "at": 1}
        put(folder / "effects.json", dumped(effects))
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": RESULT}
        scene["messages"].append({"role": "user", "content": [result]})
        scene["pendingToolUse"] = None
        put(folder / "checkpoint.json", dumped(scene))


def raw(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> None:
    """As many bytes as `plain` writes, already serialised, by the same calls of the system."""
    turn, noted = 1_380, 1_020  # bytes that a turn adds to the checkpoint and to the ledger
    buffer, number = memoryview(bytearray(2_000_000)), 0
    while True:
        client.messages.create(messages=[])
        number += 1
        put(folder / "checkpoint.json", buffer[: turn * number - len(RESULT)])
        put(folder / "effects.json", buffer[: noted * number])
        put(folder / "checkpoint.json", buffer[: turn * number])


def append(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> None:
    """The call and the result, each added to one file and synced. On resume the file is read."""
    if resume:
        [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    with (folder / "log.jsonl").open("ab") as file:
        while True:
            content = [block.to_dict() for block in client.messages.create(messages=[]).content]
            for line in ({"content": content}, {"tool_use_id": content[-1]["id"], "content": RESULT}):
                file.write(json.dumps(line).encode("ascii") + b"\n")
                file.flush()
                os.fsync(file.fileno())


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")


def put(path: Path, data: bytes | memoryview) -> None:
    """Write it whole: a temporary, synced, then renamed, and the folder synced."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync_folder(path.parent)
