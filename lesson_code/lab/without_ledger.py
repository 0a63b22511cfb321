"""Lesson 3's harness: A, B and a reconciliation by the nature of the tool, without a ledger.

As a command it can be killed for real: `python -m lesson_code.lab.without_ledger --workdir DIR [--resume]`.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..harness import AgentStopped, CheckpointError, FolderInUse
from ..harness.checkpoint import Checkpoint, save_checkpoint
from ..harness.client import MODEL, ask
from ..harness.conversation import Block, text_of, tool_uses
from ..harness.entry import is_finished, load_scene, save_b, start_over
from ..harness.folder import owned
from ..harness.ports import CrashPoint, Emit, go_on
from ..harness.tools import Tools, run_tool, tool_result
from ..words import indented, reason, say, warn
from .commands import run_command, show
from .crash import UnknownLabel, check_label, die_at
from .model import ScriptedModel
from .tools import TASK, make_tools
from .world import World

Move = Callable[[Checkpoint, Tools], Block | None]


def run_agent(
    client: Any,
    task: str,
    tools: Tools,
    folder: Path,
    *,
    resume: bool = False,
    emit: Emit = warn,
    crash_point: CrashPoint = go_on,
    move: Move | None = None,
) -> str:
    """Run `task` to its end in `folder`, or go on from its checkpoint. Raises CheckpointError, FolderInUse, OSError.

    `move(checkpoint, tools)` gives the tool_result of the pending call instead of the lesson's reconciliation.
    """
    if resume:
        load_scene(task, folder)  # what is refused here creates nothing, not even the lock
    with owned(folder):
        scene = _pick_up(task, tools, folder, emit, move) if resume else start_over(task, folder, emit)
        while not is_finished(scene):
            answer = ask(client, scene, tools, model=MODEL, max_tokens=4096)
            crash_point(f"after-answer:{scene['turns'] + 1}")
            scene["tokensUsed"] += answer.tokens
            scene["messages"].append({"role": "assistant", "content": answer.content})
            if tool_uses(answer.content):
                _take_turn(scene, tools, folder, emit, crash_point)
            else:
                save_checkpoint(scene, folder)
        return text_of(scene["messages"][-1]["content"])


def _take_turn(scene: Checkpoint, tools: Tools, folder: Path, emit: Emit, crash_point: CrashPoint) -> None:
    call = tool_uses(scene["messages"][-1]["content"])[0]
    turn = scene["turns"] = scene["turns"] + 1
    scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
    save_checkpoint(scene, folder)
    emit("save_a", turn=turn, name=call["name"])
    crash_point(f"after-save-a:{turn}")
    result = run_tool(call, tools)
    crash_point(f"after-tool:{turn}")
    save_b(scene, [result], folder)
    emit("save_b", turn=turn)
    crash_point(f"after-save-b:{turn}")


def _pick_up(task: str, tools: Tools, folder: Path, emit: Emit, move: Move | None) -> Checkpoint:
    scene = load_scene(task, folder)
    pending = scene["pendingToolUse"]
    emit("resume", turn=scene["turns"], name=pending["name"] if pending else "null")
    result = (move(scene, tools) if move else _reconcile(scene, tools, emit)) if pending else None
    if result is not None:
        save_b(scene, [result], folder)
        emit("filled", turn=scene["turns"])
    return scene


def _reconcile(checkpoint: Checkpoint, tools: Tools, emit: Emit) -> Block:
    pending = checkpoint["pendingToolUse"]
    tool = tools.get(pending["name"])
    read_only = tool is not None and tool.read_only
    emit("bare_rerun" if read_only else "bare_unknown", id=pending["id"], name=pending["name"])
    if read_only:
        return run_tool(pending, tools)
    return tool_result(pending["id"], say("result_unsaved", name=pending["name"]), is_error=True)


def main(arguments: list[str]) -> int:
    """Run the course's task, or resume it, until CRASH_AFTER kills it: 0, or 1 for any error, told in one line."""
    parser = ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args(arguments)
    try:
        answer = _run(given.workdir, given.resume, os.environ.get("CRASH_AFTER", ""))
    except (CheckpointError, FolderInUse, AgentStopped, UnknownLabel, OSError) as error:
        print(reason(error), file=sys.stderr)
        return 1
    print(say("done") + indented(answer), flush=True)
    return 0


def _run(folder: Path, resume: bool, label: str) -> str:
    crash_point = die_at(check_label(label), show) if label else go_on
    world = World(folder)
    tools, client = make_tools(folder, world), ScriptedModel(world=world)
    answer = run_agent(client, TASK, tools, folder, resume=resume, emit=show, crash_point=crash_point)
    if label:
        show("warning_label_unused", label=label)
    return answer


if __name__ == "__main__":
    run_command(main)
