"""A scene: run a harness in a folder, die at a moment, look at the disk, resume, look again."""

import inspect
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..harness import AgentStopped, CheckpointError, FolderInUse, LedgerError, Tool, run_agent
from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.folder import LOCK
from ..harness.ledger import LEDGER_FILE
from ..words import indented, is_warning, say
from .child import run_child
from .crash import DIED, SimulatedCrash, check_label, raise_at
from .model import ScriptedModel
from .tools import TASK, make_tools, put_sample
from .world import World


def new_folder() -> Path:
    """A new folder for a task, with notes to work on. It is gone when this process ends."""
    folder = new_place() / "agent-run"
    put_sample(folder)
    return folder


@cache
def _places() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="curso-")  # removed when this process ends


def new_place() -> Path:
    """A new empty folder. It is gone when this process ends."""
    return Path(tempfile.mkdtemp(dir=_places().name))


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

    `harness(client, task, tools, folder, *, resume)` may also take `emit` and `crash_point`; without the latter it can
    die at no label. `model.world` becomes the world of this scene.

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
        answer = harness(model, task, tools(place, world), place, resume=resume, **accepted(harness, points))
    except SimulatedCrash:
        return _outcome(left[0], seen, [say("kill", label=label)], [], DIED)
    except (CheckpointError, LedgerError, FolderInUse, AgentStopped) as error:
        end = _outcome(place, seen, [], [str(error)], 1)
    else:
        end = _outcome(place, seen, [say("done") + indented(answer)], [], 0)
    if label:
        raise NothingHappened(say("label_swallowed" if left else "label_never", label=label))
    return end


def play_for_real(
    folder: Path, label: str = "", *, resume: bool = False, command: str = "lesson_code.agent"
) -> Outcome:
    """The same with a command (`python -m command`) in a child process, which really dies. Raises NothingHappened."""
    place = _copy(folder)
    options = ["--workdir", str(place), *(["--resume"] if resume else [])]
    child = run_child("-m", command, *options, CRASH_AFTER=check_label(label) if label else "")
    if label and child.returncode != DIED:
        raise NothingHappened(say("label_never", label=label))
    return Outcome(place, child.stdout.splitlines(), child.stderr.splitlines(), child.returncode)


def accepted(harness: Callable[..., str], points: dict[str, Any]) -> dict[str, Any]:
    """Of the laboratory's own arguments, those that this harness takes."""
    parameters = inspect.signature(harness).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    return {name: point for name, point in points.items() if takes_all or name in parameters}


def _copy(folder: Path) -> Path:
    # Without the lock: it is of the run, not of the scene, and Windows lets nobody read it while it is held.
    place = new_place() / folder.name
    return shutil.copytree(folder, place, symlinks=True, ignore=shutil.ignore_patterns(LOCK))


def _outcome(
    folder: Path, seen: list[tuple[str, dict[str, Any]]], log: list[str], warnings: list[str], exit_code: int
) -> Outcome:
    said = [(is_warning(event), say(event, **fields)) for event, fields in seen]
    lines = [line for warning, line in said if not warning]
    return Outcome(folder, lines + log, [line for warning, line in said if warning] + warnings, exit_code)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
