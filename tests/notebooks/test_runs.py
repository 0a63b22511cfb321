"""Notebooks run from any folder, twice, and leave nothing behind; and what is spoiled on a copy goes red."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from lesson_code.harness import AgentStopped
from lesson_code.harness.client import KEYS, make_client
from tests.notebooks.copies import contents, copy_repository
from tests.notebooks.guards import NOTEBOOKS, ROOT, VIEW

LESSON_6 = "notebooks/06_manos_a_la_obra.ipynb"
SCENES = "tests/lab/test_scene.py"
CRASH = "CRASH_AFTER", "after-save-a:1"  # no lesson takes it from the shell
YOURS = {"ANTHROPIC_MODEL": "claude-of-another-house", "ANTHROPIC_CUSTOM_HEADERS": "x-api-key: another"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_repository(tmp_path / "un año" / "curso")


def pytest_in(tree: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pytest as a child in a copy of the repository, with its own settings, where a crash was left set."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment.update([CRASH])
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


def run_twice(path: Path, place: Path) -> list[tuple[NotebookNode, list[NotebookNode]]]:
    """Run each code cell twice in a row, in the folder `place`: each as it was, with its two runs.

    Raises CellExecutionError.
    """
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    twice = [nbformat.v4.new_code_cell(cell.source, metadata=cell.metadata) for cell in code for _ in range(2)]
    where = {"metadata": {"path": str(place)}}
    ran = nbformat.v4.new_notebook(cells=twice, metadata=notebook.metadata)
    NotebookClient(ran, timeout=120, kernel_name="python3", coalesce_streams=True, resources=where).execute()
    return [(cell, twice[2 * number : 2 * number + 2]) for number, cell in enumerate(code)]


def shown(cell: NotebookNode) -> list[dict[str, Any]]:
    """What nbval compares of a cell: all but the widget of its kernel, its pictures, and the places in a traceback."""
    return [
        {
            **{name: output.get(name) for name in ("output_type", "name", "text", "ename", "evalue")},
            **{kind: value for kind, value in output.get("data", {}).items() if kind not in (VIEW, "image/png")},
        }
        for output in cell.outputs
    ]


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_copy_shows_what_is_recorded_from_any_folder_each_cell_twice_and_leaves_nothing(
    tree: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a path with a space and an ñ, where a crash was left set, and the package has settings of the learner's."""
    for setting, value in [CRASH, *YOURS.items()]:
        monkeypatch.setenv(setting, value)
    before = contents(tree)
    for recorded, ran in run_twice(tree / "notebooks" / name, tree / "notebooks" / "img"):
        assert [shown(cell) for cell in ran] == [shown(recorded)] * 2, recorded.source
    assert contents(tree) == before


def test_the_cell_that_asks_claude_says_in_a_sentence_that_there_is_no_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    sources = [cell.source for cell in nbformat.read(ROOT / LESSON_6, as_version=4).cells]
    (asks,) = [source for source in sources if source.startswith("live = False")]
    names = {"AgentStopped": AgentStopped, "make_client": make_client, "whole_task": pytest.fail}
    exec(asks.replace("live = False", "live = True", 1), names)
    assert capsys.readouterr().out.startswith("No hay clave de la API: define la variable de entorno")


def test_a_cell_that_fails_the_second_time_is_red(tmp_path: Path) -> None:
    """The check above, seen going red."""
    once = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import os\nos.mkdir('una-vez')")])
    nbformat.write(once, tmp_path / "once.ipynb")
    with pytest.raises(CellExecutionError, match="FileExistsError"):
        run_twice(tmp_path / "once.ipynb", tmp_path)


def test_a_cell_that_shows_something_else_the_second_time_is_seen(tmp_path: Path) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in ("from itertools import count\nn = count()", "next(n)")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "once.ipynb")
    _, (_, ran) = run_twice(tmp_path / "once.ipynb", tmp_path)
    assert [output["text/plain"] for cell in ran for output in shown(cell)] == ["0", "1"]


def test_a_corrupted_output_is_red(tree: Path) -> None:
    """It is run up to the cell that was spoiled: of those before it none is."""
    name = f"notebooks/{NOTEBOOKS[0].name}"
    last = corrupt_first_output(tree / name)
    done = pytest_in(tree, "--maxfail=0", *(f"{name}::Cell {number}" for number in range(last + 1)))
    assert done.returncode == 1, done.stdout
    assert re.findall(r"^FAILED (.*?::Cell \d+)", done.stdout, re.MULTILINE) == [f"{name}::Cell {last}"], done.stdout
    assert f"1 failed, {last} passed" in done.stdout and "esto no salió nunca" in done.stdout


@pytest.mark.parametrize("check", [LESSON_6, SCENES])
def test_without_save_a_it_is_red(tree: Path, check: str) -> None:
    drop_save_a(tree)
    done = pytest_in(tree, check)
    assert done.returncode == 1, done.stdout


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
