"""What 6.4 checks with other models and other tools than those of the course's task."""

import io
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from ...harness import Tool
from ...harness.checkpoint import Checkpoint
from ...harness.conversation import blocks_of
from ...harness.ledger import LEDGER_FILE
from ...lab.crash import MOMENTS
from ...lab.model import Step
from ...lab.scene import new_folder
from ...lab.tools import REPORT, make_tools
from ...lab.world import World
from ...words import say
from .judging import now
from .kinds import Fault, fault
from .results import said
from .welded import Job, Reconcile, RunAgent, alone, differs, label_of, resumed, scene_in


def _asks_twice(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
    """A script: it asks for the same twice, whatever it is told."""
    if sum(message["role"] == "assistant" for message in messages) == 2:
        return say("model_done"), None
    return say("model_writes"), {"name": "write_report", "input": {"path": REPORT, "content": say("sample_notes")}}


TWICE = Job(script=_asks_twice, deaths=frozenset({label_of("★", 2)}))


def twice(run: RunAgent, _: Reconcile) -> Fault | None:
    if (count := alone(run, TWICE).left.world.times("write_report")) != 2:
        return fault("twice_alone", count=count)
    if (count := resumed(run, "★", 2, TWICE).left.world.times("write_report")) != 2:
        return fault("twice", count=count)
    return None


def _with(name: str, change: Callable[[Tool, Path], Callable[..., Any]]) -> Job:
    """The course's task with another way to run one of its tools."""

    def make(folder: Path, world: World) -> Mapping[str, Tool]:
        tools = make_tools(folder, world)
        return {**tools, name: replace(tools[name], run=change(tools[name], folder))}

    return Job(make=make)


def _fails(tool: Tool, folder: Path) -> Callable[..., Any]:
    def run(**given: Any) -> NoReturn:
        raise RuntimeError(REPORT)

    return run


def _breaks_ledger(tool: Tool, folder: Path) -> Callable[..., Any]:
    def run(**given: Any) -> Any:
        (folder / LEDGER_FILE).unlink(missing_ok=True)
        (folder / LEDGER_FILE).mkdir()  # what is no file can't be replaced by one
        return tool.run(**given)

    return run


FAILING = replace(_with("count_words", _fails), deaths=frozenset({label_of("③", 2)}))
UNWRITABLE = _with("write_report", _breaks_ledger)


def failures(run: RunAgent, _: Reconcile) -> Fault | None:
    scene = scene_in(alone(run, FAILING).left)
    text, is_error = _told(scene, 2)
    if not is_error or REPORT not in text:
        return fault("failure_hidden", text=text)
    if found := differs("failure_differs", scene_in(resumed(run, "③", 2, FAILING).left), scene):
        return found
    now("unwritable")
    with redirect_stderr(io.StringIO()):  # the course's own warning would be taken for the learner's
        played = UNWRITABLE.play(run, new_folder())
    text, is_error = _told(scene_in(played.left), 3)
    wanted = say("report_written", path=REPORT)
    return fault("told_failed", wanted=wanted, got=text) if (text, is_error) != (wanted, False) else None


def _told(scene: Checkpoint, turn: int) -> tuple[str, bool]:
    """What the model was told of the call of that turn."""
    blocks = [block for message in scene["messages"] for block in blocks_of(message["content"])]
    results = [block for block in blocks if block.get("tool_use_id") == f"toolu_{turn:02d}"]
    return said(results[0]) if results else ("–", False)


HASTY = Job(hasty=True, deaths=frozenset(label_of(mark, 3) for mark in MOMENTS))


def hasty(run: RunAgent, _: Reconcile) -> Fault | None:
    for mark, wanted in {"②": 2, "★": 1, "③": 1}.items():
        if (count := resumed(run, mark, 3, HASTY).left.world.times("write_report")) != wanted:
            return fault("hasty", moment=mark, wanted=wanted, count=count)
    return None
