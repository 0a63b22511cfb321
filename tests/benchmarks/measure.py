"""Rounds of runs, each in a process of its own, and what is reckoned from them."""

import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from lesson_code.engines.attacks import ENGINES, PACKAGES
from lesson_code.lab.matrix import file_system
from tests.support import ROOT

ROWS = {
    **{name: f"tests.benchmarks.schemes:{name}" for name in ("v1", "plain", "raw", "append")},
    "dbos": ENGINES["dbos"],
    "langgraph_sync": ENGINES["langgraph"],
    "langgraph_async": ENGINES["langgraph_async"],
    "burr": ENGINES["burr"],
}
ROUNDS = {10: 5, 100: 5, 1000: 3}  # by number of turns: a short run feels most what else the machine does
MOST = 1.3  # what v1 may cost of `plain`, at 100 and at 1000 turns
IN_MEMORY = ("tmpfs", "ramfs")  # where a sync costs nothing

Figures = dict[str, float | None]
"""Of one run: `ms`, `cpu` (ms) and `written` (bytes handed to the system) a turn; `kept` (bytes); `resume` (ms)."""
Found = dict[str, dict[str, list[Figures]]]
"""By row and number of turns, one of each round, in order."""


def measure(
    place: Path, rounds: dict[int, int] = ROUNDS, rows: Iterable[str] = ROWS
) -> Iterator[tuple[str, int, Figures]]:
    """Every row once in each round, in another order each time, so that what else the machine does falls on all."""
    names = list(rows)
    for number in range(max(rounds.values())):
        for count in (turns for turns, times in rounds.items() if number < times):
            start = number * 3 % len(names)
            for name in names[start:] + names[:start]:
                yield name, count, run(ROWS[name], count, place)


def run(target: str, turns: int, place: Path | None = None) -> Figures:
    """So many turns, a death, and a resume, in a folder of its own under `place`."""
    with tempfile.TemporaryDirectory(prefix="curso-", dir=place, ignore_cleanup_errors=True) as top:
        found = child(target, str(turns), top)
        kept = sum(path.stat().st_size for path in Path(top).rglob("*") if path.is_file())
        resume = None if target.endswith(":raw") else 1000 * child(target, str(turns), top, "resume")["seconds"]
        return {
            "ms": 1000 * found["seconds"] / turns,
            "cpu": 1000 * found["cpu"] / turns,
            "written": None if found["written"] is None else found["written"] / turns,
            "kept": kept,
            "resume": resume,
        }


def child(target: str, *arguments: str) -> dict[str, Any]:
    """What `tests.benchmarks.run` tells, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.run", target, *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=600)
    if ended.returncode:
        raise RuntimeError(f"{target} {arguments[0]}: {ended.stderr[-1000:]}")
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def gathered(runs: Iterable[tuple[str, int, Figures]]) -> Found:
    """The runs, by row and number of turns."""
    found: Found = {name: {} for name in ROWS}
    for name, turns, figures in runs:
        found[name].setdefault(str(turns), []).append(figures)
    return found


def medians(found: Found) -> dict[str, dict[str, Figures]]:
    """The median of each figure."""
    return {name: {turns: _median(each) for turns, each in row.items()} for name, row in found.items()}


def _median(runs: list[Figures]) -> Figures:
    values = {name: [each[name] for each in runs if each[name] is not None] for name in runs[0]}
    return {name: round(median(known), 3) if known else None for name, known in values.items()}


def ratios(found: Found) -> dict[str, dict[str, float]]:
    """How many times what each row costs a turn of v1 costs: reckoned within each round, and the median of them."""
    others = {name: row for name, row in found.items() if name != "v1"}
    return {name: {turns: _ratio(found["v1"][turns], row[turns]) for turns in row} for name, row in others.items()}


def _ratio(ours: list[Figures], theirs: list[Figures]) -> float:
    pairs = zip(ours, theirs, strict=True)
    return round(median((our["ms"] or math.nan) / (their["ms"] or math.nan) for our, their in pairs), 3)


def growth(row: dict[str, Figures]) -> float:
    """The exponent with which the cost of a turn grows with the turns, from the last but one number to the last."""
    few, many = sorted(map(int, row))[-2:]
    costs = [row[str(turns)]["ms"] or math.nan for turns in (few, many)]
    return math.log(costs[1] / costs[0]) / math.log(many / few)


def real_disk() -> Path:
    """The system's folder for temporaries or, where that is in memory, the one where the clone is."""
    usual = Path(tempfile.gettempdir())
    return usual if file_system(usual) not in IN_MEMORY else ROOT.parent


def circumstances(place: Path, rounds: dict[int, int] = ROUNDS) -> dict[str, Any]:
    """When, and with what, it was measured."""
    system = file_system(place)
    machine = f"{platform.system()}, {os.cpu_count()} CPU, {system}, Python {platform.python_version()}"
    versions = {name: version(name) for name in PACKAGES}
    return {"date": date.today().isoformat(), "machine": machine, "versions": versions, "rounds": list(rounds.values())}
