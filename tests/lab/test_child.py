"""A child process: where it works, what it is given and what comes back."""

import json
from pathlib import Path

import pytest

from lesson_code.lab.child import run_child


def test_it_works_in_the_repository_and_gives_back_what_it_said_and_how_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = "import os, sys; print(os.path.isdir('lesson_code'), sys.argv[1]); sys.exit('adiós ★')"
    ended = run_child("-c", program, "ñ")
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "True ñ\n", "adiós ★\n")


def test_it_runs_the_program_that_it_is_given() -> None:
    assert run_child("-", program="print(6 * 7)").stdout == "42\n"


def test_a_crash_left_set_is_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRASH_AFTER", "after-save-a:1")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    names = ("CRASH_AFTER", "PYTHONIOENCODING", "COLOUR")
    ask = f"import json, os; print(json.dumps([os.environ[name] for name in {names}]))"
    assert json.loads(run_child("-c", ask, COLOUR="azul").stdout) == ["", "utf-8", "azul"]
