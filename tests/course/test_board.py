"""The board as a learner reads it: a table of text, whose columns stand under their heads."""

import re

import pytest

from lesson_code.course.board import board
from lesson_code.lab.board import rows
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.words import say

pytestmark = pytest.mark.usefixtures("no_sync")
HEADS = ("estrategia", "escrito", "¿API?", "¿verdad?", "turnos de más", "caída")


def cells(line: str, starts: list[int]) -> tuple[str, ...]:
    """The words under each head; between two columns there are always two blanks."""
    assert line == line.rstrip() and all(line[at - 2 : at].strip() == "" for at in starts[1:]), line
    ends = [*starts[1:], None]
    return tuple(line[start:end].strip() for start, end in zip(starts, ends, strict=True))


def table(*strategies: str, hasty: bool = False) -> list[tuple[str, ...]]:
    head, *lines = board(*strategies, hasty=hasty).split("\n")
    starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", head)]
    assert cells(head, starts) == HEADS
    return [cells(line, starts) for line in lines]


@pytest.mark.parametrize("strategies, hasty", [([*STRATEGIES], False), (["lesson"], True)], ids=["careful", "hasty"])
def test_the_table_says_every_row_in_its_columns_and_names_each_strategy_once(
    strategies: list[str], hasty: bool
) -> None:
    said = {True: "sí", False: "no", None: "—"}
    found = [row for strategy in strategies for row in rows(strategy, hasty=hasty)]
    extra = ["—" if row.extra is None else str(row.extra) for row in found]
    shown = table(*strategies, hasty=hasty)
    assert [line[1:] for line in shown] == [
        (str(row.written), said[row.accepted], said[row.truthful], more, row.moment)
        for row, more in zip(found, extra, strict=True)
    ]
    noted = say("board_noted") + ":"
    names = [line[0] for line in shown if line[0] not in ("", noted)]
    assert names == [say(f"board_{strategy}") for strategy in strategies] and len({*names, noted}) == len(names) + 1


def test_the_row_that_was_noted_and_not_run_says_so() -> None:
    assert [line[0] for line in table("ledger_first")] == [say("board_ledger_first"), "anotada, sin ejecutar:", "", ""]
    assert [line[0] for line in table("lesson")] == [say("board_lesson"), "", "", ""]


def test_a_board_of_some_strategies_has_their_rows_and_one_of_none_has_its_head() -> None:
    assert board("b_only", "lesson").split("\n") == [
        "estrategia                       escrito  ¿API?  ¿verdad?  turnos de más  caída",
        "solo B                           1        sí     sí        1              ①",
        "                                 2        sí     no        1              ②",
        "                                 1        sí     sí        0              ③",
        "registro después (lección 6)     1        sí     sí        2              ①",
        "                                 1        sí     sí        1              ②",
        "                                 1        sí     sí        0              ★",
        "                                 1        sí     sí        0              ③",
    ]
    assert table() == []
