"""Every lesson passes every check of the lint, and every check goes red on a copy that was spoiled for it."""

import copy
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from lesson_code.words import GATES
from tests.notebooks import lint
from tests.notebooks.guards import NOTEBOOKS, Notebook, never_calls_it_easy, tags, text
from tests.notebooks.lint import FILES, LINTS, MINUTES, faults_of_gate, misused_gates

Lint = Callable[[Notebook], list[str]]
Change = Callable[[Notebook], Any]


def read(path: Path) -> Notebook:
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def test_the_six_lessons_are_there_and_take_four_hours() -> None:
    assert [path.name for path in NOTEBOOKS] == list(FILES.values())
    assert sum(MINUTES.values()) == 4 * 60


@pytest.mark.parametrize("check", LINTS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_lesson(path: Path, check: Lint) -> None:
    assert check(read(path)) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_core_runs_without_the_rest(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "ampliacion" not in tags(cell)]
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()


LESSON = NOTEBOOKS[-1]


def cell_with(notebook: Notebook, words: str) -> dict[str, Any]:
    found: dict[str, Any] = next(cell for cell in notebook["cells"] if words in text(cell["source"]))
    return found


def replaced(old: str, new: str) -> Change:
    """Every cell with `old` has `new` in its place."""

    def change(notebook: Notebook) -> None:
        cell_with(notebook, old)
        for cell in notebook["cells"]:
            cell["source"] = text(cell["source"]).replace(old, new)

    return change


def without_code(notebook: Notebook) -> None:
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def added(kind: str, source: str, *named: str) -> Change:
    """The first section has one more cell."""
    cell = {"cell_type": kind, "id": "x", "metadata": {"tags": list(named)}, "source": source}
    return lambda notebook: notebook["cells"].insert(3, cell)


def only_gates(notebook: Notebook) -> None:
    notebook["cells"] = [c for c in notebook["cells"] if c["cell_type"] == "markdown" or "Gate(" in text(c["source"])]


def without(words: str) -> Change:
    """The first cell with `words` is gone."""
    return lambda notebook: notebook["cells"].remove(cell_with(notebook, words))


def all_core(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def long_cells(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = "1\n" * 9


GATE = "**Apuesta.** ¿Qué pasa?\n\n- **a**) Uno.\n- **b**) Dos.\n\n"
CLOSING = 'Gate("end_no_entry")'
LOG_LINE = "acierto en el registro, reutilizando resultado, sin volver a ejecutar"  # ten words; as code they are ours

SPOILED = [
    (lint.says_how_long_it_takes, replaced("unos 55 minutos", "unos 5 minutos")),
    (lint.links_to_its_neighbours, replaced("(05_rebobinar_y_bifurcar.ipynb)", "(03_reanudar.ipynb)")),
    (lint.says_how_its_cells_are_used, replaced("elige una opción y pulsa el botón", "elige")),
    (lint.says_how_its_cells_are_used, added("markdown", lint.HOW)),
    (lint.has_its_bones_in_order, replaced("## Fuentes", "## Bibliografía")),
    (lint.has_its_bones_in_order, replaced("## 2. ", "## 7. ")),
    (lint.has_its_bones_in_order, replaced("## El tablero", "### El tablero")),
    (lint.runs_what_it_claims, without_code),
    (lint.runs_what_it_claims, only_gates),
    (lint.has_a_short_core, all_core),
    (lint.has_a_short_core, long_cells),
    (lint.has_a_short_core, replaced("course.gate import Gate", "course.html import label as Gate")),
    (lint.has_a_short_core, replaced('Gate("', 'gate = Gate("')),
    (lint.says_what_is_wrong_with_a_variant, replaced("**Qué está mal:**", "Mira esto:")),
    (lint.says_what_is_wrong_with_a_variant, added("code", "1", "variante")),
    (lint.defines_what_is_its_own, replaced("def reconcile(", "def reconciliar(")),
    (lint.uses_nothing_before_its_lesson, replaced("**Lección 6 de 6**", "**Lección 1 de 6**")),
    (lint.has_whole_gates, added("markdown", GATE)),
    (lint.has_whole_gates, replaced(CLOSING, 'Gate("no_such_gate")')),
    (lint.has_whole_gates, replaced(CLOSING, "Gate(key)")),
    (lint.has_whole_gates, replaced(CLOSING, f"{CLOSING}\n1 + 1")),
    (lint.has_whole_gates, replaced(CLOSING, f"{CLOSING}, {CLOSING}")),
    (lint.asks_once_for_each_objective, replaced("## Cuestionario de cierre", "## Cuestionario de cierre\n## Otra")),
    (lint.asks_once_for_each_objective, without(CLOSING)),
    (lint.asks_once_for_each_objective, replaced("**Objetivo 3.**", "**Objetivo 2.**")),
    (lint.asks_once_for_each_objective, replaced("**Objetivo 3.**", "La última.")),
    (lint.asks_once_for_each_objective, replaced(CLOSING, f"{CLOSING}, {CLOSING}")),
    (lint.has_its_exercises, replaced("· 6.3 ", "· 6.5 ")),
    (lint.has_its_exercises, replaced("Está completo cuando…", "Fin")),
    (lint.cites_its_sources, added("markdown", "Lo dice una fuente [9].")),
    (lint.cites_its_sources, added("markdown", '*"it works"*, funciona.')),
    (lint.cites_its_sources, lambda notebook: replaced("[1]", "")(notebook)),
    (lint.has_one_word_per_concept, added("markdown", "Después del crash se lee el *ledger*.")),
    (lint.has_one_word_per_concept, added("markdown", "Queda una llamada huérfana.")),
    (lint.has_a_figure, replaced("](img/", "](../img/")),
    (
        lint.shares_no_sentence_with_the_seeds,
        added("markdown", LOG_LINE),
    ),
]


@pytest.mark.parametrize(("check", "change"), SPOILED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_spoiled_copy_is_caught(check: Lint, change: Change) -> None:
    spoiled = copy.deepcopy(read(LESSON))
    assert check(spoiled) == []
    change(spoiled)
    assert check(spoiled) != []


def test_every_check_was_seen_going_red() -> None:
    assert {check for check, _ in SPOILED} == set(LINTS)


def test_a_quotation_or_code_is_no_shared_sentence() -> None:
    """What is not a sentence of ours is left out before the comparison."""
    for source in (f'*"{LOG_LINE}"*', f"`{LOG_LINE}`", f"```\n{LOG_LINE}\n```"):
        assert not re.search("acierto", lint.prose(source))


def test_cells_that_only_show_a_widget_are_no_code_to_read() -> None:
    notebook = read(LESSON)
    before = len(lint.code_to_read(notebook))
    for _ in range(lint.MAX_CORE):
        added("code", CLOSING)(notebook)
    assert len(lint.code_to_read(notebook)) == before
    assert lint.has_a_short_core(notebook) == []


@pytest.mark.parametrize("language", GATES)
def test_every_gate_of_the_table_is_in_one_lesson_once(language: str) -> None:
    assert misused_gates(map(read, NOTEBOOKS), language) == []


def test_a_gate_that_is_in_two_lessons_or_in_none_is_seen() -> None:
    notebooks = [read(path) for path in NOTEBOOKS]
    added("code", CLOSING)(notebooks[0])
    without('Gate("who_runs_the_tool")')(notebooks[0])
    assert misused_gates(notebooks) == ["who_runs_the_tool: 0 times", "end_no_entry: 2 times"]


@pytest.mark.parametrize("check", [lint.has_one_word_per_concept, lint.shares_no_sentence_with_the_seeds])
def test_what_the_gates_say_keeps_to_the_lessons_rules(check: Lint) -> None:
    """A gate's words are in the table and no longer in the lesson."""
    assert check(as_text(GATES["es"].values())) == []
    assert check(as_text([("¿Qué?", [("Después del crash.", LOG_LINE)])])) != []


def test_no_gate_calls_it_easy() -> None:
    assert never_calls_it_easy(as_text(GATES["es"].values())) == []


def as_text(gates: Iterable[tuple[str, list[tuple[str, str]]]]) -> Notebook:
    """A notebook with a text for each sentence of the gates."""
    parts = [part for question, options in gates for part in (question, *(words for pair in options for words in pair))]
    return {"cells": [{"cell_type": "markdown", "metadata": {}, "source": part} for part in parts]}


YES, NO = ("Dos.", "Correcta. Es la segunda."), ("Una.", "Falta la segunda.")


@pytest.mark.parametrize(
    "question, options",
    [
        ("¿Cuántas?", [YES]),
        ("¿Cuántas?", []),
        ("¿Cuántas?", [NO, ("Tres.", "Sobra una.")]),
        ("¿Cuántas?", [YES, ("Tres.", "Correcta, también.")]),
        ("¿Cuántas?", [YES, ("Tres.", "")]),
        ("¿Cuántas?", [YES, (" ", "Falta la segunda.")]),
        ("", [YES, NO]),
        ("¿Cuántas?", [YES, NO, ("`Una.`", "Es otra.")]),
        ("¿Cuál es la Correcta?", [YES, NO]),
        ("¿Cuántas?", [YES, ("Correcta: una.", "No.")]),
        ("¿Cuántas?", [YES, ("Una.", "Falta *otra*.")]),
        ("¿Cuántas con $p$?", [YES, NO]),
        ("¿Cuántas?", [YES, ("Una `sin cerrar.", "No.")]),
        ("¿Cuántas?", [YES, ("Una.", "<b>No.</b>")]),
    ],
)
def test_a_gate_with_a_fault_is_caught(question: str, options: list[tuple[str, str]]) -> None:
    assert faults_of_gate("¿Cuántas?", [YES, NO]) == []
    assert len(faults_of_gate(question, options)) >= 1
