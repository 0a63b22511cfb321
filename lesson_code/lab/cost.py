"""What a crash costs a long task: turns run until all go through in a row, by formula and by trying."""

import math
import random
import statistics
from dataclasses import dataclass

from ..words import say

# What is counted: turns begun, the ones that a crash cuts short and the ones that are run again included.
# In each, the process dies with the same probability `p`, whatever happened before.

MAX_TURNS = 20_000_000  # of a simulation: some seconds


def expected_turns(turns: int, p: float) -> float:
    """Turns run on average when each crash sends the task back to its first turn.

    With q = 1 - p: to get n in a row, get n-1, run one more, and with probability p begin again, so that
    E(n) = E(n-1) + 1 + p E(n), and E(n) = (1 - q^n) / (p q^n).
    """
    _check(turns, p)
    try:
        return math.expm1(-turns * math.log1p(-p)) / p if p else float(turns)
    except OverflowError:
        return math.inf


def expected_turns_resuming(turns: int, p: float) -> float:
    """Turns run on average when each crash costs only the turn in which it fell: n / q."""
    _check(turns, p)
    return turns / (1 - p)


@dataclass(frozen=True)
class Estimate:
    """The mean of many tasks, and its standard error."""

    mean: float
    error: float

    def agrees_with(self, expected: float, errors: float = 3) -> bool:
        """Whether `expected` is within `errors` standard errors of the mean."""
        return abs(self.mean - expected) <= errors * self.error


def simulate(turns: int, p: float, *, resume: bool = False, tasks: int = 5000, seed: int = 1) -> Estimate:
    """Run `tasks` tasks, turn by turn, with a die for each turn; the same seed gives the same estimate."""
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
