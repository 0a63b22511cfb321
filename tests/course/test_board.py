"""The board as a learner reads it: a table of text, whose columns stand under their heads; and a cell's story."""

import html
import json
import re
from pathlib import Path

import pytest

from lesson_code.course.board import as_table, as_text, in_cells, moment_of, not_run, story
from lesson_code.course.html import bare
from lesson_code.lab.board import Cell, Row, rows, run_cell
from lesson_code.lab.scene import Outcome
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.words import say
from tests.course.shown import board

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


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def test_the_text_of_some_rows_is_that_of_their_strategies() -> None:
    found = [row for strategy in ("naive", "ledger_first") for row in rows(strategy)]
    assert as_text(found) == board("naive", "ledger_first")
    assert as_text([]) == board()
    assert [line[:14].strip() for line in as_text(found[2:4]).split("\n")[1:]] == ["A y B, sin con", "registro antes"]


@pytest.mark.parametrize(
    "row, guess, cells",
    [
        (Row("b_only", "②", 2, True, False, 1), 1, ["solo B", "②", "2", "1: no coincide", "sí", "no", "1"]),
        (Row("b_only", "①", 1, True, True, 1), 0, ["solo B", "①", "1", "0: no coincide", "sí", "sí", "1"]),
        (Row("naive", "①", 0, False, None, None), None, [say("board_naive"), "①", "0", "", "no", "—", "—"]),
        (Row("lesson", "★", 1, True, True, 0), 1, [say("board_lesson"), "★", "1", "1: coincide", "sí", "sí", "0"]),
        (
            Row("ledger_first", "★", 0, True, False, 0),
            None,
            [say("board_ledger_first"), "★ anotada, sin ejecutar", "0", "", "sí", "no", "0"],
        ),
    ],
)
def test_a_row_is_its_cells_with_the_prediction_in_the_middle(row: Row, guess: int | None, cells: list[str]) -> None:
    assert in_cells(row, guess) == cells
    assert moment_of(row) == cells[1]


def test_a_row_that_nobody_ran_says_so_and_has_nothing_else() -> None:
    assert not_run("blind") == [say("board_blind"), "sin correr", "", "", "", "", ""]


def test_the_rows_are_a_table_under_their_heads() -> None:
    made = as_table("Título", [in_cells(Row("b_only", "②", 2, True, False, 1), 1), not_run("blind")])
    assert said(made.split("</caption>")[0]) == "Título"
    heads = ("strategy", "moment", "written", "guess", "accepted", "truthful", "extra")
    assert re.findall(r'scope="col"[^>]*>([^<]*)', made) == [say(f"tablero_head_{head}") for head in heads]
    assert re.findall(r"<td[^>]*>([^<]*)", made)[:6] == ["②", "2", "1: no coincide", "sí", "no", "1"]


# The story of a cell


def paragraphs(markup: str) -> list[str]:
    return [said(one) for one in re.findall("<p>.*?</p>", markup)]


def lists(markup: str) -> list[list[str]]:
    return [[said(item) for item in re.findall("<li>(.*?)</li>", one)] for one in re.findall("<ul>.*?</ul>", markup)]


@pytest.mark.parametrize("strategy, moment, hasty", [
    ("lesson", "②", True), ("b_only", "②", False), ("ledger_first", "★", False), ("scratch", "③", False),
])  # fmt: skip
def test_a_story_has_what_both_processes_printed_what_happened_and_what_the_model_read(
    strategy: str, moment: str, hasty: bool
) -> None:
    cell = run_cell(strategy, moment, hasty=hasty)
    made, where = story(cell), moment_of(cell.row)
    assert f"<pre>{html.escape(chr(10).join([*cell.dead.log, *cell.end.log]))}</pre>" in made
    assert paragraphs(made) == [
        say("tablero_story", strategy=say(f"board_{strategy}"), moment=where),
        bare(say("tablero_world", times=cell.row.written)),
        bare(say("tablero_read")),
    ]
    done = [f"{effect['done']} report.txt" for effect in cell.end.world.effects()]
    read = [f"{call} {'is_error' if failed else ''} {text or '(un texto vacío)'}" for call, failed, text in cell.read]
    assert lists(made) == [done, read] and len(done) == cell.row.written
    assert made.count("<strong>is_error</strong>") == sum(failed for _, failed, _ in cell.read)


def test_where_the_api_refused_the_story_has_its_words_and_the_model_read_nothing() -> None:
    made = story(run_cell("naive", "②"))
    assert "`tool_use` ids were found without `tool_result` blocks" in said(made)
    assert paragraphs(made)[2] == bare(say("tablero_read_nothing"))
    assert lists(made)[1] == []


@pytest.mark.parametrize(
    "words",
    ["<script>alert(1)</script>", '<img src=x onerror="a()">', "a & b", "</pre><h1>", "a\u202eb 👍", "<" * 1_000_000],
    ids=["script", "image", "ampersand", "end", "right to left", "megabyte"],
)
def test_what_a_tool_or_a_model_wrote_is_text_in_a_story(words: str, tmp_path: Path) -> None:
    line = {"done": words, "name": "write_report", "about": words}
    (tmp_path / "world.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    end = Outcome(tmp_path, [words], [words], 0)
    made = story(Cell(Row("lesson", "②", 1, True, True, 0), end, end, [(words, True, words)]))
    assert set(re.findall(r"</?(\w*)", made)) <= {"p", "strong", "pre", "ul", "li", "code"}
    assert "\u202e" not in made and len(made) < 150_000
    shown = said(made)
    assert shown.count(words[:20].replace("\u202e", "\\u202e")) >= 6
