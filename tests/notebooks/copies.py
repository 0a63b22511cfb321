"""Copies of the repository, to spoil and to run."""

import shutil
from pathlib import Path

from .guards import ROOT

HOUSE = (
    "lesson_code",
    "notebooks",
    "tests",
    "pyproject.toml",
    "README.md",
    "README.es.md",
    "LICENSE",
    "requirements.txt",
)


def copy_repository(place: Path) -> Path:
    """A copy of the house in the new folder `place`. It asks nothing of git: some readers download a ZIP."""
    place.mkdir(parents=True)
    leave = shutil.ignore_patterns("__pycache__", ".*")
    for name in HOUSE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=leave)
        else:
            shutil.copy(ROOT / name, place)
    return place


def contents(place: Path) -> dict[str, bytes]:
    """Every file below `place`, by its path, but for what Python and pytest keep for themselves."""
    files = (
        path for path in place.rglob("*") if path.is_file() and not {"__pycache__", ".pytest_cache"} & {*path.parts}
    )
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}
