"""Real deaths: each run of a harness is a process of its own, and it really ends where it is told to."""

import json
import re
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ..words import say
from .attempt import Case, Place
from .capsule import is_imported, program_of
from .crash import DIED
from .guarded import MAX_OUTPUT, run_guarded
from .judge import End, Remains, Row, judge, remains_of
from .orders import items_of
from .simulated import fast_place
from .verdict import said

PATIENCE = 60.0  # seconds for a run of which nobody knows how long it takes
KILLED = -int(getattr(signal, "SIGKILL", 0))  # the exit code of a child that got it; Windows has none

Report = dict[str, Any]
"""What a run tells: `reached: [label]`, and `answer` or `raised`; or `died`, or `hangs`. See `victim`."""


class Unfit(Exception):
    """The function can't be attacked, and why: it is no harness, or does what no run may do."""


class Tried(NamedTuple):
    """A row, the moments that its last run passed, and what it leaves to be compared with."""

    row: Row
    reached: list[str]
    remains: Remains


class Target:
    """A harness to be attacked: `PACKAGE.MODULE:FUNCTION`, or a function, of a notebook too."""

    def __init__(self, harness: str | Callable[..., Any]) -> None:
        self.program: str | None = None
        self.passed: set[str] = set()  # the names of the moments that its runs have passed
        self.patience = PATIENCE
        if isinstance(harness, str):
            if not re.fullmatch(r"\w+(\.\w+)*:\w+(\.\w+)*", harness):
                raise Unfit(say("attack_usage"))
            self.name = harness
        else:
            self.name = f"{harness.__module__}:{harness.__qualname__}"
            if not is_imported(harness):
                self.program = f"from __future__ import annotations\n{program_of(harness)}"

    def begin(self) -> Tried:
        """The plain task without any death, which tells how long a run may take. Raises Unfit."""
        began = time.monotonic()
        tried = self.attempt(Case(), None)
        check_fit(tried)
        self.patience = min(self.patience, 10 + 20 * (time.monotonic() - began))
        return tried

    def attempt(self, case: Case, never: Remains | None) -> Tried:
        """Die as the case says, a run for each death, and then run to the end. Raises Unfit."""
        with tempfile.TemporaryDirectory(prefix="curso-", dir=fast_place(), ignore_cleanup_errors=True) as top:
            place = Place.new(Path(top))
            report: Report = {}
            for label in [*case.deaths, ""]:
                began = bool(place.witness.calls())  # a task of which nothing was asked begins again
                report = self.run(case, place, label, resume=began)
                if "died" not in report:
                    break
                place.witness.note(died=label)
            if label and "hangs" not in report and "raised" not in report:
                report = {"raised": say("death_gone", label=label)}
            end = End(report.get("answer"), report.get("raised"), "hangs" in report)
            reached = [*dict.fromkeys(report.get("reached", []))]
            return Tried(judge(case, place, end, never), reached, remains_of(place, end))

    def run(self, case: Case, place: Place, label: str, *, resume: bool) -> Report:
        """One run in a process of its own, which dies at `label` if it gets there. Raises Unfit."""
        path = place.path / "report.json"
        path.unlink(missing_ok=True)
        request = {
            "target": self.name,
            "program": self.program,
            "place": str(place.path),
            "report": str(path),
            "setting": asdict(case.setting),
            "resume": resume,
            "label": label,
            "kill": case.kill,
            "watch": not case.deaths,
        }
        ended = run_guarded("-m", f"{__package__}.victim", request=json.dumps(request), seconds=self.patience)
        if ended.problem in ("floods", "leaves"):
            raise Unfit(say(f"unfit_{ended.problem}", size=MAX_OUTPUT // 1024))
        if ended.problem:
            return {"hangs": True}
        if ended.code in (DIED, KILLED) and label:
            return {"died": True}
        if not path.exists():
            return {"raised": say("child_gone", code=ended.code)}
        report: Report = json.loads(path.read_text(encoding="utf-8"))
        if "unfit" in report:
            raise Unfit(say("unfit_function", target=self.name, reason=report["unfit"]))
        self.passed |= {label.split(":")[0] for label in report["reached"]}
        return report


def check_fit(tried: Tried) -> None:
    """Raise Unfit for a function that without any death does not deliver each of the plain orders once."""
    row = tried.row
    wanted = len(items_of(row.case.setting.kind, row.case.setting.orders))
    if row.answer is not None and row.effects != wanted:
        raise Unfit(say("unfit_idle", effects=row.effects, wanted=wanted))
    if row.faults:
        raise Unfit(say("unfit_fails", reason=said(row.faults[0])))
