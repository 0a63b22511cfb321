"""The whole crash matrix, by default of the lesson's harness: `python -m lesson_code.lab.matrix [MODULE:FUNCTION]`.

Each moment × each turn × each kind of tool × careful and hasty model × new and repeated ids × none or any second death,
simulated; and with real deaths the selection that an attack makes (`plan.is_full`).
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil

from ..words import say
from .attack import rows
from .attempt import accepts
from .commands import run_command
from .judge import Row
from .plan import EVERY, FULL, is_full, is_inside, is_outside
from .real import Target, Unfit
from .simulated import explore, fast_place
from .verdict import Verdict
from .victim import load

LESSON = "lesson_code.harness:run_agent"


def simulated(harness: Callable[..., Any]) -> Iterator[Row]:
    """The simulated half of the matrix of `harness`, row by row as they are found."""
    return explore(harness, EVERY, is_inside if accepts(harness, "crash_point") else is_outside)


def real(target: str) -> Iterator[Row]:
    """The half with real deaths, row by row as they are found. Raises Unfit."""
    return rows(Target(target), FULL, is_full)


def file_system(place: Path | None = None) -> str:
    """What file system `place`, or else the simulated deaths, are in: a speed means nothing without it."""
    place = (place or Path(fast_place())).resolve()
    mounts = {Path(each.mountpoint): each.fstype for each in psutil.disk_partitions(all=True)}
    return next((mounts[folder] for folder in (place, *place.parents) if folder in mounts), os.name)


def timed(found: Iterable[Row]) -> tuple[list[Row], float]:
    """All the rows, and the seconds that they took."""
    began = time.monotonic()
    return list(found), time.monotonic() - began


def command(arguments: list[str]) -> int:
    """Print the size, the time and the smallest cases that fall; exit code 0 holds, 1 falls, 2 can't be attacked."""
    if len(arguments) > 1 or arguments[:1] == ["--help"]:
        print(say("matrix_usage"), file=sys.stderr)
        return 2
    name = arguments[0] if arguments else LESSON
    try:
        found, seconds = timed(real(name))  # a function that is no harness is told before anything of it runs here
        print(say("matrix_real", rows=len(found), seconds=round(seconds), falls=falls(found)), flush=True)
        more, seconds = timed(simulated(load(name)))
    except Unfit as error:
        print(error, file=sys.stderr)
        return 2
    speed = round(len(more) / seconds)
    figures = {"rows": len(more), "seconds": round(seconds), "speed": speed, "system": file_system()}
    print(say("matrix_simulated", **figures, falls=falls(more)), flush=True)
    verdict = Verdict(name, [*found, *more], set())
    print(*verdict.sentences(), sep="\n", end="" if verdict.holds else "\n")
    return 0 if verdict.holds else 1


def falls(found: list[Row]) -> int:
    """How many rows fall."""
    return sum(bool(row.faults) for row in found)


if __name__ == "__main__":
    run_command(command)
