"""What the attack on the engines found, as it was kept in `engines/results.json`: no engine is needed to read it."""

import ast
import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Any, TypeGuard

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
    return "\n".join([heads, *rows, "", say("engines_legend").replace(" · ", "\n"), "", fill(found, 96)])


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
    """The move from the lesson's loop to an engine: the lines of `by_hand.py` that go, and those of `on_dbos.py`."""
    hand, dbos = (
        [line for line in _function(*names) if line]
        for names in (("by_hand.py", "run"), ("on_dbos.py", "workflow_of", "run"))
    )
    old, new = ([line.strip() for line in lines] for lines in (hand, dbos))
    told = ["--- by_hand.py", "+++ on_dbos.py"]
    for what, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        told += [f"  {line}" for line in dbos[first:last]] if what == "equal" else []
        told += [f"- {line}" for line in hand[start:end]] if what in ("replace", "delete") else []
        told += [f"+ {line}" for line in dbos[first:last]] if what in ("replace", "insert") else []
    return "\n".join(told)


def policy() -> str:
    """The step that runs the tool, with the lesson's policy around it: the same for any engine."""
    return "\n".join(_function("turn.py", "TurnWithUnknown", "TurnWithPolicy"))


def _function(module: str, *names: str) -> list[str]:
    """The lines of functions of a module, or of classes, as they are written, without docstrings."""
    source = (ROOM / module).read_text(encoding="utf-8")
    nodes = {node.name: node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    lines, written = [], source.splitlines()
    for name in names:
        left_out = {number for node in ast.walk(nodes[name]) if _is_doc(node) for number in _numbers(node)}
        left_out |= {number + 1 for number in left_out if not written[number].strip()}  # the blank line after one
        lines += [written[number - 1] for number in _numbers(nodes[name]) if number not in left_out] + [""]
    return lines[:-1]


def _is_doc(node: ast.AST) -> TypeGuard[ast.Expr]:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _numbers(node: ast.stmt) -> range:
    """The numbers of its lines, from 1."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _end(cell: dict[str, Any]) -> tuple[bool, bool]:
    return bool(cell["untold"]), bool(cell["unknown"])


def _laid_out(name: str, *cells: str) -> str:
    return "  ".join([name.ljust(WIDE), *(cell.ljust(NARROW) for cell in cells)]).rstrip()
