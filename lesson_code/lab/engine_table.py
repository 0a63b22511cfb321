"""What the attack on the engines found, as it was kept in `engines/results.json`: no engine is needed to read it."""

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..words import say
from .crash import MOMENTS

ROOM = Path(__file__).parents[1] / "engines"
RESULTS = ROOM / "results.json"
WIDE, NARROW = 40, 12  # characters of the name, and of what is said of a moment

Results = dict[str, Any]
"""`{"date", "machine", "versions": {package: version}, "cells": [cell]}`; a cell is `{"engine", "moment", "runs",
"untold", "unknown"}`: in how many runs the model was not told the truth, and in how many that nobody knows."""


def kept() -> Results:
    """The results of the last time that somebody ran the attack and wrote them."""
    results: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def engine_table(results: Results | None = None) -> str:
    """A line for each engine and a column for each moment; beneath, what the words say and with what it was found."""
    results = results or kept()
    lines = {cell["engine"]: ["" for _ in MOMENTS] for cell in results["cells"]}
    for cell in results["cells"]:
        lines[cell["engine"]][list(MOMENTS).index(cell["moment"])] = in_words(cell)
    heads = _laid_out(say("engines_head"), *MOMENTS)
    rows = [_laid_out(say(f"engine_{name}"), *(cell or "–" for cell in cells)) for name, cells in lines.items()]
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    found = say("engines_found", date=results["date"], machine=results["machine"], versions=versions)
    return "\n".join([heads, *rows, "", say("engines_legend").replace(" · ", "\n"), "", found])


def in_words(cell: dict[str, Any]) -> str:
    """What the model was told at a moment; a count only where not all the runs ended alike."""
    untold, unknown, runs = cell["untold"], cell["unknown"], cell["runs"]
    key = "untold" if untold else "unknown" if unknown else "told"
    count = {"untold": untold, "unknown": unknown, "told": runs}[key]
    return say(f"engines_{key}", count=count, runs=runs)


def changes(old: Results, new: Results) -> Iterator[str]:
    """What is otherwise in `new`: a version, or how the runs of a moment end. A count that moves is chance."""
    for name, version in new["versions"].items():
        if old["versions"].get(name) != version:
            yield say("engines_version", name=name, old=old["versions"].get(name, say("nothing")), new=version)
    before = {(cell["engine"], cell["moment"]): cell for cell in old["cells"]}
    for cell in new["cells"]:
        known = before.pop((cell["engine"], cell["moment"]), None)
        if known is None or _end(known) != _end(cell):
            was = in_words(known) if known else say("nothing")
            name = say(f"engine_{cell['engine']}")
            yield say("engines_changed", name=name, moment=cell["moment"], old=was, new=in_words(cell))
    for engine, moment in before:
        yield say("engines_gone", name=say(f"engine_{engine}"), moment=moment)


def move() -> str:
    """The move from the lesson's harness to an engine: what `on_dbos.py` has otherwise than `by_hand.py`."""
    hand, dbos = (_loop(ROOM / name) for name in ("by_hand.py", "on_dbos.py"))
    return "\n".join(line.rstrip() for line in difflib.unified_diff(hand, dbos, "by_hand.py", "on_dbos.py", n=9))


def _loop(path: Path) -> list[str]:
    """The lines of the module from its function `run` on."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return lines[next(number for number, line in enumerate(lines) if line.startswith("def run(")) :]


def _end(cell: dict[str, Any]) -> tuple[bool, bool]:
    return bool(cell["untold"]), bool(cell["unknown"])


def _laid_out(name: str, *cells: str) -> str:
    return "  ".join([name.ljust(WIDE), *(cell.ljust(NARROW) for cell in cells)]).rstrip()
