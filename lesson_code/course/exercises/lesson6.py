"""The exercises of lesson 6."""

from .kinds import Task

TASKS: tuple[Task, ...] = ()
