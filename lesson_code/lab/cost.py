"""What a crash costs a long task: turns begun until it is finished, by formula and by trying.

Those that a crash cuts short and those that are run again count too. In each, the process dies with the same
probability `p`, whatever happened before.
"""

import math
import random
import statistics
from dataclasses import dataclass

from ..words import say

MAX_TURNS = 20_000_000  # of a simulation: some seconds


def expected_turns(turns: int, p: float) -> float:
    """Turns begun on average when each crash sends the task back to its first turn. Raises ValueError.

    With q = 1 - p: to get n in a row, get n-1, run one more, and with probability p begin again, so that
    E(n) = E(n-1) + 1 + p E(n), and E(n) = (1 - q^n) / (p q^n).
    """
    _check(turns, p)
    try:
        return math.expm1(-turns * math.log1p(-p)) / p if p else float(turns)
    except OverflowError:
        return math.inf


def expected_turns_resuming(turns: int, p: float) -> float:
    """Turns begun on average when each crash costs only the turn in which it fell: n / q. Raises ValueError."""
    _check(turns, p)
    return turns / (1 - p)


@dataclass(frozen=True)
class Estimate:
    """The mean of many tasks, in turns, and its standard error."""

    mean: float
    error: float


def simulate(turns: int, p: float, *, resume: bool = False, tasks: int = 5000, seed: int = 1) -> Estimate:
    """Run `tasks` tasks, turn by turn, with a die for each turn; the same seed gives the same estimate.

    Raises ValueError, also for a simulation of more than `MAX_TURNS` turns.
    """
    expected = (expected_turns_resuming if resume else expected_turns)(turns, p) * tasks
    if expected > MAX_TURNS:
        raise ValueError(say("cost_too_long", turns=f"{expected:.0e}"))
    die = random.Random(seed)
    runs = [_turns_of_one_task(turns, p, resume, die) for _ in range(tasks)]
    return Estimate(statistics.fmean(runs), statistics.stdev(runs) / math.sqrt(tasks))


def _turns_of_one_task(turns: int, p: float, resume: bool, die: random.Random) -> int:
    run = done = 0
    while done < turns:
        run += 1
        if die.random() >= p:
            done += 1
        elif not resume:
            done = 0
    return run


def _check(turns: int, p: float) -> None:
    if not (turns >= 1 and 0 <= p < 1):
        raise ValueError(say("cost_range"))
