"""Every test works in its own folder, and no crash is left set in the environment."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("no trace", database=None)
settings.load_profile("no trace")


def pytest_configure(config: pytest.Config) -> None:
    """What kernels make goes in one place: nbval ends them before they can tidy up, so the run does it at its end."""
    place = tempfile.mkdtemp(prefix="curso-pruebas-")  # this process has chosen its own place by now, and keeps it
    os.environ.update(TMPDIR=place, TEMP=place, TMP=place)
    config.add_cleanup(lambda: shutil.rmtree(place, ignore_errors=True))


@pytest.fixture(autouse=True)
def no_crash_left_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRASH_AFTER", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a task, with notes to work on."""
    place = tmp_path / "carpeta con ñ"
    place.mkdir()
    (place / "sales-notes.txt").write_text("enero: 10\nfebrero: 12\n", encoding="utf-8")
    return place


@pytest.fixture
def no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a process dies and the machine lives, a sync changes nothing but the time the test takes."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
