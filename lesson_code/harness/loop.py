"""The loop: ask, save A, run the tool, save B, ask again."""

from pathlib import Path
from typing import Any

from ..words import warn
from .answer import AgentStopped, why_stop
from .calls import run_tool_uses
from .checkpoint import Checkpoint, save_checkpoint
from .client import MODEL, ask, check_budget
from .conversation import text_of, tool_uses
from .entry import is_finished, load_scene, pick_up, save_b, start_over
from .folder import owned
from .ports import Clock, CrashPoint, Emit, go_on, now_ms
from .storage import Folder
from .tools import Tools


def run_agent(
    client: Any,
    task: str,
    tools: Tools,
    folder: Folder,
    *,
    resume: bool = False,
    max_turns: int = 40,
    max_tokens_total: int | None = None,
    model: str = MODEL,
    max_tokens: int = 4096,
    system: str = "",
    emit: Emit = warn,
    crash_point: CrashPoint = go_on,
    clock: Clock = now_ms,
) -> str:
    """Run `task` to its end in `folder`, or go on from its checkpoint, and return the model's last answer.

    `max_turns` and `max_tokens_total` are for the whole task, resumes included; `max_tokens` is for one answer.
    Raises CheckpointError, LedgerError, FolderInUse, AgentStopped, or OSError.
    """
    if resume:
        load_scene(task, folder)  # what is refused here creates nothing, not even the lock
    folder = Path(folder).absolute()  # a tool may change the working directory
    spoken = {"system": system} if system else {}
    points: dict[str, Any] = {"emit": emit, "crash_point": crash_point, "clock": clock}
    with owned(folder):
        scene = pick_up(task, tools, folder, **points) if resume else start_over(task, folder, emit)
        while not is_finished(scene):
            check_budget(scene["tokensUsed"], max_tokens_total)
            answer = ask(client, scene, tools, model=model, max_tokens=max_tokens, **spoken)
            crash_point(f"after-answer:{scene['turns'] + 1}")
            scene["tokensUsed"] += answer.tokens
            stop = why_stop(answer, scene["messages"], max_turns - scene["turns"])
            if stop:
                save_checkpoint(scene, folder)
                raise AgentStopped(stop)
            scene["messages"].append({"role": "assistant", "content": answer.content})
            if tool_uses(answer.content):
                take_turn(scene, tools, folder, **points)
            else:
                save_checkpoint(scene, folder)
                crash_point("after-save-end")
        return text_of(scene["messages"][-1]["content"])


def take_turn(scene: Checkpoint, tools: Tools, folder: Path, emit: Emit, crash_point: CrashPoint, clock: Clock) -> None:
    """One turn: the model has named a call; save A, run it, save B."""
    content = scene["messages"][-1]["content"]
    call = tool_uses(content)[0]
    turn = scene["turns"] = scene["turns"] + 1
    scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
    save_checkpoint(scene, folder)  # A: before the tool begins
    emit("save_a", turn=turn, name=call["name"])
    crash_point(f"after-save-a:{turn}")
    results = run_tool_uses(content, tools, folder, turn=turn, emit=emit, crash_point=crash_point, clock=clock)
    save_b(scene, results, folder)
    emit("save_b", turn=turn)
    crash_point(f"after-save-b:{turn}")
