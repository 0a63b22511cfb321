"""`python -m lesson_code.engines [--write | workers [TASKS [KILLS]]]`: attack the engines and say what has changed."""

import json
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable
from datetime import date
from importlib.metadata import version
from typing import Any

from tqdm import tqdm

from ..lab.commands import run_command
from ..lab.engine_table import RESULTS, Results, changes, engine_table, kept
from ..words import say
from .attacks import ENGINES, PACKAGES, AttackFailed, Tried, attack, count_of, missing, moments_of
from .workers import command as run_workers


def command(arguments: list[str]) -> int:
    """Exit code 0; 1 where an engine could not be judged; 2 for what can't be asked, or packages that are missing."""
    if arguments[:1] == ["workers"]:
        return run_workers(arguments[1:])
    if arguments not in ([], ["--write"]):
        asked = arguments == ["--help"]
        print(say("engines_usage"), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if missing():
        print(say("engines_missing", names=", ".join(missing())), file=sys.stderr)
        return 2
    try:
        tell(writes="--write" in arguments)
    except AttackFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def tell(*, writes: bool) -> None:
    """Attack, print the table and what has changed, and keep it if asked. Raises AttackFailed."""
    began = time.monotonic()
    runs = sum(count_of(engine, moment) for engine in ENGINES for moment in moments_of(engine))
    found = list(tqdm(attack(), total=runs, disable=None, leave=False))
    results = as_results(found)
    print(engine_table(results))
    print(say("engines_time", runs=runs, seconds=round(time.monotonic() - began)))
    print(*(list(changes(kept(), results)) or [say("engines_same")]), sep="\n")
    if writes:
        RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")
        print(say("engines_written"))


def as_results(found: Iterable[Tried]) -> Results:
    """What was found, in the form in which it is kept."""
    return {
        "date": date.today().isoformat(),
        "machine": f"{platform.system()}, {os.cpu_count()} CPU, Python {platform.python_version()}",
        "versions": {name: version(name) for name in PACKAGES},
        "cells": cells_of(list(found)),
    }


def cells_of(found: list[Tried]) -> list[dict[str, Any]]:
    """The runs of each engine at each moment, counted."""
    runs = Counter((tried.engine, tried.moment) for tried in found)
    untold = Counter((tried.engine, tried.moment) for tried in found if not tried.truthful)
    unknown = Counter((tried.engine, tried.moment) for tried in found if tried.unknown)
    return [
        {"engine": each[0], "moment": each[1], "runs": runs[each], "untold": untold[each], "unknown": unknown[each]}
        for each in runs
    ]


if __name__ == "__main__":
    run_command(command)
