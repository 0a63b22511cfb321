"""The live board: a row is predicted and then run; what it shows is what the laboratory's board finds."""

import os
import re
from functools import cache
from typing import Any

import pytest

from lesson_code.course.html import bare
from lesson_code.course.tablero import Tablero
from lesson_code.lab.board import Row, moments_of, rows
from lesson_code.lab.scene import new_place
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.words import say
from tests.course.shown import board, no_place_to_work, said, tables
from tests.notebooks.guards import Markup, words_of

pytestmark = pytest.mark.usefixtures("no_sync")
HEADS = [
    say(f"tablero_head_{head}") for head in ("strategy", "moment", "written", "guess", "accepted", "truthful", "extra")
]
MODELS = {
    "careful": "modelo cuidadoso: si lee «no se sabe», mira antes de repetir",
    "hasty": "modelo apresurado: si lee «no se sabe», repite sin mirar",
}
ALONE = say("tablero_caption")
BOTH = ("careful", "hasty")


@cache
def found(strategy: str, model: str = "careful") -> list[Row]:
    """The rows that the laboratory finds."""
    return list(rows(strategy, hasty=model == "hasty"))


def lines(strategy: str, model: str = "careful", guesses: Any = None) -> list[list[str]]:
    """The rows as the table must say them, with the reader's predictions."""
    words = {True: "sí", False: "no", None: "—"}
    return [
        [
            say(f"board_{strategy}"),
            f"★ {say('board_noted')}" if (strategy, row.moment) == ("ledger_first", "★") else row.moment,
            str(row.written),
            beside(row, guesses[row.moment]) if guesses else "",
            words[row.accepted],
            words[row.truthful],
            "—" if row.extra is None else str(row.extra),
        ]
        for row in found(strategy, model)
    ]


def beside(row: Row, guess: int) -> str:
    return f"{guess}: {'coincide' if guess == row.written else 'no coincide'}"


def not_run(strategy: str) -> list[str]:
    return [say(f"board_{strategy}"), "sin correr", "", "", "", "", ""]


def predict_all(tablero: Tablero, *times: int) -> dict[str, int]:
    """One prediction after the other, for each moment of the row that is picked."""
    moments = moments_of(tablero.strategy)
    guesses = {moment: times[number % len(times)] for number, moment in enumerate(moments)}
    for moment, guess in guesses.items():
        tablero.predict(moment, guess)
    return guesses


def made(action: Any) -> int:
    """How many folders the laboratory makes meanwhile: each run makes some."""
    before = len(list(new_place().parent.iterdir()))
    action()
    return len(list(new_place().parent.iterdir())) - before - 1


def test_it_opens_with_no_row_run_and_every_moment_of_the_first_to_be_predicted() -> None:
    opened: list[Tablero] = []
    assert made(lambda: opened.append(Tablero("b_only", "lesson"))) == 0
    (mine,) = opened
    assert (mine.strategy, mine.model, mine.cell, mine.state()) == ("b_only", "careful", None, {})
    assert tables(mine.table.value) == [[HEADS, not_run("b_only"), not_run("lesson")]]
    assert ALONE in said(mine.table.value)
    assert {moment: guess.value for moment, guess in mine.guesses.items()} == dict.fromkeys("①②③")
    assert [guess.options for guess in mine.guesses.values()] == [
        (("ninguna", 0), ("una vez", 1), ("dos veces", 2))
    ] * 3
    assert [said(group.children[0].value) for group in mine.asked.children] == [f"si muere en {m}" for m in "①②③"]
    assert [group.children[1] for group in mine.asked.children] == [*mine.guesses.values()]
    assert mine.told.layout.display == "none" and mine.story.value == mine.message.value == ""


def test_a_row_is_not_run_until_each_of_its_moments_is_predicted_and_those_that_are_missing_are_named() -> None:
    mine = Tablero("lesson")
    for moment, missing in zip("①★③", ("①, ②, ★, ③", "②, ★, ③", "②, ③"), strict=True):
        assert made(mine.button.click) == 0
        assert said(mine.message.value) == f"Falta tu predicción en: {missing}."
        mine.predict(moment, 1)
    assert mine.state() == {} and tables(mine.table.value) == [[HEADS, not_run("lesson")]]
    mine.predict("③", 1)
    mine.predict("②", 1)
    mine.button.click()
    assert mine.message.value == "" and [row["guess"] for row in mine.state()["lesson careful"]] == [1] * 4
    assert (mine.cell, mine.story.value) == (None, "")  # no story that nobody asked for


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_row_that_is_run_is_what_the_laboratory_finds_with_the_prediction_beside_it(strategy: str) -> None:
    mine = Tablero("scratch", strategy)
    mine.strategy = strategy
    guesses = predict_all(mine, 2, 0, 1)
    mine.button.click()
    expected = lines(strategy, guesses=guesses)
    others = [] if strategy == "scratch" else [not_run("scratch")]
    twice = expected if strategy == "scratch" else []
    assert tables(mine.table.value) == [[HEADS, *others, *expected, *twice]]
    assert mine.state() == {
        f"{strategy} careful": [{**row._asdict(), "guess": guesses[row.moment]} for row in found(strategy)]
    }


def test_a_click_and_code_do_the_same() -> None:
    clicked, coded = Tablero("b_only", "lesson", models=BOTH), Tablero("b_only", "lesson", models=BOTH)
    clicked.strategies.value, clicked.models.value = "lesson", "hasty"
    for guess in clicked.guesses.values():
        guess.value = 1
    clicked.button.click()
    clicked.cells.value = "②"
    coded.strategy, coded.model = "lesson", "hasty"
    predict_all(coded, 1)
    coded.run()
    coded.cell = "②"
    assert clicked.state() == coded.state() and clicked.table.value == coded.table.value
    without_ids = [re.sub("_[0-9a-f]{8}", "", one.story.value) for one in (clicked, coded)]
    assert without_ids[0] == without_ids[1] != ""


def test_rows_that_were_met_before_are_run_at_once_and_the_first_new_one_is_to_be_predicted() -> None:
    mine = Tablero("scratch", "b_only", "lesson", met=("scratch", "lesson"), models=("hasty", "careful"))
    assert (mine.strategy, mine.model) == ("b_only", "hasty")
    expected = [*lines("scratch", "hasty"), not_run("b_only"), *lines("lesson", "hasty")]
    assert tables(mine.table.value) == [[HEADS, *expected]]
    assert [*mine.state()] == ["scratch hasty", "lesson hasty"]
    assert {row["guess"] for found in mine.state().values() for row in found} == {None}
    assert Tablero("lesson", met=["lesson"]).strategy == "lesson"


def test_each_model_keeps_its_own_rows() -> None:
    mine = Tablero("lesson", "blind", models=BOTH)
    guesses = predict_all(mine, 1)
    mine.run()
    careful = mine.table.value
    mine.model = "hasty"
    assert tables(mine.table.value) == [[HEADS, not_run("lesson"), not_run("blind")]]
    assert MODELS["hasty"] in said(mine.table.value)
    assert {guess.value for guess in mine.guesses.values()} == {None} and mine.told.layout.display == "none"
    other = predict_all(mine, 2)
    mine.run()
    assert tables(mine.table.value) == [[HEADS, *lines("lesson", "hasty", other), not_run("blind")]]
    mine.models.value = "careful"
    assert mine.table.value == careful and [*mine.state()] == ["lesson careful", "lesson hasty"]
    assert tables(careful) == [[HEADS, *lines("lesson", "careful", guesses), not_run("blind")]]


def test_a_row_that_runs_again_keeps_the_prediction_that_was_made_before_looking() -> None:
    mine = Tablero("b_only")
    guesses = predict_all(mine, 0)
    mine.run()
    table = mine.table.value
    mine.cell = "②"
    predict_all(mine, 1, 2)
    mine.button.click()
    assert mine.table.value == table and tables(table) == [[HEADS, *lines("b_only", guesses=guesses)]]
    assert said(mine.message.value) == say("tablero_keeps")
    assert (mine.cell, mine.story.value) == (None, "")  # what was told was of the runs before


def test_a_row_that_was_met_has_no_prediction_to_keep() -> None:
    mine = Tablero("b_only", met=["b_only"])
    predict_all(mine, 1)
    mine.run()
    assert {row["guess"] for row in mine.state()["b_only careful"]} == {None}


def test_with_one_model_there_is_nothing_to_choose() -> None:
    one, two = Tablero("b_only"), Tablero("b_only", models=BOTH)
    shown = [
        say("tablero_model") in str([group.children[0].value for group in w.children[1].children]) for w in (one, two)
    ]
    assert shown == [False, True]


def test_another_row_asks_for_its_own_predictions_and_takes_the_story_away() -> None:
    mine = Tablero("lesson", "ledger_first")
    predict_all(mine, 1)
    mine.run()
    mine.cell = "★"
    mine.strategy = "ledger_first"
    assert [*mine.guesses] == [*"①★②③"] and {guess.value for guess in mine.guesses.values()} == {None}
    assert (mine.cell, mine.story.value, mine.told.layout.display) == (None, "", "none")
    mine.button.click()
    assert "Falta tu predicción" in said(mine.message.value)
    mine.strategy = "lesson"
    assert mine.message.value == "" and mine.told.layout.display == ""


def test_while_a_row_runs_it_says_how_far_it_is() -> None:
    mine, shown = Tablero("b_only"), []
    predict_all(mine, 1)
    mine.message.observe(lambda change: shown.append(said(change["new"])), "value")
    mine.button.click()
    assert shown == [*(f"Corriendo la fila: caída {n} de 3…" for n in (1, 2, 3)), ""]


def test_the_story_of_a_cell_is_that_of_its_two_runs() -> None:
    mine = Tablero("b_only", "lesson", met=["lesson"])
    mine.strategy = "lesson"
    assert [label for label, _ in mine.cells.options] == [f"la que murió en {moment}" for moment in "①②★③"]
    mine.cell = "②"
    story = said(mine.story.value)
    assert story.startswith(say("tablero_story", strategy=say("board_lesson"), moment="②"))
    assert (
        "[turn 3][save A] pending=write_report\n[kill] caída simulada en after-tool:3\n[resume] leído turn=3" in story
    )
    assert bare(say("tablero_world", times=1)) in story and "is_error No se sabe si la llamada" in story
    mine.cells.value = "①"
    assert "muere en ①" in said(mine.story.value) and "after-save-a:3" in said(mine.story.value)


def test_what_is_no_option_is_refused_and_changes_nothing() -> None:
    mine = Tablero("lesson", "b_only", met=["lesson"])
    before = mine.state(), mine.table.value, mine.message.value, mine.strategy, mine.model, mine.cell
    for name, value in (("strategy", "nada"), ("strategy", None), ("model", "hasty"), ("cell", "①"), ("cell", None)):
        with pytest.raises(ValueError, match="no es una de las opciones"):
            setattr(mine, name, value)
    for moment, times in (("★", 1), ("①", 3)):  # not one of this row's; not one of the three
        with pytest.raises(ValueError, match="no es una de las opciones. Son:"):
            mine.predict(moment, times)
    with pytest.raises(ValueError, match="al menos una estrategia"):
        Tablero()
    assert (mine.state(), mine.table.value, mine.message.value, mine.strategy, mine.model, mine.cell) == before
    assert mine.trouble.value == ""


@pytest.mark.parametrize("names, options", [
    (["nada"], {}), (["lesson"], {"met": ["nada"]}), (["lesson"], {"models": ["nada"]}),
])  # fmt: skip
def test_a_strategy_or_a_model_that_does_not_exist_is_an_error(names: list[str], options: Any) -> None:
    with pytest.raises(KeyError):
        Tablero(*names, **options)


def test_a_run_that_cannot_be_made_says_so_and_the_next_good_one_takes_that_away(
    caplog: pytest.LogCaptureFixture,
) -> None:
    mine, root = Tablero("b_only"), new_place().parent
    predict_all(mine, 1)
    os.rename(root, f"{root}-gone")
    try:
        mine.button.click()  # ipywidgets logs what a click raises; in a kernel it is an error of the cell
    finally:
        os.rename(f"{root}-gone", root)
    assert said(mine.trouble.value).startswith("Algo falló (FileNotFoundError: ") and mine.state() == {}
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [FileNotFoundError]
    mine.button.click()
    assert mine.trouble.value == mine.message.value == "" and [*mine.state()] == ["b_only careful"]


def test_a_cell_that_runs_twice_leaves_one_handler_and_a_click_acts_once() -> None:
    first = Tablero("b_only")
    second = Tablero("b_only")
    predict_all(second, 1)
    assert made(second.button.click) == made(lambda: list(rows("b_only"))) > 0
    assert first.state() == {} and {guess.value for guess in first.guesses.values()} == {None}


@pytest.mark.parametrize("names", [["lesson"], ["ledger_first", "naive"]])
def test_without_a_kernel_it_shows_every_row_with_each_model(names: list[str]) -> None:
    mine = Tablero(*names, met=names[:1], models=BOTH)
    expected = [[HEADS, *(line for name in names for line in lines(name, model))] for model in BOTH]
    assert tables(mine.static()) == expected
    assert [said(one) for one in re.findall("<caption.*?</caption>", mine.static())] == [*MODELS.values()]
    texts = [f"{words}\n{board(*names, hasty=model == 'hasty')}" for model, words in MODELS.items()]
    assert mine.plain() == "\n\n".join(texts)
    alone = Tablero(*names)
    assert tables(alone.static()) == expected[:1] and ALONE in said(alone.static())
    assert alone.plain() == f"{ALONE}\n{board(*names)}"


def test_what_stands_without_a_kernel_says_all_that_the_text_says_and_is_the_same_every_day() -> None:
    one, other = Tablero("b_only", "lesson", models=BOTH), Tablero("b_only", "lesson", met=["b_only"], models=BOTH)
    other.strategy = "lesson"
    predict_all(other, 2)
    other.run()
    static, plain = one.static(), one.plain()
    assert (static, plain) == (other.static(), other.plain()) == (one.static(), one.plain())
    kept = Markup(static)
    assert {*words_of(plain)} <= {*kept.words} and not kept.lost
    assert not re.search("[0-9a-f]{8}", static + plain) and new_place().parent.name not in static + plain


def test_a_row_that_failed_is_not_said_to_be_running() -> None:
    mine = Tablero("b_only")
    for moment in "①②③":
        mine.predict(moment, 1)
    with no_place_to_work(), pytest.raises(FileNotFoundError):
        mine.run()
    assert mine.message.value == "" and mine.state() == {}
