"""The three things that only the laboratory passes in: a listener, a place to die and a clock."""

import time
from collections.abc import Callable

Emit = Callable[..., None]
"""`emit(event, **fields)`: what has just happened, by name; `words` turns it into a line."""

CrashPoint = Callable[[str], None]
"""`crash_point(label)`: a moment at which the laboratory may kill the run."""

Clock = Callable[[], int]
"""`clock()`: milliseconds since the epoch."""


def go_on(label: str) -> None:
    """The crash point of real life: nothing happens."""


def now_ms() -> int:
    """The real clock."""
    return time.time_ns() // 1_000_000
