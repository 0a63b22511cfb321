"""The exercises of lesson 2: what a checkpoint lacks that has one field, and a harness with two latent faults."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ...harness.checkpoint import FIELDS
from ...lab.naive import Resumed, resume_naive
from ...lab.scene import Outcome, new_folder, play
from ...lab.tools import TASK
from .kinds import Criterion, Measured, Task
from .saving_checks import save_a, save_b, to_the_end, whole

# 2.1


class Try(NamedTuple):
    """A resume of the exercise: where the task died, and which limit it was given."""

    label: str
    limits: dict[str, int]


TRIES = {
    "plain": Try("after-save-b:2", {}),
    "turns_limit": Try("after-save-b:2", {"max_turns": 2}),
    "budget": Try("after-save-b:2", {"budget": 600}),
    "between": Try("after-save-a:3", {}),
}

STUMBLES: dict[str, Callable[[Resumed], bool]] = {
    "b": lambda resumed: resumed.believes["task"] != TASK,
    "c": lambda resumed: resumed.past_turns,
    "d": lambda resumed: resumed.past_budget,
    "e": lambda resumed: resumed.refused and not resumed.believes["pendingToolUse"],
}
"""What a letter of the exercise says, as far as a run can show it. The `a` says what none shows today."""

SAVED = "messages"
LETTERS = "abcde"


@cache
def _dead(label: str) -> Outcome:
    return play(new_folder(), label)


def _resumed(name: str, *fields: str) -> Resumed:
    tried = TRIES[name]
    return resume_naive(_dead(tried.label), (SAVED, *fields), **tried.limits)


@cache
def _measure() -> Measured:
    """Resume with the one field that was saved, and with each of the others beside it: which one cures what?"""
    alone = {name: _resumed(name) for name in TRIES}
    cured = {field: {name: _resumed(name, field) for name in TRIES} for field in FIELDS if field != SAVED}
    found: dict[str, tuple[str, ...]] = {"a": tuple(field for field, tries in cured.items() if tries == alone)}
    found[_shown("a")] = ("none",)
    for letter, stumbles in STUMBLES.items():
        shown = tuple(name for name, resumed in alone.items() if stumbles(resumed))
        found[letter] = tuple(
            field for field, tries in cured.items() if not any(stumbles(tries[name]) for name in shown)
        )
        found[_shown(letter)] = shown
    return found


def _shown(letter: str) -> str:
    return f"{letter}_shown"


TASKS = (
    Task(
        "2.1",
        (
            Criterion("names", fields=tuple(LETTERS)),
            Criterion("shown", fields=tuple(map(_shown, LETTERS))),
            *(Criterion(f"why_{letter}") for letter in LETTERS),
        ),
        form={
            field: options
            for letter in LETTERS
            for field, options in ((letter, FIELDS), (_shown(letter), (*TRIES, "none")))
        },
        measure=_measure,
    ),
    Task(
        "2.2",
        (
            Criterion("torn_fault"),
            Criterion("blind_fault"),
            Criterion("whole", whole),
            Criterion("save_a", save_a),
            Criterion("save_b", save_b),
            Criterion("to_the_end", to_the_end),
        ),
        takes={"save_checkpoint": "state, folder", "run_agent": "client, task, tools, folder"},
    ),
)
