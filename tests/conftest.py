"""Every test works in its own folder, and no crash is left set in the environment."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of children import the course: it is compiled once

settings.register_profile("no trace", database=None, deadline=None)  # a busy machine is no fault
settings.load_profile("no trace")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Folders are run by as many processes as there are cores, four at most; a single file is quicker in this one.

    Not in those processes, whose options pytest-xdist has emptied, and not where only requirements.txt is installed.
    """
    if config.pluginmanager.has_plugin("xdist") and not hasattr(config, "workerinput"):
        option = config.option
        if option.numprocesses is None and any(Path(argument).is_dir() for argument in config.args):
            option.numprocesses, option.maxprocesses = "logical", option.maxprocesses or 4


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file goes whole and in order to one process: the cells of a notebook share a kernel.

    The tests of two rooms go one by one: they are long, and start servers and kernels of their own.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::")[0]
            return nodeid if file.startswith(("tests/browser/", "tests/notebooks/")) else file

    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """What kernels make goes in one place: nbval ends them before they can tidy up, so the run does it at its end."""
    if config.getoption("dist", "no") != "no":
        return  # each of its workers has a place of its own
    place = tempfile.mkdtemp(prefix="curso-pruebas-")  # this process has chosen its own place by now, and keeps it
    os.environ.update(TMPDIR=place, TEMP=place, TMP=place)
    config.add_cleanup(lambda: shutil.rmtree(place, ignore_errors=True))


@pytest.fixture(autouse=True)
def no_crash_left_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRASH_AFTER", raising=False)


@pytest.fixture(autouse=True)
def no_progress_of_yours(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path_factory.mktemp("progress") / "progress.json"))


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


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print at the end what tests have measured: `record_property("measured", "…")`."""
    passed = terminalreporter.getreports("passed")
    measured = [value for report in passed for name, value in report.user_properties if name == "measured"]
    if measured:
        terminalreporter.section("measured")
        terminalreporter.write("".join(f"{line}\n" for line in measured))
