"""Real deaths: each run of a harness is a process of its own, and it really ends where it is told to."""

import inspect
import json
import re
import signal
import tempfile
import time
from collections.abc import Callable, Container
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ..words import say
from .attempt import Case, Place, Told, has_begun
from .capsule import carried, is_imported
from .crash import DIED
from .guarded import MAX_OUTPUT, Ended, run_guarded
from .judge import End, Remains, Row, judge, remains_of
from .orders import items_of
from .simulated import fast_place
from .verdict import said

PATIENCE = 60.0  # seconds for a run of which nobody knows how long it takes
KILLED = -int(getattr(signal, "SIGKILL", 0))  # the exit code of a child that got it; Windows has none

Report = dict[str, Any]
"""What a run tells: `reached: [label]`, and `answer` or `raised`; or `died`, or `hangs`. See `victim`."""


class Unfit(Told):
    """The function can't be attacked, and why: it is no harness, or does what no run may do."""


class NotReached(Exception):
    """The process did not die: this time the run did not pass that moment."""


class Tried(NamedTuple):
    """A row, the moments that its last run passed, and what it leaves to be compared with."""

    row: Row
    reached: list[str]
    remains: Remains


class Target:
    """A harness to be attacked: `PACKAGE.MODULE:FUNCTION`, or a function, of a notebook too."""

    def __init__(self, harness: str | Callable[..., Any]) -> None:
        self.program: str | None = None
        self.left_out: list[str] = []  # what a notebook's function uses and can't be carried over
        self.passed: set[str] = set()  # the names of the moments that its runs have passed
        self.patience = PATIENCE
        if not isinstance(harness, str) and not (inspect.isfunction(harness) and harness.__name__.isidentifier()):
            raise Unfit(say("unfit_unnamed"))
        if isinstance(harness, str):
            if not re.fullmatch(r"\w+(\.\w+)*:\w+(\.\w+)*", harness):
                raise Unfit(say("attack_usage"))
            self.name = harness
        else:
            self.name = f"{harness.__module__}:{harness.__name__}"
            if not is_imported(harness):
                program, self.left_out = carried(harness)
                self.program = f"from __future__ import annotations\n{program}"

    def begin(self) -> Tried:
        """The plain task without any death, which tells how long a run may take. Raises Unfit."""
        began = time.monotonic()
        tried = self.attempt(Case(), None)
        check_fit(tried.row, tried.reached)
        self.patience = min(self.patience, 10 + 20 * (time.monotonic() - began))
        return tried

    def attempt(self, case: Case, never: Remains | None) -> Tried:
        """Die as the case says, a run for each death, and then run to the end. Raises Unfit or NotReached."""
        with tempfile.TemporaryDirectory(prefix="curso-", dir=fast_place(), ignore_cleanup_errors=True) as top:
            place = Place.new(Path(top))
            report: Report = {}
            for number, label in enumerate([*case.deaths, ""]):
                report = self.run(case, place, label, resume=number > 0)
                if "raised" in report and number > 0 and not has_begun(place):
                    # there was nothing to resume: whoever reads that begins again
                    report = self.run(case, place, label, resume=False)
                if "died" not in report:
                    break
                place.witness.note(died=label)
            if label and "answer" in report:
                raise NotReached(say("death_gone", label=label))
            end = End(report.get("answer"), report.get("raised"), "hangs" in report)
            reached = [*dict.fromkeys(report.get("reached", []))]
            try:
                return Tried(judge(case, place, end, never), reached, remains_of(place, end))
            except (ValueError, KeyError):
                raise Unfit(say("unfit_evidence")) from None

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
        report = self._report(ended, path, label)
        self.passed |= {moment.split(":")[0] for moment in report.get("reached", [])}
        return report

    def _report(self, ended: Ended, path: Path, label: str) -> Report:
        """What the run has told, or what its end tells of it. Raises Unfit."""
        if ended.problem in ("floods", "leaves"):
            raise Unfit(say(f"unfit_{ended.problem}", size=MAX_OUTPUT // 1024))
        if ended.problem:
            return {"hangs": True}
        if label.startswith("write:") and ended.code == DIED:
            return {"died": label}
        if not path.exists():
            if ended.code == KILLED:
                raise Unfit(say("unfit_killed"))
            return {"raised": say("child_gone", code=ended.code)}
        try:
            report: Report = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise Unfit(say("unfit_no_room", place=fast_place())) from None
        if "unfit" in report:
            raise Unfit(say("unfit_function", target=self.name, reason=report["unfit"]))
        missing = re.match(r"NameError: name '(\w+)'", report.get("raised", ""))
        if missing and missing[1] in self.left_out:
            raise Unfit(say("unfit_uncarried", name=missing[1]))
        return report


def check_fit(tried: Row, reached: Container[str]) -> None:
    """Raise Unfit for a function that without any death does not run its tool once for each of the plain orders."""
    wanted = len(items_of(tried.case.setting.kind, tried.case.setting.orders))
    if tried.answer is not None and tried.effects != wanted:
        raise Unfit(say("unfit_idle", effects=tried.effects, wanted=wanted))
    if tried.faults:
        raise Unfit(say("unfit_fails", reason=said(tried.faults[0])))
    if not all(f"{name}:1" in reached for name in ("tool-entered", "tool-done", "next-request")):
        raise Unfit(say("unfit_unseen"))
