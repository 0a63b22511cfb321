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

import psutil

from lesson_code.engines.attacks import ENGINES, PACKAGES
from tests.support import ROOT

ROWS = {
    "v1": "tests.benchmarks.schemes:v1",
    "plain": "tests.benchmarks.schemes:plain",
    "raw": "tests.benchmarks.schemes:raw",
    "append": "tests.benchmarks.schemes:append",
    "dbos": ENGINES["dbos"],
    "langgraph": ENGINES["langgraph"],
    "burr": ENGINES["burr"],
}
TURNS = (10, 100, 1000)
ROUNDS = 3
MOST = 1.3  # what v1 may cost of `plain`, at 100 and at 1000 turns

Figures = dict[str, float | None]
"""Of one run: `ms`, `cpu` (ms) and `written` (bytes handed to the system) a turn; `kept` (bytes); `resume` (ms)."""


def measure(
    rounds: int = ROUNDS, turns: Iterable[int] = TURNS, rows: Iterable[str] = ROWS
) -> Iterator[tuple[str, int, Figures]]:
    """Every row once in each round, in another order each time, so that what else the machine does falls on all."""
    names = list(rows)
    for number in range(rounds):
        for count in turns:
            start = number % len(names)
            for name in names[start:] + names[:start]:
                yield name, count, run(ROWS[name], count)


def run(target: str, turns: int) -> Figures:
    """So many turns, a death, and a resume."""
    with tempfile.TemporaryDirectory(prefix="curso-", ignore_cleanup_errors=True) as top:
        found = _child(target, str(turns), top)
        kept = sum(path.stat().st_size for path in Path(top).rglob("*") if path.is_file())
        resume = None if target.endswith(":raw") else 1000 * _child(target, "resume", top)["seconds"]
        return {
            "ms": 1000 * found["seconds"] / turns,
            "cpu": 1000 * found["cpu"] / turns,
            "written": None if found["written"] is None else found["written"] / turns,
            "kept": kept,
            "resume": resume,
        }


def _child(target: str, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.run", target, *arguments]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=600)
    if child.returncode:
        raise RuntimeError(f"{target} {arguments[0]}: {child.stderr[-1000:]}")
    found: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return found


def summed_up(found: Iterable[tuple[str, int, Figures]]) -> dict[str, dict[str, Figures]]:
    """The median of each figure, by row and number of turns."""
    runs: dict[str, dict[str, list[Figures]]] = {}
    for name, turns, figures in found:
        runs.setdefault(name, {}).setdefault(str(turns), []).append(figures)
    return {name: {turns: _medians(each) for turns, each in row.items()} for name, row in runs.items()}


def _medians(runs: list[Figures]) -> Figures:
    values = {name: [each[name] for each in runs if each[name] is not None] for name in runs[0]}
    return {name: round(median(known), 3) if known else None for name, known in values.items()}


def ratio(rows: dict[str, dict[str, Figures]], name: str, turns: int) -> float:
    """How many times what `name` costs a turn of v1 costs, in the same run."""
    ours, theirs = (rows[row][str(turns)]["ms"] or math.nan for row in ("v1", name))
    return ours / theirs


def growth(row: dict[str, Figures]) -> float:
    """The exponent with which the cost of a turn grows with the turns, from the last but one number to the last."""
    few, many = sorted(map(int, row))[-2:]
    costs = [row[str(turns)]["ms"] or math.nan for turns in (few, many)]
    return math.log(costs[1] / costs[0]) / math.log(many / few)


def circumstances(rounds: int) -> dict[str, Any]:
    """When, and with what, it was measured."""
    place = Path(tempfile.gettempdir()).resolve()
    mounts = {Path(each.mountpoint): each.fstype for each in psutil.disk_partitions(all=True)}
    system = next((mounts[folder] for folder in (place, *place.parents) if folder in mounts), "?")
    machine = f"{platform.system()}, {os.cpu_count()} CPU, {system}, Python {platform.python_version()}"
    versions = {name: version(name) for name in PACKAGES}
    return {"date": date.today().isoformat(), "machine": machine, "versions": versions, "rounds": rounds}
