"""Every checker is proven on answers: what a learner may really get wrong is refused as promised, right ones pass."""

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import pytest

from lesson_code.course.exercises.judging import judge_form
from lesson_code.course.exercises.report import Report
from lesson_code.course.exercises.running import Checked, check_form
from lesson_code.words import exercise as words_of
from tests.answers.files import answers_of, folder_of, form_answers, inner_errors, is_accepted, is_as_promised, promised
from tests.answers.judge import Judge
from tests.course.test_exercises import says_the_same
from tests.course.test_tasks import CODE, FORMS

WRONG, RIGHT = 6, 4  # how many of each there are at least
each_code = pytest.mark.parametrize("number", CODE)
each_form = pytest.mark.parametrize("number", FORMS)
ANSWERS = [(number, path) for number in CODE for path in answers_of(number)]


@pytest.fixture(scope="module")
def judge_of() -> Iterator[Any]:
    """The judge of an exercise, the same one for all of its answers."""
    judges: dict[str, Judge] = {}
    yield lambda number: judges.setdefault(number, Judge(number))
    for judge in judges.values():
        judge.close()


@each_code
def test_there_are_enough_of_them_and_each_says_what_it_is(number: str) -> None:
    wrong = [path for path in answers_of(number) if path.name.startswith("wrong_")]
    right = [path for path in answers_of(number) if path.name.startswith("right_")]
    assert len(wrong) >= WRONG and len(right) >= RIGHT
    assert {path.name for path in [*wrong, *right]} == {path.name for path in folder_of(number).glob("*.py")}
    checked = {each.id for each in CODE[number].criteria if each.check}
    for path in wrong:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[1].startswith("# "), f"{path.name}: what is wrong with it?"
        criterion, what = promised(path)
        assert criterion in checked and what in {*words_of(number)["faults"], "error"}, path.name
    assert len({path.read_text(encoding="utf-8") for path in answers_of(number)}) == len(wrong) + len(right)


@each_code
def test_every_criterion_refuses_one_of_them(number: str) -> None:
    refusing = {promised(path)[0] for path in answers_of(number) if promised(path)}
    assert [each.id for each in CODE[number].criteria if each.check and each.id not in refusing] == []


@pytest.mark.parametrize("number, path", ANSWERS, ids=[f"{number}-{path.stem}" for number, path in ANSWERS])
def test_an_answer_is_judged_as_promised_and_told_in_whole_sentences(number: str, path: Path, judge_of: Any) -> None:
    found = judge_of(number).verdicts(path.read_text(encoding="utf-8"))
    assert inner_errors(found) == []
    assert is_as_promised(path, found), {name: verdict for name, verdict in found.items() if verdict}
    shown = Report(CODE[number], Checked("checked" if is_accepted(found) else "not_yet", found))
    says_the_same(shown)
    for name, verdict in found.items():
        lines = Report(CODE[number], Checked("not_yet", {name: verdict})).found.get(name, [])[1:]
        if "fault" in verdict:
            assert lines[0].startswith("Se esperaba: ") and lines[1].startswith("Salió: ")
            assert lines[-1].startswith("Pista: ")
            assert not any(line.strip().endswith(":") for line in lines)


# Forms


@each_form
def test_every_right_answer_of_a_form_is_accepted(number: str) -> None:
    task, answers = FORMS[number], form_answers(number)["right"]
    assert task.measure
    measured = task.measure()
    ways = prod(len(options) for options in measured.values())
    assert len(answers) >= min(RIGHT, ways)
    assert len({tuple(sorted(each.items())) for each in answers}) == len(answers)
    for each in answers:
        found = check_form(task, each)
        assert (found.outcome, any(found.verdicts.values())) == ("checked", False), each
    shown = {name: {each[name] for each in answers} for name in measured}
    if ways <= 16:
        assert shown == {name: set(options) for name, options in measured.items()}


@each_form
def test_every_wrong_answer_of_a_form_is_refused_by_its_criterion_with_a_hint(number: str) -> None:
    task, answers = FORMS[number], form_answers(number)["wrong"]
    assert len(answers) >= WRONG
    for answer, criterion in answers:
        found = check_form(task, answer)
        assert found.outcome == "not_yet" and found.verdicts[criterion], (answer, criterion)
        shown = Report(task, found)
        assert any(line.startswith(("Pista: ", "Sin responder")) for line in shown.found[criterion]), shown.found
        says_the_same(shown)


@each_form
def test_every_field_of_a_form_counts(number: str) -> None:
    """Whatever one of them is changed to, its criterion falls and the others stay."""
    task, right = FORMS[number], form_answers(number)["right"][0]
    assert task.form and task.measure
    measured = task.measure()
    for criterion, name in ((each, name) for each in task.criteria for name in each.fields):
        for option in set(task.form[name]) - set(measured[name]):
            found = judge_form(task, {**right, name: option}, measured)
            assert [each for each, verdict in found.items() if verdict] == [criterion.id]
