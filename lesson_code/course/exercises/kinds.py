"""What an exercise is made of: its criteria, and either the functions or the form that its learner hands in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """What is missing: a key of the exercise's own table of faults, and the fields of its sentences (text, numbers)."""

    key: str
    fields: dict[str, Any]


def fault(key: str, **fields: Any) -> Fault:
    return Fault(key, fields)


class NotYet(BaseException):
    """Ends a check with `fault` from inside a run, through whatever catches Exception on the way."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.key)
        self.fault = fault


Check = Callable[..., Fault | None]
"""Runs what was handed in, and gives (or raises as NotYet) the first fault of one criterion, the smallest one first.

What the learner's code raises, it lets pass: that is told as an error in their line.
"""


@dataclass(frozen=True)
class Criterion:
    """One sentence of the lesson with a stable `id`.

    With `check` it is judged by running the functions, with `fields` by comparing those fields of the form with a run;
    with neither the learner ticks it.
    """

    id: str
    check: Check | None = None
    fields: tuple[str, ...] = ()

    @property
    def is_own(self) -> bool:
        return not (self.check or self.fields)


Measured = Mapping[str, tuple[str, ...]]
"""What a run says of each field: the options that agree with it, the one that it shows first."""


@dataclass(frozen=True)
class Task:
    """An exercise. `takes`: each function that is handed in, with its parameters (`checkpoint, tools`).

    `form`: each field with its options; `measure` runs the cases of the form.
    """

    number: str
    criteria: tuple[Criterion, ...]
    takes: Mapping[str, str] | None = None
    form: Mapping[str, tuple[str, ...]] | None = None
    measure: Callable[[], Measured] | None = None

    @property
    def lesson(self) -> str:
        return self.number.partition(".")[0]
