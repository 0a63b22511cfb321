"""The fourteen exercises, a module a lesson."""

from functools import cache
from importlib import import_module
from types import FunctionType, ModuleType

from .kinds import Task

LESSONS = ("1", "2", "3", "4", "5", "6")


@cache
def tasks() -> dict[str, Task]:
    """Every exercise, by its number, in the order of the course."""
    modules = [import_module(f"{__package__}.lesson{lesson}") for lesson in LESSONS]
    return {task.number: task for module in modules for task in module.TASKS}


def task_of(number: str) -> Task:
    """The exercise of that number; only its lesson is loaded. Raises KeyError."""
    lesson = number.partition(".")[0]
    if lesson not in LESSONS:
        raise KeyError(number)
    found: dict[str, Task] = {task.number: task for task in import_module(f"{__package__}.lesson{lesson}").TASKS}
    return found[number]


def starters_of(task: Task) -> list[FunctionType]:
    """The functions that the lesson gives to begin with, in the order in which they are handed in."""
    return [getattr(_mirror("starters", task), name) for name in task.takes or ()]


def solution_module(task: Task) -> ModuleType:
    return _mirror("solutions", task)


def _mirror(kind: str, task: Task) -> ModuleType:
    return import_module(f"{__package__}.{kind}.e{task.number.replace('.', '_')}")
