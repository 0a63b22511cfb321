"""Notebooks run from any folder, twice, and leave nothing behind; and what is spoiled on a copy goes red."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.notebooks.copies import contents, copy_repository
from tests.notebooks.guards import NOTEBOOKS, ROOT

LESSON_6 = "notebooks/06_manos_a_la_obra.ipynb"
SCENES = "tests/lab/test_scene.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_repository(tmp_path / "un año" / "curso")


def pytest_in(tree: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pytest as a child in a copy of the repository, with its own settings, where a crash was left set."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["CRASH_AFTER"] = "after-save-a:1"  # no lesson takes it from the shell
    command = [sys.executable, "-m", "pytest", "-q", "-x", *arguments]
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, encoding="utf-8", errors="replace", timeout=600
    )


def corrupt_first_output(path: Path) -> int:
    """Add a line to the first text that the notebook printed, and give nbval's number of that cell."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    printed = (
        (number, output)
        for number, cell in enumerate(code)
        for output in cell.outputs
        if output.output_type == "stream"
    )
    number, first = next(printed)
    first.text += "esto no salió nunca\n"
    nbformat.write(notebook, path)
    return number


def drop_save_a(tree: Path) -> None:
    """Take out of the loop the line that saves A."""
    loop = tree / "lesson_code" / "harness" / "loop.py"
    lines = loop.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not ("save_checkpoint(" in line and "# A" in line)]
    assert len(kept) == len(lines) - 1
    loop.write_text("".join(kept), encoding="utf-8")


def doubled(path: Path) -> NotebookNode:
    """The notebook with each code cell twice in a row."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    twice = [nbformat.v4.new_code_cell(cell.source, metadata=cell.metadata) for cell in code for _ in range(2)]
    return nbformat.v4.new_notebook(cells=twice, metadata=notebook.metadata)


def test_a_copy_in_a_path_with_a_space_and_an_ñ_is_green_and_leaves_nothing(tree: Path) -> None:
    before = contents(tree)
    done = pytest_in(tree, "notebooks")
    assert done.returncode == 0, done.stdout
    assert contents(tree) == before


def test_a_corrupted_output_is_red_in_each_notebook(tree: Path) -> None:
    """Each is run up to the cell that was spoiled."""
    names = [f"notebooks/{path.name}" for path in NOTEBOOKS]
    spoiled = {name: corrupt_first_output(tree / name) for name in names}
    cells = [f"{name}::Cell {number}" for name, last in spoiled.items() for number in range(last + 1)]
    done = pytest_in(tree, "--maxfail=0", *cells)
    assert done.returncode == 1, done.stdout
    red = re.findall(r"^FAILED (.*?::Cell \d+)", done.stdout, re.MULTILINE)
    assert red == [f"{name}::Cell {number}" for name, number in spoiled.items()], done.stdout
    assert done.stdout.count("esto no salió nunca") >= len(names)


@pytest.mark.parametrize("check", [LESSON_6, SCENES])
def test_without_save_a_it_is_red(tree: Path, check: str) -> None:
    drop_save_a(tree)
    done = pytest_in(tree, check)
    assert done.returncode == 1, done.stdout


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_each_cell_runs_twice_from_another_folder_and_leaves_nothing(tree: Path, name: str) -> None:
    before = contents(tree)
    where = {"metadata": {"path": str(tree / "notebooks" / "img")}}
    NotebookClient(doubled(tree / "notebooks" / name), timeout=120, kernel_name="python3", resources=where).execute()
    assert contents(tree) == before


def test_a_cell_that_fails_the_second_time_is_red(tmp_path: Path) -> None:
    """The check above, seen going red."""
    once = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import os\nos.mkdir('una-vez')")])
    nbformat.write(once, tmp_path / "once.ipynb")
    where = {"metadata": {"path": str(tmp_path)}}
    with pytest.raises(Exception, match="FileExistsError"):
        NotebookClient(doubled(tmp_path / "once.ipynb"), kernel_name="python3", resources=where).execute()


def test_what_a_run_leaves_is_seen(tmp_path: Path) -> None:
    """The comparison above, seen going red for a new file and for a changed one."""
    (tmp_path / "a").write_text("1")
    before = contents(tmp_path)
    (tmp_path / "a").write_text("2")
    assert contents(tmp_path) != before
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("")
    assert contents(tmp_path) != before


def test_the_copy_is_what_is_tested(tree: Path) -> None:
    """A child that runs in the copy imports the copy's lesson_code, not this one."""
    ask = "import lesson_code; print(lesson_code.__file__)"
    said = subprocess.run([sys.executable, "-c", ask], cwd=tree, capture_output=True, encoding="utf-8", check=True)
    assert Path(said.stdout.strip()).is_relative_to(tree)
    assert not tree.is_relative_to(ROOT)
