# an object for the scene, saved as a dictionary; B and the count of the turn at the end of it

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.tools import run_tool


def save_checkpoint(state, folder):
    path = Path(folder) / "checkpoint.json"
    temporary = path.with_name("checkpoint.json.tmp")
    temporary.write_bytes(json.dumps(state, ensure_ascii=False, indent=2).encode("utf-8"))
    os.replace(temporary, path)


@dataclass
class Scene:
    task: str
    version: int = 1
    turns: int = 0
    tokensUsed: int = 0
    messages: list = field(default_factory=list)
    pendingToolUse: dict | None = None

    def say(self, role, content):
        self.messages.append({"role": role, "content": content})

    def save(self, folder, pending=None):
        self.pendingToolUse = pending
        save_checkpoint(asdict(self), folder)


def question(client, scene, tools):
    answer = ask(client, asdict(scene), tools, model=MODEL, max_tokens=4096)
    scene.tokensUsed += answer.tokens
    scene.say("assistant", answer.content)
    return answer


def run_agent(client, task, tools, folder):
    scene = Scene(task)
    scene.say("user", task)
    answer = question(client, scene, tools)
    while answer.stop_reason == "tool_use":
        [call] = tool_uses(answer.content)
        scene.save(folder, {name: call[name] for name in ("id", "name", "input")})
        result = run_tool(call, tools)
        scene.say("user", [result])
        scene.turns += 1
        scene.save(folder)
        answer = question(client, scene, tools)
    scene.save(folder)
    return text_of(answer.content)
