"""Nine checkpoints that a resume may find, and what a harness does with each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness import Tool
from ..harness.checkpoint import CHECKPOINT_FILE
from ..words import say
from .mail import mail_task, make_mail_tools, send_mail
from .model import Response, ScriptedModel, write_a_report
from .scene import Outcome, new_folder, play
from .tools import TASK, make_tools
from .world import World

Harness = Callable[..., str]
SHOWN = {"version": "version", "turns": "turns", "tokens": "tokensUsed"}


@dataclass(frozen=True)
class Case:
    """A folder with a checkpoint, and the task that whoever resumes there asks for."""

    folder: Path
    task: str


def make_zoo(harness: Harness) -> dict[str, Case]:
    """The nine, by letter, each in a folder of its own; `harness`, with save points A and B, makes them by dying."""

    def died(label: str, task: str = TASK) -> Path:
        return _play(harness, new_folder(), task, label)[0].folder

    after_b = (died("after-save-b:2") / CHECKPOINT_FILE).read_text(encoding="utf-8")
    fields = json.loads(after_b)
    one_less = {name: value for name, value in fields.items() if name != "tokensUsed"}
    return {
        "a": Case(died("after-tool:1"), TASK),
        "b": Case(_with(json.dumps({**fields, "version": True})), TASK),
        "c": Case(died("after-tool:1", mail_task()), mail_task()),
        "d": Case(died(""), TASK),
        "e": Case(_with(json.dumps(one_less)), TASK),
        "f": Case(_with(after_b), TASK),
        "g": Case(died("", mail_task()), TASK),
        "h": Case(_with(after_b[: len(after_b) // 2]), TASK),
        "i": Case(_with(json.dumps({**fields, "version": 2})), TASK),
    }


def look(case: Case) -> str:
    """What the checkpoint says, on one line; of a counter that is not there, that it is not there."""
    text = (case.folder / CHECKPOINT_FILE).read_text(encoding="utf-8")
    try:
        scene = json.loads(text)
    except ValueError:
        return say("zoo_no_json", end=text.rstrip()[-12:])
    pending, last = scene["pendingToolUse"], scene["messages"][-1]
    told = {k: json.dumps(scene[field]) if field in scene else say("zoo_absent") for k, field in SHOWN.items()}
    kind = f"{last['role']}, {last['content'][-1]['type']}"
    return say("zoo_look", task=scene["task"][:9], last=kind, pending=pending["name"] if pending else "null", **told)


def action_of(case: Case, harness: Harness) -> str:
    """What `harness` does with it, seen by resuming a copy: a word of the exercise, or what went wrong."""
    end, model = _play(harness, case.folder, case.task, resume=True)
    if end.exit_code:
        return say("zoo_stuck" if model.asked else "zoo_refuse")
    if not model.asked:
        return say("zoo_answer")
    if not json.loads((case.folder / CHECKPOINT_FILE).read_text(encoding="utf-8"))["pendingToolUse"]:
        return say("zoo_ask")
    return say("zoo_unknown" if model.requests[0][-1]["content"][0].get("is_error") else "zoo_rerun")


class _Model(ScriptedModel):
    """Counts what it is asked, also what it refuses."""

    asked = 0

    def create(self, **request: Any) -> Response:
        self.asked += 1
        return super().create(**request)


def _play(
    harness: Harness, folder: Path, task: str, label: str = "", *, resume: bool = False
) -> tuple[Outcome, _Model]:
    model = _Model(script=send_mail if task == mail_task() else write_a_report)
    end = play(folder, label, resume=resume, harness=harness, model=model, tools=_tools, task=task)
    return end, model


def _tools(folder: Path, world: World) -> dict[str, Tool]:
    return {**make_tools(folder, world), **make_mail_tools(folder, world)}


def _with(text: str) -> Path:
    folder = new_folder()
    (folder / CHECKPOINT_FILE).write_text(text, encoding="utf-8")
    return folder
