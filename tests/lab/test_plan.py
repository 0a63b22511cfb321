"""The plans: what a full and a quick attack try of the moments that a harness passes, and what they leave out."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab.attempt import Case, Place, Setting, attempt
from lesson_code.lab.crash import AT_END, IN_RESUME, IN_TURN
from lesson_code.lab.orders import KINDS
from lesson_code.lab.plan import EVERY, FULL, PLAIN, QUICK, is_full, is_inside, is_outside, is_quick
from lesson_code.lab.scene import new_place
from lesson_code.lab.simulated import explore

pytestmark = pytest.mark.usefixtures("no_sync")

WRITES = [f"write:{file}.{step}" for file in range(1, 8) for step in range(1, 7)]
Wanted = Callable[[Case], bool]


@cache
def passed(setting: Setting) -> tuple[str, ...]:
    """The moments that the lesson's harness passes when it does not die."""
    labels: list[str] = []
    attempt(run_agent, setting, Place.new(Path(new_place())), resume=False, reach=labels.append)
    return tuple(labels)


def tried(wanted: Wanted, settings: Any) -> Iterator[Case]:
    """The cases of no death and of one, also of a file being written and by SIGKILL, that are wanted."""
    for setting in settings:
        for label in (*passed(setting), *WRITES):
            yield from filter(wanted, [Case(setting, (label,)), Case(setting, (label,), kill=True)])
        yield from filter(wanted, [Case(setting)])


def short(case: Case) -> str:
    return str(case).removeprefix(case.setting.kind).lstrip("/")


# Quick

QUICK_CASES = {
    "appending": ["tool-entered:2", "tool-done:2", "after-effect-write:2", "next-request:2", "write:2.1", "write:3.1"]
    + ["write:4.1", "returned", "", "hasty/tool-done:2", "hasty"],
    "read_only": ["tool-entered:2", "tool-done:2", "after-effect-write:2", "next-request:2", ""]
    + ["hasty/tool-done:2", "hasty"],
    "raising": ["tool-entered:1", "tool-done:1", "next-request:1", "", "hasty/tool-done:1", "hasty"],
    "twice": ["tool-entered:3", "tool-done:3", "after-effect-write:3", "next-request:3", ""]
    + ["hasty/tool-done:3", "hasty"],
}


def test_a_quick_attack_tries_these_cases_and_no_others() -> None:
    found: dict[str, list[str]] = {}
    for case in tried(is_quick, QUICK):
        found.setdefault(case.setting.kind, []).append(short(case))
    assert {kind: sorted(cases) for kind, cases in found.items()} == {k: sorted(c) for k, c in QUICK_CASES.items()}
    assert sum(map(len, found.values())) == 31


def test_a_quick_attack_goes_one_death_far_and_kills_nothing_by_signal() -> None:
    for first in ("tool-done:2", "tool-entered:2"):
        for second in (*IN_RESUME, "tool-done:2", "next-request:2", "write:2.1"):
            assert not is_quick(Case(PLAIN, (first, second)))
    assert is_quick(Case(PLAIN)) and is_quick(Case(PLAIN, ("tool-done:2",)))
    assert not is_quick(Case(PLAIN, ("tool-done:2",), kill=True))


@pytest.mark.parametrize("label", ["write:1.1", "write:5.1", "write:2.2", "write:2.11", "write:12.1", "write:3.10"])
def test_of_the_files_a_quick_attack_tries_only_three_openings(label: str) -> None:
    assert not is_quick(Case(PLAIN, (label,)))


@pytest.mark.parametrize("label", ["tool-done:1", "tool-done:12", "after-tool:2", "after-answer:2", "after-save-end"])
def test_a_quick_attack_tries_no_other_turn_and_no_other_moment(label: str) -> None:
    assert not is_quick(Case(PLAIN, (label,)))


# Full


def test_a_full_attack_tries_so_many_cases_of_each_setting() -> None:
    found = Counter((case.setting.kind, case.setting.hasty) for case in tried(is_full, FULL))
    plain = 1 + 18 + len(WRITES) + 12  # none; the moments; each step of each file; the four, three turns, by SIGKILL
    assert found == {
        **{(kind, False): 19 for kind in KINDS},
        **{(kind, True): 7 for kind in KINDS},
        ("appending", False): plain,
        ("raising", False): 31,
        ("raising", True): 13,
    }


def test_a_full_attack_sees_the_first_three_moments_from_outside() -> None:
    cases = {short(case) for case in tried(is_full, [Setting("twice")])}
    turns = [
        {f"after-answer:{turn}", f"tool-entered:{turn}", f"tool-done:{turn}", f"after-effect-write:{turn}"}
        for turn in (1, 2, 3)
    ]
    nexts = {f"next-request:{turn}" for turn in (1, 2, 3)}
    assert cases == {"", "after-answer:4", "after-save-end", "returned", *nexts}.union(*turns)


def test_of_the_hasty_model_a_full_attack_tries_the_first_two_moments() -> None:
    cases = {short(case) for case in tried(is_full, [Setting("twice", hasty=True)])}
    deaths = {f"hasty/{moment}:{turn}" for moment in ("tool-entered", "tool-done") for turn in (1, 2, 3)}
    assert cases == {"hasty", *deaths}


def test_only_the_plain_task_is_killed_by_signal_or_while_it_writes() -> None:
    special = [case for case in tried(is_full, FULL) if case.kill or case.deaths[:1] and case.deaths[0] in WRITES]
    assert {case.setting for case in special} == {PLAIN} == {Setting("appending", hasty=False, fresh_ids=True)}
    names = Counter(case.deaths[0].split(":")[0] for case in special if case.kill)
    assert names == {"tool-entered": 3, "tool-done": 3, "after-effect-write": 3, "next-request": 3}
    assert not is_full(Case(PLAIN, kill=True)) and not is_full(Case(PLAIN, ("tool-done:2", "tool-done:2"), kill=True))


def is_full_twice(case: Case) -> bool:
    return len(case.deaths) > 1 and is_full(case)


def test_a_full_attack_tries_second_deaths_after_the_second_turn_of_two_tasks() -> None:
    settings = [PLAIN, Setting("read_only"), Setting("overwriting"), Setting(hasty=True)]
    first = ("tool-entered:2", "tool-done:2", "tool-done:1", "next-request:2")
    rows = explore(
        run_agent, settings, lambda case: case.deaths in [(label,) for label in first] or is_full_twice(case)
    )
    twice = [row.case for row in rows if len(row.case.deaths) == 2]
    assert Counter(case.setting for case in twice) == {PLAIN: 37, Setting("read_only"): 30}
    assert {case.deaths[0] for case in twice} == {"tool-entered:2", "tool-done:2"}
    seconds = {case.deaths[1].split(":")[0] for case in twice}
    assert seconds == {*IN_RESUME, *IN_TURN, AT_END, "tool-entered", "tool-done", "next-request", "returned"} - {
        "after-save-a",
        "after-tool",
        "after-save-b",
    }


def test_a_full_attack_tries_no_third_death_and_no_writing_in_a_resume() -> None:
    assert is_full(Case(PLAIN, ("tool-done:2", "next-request:2")))
    assert not is_full(Case(PLAIN, ("tool-done:2", "next-request:2", "next-request:3")))
    assert not is_full(Case(PLAIN, ("tool-done:2", "write:1.1")))
    assert not is_full(Case(PLAIN, ("tool-done:1", "next-request:2")))
    assert not is_full(Case(PLAIN, ("next-request:2", "tool-done:2")))
    assert not is_full(Case(PLAIN, ("tool-done:2", "after-tool:3")))
    assert not is_full(Case(Setting(fresh_ids=False), ("tool-done:2", "next-request:2")))


# The matrix


def test_the_settings_are_all_the_kinds_with_both_models_and_in_the_matrix_with_both_sorts_of_ids() -> None:
    assert [*map(str, map(Case, QUICK))] == [
        f"{kind}{hasty}" for kind in ("appending", "read_only", "raising", "twice") for hasty in ("", "/hasty")
    ]
    assert [*map(str, map(Case, FULL))] == [f"{kind}{hasty}" for kind in KINDS for hasty in ("", "/hasty")]
    assert {*map(str, map(Case, EVERY))} == {
        f"{kind}{hasty}{ids}" for kind in KINDS for hasty in ("", "/hasty") for ids in ("", "/same-ids")
    }
    assert len(EVERY) == 24 and {setting.orders for setting in EVERY} == {3}


INSIDE = [*(f"{name}:1" for name in IN_TURN), AT_END, *IN_RESUME]
OUTSIDE = ["tool-entered:1", "tool-done:1", "next-request:1", "write:1.1", "returned"]


def test_from_inside_up_to_two_deaths_that_the_harness_names() -> None:
    for setting in EVERY:
        assert is_inside(Case(setting)) and not any(is_inside(Case(setting, (label,))) for label in OUTSIDE)
        assert all(is_inside(Case(setting, (first, second))) for first in INSIDE for second in INSIDE)
        assert not any(is_inside(Case(setting, (INSIDE[0], label))) for label in OUTSIDE)
    assert not is_inside(Case(PLAIN, (INSIDE[0],) * 3))


def test_from_outside_up_to_two_deaths_that_the_harness_need_not_name() -> None:
    for setting in EVERY:
        assert is_outside(Case(setting)) and not any(is_outside(Case(setting, (label,))) for label in INSIDE)
        assert all(is_outside(Case(setting, (first, second))) for first in OUTSIDE for second in OUTSIDE)
        assert not any(is_outside(Case(setting, (OUTSIDE[0], label))) for label in INSIDE)
    assert not is_outside(Case(PLAIN, (OUTSIDE[0],) * 3))
