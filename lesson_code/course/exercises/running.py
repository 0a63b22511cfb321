"""Carry what a learner wrote to a child process, have it checked there, and take the verdicts back."""

import inspect
import json
import os
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
from ...words import exercise, language, say
from ..html import bare
from .judging import Verdict, fits, is_untouched, judge_form, returns
from .kinds import Task
from .tasks import starters_of

RANDOM = r"(?:curso-|tmp)[a-z0-9_]{8}\b"  # the name of a folder that is made for a moment
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
            report = _without_places(json.loads(path.read_text(encoding="utf-8")), top)
        except (OSError, ValueError):
            floods = ended.problem == "floods"
            report = {"verdicts": {}, "stopped": say("ex_floods") if floods else say("ex_gone", code=ended.code)}
    _name_what_was_left_out(report, left_out)
    return Checked(_outcome(report), answer=answer, **report)


def _without_places(value: Any, top: str) -> Any:
    """A report without the folders of this check, which only chance has named: `…/checkpoint.json`."""
    if isinstance(value, str):
        for place in {top, os.path.realpath(top)}:
            named = "|".join({re.escape(place), re.escape(repr(place)[1:-1])})
            value = re.sub(rf"(?:{named})(?:(?:[/\\]+[^'\"/\\\s]*)*(?=[/\\]))?(?:[/\\]+{RANDOM})?", "…", value)
        return value
    if isinstance(value, list):
        return [_without_places(each, top) for each in value]
    return {name: _without_places(each, top) for name, each in value.items()} if isinstance(value, dict) else value


def check_form(task: Task, answers: Mapping[str, str]) -> Checked:
    """Compare the answers of a form with a run of its cases. Raises Refused."""
    answers = {name: _option(task, name, value) for name, value in answers.items()}
    if not answers:
        return Checked("untried")
    measured = task.measure() if task.measure else {}
    verdicts = judge_form(task, answers, measured)
    outcome = "not_yet" if any(verdicts.values()) else "checked"
    return Checked(outcome, verdicts, answer=dict(answers), measured=measured)


def _option(task: Task, field: str, value: str) -> str:
    """The option of a field that is meant, by its name or by what it is called. Raises Refused."""
    form = task.form or {}
    if field not in form:
        raise Refused(say("ex_no_field", field=field, known=", ".join(form)))
    labels = exercise(task.number)["options"]
    meant = [option for option in form[field] if value in (option, bare(labels[option]))]
    if not meant:
        raise Refused(say("ex_no_option", field=field, value=value, known=", ".join(form[field])))
    return meant[0]


def _functions(task: Task, given: Sequence[Any]) -> list[FunctionType]:
    takes = task.takes or {}
    if len(given) != len(takes):
        raise Refused(say("ex_how_many", wanted=", ".join(takes), given=len(given)))
    for value, (name, parameters) in zip(given, takes.items(), strict=True):
        if not (inspect.isfunction(value) and value.__name__.isidentifier()):
            if inspect.isfunction(value):
                raise Refused(say("ex_lambda", name=name))
            raise Refused(say("ex_no_function", name=name, kind=type(value).__name__))
        if not fits(value, parameters):
            raise Refused(say("ex_no_fit", name=value.__name__, parameters=parameters))
        if not returns(value):
            raise Refused(say("ex_no_return", name=value.__name__))
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
