"""Every way of breaking a solution is refused, or listed with the reason why nothing can tell it from the solution."""

from inspect import getsource
from statistics import median
from typing import Any, NamedTuple

import pytest

from lesson_code.course.exercises.tasks import solution_module
from tests.answers.files import Verdicts, answers_of, equivalent, inner_errors, is_accepted
from tests.answers.judge import Judge
from tests.answers.mutants import mutants_of
from tests.course.test_tasks import CODE

SECONDS = 0.3  # the median


class Judged(NamedTuple):
    verdicts: dict[str, Verdicts]
    seconds: list[float]


def judged(number: str) -> Judged:
    """Each mutant of the solution of an exercise with its verdicts, and the time of the processor that each took."""
    found = Judged({}, [])
    with Judge(number) as judge:
        for name, source in mutants_of(getsource(solution_module(CODE[number]))):
            found.verdicts[name] = judge.verdicts(source)
            found.seconds.append(judge.seconds)
    return found


@pytest.mark.parametrize("number", CODE)
def test_each_mutant_is_refused_or_listed_with_its_reason(number: str, record_property: Any) -> None:
    verdicts, seconds = judged(number)
    green = [name for name, found in verdicts.items() if is_accepted(found)]
    known = equivalent(number)
    assert len(verdicts) >= 10
    assert [name for name in green if name not in known] == []
    assert [name for name in known if name not in green] == [], "listed, and yet refused, or no mutant at all"
    assert all(len(reason) > 20 for reason in known.values())
    assert {name: inner_errors(found) for name, found in verdicts.items() if inner_errors(found)} == {}
    shown = f"{len(verdicts)} mutants, {len(green)} of them equivalent, median {median(seconds):.2f} s"
    record_property("measured", f"exercise {number}: {shown}, longest {max(seconds):.2f} s")
    assert median(seconds) <= SECONDS


# The machinery itself

SOURCE = '''
LIMIT = 3

def f(x):
    """Stays."""
    y = x
    y = x
    if x > 1:
        return y
    for z in [w for w in x if w]:
        pass
    try:
        g()
    except ValueError:
        h()
    return 1 if y else 2


class C:
    def m(self):
        while self:
            break
'''


def test_each_statement_is_dropped_each_pair_swapped_and_each_condition_negated() -> None:
    found = dict(mutants_of(SOURCE))
    assert list(found) == [
        "drop: y = x",
        "drop: y = x #2",
        "drop: if x > 1:",
        "swap: y = x | if x > 1:",
        "drop: for z in [w for w in x if w]:",
        "swap: if x > 1: | for z in [w for w in x if w]:",
        "drop: try:",
        "swap: for z in [w for w in x if w]: | try:",
        "drop: return 1 if y else 2",
        "swap: try: | return 1 if y else 2",
        "drop: return y",
        "negate: x > 1",
        "drop: g()",
        "drop: h()",
        "negate: y",
        "negate: w",
        "drop: def m(self):",
        "drop: while self:",
        "drop: break",
        "negate: self",
    ]
    assert len(set(found.values())) == len(found)
    assert all('"""Stays."""' in source and "LIMIT = 3" in source for source in found.values())


def test_a_judge_outlives_what_hangs_ends_or_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.answers.judge.PATIENCE", 3.0)
    right = next(path for path in answers_of("5.2") if path.name.startswith("right_")).read_text(encoding="utf-8")
    with Judge("5.2") as judge:
        assert judge.verdicts("while True:\n    pass") == {"": {"hangs": {}}}
        assert judge.verdicts("import os\nos._exit(0)") == {"": {"gone": {}}}
        assert judge.verdicts("x = = 1")[""]["error"]["kind"] == "SyntaxError"
        assert judge.verdicts("import os\nos.chdir('/')\nexit()")[""]["error"]["kind"] == "SystemExit"
        assert judge.verdicts("def save_checkpoint():\n    ...")[""]["error"]["kind"] == "KeyError"
        for found in (judge.verdicts(right), judge.verdicts(f"print('x' * 10 ** 6)\n{right}")):
            assert is_accepted(found)


def test_nothing_else_is_taken_for_accepted() -> None:
    assert is_accepted({"a": {}, "b": {}})
    for found in ({}, {"a": {}, "b": {"fault": ["x", {}]}}, {"": {"hangs": {}}}, {"": {"gone": {}}}):
        assert not is_accepted(found)
