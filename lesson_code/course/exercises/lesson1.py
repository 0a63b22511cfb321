"""The exercises of lesson 1."""

from .kinds import Task

TASKS: tuple[Task, ...] = ()
