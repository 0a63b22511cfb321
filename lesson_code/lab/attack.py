"""Attack any harness: `python -m lesson_code.lab.attack PACKAGE.MODULE:FUNCTION [--quick] [--json] [--case CASE]`."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

from tqdm import tqdm

from ..words import say
from .attempt import Case, CaseError, Setting
from .commands import run_command
from .guarded import OURS, end_all
from .judge import Remains, Row
from .plan import FULL, QUICK, is_full, is_quick
from .real import NotReached, Target, Tried, Unfit, check_fit
from .simulated import explore
from .verdict import Verdict
from .victim import load


def attack(
    harness: str | Callable[..., Any], *, quick: bool = False, case: str | None = None, simulated: bool = False
) -> Verdict:
    """Kill `harness` (see `attempt.Harness`) at each moment, resume it, and judge it. Raises Unfit or CaseError.

    It is `PACKAGE.MODULE:FUNCTION`, or a function; one that a notebook defined is carried over by its source. `quick`:
    four kinds of tool, one turn of each. `case`: only that one. `simulated`: in this process, see `simulated`.
    """
    wanted, settings = (is_quick, QUICK) if quick else (is_full, FULL)
    target = Target(harness)
    if case is not None:
        found = [only(target, Case.parse(case))]
    elif simulated:
        found = list(simulated_rows(target, harness, settings, wanted))
    else:
        found = list(rows(target, settings, wanted))
    return Verdict(target.name, found, target.passed, simulated)


def only(target: Target, case: Case) -> Row:
    """The row of one case. Raises Unfit, or CaseError if the run does not pass its moments."""
    target.begin()
    never = target.attempt(Case(case.setting), None)
    try:
        return target.attempt(case, never.remains).row if case.deaths else never.row
    except NotReached as error:
        raise CaseError(str(error)) from None


def simulated_rows(
    target: Target, harness: str | Callable[..., Any], settings: Iterable[Setting], wanted: Callable[[Case], bool]
) -> Iterator[Row]:
    """The rows of an attack with simulated deaths. Raises Unfit."""

    def noted(case: Case) -> bool:
        target.passed.add(case.deaths[-1].split(":")[0])
        return wanted(case)

    try:
        function = load(harness) if isinstance(harness, str) else harness
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise Unfit(say("unfit_function", target=target.name, reason=reason)) from error
    for row in explore(function, settings, noted):
        if row.case == Case():
            check_fit(row, {f"{name}:1" for name in target.passed})
        yield row


def rows(target: Target, settings: Iterable[Setting], wanted: Callable[[Case], bool]) -> Iterator[Row]:
    """The rows of an attack with real deaths, as they are found; on a terminal with a progress bar. Raises Unfit.

    After the third run that does not end there are no more: each costs its whole patience.
    """
    target.begin()
    pool = ThreadPoolExecutor(os.cpu_count())
    never: dict[Setting, Remains] = {}
    hangs = 0

    def attempt(cases: list[Case]) -> Iterator[Tried]:
        if not cases:
            return
        pending = [pool.submit(target.attempt, case, never.get(case.setting)) for case in cases]
        for each in tqdm(pending, disable=None, leave=False):
            with suppress(NotReached):  # not every run writes its files in the same steps
                yield each.result()

    try:
        found = list(attempt([Case(setting) for setting in settings]))
        never |= {tried.row.case.setting: tried.remains for tried in found}
        yield from (tried.row for tried in found)
        while found:
            more = [case for tried in found for case in after(tried) if wanted(case)]
            found = []
            for tried in attempt(more):
                found.append(tried)
                yield tried.row
                hangs += any(fault.key == "hangs" for fault in tried.row.faults)
                if hangs == 3:
                    return
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        end_all(OURS)
        pool.shutdown()


def after(tried: Tried) -> Iterator[Case]:
    """The cases that go one death further, at each moment that the last run passed."""
    case = tried.row.case
    for label in tried.reached:
        yield replace(case, deaths=(*case.deaths, label))
        if not (case.deaths or label.startswith("write:")):
            yield replace(case, deaths=(label,), kill=True)


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Unfit(say("attack_usage"))


def command(arguments: list[str]) -> int:
    """The exit code: 0 holds, 1 some row falls, 2 it can't be attacked (one line on standard error)."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("target", nargs="?")
    for option in ("--quick", "--json", "--help"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--case")
    try:
        options = parser.parse_args(arguments)
        if options.help:
            print(say("attack_help"))
            return 0
        if options.target is None:
            parser.error("target")
        verdict = attack(options.target, quick=options.quick, case=options.case)
    except (Unfit, CaseError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        print(json.dumps(verdict.as_json(), ensure_ascii=False, indent=2) if options.json else verdict, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads it: the exit code still says it
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    run_command(command)
