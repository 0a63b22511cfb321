"""Every test works in its own folder, and no crash is left set in the environment."""

from pathlib import Path

import pytest


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
