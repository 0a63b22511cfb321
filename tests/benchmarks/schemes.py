"""The schemes that are measured beside the engines: each is a harness of the task of `task.py`."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

from lesson_code.harness import run_agent
from lesson_code.harness.ports import now_ms
from lesson_code.harness.storage import sync_folder
from lesson_code.lab.model import usage_of
from tests.benchmarks.task import RESULT, said

Scene = dict[str, Any]


def v1(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    """The lesson's harness."""
    return run_agent(client, task, tools, folder, resume=resume, max_turns=1_000_000)


def plain(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    """The same scheme in the plainest Python: no check, no lock, and the ledger in memory."""
    scene, effects = beginning(task), {}
    if resume:
        scene, effects = (json.loads((folder / name).read_bytes()) for name in ("checkpoint.json", "effects.json"))
    while True:
        answer = client.messages.create(messages=scene["messages"])
        content = [block.to_dict() for block in answer.content]
        scene["tokensUsed"] += answer.usage.input_tokens + answer.usage.output_tokens
        scene["messages"].append({"role": "assistant", "content": content})
        call = content[-1]
        if call["type"] == "text":
            put(folder / "checkpoint.json", dumped(scene))
            return str(call["text"])
        scene["turns"] += 1
        scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
        put(folder / "checkpoint.json", dumped(scene))
        result = tools[call["name"]].run(**call["input"])
        effects[call["id"]] = entry(call, result, now_ms())
        put(folder / "effects.json", dumped(effects))
        scene["messages"].append(answered(call, result))
        scene["pendingToolUse"] = None
        put(folder / "checkpoint.json", dumped(scene))


def raw(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    """The bytes of `v1`, serialised before the first question; what is left of a turn is to join and to write them."""
    turns = list(serialised(task, client.turns))
    body, noted = bytearray(), bytearray()
    messages: list[Any] = [{"role": "user", "content": task}]
    for head_a, head_b, said_bytes, tail_a, tail_b, result_bytes, noted_bytes in turns:
        client.messages.create(messages=messages)
        messages += [{}, {}]
        body += said_bytes
        put(folder / "checkpoint.json", b"".join((head_a, body, tail_a)))
        noted += noted_bytes
        put(folder / "effects.json", b"".join((b"{\n", noted, b"\n}")))
        body += result_bytes
        put(folder / "checkpoint.json", b"".join((head_b, body, tail_b)))
    client.messages.create(messages=messages)
    return "Listo."


def append(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    """The call and the result, each added to one file and synced. On resume the file is read."""
    log = folder / "log.jsonl"
    messages: list[Any] = [{"role": "user", "content": task}]
    if resume:
        messages += [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    with log.open("ab") as file:
        while True:
            content = [block.to_dict() for block in client.messages.create(messages=messages).content]
            add(file, messages, {"role": "assistant", "content": content})
            call = content[-1]
            if call["type"] == "text":
                return str(call["text"])
            add(file, messages, answered(call, tools[call["name"]].run(**call["input"])))


def add(file: Any, messages: list[Any], message: dict[str, Any]) -> None:
    """Say it, and keep it."""
    messages.append(message)
    file.write(json.dumps(message, ensure_ascii=False).encode("utf-8") + b"\n")
    file.flush()
    os.fsync(file.fileno())


def beginning(task: str) -> Scene:
    """The scene before the first question, its fields in the lesson's order."""
    messages = [{"role": "user", "content": task}]
    return {"version": 1, "task": task, "turns": 0, "tokensUsed": 0, "messages": messages, "pendingToolUse": None}


def answered(call: dict[str, Any], result: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call["id"], "content": result}]}


def entry(call: dict[str, Any], result: str, at: int) -> dict[str, Any]:
    return {"name": call["name"], "input": call["input"], "result": result, "at": at}


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")


def serialised(task: str, turns: int) -> Iterator[tuple[bytes, ...]]:
    """For each turn: the head of A and of B, what A adds, the tail of A and of B, what B adds, what the ledger adds."""
    scene, at = beginning(task), now_ms()
    first, tokens = within(scene["messages"][0], 4), 0
    for turn in range(1, turns + 1):
        usage, call = usage_of(turn), said(turn)[-1]
        tokens += usage.input_tokens + usage.output_tokens
        pending = {field: call[field] for field in ("id", "name", "input")}
        around = {**scene, "turns": turn, "tokensUsed": tokens, "messages": ["@"]}
        head_a, tail_a = dumped({**around, "pendingToolUse": pending}).split(b'    "@"')
        head_b, tail_b = dumped(around).split(b'    "@"')
        asks = (first if turn == 1 else b"") + b",\n" + within({"role": "assistant", "content": said(turn)}, 4)
        answers = b",\n" + within(answered(call, RESULT), 4)
        notes = (b"" if turn == 1 else b",\n") + dumped({call["id"]: entry(call, RESULT, at)})[2:-2]
        yield head_a, head_b, asks, tail_a, tail_b, answers, notes


def within(value: Any, spaces: int) -> bytes:
    """A value as it stands in a file, so far in."""
    return indent(dumped(value).decode("utf-8"), " " * spaces).encode("utf-8")


def put(path: Path, data: bytes) -> None:
    """Write it whole: a temporary, synced, then renamed, and the folder synced."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync_folder(path.parent)
