"""A harness with some of the lesson's pieces and without the others, to be killed beside it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness import run_tool_uses, save_checkpoint, save_effect
from ..harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from ..harness.client import MODEL, ask
from ..harness.conversation import Block, text_of, tool_uses
from ..harness.ports import CrashPoint, Emit, go_on
from ..harness.tools import Tools, run_tool, tool_result
from ..words import say, warn

Settle = Callable[..., Block | None]
"""`settle(checkpoint, tools, folder)`: the result that a resume gives to the call that is pending.

Where there is a ledger it also takes `emit`, as `harness.reconcile` does.
"""

Save = Callable[[Checkpoint, Path], None]
"""`save(checkpoint, folder)`: leave the checkpoint in the folder."""


@dataclass(frozen=True)
class Strategy:
    """A loop that saves "", "B" or "AB", with the ledger written `before` or `after` the tool, or without one ("").

    `pushes_first`: the model's message is in `messages` when A is saved.
    """

    saves: str = "AB"
    ledger: str = ""
    settle: Settle | None = None
    save: Save = save_checkpoint
    pushes_first: bool = True

    def __call__(
        self,
        client: Any,
        task: str,
        tools: Tools,
        folder: Path,
        *,
        resume: bool = False,
        emit: Emit = warn,
        crash_point: CrashPoint = go_on,
    ) -> str:
        """Run `task`, or go on from what was saved, to the model's last answer. Raises AgentStopped."""
        scene = self._pick_up(task, tools, folder, resume, emit)
        while True:
            answer = ask(client, scene, tools, model=MODEL, max_tokens=4096)
            scene["tokensUsed"] += answer.tokens
            if not tool_uses(answer.content):
                return text_of(answer.content)
            self._take_turn(scene, answer.content, tools, folder, emit, crash_point)

    def _pick_up(self, task: str, tools: Tools, folder: Path, resume: bool, emit: Emit) -> Checkpoint:
        path = folder / CHECKPOINT_FILE
        if not (resume and path.exists()):
            messages = [{"role": "user", "content": task}]
            none: Checkpoint = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0}
            return {**none, "messages": messages, "pendingToolUse": None}
        scene: Checkpoint = json.loads(path.read_text(encoding="utf-8"))
        pending = scene["pendingToolUse"]
        emit("resume", turn=scene["turns"], name=pending["name"] if pending else "null")
        result = self._settled(scene, tools, folder, emit) if pending and self.settle else None
        if result:
            self._save_b(scene, result, folder)
            emit("filled", turn=scene["turns"])
        return scene

    def _settled(self, scene: Checkpoint, tools: Tools, folder: Path, emit: Emit) -> Block | None:
        assert self.settle
        if self.ledger:
            return self.settle(scene, tools, folder, emit=emit)
        result = self.settle(scene, tools, folder)
        call = {field: scene["pendingToolUse"][field] for field in ("id", "name")}
        unknown = result is not None and result["content"] == say("result_unknown", name=call["name"])
        emit("bare_unknown" if unknown else "bare_rerun", **call)
        return result

    def _take_turn(
        self, scene: Checkpoint, content: list[Block], tools: Tools, folder: Path, emit: Emit, crash_point: CrashPoint
    ) -> None:
        call, message = tool_uses(content)[0], {"role": "assistant", "content": content}
        turn = scene["turns"] = scene["turns"] + 1
        if self.pushes_first:
            scene["messages"].append(message)
        if "A" in self.saves:
            scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
            self.save(scene, folder)
            emit("save_a", turn=turn, name=call["name"])
        crash_point(f"after-save-a:{turn}")
        if self.ledger == "before":
            save_effect(call["id"], {"name": call["name"], "input": call["input"], "result": "", "at": 0}, folder)
            crash_point(f"after-effect-write:{turn}")
        if self.ledger == "after":
            result = run_tool_uses(content, tools, folder, turn=turn, crash_point=crash_point)[0]
        else:
            result = run_tool(call, tools)
            crash_point(f"after-tool:{turn}")
        if not self.pushes_first:
            scene["messages"].append(message)
        self._save_b(scene, result, folder)
        if "B" in self.saves:
            emit("save_b", turn=turn)
        crash_point(f"after-save-b:{turn}")

    def _save_b(self, scene: Checkpoint, result: Block, folder: Path) -> None:
        scene["messages"].append({"role": "user", "content": [result]})
        scene["pendingToolUse"] = None
        if "B" in self.saves:
            self.save(scene, folder)


def run_again(checkpoint: Checkpoint, tools: Tools, folder: Path) -> Block:
    """Run the pending call again, whatever it is."""
    return run_tool(checkpoint["pendingToolUse"], tools)


def call_it_unknown(checkpoint: Checkpoint, tools: Tools, folder: Path) -> Block:
    """Tell the model that nobody knows, even of what could be run again."""
    pending = checkpoint["pendingToolUse"]
    return tool_result(pending["id"], say("result_unknown", name=pending["name"]), is_error=True)


def save_in_place(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the new checkpoint over the old one."""
    text = json.dumps(checkpoint, ensure_ascii=False, indent=2)
    (folder / CHECKPOINT_FILE).write_text(text, encoding="utf-8")
