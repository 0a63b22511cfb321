"""Every notebook passes every guard, and every guard goes red on a copy that was spoiled for it."""

import ast
import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter, MarkdownExporter

from lesson_code.course.html import bare
from lesson_code.words import gate
from tests.notebooks import guards
from tests.notebooks.guards import (
    GUARDS,
    NOTEBOOKS,
    ROOT,
    VIEW,
    Markup,
    Notebook,
    definitions,
    first_code,
    text,
    widget_outputs,
    words_of,
)


def read(path: Path) -> Notebook:
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.__name__)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, guard: Callable[[Notebook], list[str]]) -> None:
    assert guard(read(path)) == []


def test_every_notebook_starts_with_the_same_cell() -> None:
    assert len({first_code(read(path)) for path in NOTEBOOKS}) == 1


def test_the_guards_know_what_the_harness_defines() -> None:
    assert {"run_agent", "reconcile", "save_checkpoint", "CheckpointError", "main"} <= set(definitions())


def test_lesson_6_defines_what_no_earlier_lesson_does() -> None:
    lesson = read(ROOT / "notebooks" / "06_manos_a_la_obra.ipynb")
    sources = [
        guards.text(cell["source"]) for _, cell in guards.cells(lesson, "code") if "variante" not in guards.tags(cell)
    ]
    defined = {
        node.name for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)
    }
    assert defined & set(definitions()) == {"reconcile", "save_b", "take_turn", "pick_up", "run_agent", "main"}


def markdown(number: int, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": f"m{number}", "metadata": {}, "source": source}


def code(number: int, source: str, *outputs: dict[str, Any], tags: tuple[str, ...] = ()) -> dict[str, Any]:
    kept = {"tags": list(tags)} if tags else {}
    cell = {"cell_type": "code", "id": f"c{number}", "metadata": kept, "source": source}
    return {**cell, "execution_count": number, "outputs": list(outputs)}


def stream(words: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": words}


def value(words: str) -> dict[str, Any]:
    return {"output_type": "execute_result", "execution_count": 2, "metadata": {}, "data": {"text/plain": words}}


def error(*traceback: str) -> dict[str, Any]:
    return {"output_type": "error", "ename": "KeyError", "evalue": "'id'", "traceback": list(traceback)}


def widget(html: str, plain: str) -> dict[str, Any]:
    """The output of a cell that shows a widget."""
    return {**value(plain), "data": {"text/html": html, "text/plain": plain}}


SHOWN = """<style>p { content: "oculto" }</style><div lang="es"><svg><title>Dos</title><text>panes</text></svg>
<p style="color: red" role="status" aria-label="Dos panes">Hay <strong>dos</strong> <code>pan</code>es: Dos</p>
<ul><li>uno</li><li>otro</li></ul></div>"""


@pytest.fixture
def sound() -> Notebook:
    """A notebook without a fault."""
    load_checkpoint = (ROOT / "lesson_code/harness/checkpoint.py").read_text(encoding="utf-8")
    begin = load_checkpoint.index("def load_checkpoint")
    own = load_checkpoint[begin:].split("\n\n\n")[0].split("  # type")[0]
    with_words = own.replace('"""', '"""En español. ', 1) + "\n    # y un comentario"
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}},
        "cells": [
            markdown(
                1, "# Título\n![Un turno con sus dos guardados](img/turno.svg) y [la página](../README.es.md#mapa)"
            ),
            code(1, "print('hola')", stream("hola\n")),
            markdown(2, "Una suma: `[no](es-un-enlace)`"),
            code(2, "uno = 1\nuno + 1", value("2")),
            markdown(3, "Un error a propósito"),
            code(3, "{}['id']", error("KeyError: 'id'"), tags=("raises-exception",)),
            markdown(4, "Una función de la lección"),
            code(4, with_words),
            markdown(5, "Una variante"),
            code(5, "def load_checkpoint(folder):\n    print('nada')", tags=("variante", "ampliacion")),
            markdown(6, "Un control"),
            code(6, "Panes()", widget(SHOWN, "Hay dos panes: uno\n( ) otro")),
        ],
    }


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.__name__)
def test_a_sound_notebook_passes(sound: Notebook, guard: Callable[[Notebook], list[str]]) -> None:
    assert guard(sound) == []


def spoil(guard: Callable[[Notebook], list[str]], name: str, change: Callable[[Notebook, list[Any]], Any]) -> Any:
    return pytest.param(guard, change, id=f"{guard.__name__}-{name}")


def put(cell: int, key: str, wrong: Any) -> Callable[[Notebook, list[Any]], Any]:
    return lambda notebook, cells: cells[cell].update({key: wrong})


def output(wrong: dict[str, Any]) -> Callable[[Notebook, list[Any]], Any]:
    return put(1, "outputs", [wrong])


def shows(*outputs: dict[str, Any]) -> Callable[[Notebook, list[Any]], Any]:
    """A cell that shows a widget, with these outputs."""
    return lambda notebook, cells: cells[1].update(source='Gate("a")', outputs=list(outputs))


def tagged(cell: int, *tags: str) -> Callable[[Notebook, list[Any]], Any]:
    return put(cell, "metadata", {"tags": list(tags)})


SPOILED = [
    spoil(guards.is_valid, "no format", lambda notebook, cells: notebook.pop("nbformat")),
    spoil(guards.is_valid, "cell without source", lambda notebook, cells: cells[0].pop("source")),
    spoil(guards.has_cell_ids, "missing", lambda notebook, cells: cells[3].pop("id")),
    spoil(guards.has_cell_ids, "twice", put(3, "id", "c1")),
    spoil(
        guards.runs_on_python3, "another", lambda notebook, cells: notebook["metadata"]["kernelspec"].update(name="mi")
    ),
    spoil(guards.runs_on_python3, "none", lambda notebook, cells: notebook["metadata"].pop("kernelspec")),
    spoil(guards.has_no_widget_state, "state", lambda notebook, cells: notebook["metadata"].update(widgets={})),
    spoil(guards.has_no_widget_state, "a view", output({**value("uno"), "data": {VIEW: {}, "text/plain": "uno"}})),
    spoil(guards.shows_its_widgets_without_a_kernel, "no markup", shows(value("Hay dos panes"))),
    spoil(guards.shows_its_widgets_without_a_kernel, "no text", shows(widget("<p>Hay dos panes</p>", " "))),
    spoil(guards.shows_its_widgets_without_a_kernel, "no output", shows()),
    spoil(guards.says_all_without_style, "text", output(widget("<p>Hay dos panes</p>", "Hay dos panes: uno"))),
    spoil(guards.says_all_without_style, "drawing", output(widget("<svg><text>dos</text></svg><p>Hay</p>", "Hay"))),
    spoil(guards.says_all_without_style, "text in a drawing", output(widget("<p>Hay <svg>dos</svg></p>", "Hay dos"))),
    spoil(guards.says_all_without_style, "label", output(widget('<p aria-label="dos">Hay</p>', "Hay"))),
    spoil(guards.says_all_without_style, "style", output(widget("<style>dos</style><p>Hay</p>", "Hay dos"))),
    spoil(guards.says_all_without_style, "glued", output(widget("<ul><li>uno</li><li>dos</li></ul>", "unodos"))),
    spoil(guards.was_run_in_order, "never run", put(1, "execution_count", None)),
    spoil(guards.was_run_in_order, "out of order", put(1, "execution_count", 7)),
    spoil(guards.is_plain_python, "shell", put(1, "source", "!ls")),
    spoil(guards.shows_what_it_should, "print", put(1, "outputs", [])),
    spoil(guards.shows_what_it_should, "value", put(3, "outputs", [])),
    spoil(guards.shows_what_it_should, "no error", put(5, "outputs", [stream("nada")])),
    spoil(guards.shows_what_it_should, "print in a loop", put(7, "source", "for i in 1, 2:\n    print(i)")),
    spoil(guards.is_never_skipped, "tag", tagged(1, "nbval-skip")),
    spoil(guards.is_never_skipped, "ignored output", tagged(1, "nbval-ignore-output")),
    spoil(guards.is_never_skipped, "comment", put(1, "source", "# NBVAL_IGNORE_OUTPUT\nprint('hola')")),
    spoil(guards.errs_only_on_purpose, "untagged", tagged(5)),
    spoil(guards.prints_nothing_volatile, "stderr", output(stream("aviso", "stderr"))),
    spoil(guards.prints_nothing_volatile, "home", output(stream("/".join(["", "home", "ana", "a.json"])))),
    spoil(guards.prints_nothing_volatile, "windows", output(value("WindowsPath('C:\\\\Users')"))),
    spoil(guards.prints_nothing_volatile, "in a traceback", output(error("File \x1b[32m~/curso/loop.py:3\x1b[39m"))),
    spoil(guards.prints_nothing_volatile, "temporary folder", output(stream("en tmpab12_xyz"))),
    spoil(guards.prints_nothing_volatile, "folder of a task", output(stream("en curso-ab12_xyz"))),
    spoil(guards.prints_nothing_volatile, "temporary file", output(stream("checkpoint.json.0a1b2c3d.tmp"))),
    spoil(guards.prints_nothing_volatile, "address", output(value("<object at 0x7f12ab34cd56>"))),
    spoil(guards.prints_nothing_volatile, "date", output(stream("2026-11-30 13:21"))),
    spoil(guards.prints_nothing_volatile, "time", output(stream("a las 13:21:07"))),
    spoil(guards.prints_nothing_volatile, "at", output(stream('"at": 1796044860000'))),
    spoil(guards.says_before_it_runs, "two in a row", lambda notebook, cells: cells.pop(2)),
    spoil(guards.says_before_it_runs, "code first", lambda notebook, cells: cells.pop(0)),
    spoil(guards.has_short_cells, "41 lines", put(1, "source", "print('hola')\n" * 41)),
    spoil(guards.equals_the_module, "untagged", tagged(9, "ampliacion")),
    spoil(
        guards.equals_the_module,
        "changed",
        lambda notebook, cells: cells[7].update(source=cells[7]["source"].replace("return ", "return not ")),
    ),
    spoil(guards.has_whole_links, "image", put(0, "source", "![un turno](img/no-hay.svg)")),
    spoil(guards.has_whole_links, "alt", put(0, "source", "![](img/turno.svg)")),
    spoil(guards.has_whole_links, "html alt", put(0, "source", '<img src="img/turno.svg">')),
    spoil(guards.has_whole_links, "link", put(2, "source", "[la lección 9](09_no_hay.ipynb)")),
    spoil(guards.never_calls_it_easy, "text", put(2, "source", "Es **Fácil**: basta con leer.")),
    spoil(guards.speaks_spanish, "comment", put(3, "source", "1 + 1  # a tool may change the working directory")),
    spoil(guards.speaks_spanish, "docstring", put(3, "source", 'def f():\n    """The real clock."""')),
    spoil(guards.never_calls_it_easy, "comment", put(1, "source", "print('hola')  # sencillamente")),
]


@pytest.mark.parametrize(("guard", "change"), SPOILED)
def test_a_spoiled_copy_is_caught(
    sound: Notebook, guard: Callable[[Notebook], list[str]], change: Callable[[Notebook, list[Any]], Any]
) -> None:
    spoiled = copy.deepcopy(sound)
    change(spoiled, spoiled["cells"])
    assert guard(spoiled) != []


def test_every_guard_was_seen_going_red() -> None:
    assert {parameters.values[0] for parameters in SPOILED} == set(GUARDS)


@pytest.mark.parametrize("exporter", [HTMLExporter, MarkdownExporter])
def test_an_exported_lesson_shows_every_widget_whole(exporter: type[Any]) -> None:
    """`jupyter nbconvert --to html` and `--to markdown`, with nothing but the notebook."""
    for path in NOTEBOOKS:
        notebook = read(path)
        exported = words_in(exporter().from_filename(str(path))[0])
        widgets = list(widget_outputs(notebook))
        assert widgets
        for where, data in widgets:
            assert words_in(text(data["text/html"])) in exported, f"{path.name}, {where}"


def test_a_lesson_has_every_word_of_its_gates() -> None:
    """Its question, then the options, then each option again with its reason: nothing is folded away for good."""
    for path in NOTEBOOKS:
        for cell, key in gates_of(read(path)):
            question, options = gate(key)
            shown = words_in(text(cell["outputs"][0]["data"]["text/html"]))
            answers = [part for option, why in options for part in (option, why)]
            parts = [question, *(option for option, _ in options), *answers]
            assert " ".join(words_of(" ".join(map(bare, parts[: len(options) + 1])))) in shown, key
            assert " ".join(words_of(" ".join(map(bare, answers)))) in shown, key


def words_in(markup: str) -> str:
    return " ".join(Markup(markup).words)


def gates_of(notebook: Notebook) -> list[tuple[dict[str, Any], str]]:
    """The cells that show a gate, each with its key."""
    found = [(cell, re.fullmatch(r'Gate\("(\w+)"\)', text(cell["source"]))) for cell in notebook["cells"]]
    return [(cell, match[1]) for cell, match in found if match]


def test_a_widget_that_is_lost_on_the_way_is_seen() -> None:
    """The check above, seen going red: a widget's stored state hides its markup."""
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    where, data = next(widget_outputs(notebook))
    data[VIEW] = {"model_id": "a", "version_major": 2, "version_minor": 0}
    state = {"state": {"a": {}}, "version_major": 2, "version_minor": 0}
    notebook.metadata.widgets = {VIEW.replace("view", "state"): state}
    exported = words_in(HTMLExporter().from_notebook_node(notebook)[0])
    assert words_in(data["text/html"]) not in exported, where
