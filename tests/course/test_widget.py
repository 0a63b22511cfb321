"""What all widgets do: show themselves with a kernel and without one, and say what went wrong."""

import html
import re
from collections.abc import Callable
from typing import Any

import ipywidgets
import nbformat
import pytest
from nbclient import NotebookClient

from lesson_code.course.html import Html, table
from lesson_code.course.widget import Widget, show
from lesson_code.lab.crash import SimulatedCrash
from tests.notebooks.guards import VIEW
from tests.support import ROOT

TROUBLE = "Algo falló"


class Counter(Widget):
    """A widget whose button does `action`, as does its text when it changes."""

    def __init__(self, action: Callable[[], None]) -> None:
        self.button, self.text = ipywidgets.Button(description="Contar"), ipywidgets.Text()
        super().__init__(self.button, self.text)
        self.button.on_click(self.when(action))
        self.text.observe(self.when(action), "value")

    def static(self) -> Html:
        return table("Cuentas", ["quién", "cuántas"], [["Ana & Luis", 2]])

    def plain(self) -> str:
        return "Cuentas: Ana & Luis, 2"


class Steps:
    """An action that raises the errors of a list, in order, and does nothing where there is none."""

    def __init__(self, *errors: BaseException | None) -> None:
        self.errors = list(errors)
        self.done = 0

    def __call__(self) -> None:
        self.done += 1
        error = self.errors.pop(0)
        if error:
            raise error


def said(control: Any) -> str:
    """What a reader sees of an HTML control."""
    return html.unescape(re.sub(r"<[^>]*>", "", control.value))


def test_an_error_is_shown_in_spanish_and_goes_on_to_whoever_called() -> None:
    error = ValueError("el turno 9 no existe")
    widget = Counter(Steps(error))
    with pytest.raises(ValueError) as raised:
        widget.when(Steps(error))(None)
    assert raised.value is error
    assert said(widget.trouble) == (
        "Algo falló (ValueError: el turno 9 no existe). Lo que ves arriba puede estar incompleto: vuelve a ejecutar la "
        "celda y, si se repite, avisa a quien mantiene el curso."
    )
    assert 'lang="es"' in widget.trouble.value and 'role="status"' in widget.trouble.value


def test_an_error_after_a_change_of_a_control_reaches_whoever_changed_it() -> None:
    widget = Counter(Steps(ValueError("mal")))
    with pytest.raises(ValueError, match="mal"):
        widget.text.value = "2"
    assert TROUBLE in said(widget.trouble)


def test_an_error_after_a_click_is_shown_and_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """`Button.click` of ipywidgets 8.1 lets nothing through: without a kernel it logs what was raised."""
    error = ValueError("mal")
    widget = Counter(Steps(error))
    widget.button.click()
    assert TROUBLE in said(widget.trouble)
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]


def test_an_error_after_a_click_is_an_error_of_the_cell() -> None:
    """And with a kernel it puts it among the cell's outputs, where a reader and nbval see it."""
    code = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.course.test_widget import Counter, Steps
Counter(Steps(ValueError("mal"))).button.click()"""
    cells = [nbformat.v4.new_code_cell(code)]
    done = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3", allow_errors=True).execute()
    errors = [output for output in done.cells[0].outputs if output.output_type == "error"]
    assert [(error.ename, error.evalue) for error in errors] == [("ValueError", "mal")]


def test_a_simulated_death_is_no_trouble_of_the_widget_and_is_not_stopped() -> None:
    widget = Counter(Steps())
    with pytest.raises(SimulatedCrash):
        widget.when(Steps(SimulatedCrash("after-tool:1")))(None)
    assert widget.trouble.value == ""


def test_the_next_good_action_takes_the_trouble_away() -> None:
    steps = Steps(ValueError("mal"), None, ValueError("peor"), None)
    widget = Counter(steps)
    for expected in (True, False, True, False):
        widget.button.click()
        assert (TROUBLE in said(widget.trouble)) is expected
    assert widget.trouble.value == ""
    assert steps.done == 4


def test_the_trouble_that_is_shown_is_the_last_one() -> None:
    widget = Counter(Steps(ValueError("mal"), KeyError("peor")))
    widget.button.click()
    widget.button.click()
    assert "peor" in said(widget.trouble) and "mal" not in said(widget.trouble)


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a & b", "</div>"])
def test_an_error_is_no_markup(words: str) -> None:
    widget = Counter(Steps(ValueError(words)))
    widget.button.click()
    assert words in said(widget.trouble)
    assert not re.search(r"<(script|img)", widget.trouble.value)
    assert widget.trouble.value.count("</div>") == 2


def test_a_long_error_is_shortened() -> None:
    widget = Counter(Steps(ValueError("x\n" * 500_000)))
    widget.button.click()
    assert len(widget.trouble.value) < 2000
    assert said(widget.trouble).endswith("avisa a quien mantiene el curso.")


def test_a_widget_is_shown_with_a_kernel_without_one_and_as_text() -> None:
    widget = Counter(Steps())
    shown = widget._repr_mimebundle_()
    assert shown[VIEW]["model_id"] == widget.model_id
    assert shown["text/html"] == f'<div lang="es">{widget.static()}</div>'
    assert shown["text/plain"] == repr(widget) == "Cuentas: Ana & Luis, 2"
    assert type(shown["text/html"]) is str  # what is stored is no class of ours


def test_a_notebook_shows_a_widget_with_all_three() -> None:
    """As IPython asks for it, with what it includes and excludes."""
    widget = Counter(Steps())
    assert set(widget._repr_mimebundle_(include=None, exclude=None)) == {VIEW, "text/html", "text/plain"}


def test_a_widget_without_a_static_part_is_an_error() -> None:
    for method in (Widget.static, Widget.plain):
        with pytest.raises(NotImplementedError):
            method(Widget())


def test_the_controls_are_between_the_style_and_the_trouble() -> None:
    widget = Counter(Steps())
    style, *controls, trouble = widget.children
    assert style.value.startswith("<style>")
    assert controls == [widget.button, widget.text]
    assert trouble is widget.trouble
    assert "curso" in widget._dom_classes  # what the style sheet takes hold of
    assert widget.trouble.value == ""


def test_two_widgets_share_nothing() -> None:
    one, other = Counter(Steps(ValueError("mal"))), Counter(Steps())
    one.button.click()
    assert TROUBLE in said(one.trouble)
    assert other.trouble.value == ""
    assert one.model_id != other.model_id


def test_what_changes_is_said_to_who_cannot_see_it() -> None:
    assert show("a & b", Html("<b>c</b>")) == '<div lang="es"><div role="status">a &amp; b<b>c</b></div></div>'
    assert type(show("a")) is str
