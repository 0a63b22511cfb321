"""The board as text and as a table: strategies × moments of death, each row a run; and the story of one of them."""

from collections.abc import Iterable, Sequence

from ..lab.board import Cell, Row
from ..words import say
from .html import Html, items, join, prose, raw, table, tag

HEADS = ("strategy", "moment", "written", "guess", "accepted", "truthful", "extra")
WIDTHS = (31, 7, 5, 8, 13, 5)  # the moment last: a browser may draw ① wider than a letter


def as_text(found: Sequence[Row]) -> str:
    """The rows under their heads, a line each; a strategy is named once."""
    before = [None, *(row.strategy for row in found)]
    lines = [_line(row, first=row.strategy != last) for row, last in zip(found, before, strict=False)]
    return "\n".join([_laid_out(*say("board_head").split("|")), *lines])


def _line(row: Row, *, first: bool) -> str:
    name = say(f"board_{row.strategy}") if first else ""
    if row.strategy == "ledger_first" and row.moment == "★":
        name = f"  {say('board_noted')}:"
    return _laid_out(name, *_said(row), row.moment)


def _laid_out(*cells: str) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def _said(row: Row) -> list[str]:
    """What was found, in words: times written, accepted, truthful, calls too many."""
    yes = {True: say("board_yes"), False: say("board_no"), None: say("board_stuck")}
    extra = say("board_stuck") if row.extra is None else str(row.extra)
    return [str(row.written), yes[row.accepted], yes[row.truthful], extra]


def as_table(caption: str, lines: Iterable[Sequence[str]]) -> Html:
    """The rows, as `in_cells` and `not_run` give them, under their heads."""
    return table(caption, [say(f"tablero_head_{head}") for head in HEADS], lines)


def in_cells(row: Row, guess: int | None = None) -> list[str]:
    """A row that was run, with what the reader predicted of it."""
    written, *rest = _said(row)
    fits = say("tablero_fits" if guess == row.written else "tablero_differs", guess=guess)
    return [say(f"board_{row.strategy}"), moment_of(row), written, "" if guess is None else fits, *rest]


def not_run(strategy: str) -> list[str]:
    """The row of a strategy that nobody has run yet."""
    return [say(f"board_{strategy}"), say("tablero_not_run"), *[""] * (len(HEADS) - 2)]


def moment_of(row: Row) -> str:
    """The moment of a row; where the ledger is written first, ★ is another one."""
    noted = row.strategy == "ledger_first" and row.moment == "★"
    return f"{row.moment} {say('board_noted')}" if noted else row.moment


def story(cell: Cell) -> Html:
    """What the two runs printed, what the model read of the report, and what the world has."""
    row, effects = cell.row, cell.end.world.effects()
    read = [
        join([tag("code", call), " ", tag("strong", "is_error") if failed else "", " ", text or say("tablero_empty")])
        for call, failed, text in cell.read
    ]
    log = "\n".join([*cell.dead.log, *cell.end.log, *cell.end.warnings])
    title = say("tablero_story", strategy=say(f"board_{row.strategy}"), moment=moment_of(row))
    return join(
        [
            tag("p", tag("strong", title)),
            raw(log),
            tag("p", prose(say("tablero_world", times=row.written))),
            items(join([tag("code", effect["done"]), " ", effect["about"]]) for effect in effects),
            tag("p", prose(say("tablero_read" if read else "tablero_read_nothing"))),
            items(read),
        ]
    )
