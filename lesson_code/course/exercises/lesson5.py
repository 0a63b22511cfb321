"""The exercises of lesson 5."""

from .kinds import Task

TASKS: tuple[Task, ...] = ()
