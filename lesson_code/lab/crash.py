"""The moments at which a run can be killed, and the two ways of dying there."""

import os
import re
from collections.abc import Callable

from ..words import say

IN_TURN = ("after-answer", "after-save-a", "after-tool", "after-effect-write", "after-save-b")
IN_RESUME = ("resume-after-tool", "resume-after-effect-write", "resume-after-reconcile", "resume-after-save-b")
AT_END = "after-save-end"

DIED = 137  # the exit code of a process that got SIGKILL

MOMENTS = {"①": "after-save-a", "②": "after-tool", "★": "after-effect-write", "③": "after-save-b"}
"""The four moments of the lessons, and the label that each has within a turn."""

INSIDE = re.compile(rf"(?:{'|'.join(IN_TURN)}):[1-9][0-9]{{0,8}}|{'|'.join(IN_RESUME)}|{AT_END}")


class SimulatedCrash(BaseException):
    """A death inside the kernel. Not an Exception, so that no `except Exception` can survive it."""


class UnknownLabel(ValueError):
    """No run can be killed there; the message lists where it can."""


def check_label(label: str) -> str:
    """`label`, if it is a moment at which a run can be killed. Raises UnknownLabel."""
    if not INSIDE.fullmatch(label):
        known = ", ".join([*(f"{name}:N" for name in IN_TURN), AT_END, *IN_RESUME])
        raise UnknownLabel(say("label_unknown", label=label, labels=known))
    return label


def die_at(label: str, announce: Callable[..., None]) -> Callable[[str], None]:
    """A crash point that ends this process at `label`: exit code 137, no `finally`, nothing caught."""

    def crash_point(reached: str) -> None:
        if reached == label:
            try:
                announce("kill", label=label)
            finally:
                os._exit(DIED)

    return crash_point


def raise_at(label: str, last_look: Callable[[], None] = lambda: None) -> Callable[[str], None]:
    """A crash point that raises SimulatedCrash at `label`, once, after `last_look` has seen the disk."""
    check_label(label)
    left = [label]

    def crash_point(reached: str) -> None:
        if reached in left:
            left.clear()
            last_look()
            raise SimulatedCrash(label)

    return crash_point
