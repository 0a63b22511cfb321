"""The write explorer: really die at each step by which a checkpoint is written, and see what the next process reads."""

import json
import os
import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness import CheckpointError, CheckpointMissing, load_checkpoint, save_checkpoint
from ..harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from ..words import say
from .capsule import program_of
from .child import run_child
from .crash import DIED
from .steps import Step
from .tools import TASK

Save = Callable[[Checkpoint, Path], None]
"""`save(checkpoint, folder)`: any function that is to leave the checkpoint in `folder`/checkpoint.json."""

RANDOM = re.compile(r"(?<=\.)[0-9a-f]{8}(?=\.tmp$)|(?<=^tmp)[a-z0-9_]{8}")  # what a temporary name has at random

OLD, NEW, BROKEN, MISSING = "old", "new", "broken", "missing"


class ChildFailed(Exception):
    """The function neither died where it was told to, nor ended: it raised."""


@dataclass(frozen=True)
class Death:
    """A process that died right after a step of the writing: what it left, and what the next process reads.

    `files`: name → bytes; what a name has at random is shown as XXXXXXXX. `reads`: `old`, `new`, `missing`, or
    `broken`, and then `reason` is the loader's own.
    """

    step: Step
    files: dict[str, bytes]
    reads: str
    reason: str


def explore(save: Save = save_checkpoint, *, old: Checkpoint | None, new: Checkpoint) -> list[Death]:
    """A death after each step of `save(new, folder)` in a folder where `old` was saved before, or nothing.

    Each is a child process that ends with `os._exit`: what it had not handed to the system is lost, as under SIGKILL.
    It hands over at most `handles.CHUNK` bytes at once. The last death comes after the last step. Raises ChildFailed.
    """
    program = program_of(save)

    def write(step: int) -> tuple[str, dict[str, bytes]]:
        with tempfile.TemporaryDirectory(prefix="curso-") as name:
            if old:
                save_checkpoint(old, name)
            call = f"{save.__name__}(json.loads({json.dumps(new)!r}), Path({name!r}))"
            _, told = _watched(f"{name!r}, step={step}", program, call)
            files = {path.name: path.read_bytes() for path in sorted(Path(name).iterdir()) if path.is_file()}
        return told, {_shown(name): data for name, data in files.items()}

    steps = [(what, _shown(name), _shown(target)) for what, name, target in json.loads(write(0)[0])]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        left = [files for _, files in pool.map(write, range(1, len(steps) + 1))]
    return [Death(step, files, *read_back(files, old, new)) for step, files in zip(steps, left, strict=True)]


def die_while_saving(program: Callable[[Path], Any], folder: Path, *, save: int, step: int) -> int:
    """Run `program(folder)` in a child that dies after the `step`-th step of its `save`-th writing of a checkpoint.

    Gives its exit code: 137 if it died there, 0 if it never got there. Raises ChildFailed.
    """
    place = str(folder.absolute())  # the child works elsewhere
    watch = f"{place!r}, {CHECKPOINT_FILE!r}, {save}, {step}"
    return _watched(watch, program_of(program), f"{program.__name__}(Path({place!r}))")[0]


def read_back(files: dict[str, bytes], old: Checkpoint | None, new: Checkpoint) -> tuple[str, str]:
    """What the strict loader reads in a folder that holds `files`: `old`, `new`, `missing` or `broken`; and why."""
    with tempfile.TemporaryDirectory(prefix="curso-") as name:
        for each, data in files.items():
            (Path(name) / each).write_bytes(data)
        try:
            found = load_checkpoint(name)
        except CheckpointMissing:
            return MISSING, ""
        except CheckpointError as error:
            return BROKEN, str(error.__cause__ or error)
    return (NEW, "") if found == new else (OLD, "") if found == old else (BROKEN, say("disk_other"))


def example(turns: int, *, pending: bool = False, size: int = 200) -> Checkpoint:
    """A checkpoint after `turns` turns, whose results have `size` letters each: its B or, with `pending`, its A."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": TASK}]
    call: dict[str, Any] = {}
    for turn in range(1, turns + 1):
        call = {"id": f"toolu_{turn:04d}", "name": "read_notes", "input": {"path": f"{turn:04d}.txt"}}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "x" * size}
        messages.append({"role": "assistant", "content": [{"type": "tool_use", **call}]})
        messages.append({"role": "user", "content": [result]})
    if pending:
        del messages[-1]
    scene = {"version": 1, "task": TASK, "turns": turns, "tokensUsed": 100 * turns, "messages": messages}
    return {**scene, "pendingToolUse": call if pending else None}


def _watched(watch: str, program: str, call: str) -> tuple[int, str]:
    """Make `call`, which `program` defines, in a child under `Watch(watch)`: its exit code, and its steps as JSON."""
    lines = [
        "from __future__ import annotations",  # they may name what the child has not
        "from lesson_code.lab.steps import Watch",
        f"watch = Watch({watch})",
        program,
        "import json",
        "from pathlib import Path",
        call,
        "print(json.dumps(watch.steps))",
    ]
    ascii_only = f"exec({chr(10).join(lines)!a})"  # so that nobody has to guess its encoding
    child = run_child("-", program=ascii_only)
    if child.returncode not in (0, DIED):
        raise ChildFailed(say("disk_child_failed", reason=(child.stderr.strip().splitlines() or [""])[-1]))
    return child.returncode, child.stdout


def _shown(name: str) -> str:
    return RANDOM.sub("XXXXXXXX", name)
