"""Carry what a learner wrote to a child process, have it checked there, and take the verdicts back."""

import inspect
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

from ...lab.capsule import carried
from ...lab.guarded import run_guarded
from ...lab.simulated import fast_place
from ...words import language, say
from .judging import Verdict, fits, is_untouched, judge_form
from .kinds import Task
from .tasks import starters_of

PATIENCE = 60.0  # seconds for all the criteria; each has its own limit, see `worker`


class Refused(Exception):
    """What was handed in can't be checked, and the sentence says why."""


@dataclass(frozen=True)
class Checked:
    """What came of a check: a verdict for each criterion that was reached, what stopped it, what was printed.

    `answer`: what was handed in, as it is kept. `measured`: what the run says of each field of a form.
    """

    outcome: str  # untried, not_yet, checked, error
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    answer: Any = None
    measured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    printed: str = ""
    size: int = 0
    broken: Mapping[str, Any] | None = None
    stopped: str = ""


def check_functions(task: Task, given: Sequence[Any]) -> Checked:
    """Check what a learner hands in for an exercise of code. Raises Refused."""
    functions = _functions(task, given)
    if is_untouched(functions, starters_of(task)):
        return Checked("untried")
    program, left_out = carried(*functions)
    return run_program(task, {"program": program, "functions": [each.__name__ for each in functions]}, left_out)


def run_program(task: Task, answer: dict[str, Any], left_out: Sequence[str] = ()) -> Checked:
    """Check an answer that is the text of a program, in a child process. Raises Refused."""
    with tempfile.TemporaryDirectory(prefix="curso-", dir=fast_place(), ignore_cleanup_errors=True) as top:
        place, path = Path(top) / "aquí", Path(top) / "report.json"
        place.mkdir()
        request = {**answer, "exercise": task.number, "language": language(), "place": str(place), "report": str(path)}
        ended = run_guarded("-m", f"{__package__}.worker", request=json.dumps(request), seconds=PATIENCE)
        try:
            report = json.loads(_without_places(path.read_text(encoding="utf-8"), top))
        except (OSError, ValueError):
            report = {"verdicts": {}, "stopped": say("ex_gone", code=ended.code)}
    _name_what_was_left_out(report, left_out)
    return Checked(_outcome(report), answer=answer, **report)


def _without_places(report: str, top: str) -> str:
    """The report without the folders of this check, which only chance has named: `…/checkpoint.json`."""
    inside = re.escape(json.dumps(top)[1:-1]) + r"(?:(?:/|\\\\)[^'\"/\\\s]*)*(?=(?:/|\\\\))"
    return re.sub(inside, "…", report)


def check_form(task: Task, answers: Mapping[str, str]) -> Checked:
    """Compare the answers of a form with a run of its cases. Raises Refused."""
    form = task.form or {}
    for name, value in answers.items():
        if name not in form:
            raise Refused(say("ex_no_field", field=name, known=", ".join(form)))
        if value not in form[name]:
            raise Refused(say("ex_no_option", field=name, value=value, known=", ".join(form[name])))
    if not answers:
        return Checked("untried")
    measured = task.measure() if task.measure else {}
    verdicts = judge_form(task, answers, measured)
    outcome = "not_yet" if any(verdicts.values()) else "checked"
    return Checked(outcome, verdicts, answer=dict(answers), measured=measured)


def _functions(task: Task, given: Sequence[Any]) -> list[FunctionType]:
    takes = task.takes or {}
    if len(given) != len(takes):
        raise Refused(say("ex_how_many", wanted=", ".join(takes), given=len(given)))
    for value, (name, parameters) in zip(given, takes.items(), strict=True):
        if not (inspect.isfunction(value) and value.__name__.isidentifier()):
            kind = value.__name__ if inspect.isfunction(value) else type(value).__name__  # <lambda>
            raise Refused(say("ex_no_function", name=name, kind=kind))
        if not fits(value, parameters):
            raise Refused(say("ex_no_fit", name=value.__name__, parameters=parameters))
    if len({value.__name__ for value in given}) < len(given):
        raise Refused(say("ex_twice", name=given[0].__name__))
    return list(given)


def _outcome(report: dict[str, Any]) -> str:
    verdicts = report["verdicts"].values()
    if report.get("broken") or report.get("stopped") or any("error" in v or "hangs" in v for v in verdicts):
        return "error"
    return "not_yet" if any(verdicts) else "checked"


def _name_what_was_left_out(report: dict[str, Any], left_out: Sequence[str]) -> None:
    """A NameError that is not the learner's: what could not be carried over is missing only in the child."""
    for error in [report.get("broken"), *(verdict.get("error") for verdict in report["verdicts"].values())]:
        missing = re.match(r"name '(\w+)' is not defined", error["message"]) if error else None
        if error and missing and missing[1] in left_out:
            error |= {"kind": "", "message": say("ex_left_out", name=missing[1])}
