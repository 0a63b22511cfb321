"""What `record` writes passes the guards and strict nbval, and is the same the second time."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from tests.notebooks.guards import GUARDS, ROOT
from tests.notebooks.record import record

START = """import sys
from pathlib import Path
ROOT = next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "lesson_code").is_dir())
sys.path.insert(0, str(ROOT))"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A notebook as an editor leaves it, with a call into lesson_code that fails."""
    shutil.copytree(ROOT / "lesson_code", tmp_path / "lesson_code", ignore=shutil.ignore_patterns("__pycache__"))
    new = nbformat.v4
    fails = new.new_code_cell('from lesson_code.words import say\n\nsay("no hay")')
    fails.metadata = {"tags": ["raises-exception"], "execution": {"iopub.status.busy": "2026-11-30T13:21:07Z"}}
    cells = [
        new.new_markdown_cell("# Título"),
        new.new_code_cell(START),
        new.new_markdown_cell("Falla"),
        fails,
        new.new_markdown_cell("Imprime"),
        new.new_code_cell('print("uno")\nprint("dos")'),
    ]
    notebook = new.new_notebook(
        cells=cells, metadata={"widgets": {}, "kernelspec": {"name": "mi", "display_name": "mi"}}
    )
    nbformat.write(notebook, tmp_path / "nb.ipynb")
    return tmp_path / "nb.ipynb"


def test_what_is_recorded_passes_the_guards(path: Path) -> None:
    record(path)
    first = path.read_bytes()
    record(path)
    assert path.read_bytes() == first
    assert first.endswith(b"}\n")
    notebook = json.loads(first)
    assert {guard.__name__: guard(notebook) for guard in GUARDS} == {guard.__name__: [] for guard in GUARDS}
    assert "version" not in notebook["metadata"]["language_info"]
    assert all("execution" not in cell["metadata"] for cell in notebook["cells"])


def test_an_error_nobody_tagged_records_nothing(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[3].metadata = {}
    nbformat.write(notebook, path)
    before = path.read_bytes()
    with pytest.raises(CellExecutionError):
        record(path)
    assert path.read_bytes() == before
