"""The task by hand, with the lesson's checkpoint, in the shape that the engines have: what `on_dbos` differs in."""

from pathlib import Path
from typing import Any

from ..harness import load_checkpoint, save_checkpoint
from ..harness.conversation import Message, calls_in
from ..harness.tools import Tools
from .turn import Turn, TurnWithPolicy, is_last, last_text


def run_agent(client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False) -> str:
    """Run `task`, or go on from its checkpoint."""
    return run(task, TurnWithPolicy(client, tools, folder), folder, resume)


def run(task: str, turn: Turn, folder: Path, resume: bool) -> str:
    """The loop that saves A and B."""
    messages = [{"role": "user", "content": task}]
    if resume:
        messages = load_checkpoint(folder)["messages"]
    while True:
        if messages[-1]["role"] == "user":
            messages.append(turn.ask(messages))
            save(task, messages, folder)
        if is_last(messages[-1]):
            return last_text(messages)
        messages.append(turn.run(messages[-1]["content"]))
        save(task, messages, folder)


def save(task: str, messages: list[Message], folder: Path) -> None:
    """The lesson's six fields; tokens are not counted here."""
    counted = {"version": 1, "task": task, "turns": len(calls_in(messages)), "tokensUsed": 0, "messages": messages}
    pending = [{field: call[field] for field in ("id", "name", "input")} for call in calls_in(messages[-1:])]
    save_checkpoint({**counted, "pendingToolUse": pending[0] if pending else None}, folder)
