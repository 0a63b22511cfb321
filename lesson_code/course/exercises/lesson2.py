"""The exercises of lesson 2."""

from .kinds import Task

TASKS: tuple[Task, ...] = ()
