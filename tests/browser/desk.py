"""A notebook on the reader's desk: how it is written, opened, run and looked up in JupyterLab and in Notebook 7."""

from pathlib import Path
from typing import Any

import nbformat

from tests.notebooks.guards import NOTEBOOKS, first_code

PANEL = "window.jupyterapp?.shell?.currentWidget"
IS_OPEN = f"() => {PANEL}?.context?.isReady"
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
WIDGET = "application/vnd.jupyter.widget-view+json"

Cell = dict[str, Any]


def write(path: Path, *codes: str) -> None:
    """A notebook that starts as every lesson does, and then has a cell for each of `codes`."""
    start = first_code(nbformat.read(NOTEBOOKS[0], as_version=4))
    cells = [nbformat.v4.new_code_cell(code) for code in (start, *codes)]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


def forget_outputs(path: Path) -> None:
    """What is seen later must come from this run."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    nbformat.write(notebook, path)


def run_all(page: Any, url: str) -> list[Cell]:
    """Open the notebook, run every cell with the menu, and give back the cells once all have run."""
    page.goto(url)
    page.wait_for_function(IS_READY, timeout=60_000)
    page.evaluate(READY)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(IS_DONE, timeout=180_000, polling=100)  # it is long to ask at every frame
    cells: list[Cell] = page.evaluate(CELLS)
    return cells


def bring(page: Any, index: int) -> Any:
    """The cell, scrolled to: JupyterLab draws only what is near."""
    page.evaluate(SCROLL_TO, index)
    return page.locator(f'.jp-Cell[data-windowed-list-index="{index}"]')


def outputs(cell: Cell) -> str:
    """What the cell shows as plain text."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
    return "".join("".join(words) for words in shown)


def has_widget(cell: Cell) -> bool:
    return any(WIDGET in output.get("data", {}) for output in cell.get("outputs", []))
