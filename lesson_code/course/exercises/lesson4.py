"""The exercises of lesson 4."""

from .kinds import Task

TASKS: tuple[Task, ...] = ()
