"""The board as text: strategies × moments of death, each row run while it is printed."""

from ..lab.board import Row, rows
from ..words import say

WIDTHS = (39, 5, 7, 5, 8, 13)


def board(*strategies: str, hasty: bool = False) -> str:
    """The board's rows for `strategies` (keys of `lab.strategies.STRATEGIES`), with the careful or the hasty model."""
    lines = [say("board_head")]
    for strategy in strategies:
        found = list(rows(strategy, hasty=hasty))
        lines += [_line(row, first=number == 0) for number, row in enumerate(found)]
    return "\n".join(lines)


def _line(row: Row, *, first: bool) -> str:
    name = say(f"board_{row.strategy}") if first else ""
    if row.strategy == "ledger_first" and row.moment == "★":
        name = f"  {say('board_noted')}:"
    yes = {True: say("board_yes"), False: say("board_no"), None: say("board_stuck")}
    extra = say("board_stuck") if row.extra is None else str(row.extra)
    cells = (name, row.moment, str(row.written), yes[row.accepted], yes[row.truthful], extra)
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
