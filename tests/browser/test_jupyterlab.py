"""What a newcomer does: open each lesson in JupyterLab, Run All, and see what the lesson shows."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.browser.conftest import Lab
from tests.notebooks.guards import NOTEBOOKS

LESSON_6 = "06_manos_a_la_obra.ipynb"
KILLED = "[kill] caída simulada en after-effect-write:3"
RESUMED = "[resume] leído turn=3 pending=write_report"
DONE = "[done] Reporte escrito en report.txt, tarea completa."

PANEL = "window.jupyterapp?.shell?.currentWidget"
IS_READY = f"() => {PANEL}?.sessionContext?.session?.kernel?.status === 'idle'"
READY = f"""async () => {{
  await window.jupyterapp.restored;
  await {PANEL}.context.ready;
  await {PANEL}.revealed;
  await {PANEL}.sessionContext.ready;
}}"""
CELLS = f"""() => [...{PANEL}.model.cells].map(cell => cell.toJSON())"""
IS_DONE = f"""() => {{
  const cells = [...{PANEL}.model.cells].filter(cell => cell.type === 'code').map(cell => cell.toJSON());
  const failed = cell => cell.outputs.some(output => output.output_type === 'error')
    && !(cell.metadata.tags ?? []).includes('raises-exception');
  return {PANEL}.sessionContext.session.kernel.status === 'idle'
    && (cells.every(cell => cell.execution_count) || cells.some(failed));
}}"""
SCROLL_TO = f"index => {PANEL}.content.scrollToItem(index, 'center')"


def forget_outputs(path: Path) -> None:
    """What is seen later must come from this run."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    nbformat.write(notebook, path)


def run_all(page: Any, url: str) -> list[dict[str, Any]]:
    """Open the notebook, run every cell with the menu, and give back the cells once all have run."""
    page.goto(url)
    page.wait_for_function(IS_READY, timeout=60_000)
    page.evaluate(READY)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(IS_DONE, timeout=180_000)
    cells: list[dict[str, Any]] = page.evaluate(CELLS)
    return cells


def outputs(cell: dict[str, Any]) -> str:
    """What the cell shows as plain text."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
    return "".join("".join(words) for words in shown)


def untagged_errors(cells: list[dict[str, Any]]) -> list[str]:
    return [
        f"{output['ename']}: {output['evalue']}"
        for cell in cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error" and "raises-exception" not in cell["metadata"].get("tags", [])
    ]


def seen(page: Any, cells: list[dict[str, Any]], line: str) -> str:
    """What the first cell with this line shows. It is scrolled to: JupyterLab draws only what is near."""
    index = next((index for index, cell in enumerate(cells) if line in outputs(cell)), None)
    assert index is not None, f"no cell shows {line!r}"
    page.evaluate(SCROLL_TO, index)
    page.locator(".jp-OutputArea-output", has_text=line).first.wait_for(state="visible", timeout=30_000)
    return outputs(cells[index])


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_lesson_runs_whole_in_jupyterlab(page: Any, lab: Lab, name: str) -> None:
    recorded = [outputs(cell) for cell in json.loads((lab.tree / "notebooks" / name).read_text("utf-8"))["cells"]]
    forget_outputs(lab.tree / "notebooks" / name)
    cells = run_all(page, lab.url(f"lab/tree/notebooks/{name}"))
    assert untagged_errors(cells) == []
    assert [outputs(cell) for cell in cells] == recorded
    if name == LESSON_6:  # it kills a child and resumes it, and that is seen on the page
        assert DONE in seen(page, cells, RESUMED)
        assert "137" in seen(page, cells, KILLED)


def test_a_cell_that_fails_is_seen(page: Any, lab: Lab) -> None:
    """The check above, seen going red."""
    code = [nbformat.v4.new_code_cell("1 / 0")]
    kernel = {"name": "python3", "display_name": "Python 3"}
    spoiled = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    nbformat.write(spoiled, lab.tree / "notebooks" / "spoiled.ipynb")
    cells = run_all(page, lab.url("lab/tree/notebooks/spoiled.ipynb"))
    assert untagged_errors(cells) == ["ZeroDivisionError: division by zero"]
    with pytest.raises(AssertionError, match="no cell shows"):
        seen(page, cells, KILLED)
