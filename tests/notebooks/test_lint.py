"""Every lesson passes every check of the lint, and every check goes red on a copy that was spoiled for it."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.notebooks import lint
from tests.notebooks.guards import NOTEBOOKS, Notebook, tags, text
from tests.notebooks.lint import FILES, LINTS, MINUTES

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


def all_core(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def long_cells(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = "1\n" * 9


GATE = "**Apuesta.** ¿Qué pasa?\n\n- **a**) Uno.\n- **b**) Dos.\n\n"
LOG_LINE = "acierto en el registro, reutilizando resultado, sin volver a ejecutar"  # ten words; as code they are ours
HIDDEN = "<details><summary>Decide antes de abrir: las razones</summary>\n\n"

SPOILED = [
    (lint.says_how_long_it_takes, replaced("unos 55 minutos", "unos 5 minutos")),
    (lint.links_to_its_neighbours, replaced("(05_rebobinar_y_bifurcar.ipynb)", "(03_reanudar.ipynb)")),
    (lint.has_its_bones_in_order, replaced("## Fuentes", "## Bibliografía")),
    (lint.has_its_bones_in_order, replaced("## 2. ", "## 7. ")),
    (lint.has_its_bones_in_order, replaced("## El tablero", "### El tablero")),
    (lint.runs_what_it_claims, without_code),
    (lint.has_a_short_core, all_core),
    (lint.has_a_short_core, long_cells),
    (lint.says_what_is_wrong_with_a_variant, replaced("**Qué está mal:**", "Mira esto:")),
    (lint.says_what_is_wrong_with_a_variant, added("code", "1", "variante")),
    (lint.defines_what_is_its_own, replaced("def reconcile(", "def reconciliar(")),
    (lint.uses_nothing_before_its_lesson, replaced("**Lección 6 de 6**", "**Lección 1 de 6**")),
    (lint.has_whole_gates, added("markdown", GATE)),
    (lint.has_whole_gates, added("markdown", f"{GATE}{HIDDEN}- **a**) No.\n- **b**) Tampoco.\n\n</details>")),
    (lint.has_whole_gates, added("markdown", f"{GATE}{HIDDEN}- **a**) Correcta.\n\n</details>")),
    (lint.asks_once_for_each_objective, replaced("## Cuestionario de cierre", "## Cuestionario de cierre\n## Otra")),
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
