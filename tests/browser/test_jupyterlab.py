"""What a newcomer does: open each lesson in JupyterLab, Run All, see what the lesson shows, and work its widgets."""

import json
from functools import partial
from typing import Any

import pytest

from lesson_code.course.exercises.store import FILE
from lesson_code.course.html import bare
from lesson_code.words import say
from tests.browser.desk import Cell, bring, forget_outputs, has_widget, outputs, run_all, write
from tests.browser.eyes import faults, picture, spread_out, wear
from tests.browser.hands import work, work_twice
from tests.browser.kinds import KINDS, Deed, Kind, kind_of
from tests.browser.server import Lab
from tests.notebooks.guards import NOTEBOOKS, text

LESSON_6 = "06_manos_a_la_obra.ipynb"
KILLED = "[kill] caída simulada en after-effect-write:3"
RESUMED = "[resume] leído turn=3 pending=write_report"
DONE = "[done] Reporte escrito en report.txt, tarea completa."

SPOILED = """
from ipywidgets import HTML, Button
from lesson_code.course.widget import Widget

class Spoiled(Widget):
    def __init__(self):
        self.button, pale = Button(description="Romper"), HTML('<p style="color: #999; background: #fff">casi nada</p>')
        super().__init__(self.button, pale)
        self.button.on_click(self.when(lambda: 1 / 0))

    def static(self):
        return "Romper"

    plain = static

Spoiled()
"""


def untagged_errors(cells: list[Cell]) -> list[str]:
    return [
        f"{output['ename']}: {output['evalue']}"
        for cell in cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error" and "raises-exception" not in cell["metadata"].get("tags", [])
    ]


def seen(page: Any, cells: list[Cell], line: str) -> str:
    """What the first cell with this line shows, once it is seen on the page."""
    index = next((index for index, cell in enumerate(cells) if line in outputs(cell)), None)
    assert index is not None, f"no cell shows {line!r}"
    bring(page, index).locator(".jp-OutputArea-output", has_text=line).first.wait_for(timeout=30_000)
    return outputs(cells[index])


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_lesson_runs_whole_in_jupyterlab_and_its_widgets_work(page: Any, lab: Lab, name: str) -> None:
    recorded = [outputs(cell) for cell in json.loads((lab.tree / "notebooks" / name).read_text("utf-8"))["cells"]]
    forget_outputs(lab.tree / "notebooks" / name)
    (lab.tree / FILE.name).unlink(missing_ok=True)  # what a reader of another lesson has done
    cells = run_all(page, lab.lab(f"notebooks/{name}"))
    assert untagged_errors(cells) == []
    assert [outputs(cell) for cell in cells] == recorded
    if name == LESSON_6:  # it kills a child and resumes it, and that is seen on the page
        assert DONE in seen(page, cells, RESUMED)
        assert "137" in seen(page, cells, KILLED)
    work_all(page, cells)
    spread_out(page)
    for theme in ("Light", "Dark"):
        wear(page, theme)
        assert faults(page) == []
        picture(page, f"{name.removesuffix('.ipynb')}-{theme.lower()}")


def work_all(page: Any, cells: list[Cell]) -> None:
    """Every widget of the notebook by mouse, and the first of each kind by keyboard alone too."""
    widgets = [index for index, cell in enumerate(cells) if has_widget(cell)]
    assert widgets, "no cell shows a widget"
    met: list[Kind] = []
    for index in widgets:
        source = text(cells[index]["source"])
        kind = kind_of(source)
        cell, plan = bring(page, index), partial(kind.deeds, source)
        if kind in met:
            work(cell, plan)
        else:
            met.append(kind)
            work_twice(page, cell, plan)


def test_what_goes_wrong_is_seen(page: Any, lab: Lab) -> None:
    """The checks above, seen going red: a cell that fails; a widget that fails, in Spanish; and a text too pale.

    A second widget like it is looked at no more; one that is not is, though it comes later.
    """
    trouble = bare(say("widget_trouble", kind="ZeroDivisionError", error="division by zero"))
    write(lab.tree / "spoiled.ipynb", KINDS["Gate"].example, KINDS["Gate"].example, SPOILED, "Spoiled()", "1 / 0")
    cells = run_all(page, lab.lab("spoiled.ipynb"))
    assert untagged_errors(cells) == ["ZeroDivisionError: division by zero"]
    with pytest.raises(AssertionError, match="no cell shows"):
        seen(page, cells, KILLED)
    work_twice(page, bring(page, 3), lambda box: (Deed("button", "Romper", (trouble,)),))
    work(bring(page, 4), lambda box: (Deed("button", "Romper", (trouble,)),))
    spread_out(page)
    assert page.locator(".curso").count() == 2
    assert faults(page) == ['color-contrast: <p style="color: #999; background: #fff">casi nada</p>']
