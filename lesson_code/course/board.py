"""The board as text: strategies × moments of death, each row run while it is printed."""

from ..lab.board import Row, rows
from ..words import say

WIDTHS = (31, 7, 5, 8, 13, 5)  # the moment last: a browser may draw ① wider than a letter


def board(*strategies: str, hasty: bool = False) -> str:
    """The board's rows for `strategies` (keys of `lab.strategies.STRATEGIES`), with the careful or the hasty model."""
    lines = [_laid_out(*say("board_head").split("|"))]
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
    return _laid_out(name, str(row.written), yes[row.accepted], yes[row.truthful], extra, row.moment)


def _laid_out(*cells: str) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
