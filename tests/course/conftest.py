"""What several tests of the exercises need."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lesson_code import words
from lesson_code.course import exercises
from lesson_code.course.exercises import running, tasks
from lesson_code.lab.guarded import run_guarded
from tests.course import toy


@pytest.fixture
def lesson9(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The course has the exercises of `toy`, here and in its children, and no others."""

    def run(*arguments: str, **options: Any) -> Any:
        assert arguments == ("-m", f"{running.__package__}.worker")
        return run_guarded("-m", toy.__name__, **options)

    monkeypatch.setattr(running, "run_guarded", run)
    monkeypatch.setitem(words.EXERCISES, "es", toy.WORDS)
    monkeypatch.setattr(tasks, "LESSONS", ("9",))
    for name, module in toy.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    tasks.tasks.cache_clear()
    exercises.exercise.cache_clear()
    yield
    monkeypatch.undo()
    tasks.tasks.cache_clear()
    exercises.exercise.cache_clear()
