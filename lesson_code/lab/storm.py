"""The SIGKILL storm: a task of forty turns, killed at random instants and resumed until it ends, again and again.

`python -m lesson_code.lab.storm [--kills N] [--seed N]`. Nobody asks the process: it is killed from outside, anywhere.
The seed gives when; where the process is by then depends on the machine.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from threading import Event

from ..harness import CheckpointError, CheckpointMissing, LedgerError, load_checkpoint, load_effects
from ..words import say
from .attempt import Case, Place, Setting
from .child import ROOT
from .commands import run_command
from .judge import End, Fault, judge
from .simulated import fast_place

FORTY = Setting(orders=40)
WINDOW = 0.04  # seconds after the run has begun within which it is killed
MOST = 50  # kills of one task; after them it may run to its end

_RUN = """
import functools, pathlib, sys
from lesson_code.harness import run_agent
from lesson_code.lab.attempt import Place, attempt
from lesson_code.lab.storm import FORTY
print("begins", flush=True)
harness = functools.partial(run_agent, max_turns=400)  # looking after each death takes turns too
place = Place(pathlib.Path(sys.argv[1]))
print(attempt(harness, FORTY, place, resume=sys.argv[2] == "resume", reach=lambda label: None))
"""


@dataclass(frozen=True)
class Task:
    """A task that was killed `kills` times and ended: how often its files could not be read, and what is wrong."""

    kills: int
    unreadable: int
    faults: tuple[Fault, ...]


def storm(kills: int, seed: int) -> Iterator[Task]:
    """Tasks, as they end, until they were killed `kills` times in all; the instants are drawn from `seed`."""
    over = Event()
    with tempfile.TemporaryDirectory(prefix="curso-", dir=fast_place()) as top, ThreadPoolExecutor() as pool:
        number = 0
        try:
            while kills > 0:
                most = min(MOST, kills)
                some = range(number, number + min(os.cpu_count() or 1, -(-kills // MOST)))
                chances = (random.Random(f"{seed}.{each}") for each in some)
                for task in pool.map(survive, repeat(Path(top)), chances, repeat(most), repeat(over)):
                    kills -= task.kills
                    yield task
                number = some.stop
        finally:
            over.set()  # whoever is interrupted does not wait for the tasks that are under way


def survive(top: Path, chance: random.Random, most: int, over: Event) -> Task:
    """Kill a task at instants that `chance` gives, at most so often, and resume it until it ends, or all is over."""
    place, kills, unreadable, idle, seen = Place.new(top), 0, 0, 0, 0
    end: End | None = None
    while (
        not over.is_set()
        and (end := _run(place, WINDOW * (1 + idle) * chance.random() if kills < most else None)) is None
    ):
        kills += 1
        unreadable += not _is_readable(place)
        note_death(place)
        asked = len(place.witness.calls())
        idle, seen = (0 if asked > seen else idle + 1), asked  # where resuming takes longer, it is given longer
    return Task(kills, unreadable, judge(Case(FORTY), place, end).faults if end else ())


def _run(place: Place, seconds: float | None) -> End | None:
    """Begin the task, or resume it; None if it was killed after so many seconds. Without them it runs to its end."""
    how = "resume" if (place.folder / "checkpoint.json").exists() else "start"
    child = subprocess.Popen(
        [sys.executable, "-c", _RUN, str(place.path), how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    with child:
        child.stdout.readline()  # type: ignore[union-attr]  # it is a pipe
        if seconds is not None:
            time.sleep(seconds)
            if child.poll() is None:
                child.kill()
                child.communicate()
                return None
        answer, error = child.communicate()
    return End(answer=answer.strip()) if child.returncode == 0 else End(raised=error.strip()[-500:])


def _is_readable(place: Place) -> bool:
    try:
        load_checkpoint(place.folder)
        load_effects(place.folder)
    except CheckpointMissing:
        return not place.witness.calls()
    except (CheckpointError, LedgerError):
        return False
    return True


def note_death(place: Place) -> None:
    """Note the death in the evidence: nobody could know only if the ledger has not the last call that was asked."""
    asked = place.witness.calls()
    try:
        noted = bool(asked) and asked[-1]["asked"] in load_effects(place.folder)
    except LedgerError:
        noted = False
    place.witness.note(died="noted-before" if noted else "killed")


def command(arguments: list[str]) -> int:
    """Print the figures; exit code 1 if anything was lost, unreadable or untold, 2 for arguments that say nothing."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    asked = {"--kills": "200", "--seed": "1", **options}
    if (
        len(arguments) % 2
        or len(asked) > 2
        or not all(re.fullmatch("[1-9][0-9]{0,5}", each) for each in asked.values())
    ):
        print(say("storm_usage"), file=sys.stderr)
        return 2
    kills, seed = int(asked["--kills"]), int(asked["--seed"])
    tasks = list(storm(kills, seed))
    faults = [fault.key for task in tasks for fault in task.faults]
    figures = {
        "seed": seed,
        "tasks": len(tasks),
        "kills": sum(task.kills for task in tasks),
        "unreadable": sum(task.unreadable for task in tasks),
        "lost": faults.count("lost"),
        "doubled": faults.count("doubled"),
        "others": len(faults) - faults.count("lost") - faults.count("doubled"),
    }
    print(say("storm", **figures))
    return int(any(figures[name] for name in ("unreadable", "lost", "doubled", "others")))


if __name__ == "__main__":
    run_command(command)
