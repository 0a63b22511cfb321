"""Run notebooks and keep their outputs: `python -m tests.notebooks.record [NOTEBOOK…]`, for all of them with none."""

import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from lesson_code.course.exercises.store import VARIABLE

from .guards import NOTEBOOKS, VIEW

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def record(path: Path) -> None:
    """Run the notebook in its folder and write it back. Raises CellExecutionError, and then writes nothing."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec = KERNEL
    place = {"metadata": {"path": str(path.parent)}}
    with TemporaryDirectory() as empty, patch.dict(os.environ, {VARIABLE: os.path.join(empty, "progress.json")}):
        NotebookClient(notebook, timeout=120, record_timing=False, coalesce_streams=True, resources=place).execute()
    clean(notebook, next(place for place in path.parents if (place / "lesson_code").is_dir()))
    nbformat.write(notebook, path)


def clean(notebook: NotebookNode, root: Path) -> None:
    """Take out what tells of this machine or of this day."""
    # A traceback names files of lesson_code where they are; IPython writes a home as `~`.
    roots = [str(root), str(root).replace(str(Path.home()), "~", 1)]
    place = re.compile("|".join(re.escape(name + os.sep) for name in roots))
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(VIEW, None)  # of a kernel that is gone: a reader would see an error, not a table
            if output.output_type == "error":
                output.traceback = [place.sub("", line) for line in output.traceback]


if __name__ == "__main__":
    for name in map(Path, sys.argv[1:] or NOTEBOOKS):
        record(name.resolve())
        print(name.name)
