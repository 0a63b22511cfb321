"""A scene: run a harness in a folder, die at a moment, look at the disk, resume, look again."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness import AgentStopped, CheckpointError, FolderInUse, LedgerError, Tool, run_agent
from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.folder import LOCK
from ..harness.ledger import LEDGER_FILE
from ..words import indented, is_warning, say
from .crash import SimulatedCrash, check_label, raise_at
from .model import ScriptedModel
from .tools import TASK, make_tools, put_sample
from .world import World

ROOT = Path(__file__).parents[2]
DIED = 137


_places: list[tempfile.TemporaryDirectory[str]] = []  # removed when this process ends


def new_folder() -> Path:
    """An empty place for a task, with notes to work on, that is gone when this process ends."""
    _places.append(tempfile.TemporaryDirectory(prefix="curso-"))
    folder = Path(_places[-1].name) / "agent-run"
    put_sample(folder)
    return folder


class NothingHappened(Exception):
    """The label of the scene never fired: there is no death to look at."""


@dataclass(frozen=True)
class Outcome:
    """What is left of a run, dead or ended: where to look and resume, what it printed, how it ended."""

    folder: Path
    log: list[str]
    warnings: list[str]
    exit_code: int

    @property
    def checkpoint(self) -> Any:
        """What checkpoint.json holds, or None."""
        return _json(self.folder / CHECKPOINT_FILE)

    @property
    def effects(self) -> Any:
        """What effects.json holds, or None."""
        return _json(self.folder / LEDGER_FILE)

    @property
    def world(self) -> World:
        """What really happened."""
        return World(self.folder)


def play(
    folder: Path,
    label: str = "",
    *,
    resume: bool = False,
    harness: Callable[..., str] = run_agent,
    model: ScriptedModel | None = None,
    tools: Callable[[Path, World], Mapping[str, Tool]] = make_tools,
    task: str = TASK,
) -> Outcome:
    """Run `harness` in this process until it ends, or dies at `label`. Raises NothingHappened if it never gets there.

    It plays in a copy, so that `folder` can be looked at, and resumed from, as often as one likes. A death leaves a
    copy made at that very instant, since here, unlike in a process that is killed, every `finally` still runs.
    """
    place = _copy(folder)
    world = World(place)
    model = model or ScriptedModel()
    model.world = world
    seen: list[tuple[str, dict[str, Any]]] = []
    left: list[Path] = []
    points: dict[str, Any] = {"emit": lambda event, **fields: seen.append((event, fields))}
    if label:
        points["crash_point"] = raise_at(label, lambda: left.append(_copy(place)))
    try:
        answer = harness(model, task, tools(place, world), place, resume=resume, **points)
    except SimulatedCrash:
        return _outcome(left[0], seen, [say("kill", label=label)], [], DIED)
    except (CheckpointError, LedgerError, FolderInUse, AgentStopped) as error:
        if label:
            raise NothingHappened(say("label_never", label=label)) from error
        return _outcome(place, seen, [], [str(error)], 1)
    if label:
        raise NothingHappened(say("label_never", label=label))
    return _outcome(place, seen, [say("done") + indented(answer)], [], 0)


def play_for_real(folder: Path, label: str = "", *, resume: bool = False) -> Outcome:
    """The same with the command in a child process, which really dies. Raises NothingHappened."""
    place = _copy(folder)
    environment = {name: value for name, value in os.environ.items() if name != "CRASH_AFTER"}
    if label:
        environment["CRASH_AFTER"] = check_label(label)
    command = [sys.executable, "-m", "lesson_code.agent", "--workdir", str(place), *(["--resume"] if resume else [])]
    child = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120)
    if label and child.returncode != DIED:
        raise NothingHappened(say("label_never", label=label))
    return Outcome(place, child.stdout.splitlines(), child.stderr.splitlines(), child.returncode)


def _copy(folder: Path) -> Path:
    # Without the lock: it is of the run, not of the scene, and Windows lets nobody read it while it is held.
    place = Path(tempfile.mkdtemp(dir=folder.parent)) / folder.name
    return shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns(LOCK))


def _outcome(
    folder: Path, seen: list[tuple[str, dict[str, Any]]], log: list[str], warnings: list[str], exit_code: int
) -> Outcome:
    said = [(is_warning(event), say(event, **fields)) for event, fields in seen]
    lines = [line for warning, line in said if not warning]
    return Outcome(folder, lines + log, [line for warning, line in said if warning] + warnings, exit_code)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
