"""The controls of an exercise: a form is filled and checked; of a learner's own criterion they write, compare, tick."""

from typing import Any

import ipywidgets
import pytest

from lesson_code.course.exercises import exercise, store
from lesson_code.course.exercises.form import Criteria, Form
from tests.course import toy
from tests.course.shown import said
from tests.course.test_exercises import ANSWERS, says_the_same
from tests.notebooks.guards import VIEW, Markup, words_of

pytestmark = pytest.mark.usefixtures("lesson9")


def fill(form: Form, answers: dict[str, str]) -> None:
    """Choose as a reader does, by the labels that are shown."""
    for name, value in answers.items():
        control = form.choices[name]
        control.index = [option for _, option in control.options].index(value)


def controls(widget: Any) -> list[Any]:
    """A widget and all that is in it."""
    return [widget, *(one for each in getattr(widget, "children", ()) for one in controls(each))]


# The form


def test_it_asks_each_field_with_its_options_and_nothing_is_chosen() -> None:
    form = exercise("9.3").form()
    assert {name: [label for label, _ in control.options] for name, control in form.choices.items()} == {
        "sky": ["azul", "verde"],
        "grass": ["azul", "verde"],
        "sea": ["salado", "dulce", "las dos cosas"],
    }
    assert form.answers == {} and [control.value for control in form.choices.values()] == [None] * 3
    shown = [said(one.value) for one in controls(form) if isinstance(one, ipywidgets.HTML)]
    assert [text for text in shown if text.endswith((": Colores", "?"))] == [
        "Ejercicio 9.3: Colores",
        "¿El cielo?",
        "¿El pasto?",
        "¿El mar?",
    ]
    assert form.report.value == ""


def test_what_is_chosen_is_its_answers_and_check_takes_the_form_or_a_dictionary() -> None:
    form = exercise("9.3").form()
    fill(form, {"sky": "blue"})
    assert form.answers == {"sky": "blue"}
    fill(form, {**ANSWERS, "sea": "sweet"})
    assert form.answers == {**ANSWERS, "sea": "sweet"}
    exercise("9.3").check(form)
    by_form, by_hand = exercise("9.3").check(form), exercise("9.3").check({**ANSWERS, "sea": "sweet"})
    assert repr(by_form) == repr(by_hand) and by_form.outcome == "not_yet"


def test_the_button_shows_the_report_of_what_is_chosen_and_keeps_it() -> None:
    form = exercise("9.3").form()
    fill(form, {**ANSWERS, "grass": "blue"})
    form.done.click()
    form.done.click()
    report = exercise("9.3").check(form)
    assert form.report.value.startswith('<div lang="es"><div role="status">')
    assert str(report.html()) in form.report.value
    assert "≠ distinto" in said(form.report.value)
    assert store.read()["9.3"]["checked"] == {"colours": False, "salt": True}
    fill(form, ANSWERS)
    form.done.click()
    assert "≠ distinto" not in said(form.report.value)
    assert store.read()["9.3"]["checked"] == {"colours": True, "salt": True}
    assert form.trouble.value == ""


def test_the_button_says_what_is_open_and_with_nothing_chosen_that_it_was_not_tried() -> None:
    form = exercise("9.3").form()
    form.done.click()
    assert "sin intentar todavía" in said(form.report.value)
    assert store.read() == {}
    fill(form, {"sky": "blue"})
    form.done.click()
    assert "Sin responder: ¿El pasto?" in said(form.report.value)
    assert "verde" not in said(form.report.value)


def test_a_choice_that_arrives_after_the_click_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    form = exercise("9.3").form()
    fill(form, {"sky": "blue", "grass": "green"})
    monkeypatch.setattr("lesson_code.course.widget.sleep", lambda seconds: fill(form, ANSWERS))
    form.done.click()
    assert "comprobado" in said(form.report.value) and store.read()["9.3"]["checked"]["salt"] is True


def test_what_goes_wrong_is_said_in_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    form = exercise("9.3").form()
    fill(form, ANSWERS)

    def fail(*given: Any) -> None:
        raise ValueError("ay")

    monkeypatch.setattr(form.exercise, "check", fail)
    form.done.click()
    assert "ay" in said(form.trouble.value)


def test_without_a_kernel_a_form_is_whole_and_says_how_it_is_answered() -> None:
    form = exercise("9.3").form()
    assert repr(form).splitlines() == [
        "Ejercicio 9.3: Colores",
        "Elige una opción en cada línea. Sin controles, pasa a check un diccionario con el nombre de cada línea "
        "y el de la opción.",
        "- ¿El cielo? sky: blue azul · green verde",
        "- ¿El pasto? grass: blue azul · green verde",
        "- ¿El mar? sea: salty salado · sweet dulce · both las dos cosas",
    ]
    is_shown_without_a_kernel(form)


def is_shown_without_a_kernel(widget: Any) -> None:
    bundle = widget._repr_mimebundle_()
    assert {VIEW, "text/html", "text/plain"} <= bundle.keys()
    markup = Markup(bundle["text/html"])
    assert bundle["text/plain"] == widget.plain() == repr(widget)
    assert [word for word in words_of(bundle["text/plain"]) if word not in markup.words] == []
    assert [word for word in markup.words if word not in words_of(bundle["text/plain"])] == []


# The criteria

WRITE = "Escribe primero tu respuesta; después se compara."
MODEL = "Respuesta modelo: Porque sumar dos veces es doblar."


def criteria() -> Criteria:
    found: Criteria = exercise("9.1").criteria()
    return found


def test_each_criterion_stands_under_its_mark_and_only_one_s_own_have_controls() -> None:
    found = criteria()
    shown = [said(one.value) for one in controls(found) if isinstance(one, ipywidgets.HTML) and one.value]
    assert "○ sin comprobar · devuelve el doble de number" in shown
    assert "dices por qué" in shown
    assert list(found.texts) == list(found.ticks) == list(found.compare) == ["why"]
    assert found.texts["why"].value == "" and not found.ticks["why"].value


def test_first_you_write_then_the_model_answer_is_shown_and_only_then_you_tick() -> None:
    found = criteria()
    assert found.ticks["why"].layout.display == "none"
    found.compare["why"].click()
    assert said(found.models["why"].value) == WRITE
    found.texts["why"].value = "  \n"
    found.compare["why"].click()
    assert said(found.models["why"].value) == WRITE
    assert found.ticks["why"].layout.display == "none" and store.read() == {}
    found.texts["why"].value = "porque sí"
    assert store.read() == {}
    found.compare["why"].click()
    assert said(found.models["why"].value) == MODEL
    assert found.ticks["why"].layout.display == ""
    assert store.read()["9.1"]["texts"] == {"why": "porque sí"}
    found.ticks["why"].value = True
    assert said(found.saved.value) == "☑ marcado por ti · dices por qué"
    assert store.read()["9.1"]["ticked"] == ["why"]
    found.ticks["why"].value = False
    assert said(found.saved.value) == "☐ para ti · dices por qué"
    assert store.read()["9.1"]["ticked"] == []
    assert found.trouble.value == ""


def test_nothing_shows_the_model_answer_before() -> None:
    found = criteria()
    live = [said(one.value) for one in controls(found) if isinstance(getattr(one, "value", None), str)]
    assert not any("doblar" in text for text in live)
    assert "doblar" not in repr(found) + found._repr_mimebundle_()["text/html"]


def test_what_is_changed_after_comparing_is_kept_with_the_tick() -> None:
    found = criteria()
    found.texts["why"].value = "no sé"
    found.compare["why"].click()
    found.texts["why"].value = "ya sé"
    found.ticks["why"].value = True
    assert store.read()["9.1"]["texts"] == {"why": "ya sé"}


def test_what_was_kept_is_there_when_it_is_opened_again() -> None:
    exercise("9.1").write("why", "porque sí")
    exercise("9.1").write("why", "porque sí")
    exercise("9.1").tick("why")
    exercise("9.1").check(toy.cell("def double(number):\n    return 3 * number\n")["double"])
    found = criteria()
    assert found.texts["why"].value == "porque sí"
    assert found.ticks["why"].value and found.ticks["why"].layout.display == ""
    assert repr(found).splitlines()[:4] == [
        "Ejercicio 9.1: El doble",
        "- ✘ todavía no · devuelve el doble de number",
        "- ✔ comprobado · el doble de cero es cero",
        "- ☑ marcado por ti · dices por qué · se llama why",
    ]
    is_shown_without_a_kernel(found)


def test_without_a_kernel_it_says_how_to_write_and_tick_and_that_works() -> None:
    found = criteria()
    how = repr(found).splitlines()[-1]
    assert "exercise('9.1').write('why', '…')" in how and "exercise('9.1').tick('why')" in how
    is_shown_without_a_kernel(found)
    assert "dices por qué · se llama why" in repr(found)


def test_where_nothing_is_one_s_own_nothing_is_said_of_ticking() -> None:
    found = exercise("9.2").criteria()
    assert repr(found).splitlines() == ["Ejercicio 9.2: Poner y sacar", "- ○ sin comprobar · sale lo que se puso"]
    is_shown_without_a_kernel(found)


def test_progress_that_cannot_be_kept_is_said_beside_the_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    found = criteria()
    found.texts["why"].value = "x"
    found.compare["why"].click()
    assert said(found.models["why"].value).startswith(MODEL)
    assert "Tu avance no se pudo guardar" in said(found.models["why"].value)
    found.ticks["why"].value = True
    assert "Tu avance no se pudo guardar" in said(found.saved.value)
    exercise("9.1").write("why", "porque sí")
    says_the_same(exercise("9.1").tick("why"))


def test_every_control_is_one_that_a_keyboard_and_a_screen_reader_reach() -> None:
    good = (ipywidgets.Box, ipywidgets.HTML, ipywidgets.Button, ipywidgets.RadioButtons, ipywidgets.Checkbox)
    for widget in (exercise("9.3").form(), criteria()):
        assert all(isinstance(one, (*good, ipywidgets.Textarea)) for one in controls(widget))


def test_what_was_handed_in_is_there_when_a_form_is_opened_again() -> None:
    exercise("9.3").check({"sky": "green", "sea": "both"})
    assert exercise("9.3").form().answers == {"sky": "green", "sea": "both"}


@pytest.mark.parametrize("answer", [None, [], "blue", {"sky": "purple", "moon": "blue"}])
def test_an_answer_of_another_form_is_left_aside(answer: Any) -> None:
    store.change("9.3", lambda entry: entry.update(answer=answer))
    assert exercise("9.3").form().answers == {}
