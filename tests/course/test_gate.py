"""A gate: predict, then see why every option is right or wrong, with a kernel and without one."""

import html
import re
from typing import Any

import pytest

from lesson_code.course.gate import Gate
from lesson_code.course.html import bare
from lesson_code.words import GATES
from tests.notebooks.guards import VIEW, words_of

KEY = "who_runs_the_tool"
FIRST = "Elige primero una respuesta: la apuesta vale si decides antes de mirar."
MINE = "tu apuesta"
each_gate = pytest.mark.parametrize("key", GATES["es"])


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def listed(markup: str) -> list[str]:
    """What a reader sees of each item of its lists."""
    return [said(item) for item in re.findall(r"<li>(.*?)</li>", markup, re.DOTALL)]


def options_of(key: str) -> list[tuple[str, str]]:
    return [(bare(option), bare(why)) for option, why in GATES["es"][key][1]]


def choose(gate: Gate, number: int) -> None:
    """Choose an option as a reader does, and press the button."""
    gate.choice.value = gate.choice.options[number]
    gate.reveal.click()


def test_it_asks_and_offers_its_options_with_none_chosen() -> None:
    gate = Gate(KEY)
    assert list(gate.choice.options) == [option for option, _ in options_of(KEY)]
    assert gate.choice.value is None
    assert "".join(said(child.value) for child in gate.children[1:2]) == "Apuesta. ¿Quién ejecuta read_notes?"
    assert gate.reveal.description == "Ver las razones"


@each_gate
def test_before_it_is_answered_nothing_live_tells_the_reasons(key: str) -> None:
    gate = Gate(key)
    live = "".join(said(child.value) for child in gate.children[1:] if isinstance(getattr(child, "value", None), str))
    assert [why for _, why in options_of(key) if why in live] == []
    assert gate.reasons.value == ""


@each_gate
def test_whatever_is_chosen_every_reason_is_shown_and_the_choice_is_marked(key: str) -> None:
    gate, options = Gate(key), options_of(key)
    for number in range(len(options)):
        choose(gate, number)
        assert listed(gate.reasons.value) == [
            f"{option} {why}" + (f" {MINE}" if number == place else "") for place, (option, why) in enumerate(options)
        ]
        assert gate.trouble.value == ""


def test_to_reveal_without_choosing_says_so_and_shows_no_reason() -> None:
    gate = Gate(KEY)
    gate.reveal.click()
    assert said(gate.reasons.value) == FIRST
    assert listed(gate.reasons.value) == []


def test_who_chooses_after_that_gets_the_reasons() -> None:
    gate = Gate(KEY)
    gate.reveal.click()
    choose(gate, 0)
    assert FIRST not in said(gate.reasons.value)
    assert len(listed(gate.reasons.value)) == 3


def test_to_choose_shows_nothing_yet() -> None:
    gate = Gate(KEY)
    gate.choice.index = 1
    assert gate.reasons.value == ""


def test_another_choice_is_marked_when_it_is_revealed_again() -> None:
    gate = Gate(KEY)
    choose(gate, 0)
    first = gate.reasons.value
    choose(gate, 2)
    assert [MINE in row for row in listed(gate.reasons.value)] == [False, False, True]
    choose(gate, 0)
    assert gate.reasons.value == first


def test_the_mark_is_a_label_with_words() -> None:
    gate = Gate(KEY)
    choose(gate, 1)
    assert re.findall(r'<span class="curso-label curso-chosen">([^<]+)</span>', gate.reasons.value) == [MINE]


def test_what_is_revealed_is_read_aloud_in_spanish() -> None:
    gate = Gate(KEY)
    choose(gate, 1)
    assert gate.reasons.value.startswith('<div lang="es"><div role="status">')


def test_one_click_acts_once() -> None:
    gate = Gate(KEY)
    changes: list[Any] = []
    gate.reasons.observe(changes.append, "value")
    choose(gate, 1)
    assert len(changes) == 1


def test_a_cell_that_runs_twice_leaves_one_handler() -> None:
    cell = compile(f"from lesson_code.course.gate import Gate\ngate = Gate({KEY!r})", "cell", "exec")
    space: dict[str, Any] = {}
    exec(cell, space)
    first = space["gate"]
    exec(cell, space)
    second = space["gate"]
    changes: list[Any] = []
    second.reasons.observe(changes.append, "value")
    choose(second, 0)
    assert len(changes) == 1
    assert len(second.reveal._click_handlers.callbacks) == 1
    assert first.reasons.value == ""  # what the first run left is another widget


def test_two_gates_know_nothing_of_each_other() -> None:
    one, other = Gate(KEY), Gate(KEY)
    choose(one, 2)
    assert other.choice.value is None
    assert other.reasons.value == ""
    choose(other, 0)
    assert [MINE in row for row in listed(one.reasons.value)] == [False, False, True]


@pytest.mark.parametrize("key", ["", "nada", "WHO_RUNS_THE_TOOL"])
def test_a_gate_that_is_not_in_the_table_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        Gate(key)


@each_gate
def test_without_a_kernel_it_is_whole(key: str) -> None:
    """The question, the options, and folded away each option with its reason; no choice is marked."""
    gate, options = Gate(key), options_of(key)
    open_part, folded, rest = gate.static().partition("<details>")
    question, first_list = open_part.split("<ul>")
    assert said(question) == f"Apuesta. {bare(GATES['es'][key][0])}"
    assert listed(f"<ul>{first_list}") == [option for option, _ in options]
    assert folded and said(rest.partition("</summary>")[0]) == "Decide antes de abrir: las razones"
    assert listed(rest) == [f"{option} {why}" for option, why in options]
    assert MINE not in gate.static()


@each_gate
def test_as_text_it_is_whole(key: str) -> None:
    plain, options = Gate(key).plain(), options_of(key)
    expected = ["Apuesta", bare(GATES["es"][key][0]), *(part for pair in options for part in pair)]
    assert words_of(plain) == words_of(" ".join(expected))
    assert len(re.findall(r"^\( \) ", plain, re.MULTILINE)) == len(options)
    assert max(map(len, plain.splitlines())) <= 96
    assert not re.search(r"[`*]|&\w+;", plain)


def test_what_stands_without_a_kernel_does_not_change_with_the_answer() -> None:
    """What is stored in the notebook must be the same whoever ran it."""
    gate = Gate(KEY)
    before = gate.static(), gate.plain()
    choose(gate, 1)
    assert (gate.static(), gate.plain()) == before == (Gate(KEY).static(), Gate(KEY).plain())


def test_a_notebook_gets_the_live_gate_and_what_stands_without_it() -> None:
    gate = Gate(KEY)
    shown = gate._repr_mimebundle_()
    assert shown[VIEW]["model_id"] == gate.model_id
    assert shown["text/html"] == f'<div lang="es">{gate.static()}</div>'
    assert shown["text/plain"] == gate.plain()


def test_a_click_that_comes_before_the_choice_made_just_before_it_waits_for_it() -> None:
    """JupyterLab delivers the two in two threads of the kernel, in any order."""
    from threading import Timer

    mine = Gate("who_runs_the_tool")
    late = Timer(0.1, lambda: setattr(mine.choice, "index", 1))
    late.start()
    mine.reveal.click()
    late.join()
    assert "tu apuesta" in mine.reasons.value
