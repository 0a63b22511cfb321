"""All exercises at a glance: what is done, what is left, and when nothing is, everything once more."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.course.exercises import exercise, progress, running, store
from lesson_code.course.exercises.tasks import tasks
from lesson_code.words import exercise as words_of
from tests.course import toy
from tests.course.shown import tables
from tests.course.test_exercises import ANSWERS, says_the_same

NINE_1 = "Lección 9 · Ejercicio 9.1: El doble · "
TWICE = toy.cell(toy.SOLUTIONS["9.1"])["double"]
PUT, GET = (toy.cell(toy.SOLUTIONS["9.2"])[name] for name in ("put", "get"))


def rows() -> list[str]:
    return repr(progress()).splitlines()


DONE: list[bytes] = []  # the file of somebody who has done all of lesson 9: it is worked for once


def all_done() -> None:
    """Check every exercise of lesson 9, and tick what is the learner's."""
    if not DONE:
        work_for_it()
        DONE.append(store.path().read_bytes())
    store.path().write_bytes(DONE[0])


def work_for_it() -> None:
    exercise("9.1").check(TWICE)
    exercise("9.2").check(PUT, GET)
    exercise("9.3").check(ANSWERS)
    exercise("9.1").write("why", "porque sí")
    exercise("9.1").tick("why")
    exercise("9.3").write("own", "porque sí")
    exercise("9.3").tick("own")


def test_every_exercise_of_the_course_has_its_row_and_its_lesson() -> None:
    assert [(row[0], row[1]) for row in progress().rows] == [
        (f"Lección {number[0]}", f"Ejercicio {number}: {words_of(number)['title']}") for number in tasks()
    ]
    assert {row[2] for row in progress().rows} == {"sin intentar"}
    says_the_same(progress())


def test_what_is_left_is_counted_what_is_checked_and_what_is_yours_apart(lesson9: None) -> None:
    assert rows() == [
        "Tu avance",
        f"{NINE_1}sin intentar",
        "Lección 9 · Ejercicio 9.2: Poner y sacar · sin intentar",
        "Lección 9 · Ejercicio 9.3: Colores · sin intentar",
    ]
    exercise("9.3").check({**ANSWERS, "sky": "green"})
    exercise("9.3").write("own", "porque sí")
    exercise("9.3").tick("own")
    exercise("9.2").check(PUT, GET)
    exercise("9.1").write("why", "porque sí")
    exercise("9.1").tick("why")
    assert rows()[1:] == [
        f"{NINE_1}falta: 2 por comprobar, 0 para ti",
        "Lección 9 · Ejercicio 9.2: Poner y sacar · ✔ completo",
        "Lección 9 · Ejercicio 9.3: Colores · falta: 1 por comprobar, 0 para ti",
    ]
    exercise("9.1").check(TWICE)
    exercise("9.1").tick("why", False)
    assert rows()[1] == f"{NINE_1}falta: 0 por comprobar, 1 para ti"


def test_it_is_a_table_with_its_heads(lesson9: None) -> None:
    ((heads, *found),) = tables(progress()._repr_mimebundle_()["text/html"])
    assert heads == ["lección", "ejercicio", "estado"]
    assert found[0] == ["Lección 9", "Ejercicio 9.1: El doble", "sin intentar"]
    says_the_same(progress())


def test_when_all_is_done_all_is_run_again_and_holds(lesson9: None, monkeypatch: pytest.MonkeyPatch) -> None:
    all_done()
    runs: list[Any] = []
    run = running.run_guarded
    monkeypatch.setattr(running, "run_guarded", lambda *given, **more: runs.append(given) or run(*given, **more))
    assert rows()[-1] == "Todo está hecho. Se comprobó otra vez entero, y se sostiene."
    assert [row.rsplit(" · ")[-1] for row in rows()[1:4]] == ["✔ completo"] * 3
    assert len(runs) == 4
    says_the_same(progress())


def test_as_long_as_something_is_left_nothing_is_run(lesson9: None, monkeypatch: pytest.MonkeyPatch) -> None:
    all_done()
    exercise("9.3").tick("own", False)
    monkeypatch.setattr(running, "run_guarded", None)
    assert "otra vez" not in repr(progress())


FALLS: dict[str, tuple[str, Any]] = {
    "a program that is wrong now": ("9.1", {"program": "def double(number):\n    return 3\n", "functions": ["double"]}),
    "a program that can't be loaded": ("9.1", {"program": "x = = 1", "functions": ["double"]}),
    "a function that is not in it": ("9.1", {"program": "x = 1", "functions": ["double"]}),
    "a program that ends the process": ("9.1", {"program": "import os\nos._exit(0)", "functions": ["double"]}),
    "too few functions": ("9.2", {"program": "def put(text, folder):\n    ...\n", "functions": ["put"]}),
    "no answer": ("9.1", None),
    "an answer of another kind": ("9.1", ["double"]),
    "an answer without a program": ("9.1", {}),
    "a form that differs now": ("9.3", {**ANSWERS, "sea": "sweet"}),
    "a form without its fields": ("9.3", {}),
    "a form of before": ("9.3", {**ANSWERS, "moon": "blue"}),
    "no form": ("9.3", None),
}


@pytest.mark.parametrize("what", FALLS)
def test_an_answer_that_no_longer_holds_falls_and_stays_fallen(lesson9: None, what: str) -> None:
    all_done()
    number, answer = FALLS[what]
    store.change(number, lambda entry: entry.update(answer=answer))
    found = progress()
    assert repr(found).splitlines()[-1] == (
        f"Todo estaba hecho. Se comprobó otra vez entero, y ya no se sostiene: {number}."
    )
    says_the_same(found)
    assert not all(store.read()[number]["checked"].values())
    assert store.read()[number]["answer"] == answer  # nothing of the learner's is thrown away
    assert [row[1][10:13] for row in found.rows if row[2] == "✔ completo"] == [n for n in tasks() if n != number]
    assert found.rows == progress().rows
    assert "otra vez" not in rows()[-1]


def test_a_file_that_cannot_be_read_is_said_and_left_alone(lesson9: None) -> None:
    store.path().write_bytes(b"{")
    assert rows()[-1] == (
        f"{store.path().name} no se puede leer. La próxima comprobación lo deja aparte, entero, y empieza uno nuevo."
    )
    assert rows()[1] == f"{NINE_1}sin intentar"
    assert store.path().read_bytes() == b"{"
    says_the_same(progress())


def test_progress_that_cannot_be_kept_is_said(lesson9: None, monkeypatch: pytest.MonkeyPatch) -> None:
    all_done()

    def refuse(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_atomic", refuse)
    assert "Tu avance no se pudo guardar en" in repr(progress())
    says_the_same(progress())
