"""The child of an attack: one run of an engine, killed by SIGKILL where it is told to. See `attacks`.

`python -m lesson_code.engines.victim MODULE:FUNCTION PLACE MOMENT [resume]`; no moment: "never".
"""

import inspect
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from ..harness.tools import Tools
from ..lab.board import EFFECT
from ..lab.commands import speak_utf_8
from ..lab.model import Response, ScriptedModel
from ..lab.tools import TASK, make_tools, put_sample
from ..lab.victim import load
from ..lab.world import World

EVIDENCE = "evidence.json"
DEATH = "death"  # the file that says that it died where it should, and of nothing else
NOTED = "after-effect-write:"


class Deaths:
    """Dies at a moment of the turn that writes the report, as seen from outside: ① ② ③, and ★ where it is told."""

    def __init__(self, moment: str, place: Path) -> None:
        self.moment, self.place, self.entered, self.done = moment, place, False, False

    def at(self, moment: str) -> None:
        if moment == self.moment:
            (self.place / DEATH).touch()
            psutil.Process().kill()

    def around(self, tools: Tools) -> Tools:
        """The tools, of which the one that writes the report tells when it is entered and when it is done."""

        def run(**given: Any) -> Any:
            self.entered = True
            self.at("①")
            result = tools[EFFECT].run(**given)
            self.at("②")
            self.done = True
            return result

        return {**tools, EFFECT: replace(tools[EFFECT], run=run)}

    def crash_point(self, label: str) -> None:
        if self.entered and label.startswith(NOTED):
            self.at("★")


class Asked(ScriptedModel):
    """The model: to be asked again, once the report is written, is to be at ③."""

    def __init__(self, deaths: Deaths, world: World) -> None:
        super().__init__(fresh_ids=True, world=world)
        self.deaths = deaths

    def create(self, **request: Any) -> Response:
        if self.deaths.done:
            self.deaths.at("③")
        return super().create(**request)


def run(target: str, place: Path, moment: str, *, resume: bool) -> None:
    """Run it in `place`, whose folder it has to itself, and leave the last request there."""
    folder, world, deaths = place / "run", World(place), Deaths(moment, place)
    folder.mkdir(exist_ok=True)
    put_sample(folder)
    model = Asked(deaths, world)
    harness: Callable[..., str] = load(target)
    has_ledger = "crash_point" in inspect.signature(harness).parameters
    points = {"crash_point": deaths.crash_point} if has_ledger else {}
    answer = harness(model, TASK, deaths.around(make_tools(folder, world)), folder, resume=resume, **points)
    evidence = {"answer": answer, "messages": model.requests[-1]}
    (place / EVIDENCE).write_text(json.dumps(evidence), encoding="utf-8")


if __name__ == "__main__":
    speak_utf_8()
    run(sys.argv[1], Path(sys.argv[2]), sys.argv[3], resume=sys.argv[4:] == ["resume"])
