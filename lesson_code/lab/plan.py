"""Which cases are tried: all that an attack looks at, and the few of a quick one."""

import re
from itertools import product

from .attempt import OUTSIDE, Case, Setting
from .orders import KINDS
from .real import KILLED

PLAIN = Setting()
FOUR = ("tool-entered", "tool-done", "after-effect-write", "next-request")  # ① ② ★ ③
SAME = ("after-save-a", "after-tool", "after-save-b")  # the names that ① ② ③ have inside
QUICK_TURN = {"appending": 2, "read_only": 2, "raising": 1, "twice": 3}  # the kinds of a quick attack
QUICK = tuple(Setting(kind, hasty) for kind, hasty in product(QUICK_TURN, (False, True)))
FULL = tuple(Setting(kind, hasty) for kind, hasty in product(KINDS, (False, True)))
EVERY = tuple(Setting(kind, hasty, fresh) for kind, hasty, fresh in product(KINDS, (False, True), (False, True)))


def is_quick(case: Case) -> bool:
    """One turn of each kind: the four moments (hasty: ②). Of the plain task also its end, and files being opened."""
    if len(case.deaths) != 1 or case.kill:
        return not case.deaths
    setting, (label,) = case.setting, case.deaths
    if label == "returned" or label.startswith("write:"):
        return setting == PLAIN and re.fullmatch(r"returned|write:[2-4]\.1", label) is not None
    name, _, turn = label.partition(":")
    return turn == str(QUICK_TURN.get(setting.kind)) and name in (FOUR[1:2] if setting.hasty else FOUR)


def is_full(case: Case) -> bool:
    """Every moment, ① ② ③ as they are seen from outside. For the hasty model, only ① and ②.

    For the plain task also each step of the writing of each file, and the four moments by SIGKILL; there and for the
    read-only tool, a second death at each moment of a resume after ① or ② in the second turn.
    """
    setting, names = case.setting, [label.split(":")[0] for label in case.deaths]
    if any(name in SAME for name in names) or (setting.hasty and not set(names) <= set(FOUR[:2])):
        return False
    if case.kill:
        return bool(KILLED) and setting == PLAIN and len(names) == 1 and names[0] in FOUR
    if len(names) > 1:
        again = case.deaths[0] in ("tool-entered:2", "tool-done:2") and names[1] != "write"
        return len(names) == 2 and again and setting in (PLAIN, Setting("read_only"))
    return "write" not in names or setting == PLAIN


def is_inside(case: Case) -> bool:
    """One death, or two in a row, at any moments that the harness itself names."""
    return len(case.deaths) <= 2 and not any(map(OUTSIDE.fullmatch, case.deaths))


def is_outside(case: Case) -> bool:
    """One death, or two in a row, at any moments that are seen without the help of the harness."""
    return len(case.deaths) <= 2 and all(map(OUTSIDE.fullmatch, case.deaths))
