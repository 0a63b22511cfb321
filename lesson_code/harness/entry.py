"""The scene: how it begins, how it comes back from disk, and how save B closes a turn."""

from pathlib import Path

from ..words import say
from .answer import AgentStopped
from .checkpoint import Checkpoint, CheckpointRejected, is_from_elsewhere, load_checkpoint, save_checkpoint
from .conversation import Block, text_of, tool_uses
from .folder import archive
from .ledger import load_effects
from .ports import Clock, CrashPoint, Emit
from .reconcile import reconcile
from .snapshots import place_of, set_aside
from .storage import Folder
from .strict import can_be_stored
from .tools import Tools


def start_over(task: str, folder: Path, emit: Emit) -> Checkpoint:
    """A fresh scene, saved before the first request (save 0)."""
    if not (task.strip() and can_be_stored(task)):
        raise AgentStopped(say("task_unusable"))
    archive(folder, emit)
    messages = [{"role": "user", "content": task}]
    scene = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0, "messages": messages, "pendingToolUse": None}
    save_checkpoint(scene, folder)
    return scene


def load_scene(task: str, folder: Folder) -> Checkpoint:
    """The checkpoint of this very task. Raises CheckpointError."""
    scene = load_checkpoint(folder)
    if scene["task"] != task:
        raise CheckpointRejected(say("other_task", theirs=scene["task"], ours=task))
    return scene


def pick_up(task: str, tools: Tools, folder: Path, *, emit: Emit, crash_point: CrashPoint, clock: Clock) -> Checkpoint:
    """The scene of the checkpoint with nothing pending: the way back into the loop."""
    scene = load_scene(task, folder)
    set_aside(folder, place_of(scene))  # finish a rewind that a death cut short
    pending = scene["pendingToolUse"]
    emit("resume", turn=scene["turns"], name=pending["name"] if pending else "null")
    adopt(scene, emit)
    if is_finished(scene):
        return scene
    load_effects(folder)  # a ledger that can't be read is refused before anything runs
    result = reconcile(scene, tools, folder, emit=emit, crash_point=crash_point, clock=clock)
    if result is not None:
        crash_point("resume-after-reconcile")
        save_b(scene, [result], folder)
        emit("filled", turn=scene["turns"])
        crash_point("resume-after-save-b")
    return scene


def adopt(scene: Checkpoint, emit: Emit) -> None:
    """Complete a checkpoint from elsewhere, and say so: its task put first, its assistant message rebuilt."""
    messages, task, pending = scene["messages"], scene["task"], scene["pendingToolUse"]
    if is_from_elsewhere(scene):
        messages.append({"role": "assistant", "content": [{"type": "tool_use", **pending}]})
        emit("warning_rebuilt", id=pending["id"], name=pending["name"])
    if [(first["role"], text_of(first["content"])) for first in messages[:1]] != [("user", task)]:
        messages.insert(0, {"role": "user", "content": task})
        emit("warning_task_first")


def is_finished(scene: Checkpoint) -> bool:
    """Whether the model has had the last word: nothing pending, its message last, no call in it."""
    last = scene["messages"][-1]
    return scene["pendingToolUse"] is None and last["role"] == "assistant" and not tool_uses(last["content"])


def save_b(scene: Checkpoint, results: list[Block], folder: Path) -> None:
    """Save B: the results are in `messages`, and nothing is open any more."""
    scene["messages"].append({"role": "user", "content": results})
    scene["pendingToolUse"] = None
    save_checkpoint(scene, folder)
