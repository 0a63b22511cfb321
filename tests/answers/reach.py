"""What the checks of an exercise can come to: their functions, and the texts that stand in those and their tables."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

from lesson_code.course.exercises.kinds import Task

PACKAGE = "lesson_code.course.exercises."
FRAME = {f"{PACKAGE}{name}" for name in ("kinds", "judging", "tasks")}  # no words of an exercise stand there


class Reach:
    """`trees`: each function that a check of the task can call; `texts`: the strings of the tables that those read."""

    def __init__(self, task: Task) -> None:
        self.trees: list[ast.AST] = []
        self.texts: set[str] = set()
        self._seen: set[int] = set()
        for criterion in task.criteria:
            self._visit(criterion.check)

    def calls(self, name: str) -> Iterator[ast.Call]:
        """The calls of the function `name` with a key."""
        for node in self.nodes():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
                yield node

    def nodes(self) -> Iterator[ast.AST]:
        for tree in self.trees:
            yield from ast.walk(tree)

    def strings(self) -> set[str]:
        """Every text that stands in a function or in a table."""
        return self.texts | {text for node in self.nodes() if (text := text_of(node)) is not None}

    def compared(self) -> set[str]:
        """The texts that stand in a comparison, or in a pattern of a `match`."""
        found: set[str] = set()
        for node in self.nodes():
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            sides += [node.value] if isinstance(node, ast.MatchValue) else []
            for side in sides:
                parts = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
                found |= {text for part in parts if (text := text_of(part)) is not None}
        return found

    def _visit(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        value = inspect.unwrap(value) if callable(value) else value
        if isinstance(value, str):
            self.texts.add(value)
        elif isinstance(value, dict):
            self._all(*value, *value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            self._all(*value)
        elif isinstance(value, partial):
            self._all(value.func, *value.args, *value.keywords.values())
        elif isinstance(value, MethodType):
            self._all(value.__func__, value.__self__)
        elif not is_ours(value):
            return
        elif isinstance(value, FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._all(*(getattr(part, "__func__", getattr(part, "fget", part)) for part in vars(value).values()))
        else:
            self._all(type(value), *getattr(value, "__dict__", {}).values())

    def _all(self, *values: Any) -> None:
        for value in values:
            self._visit(value)

    def _function(self, function: FunctionType) -> None:
        try:
            self.trees.append(ast.parse(textwrap.dedent(inspect.getsource(function))))
        except (OSError, SyntaxError):
            return  # the methods that a dataclass makes
        self._all(*(cell.cell_contents for cell in function.__closure__ or ()), *(function.__defaults__ or ()))
        names = set(names_of(function.__code__))
        for name in names & function.__globals__.keys():
            value = function.__globals__[name]
            if isinstance(value, ModuleType) and value.__name__.startswith(PACKAGE):
                self._all(*(getattr(value, part) for part in names if hasattr(value, part)))
            elif not isinstance(value, ModuleType):
                self._visit(value)


def is_ours(value: Any) -> bool:
    named = value if hasattr(value, "__module__") and isinstance(value, FunctionType | type) else type(value)
    return named.__module__.startswith(PACKAGE) and named.__module__ not in FRAME


def names_of(code: Any) -> Iterator[str]:
    """The names that some code looks up, that of the functions within it too."""
    yield from code.co_names
    for part in code.co_consts:
        if hasattr(part, "co_names"):
            yield from names_of(part)


def text_of(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def keys_of(node: ast.AST) -> list[str]:
    """The keys that an argument can be, as far as they are written out."""
    if isinstance(node, ast.IfExp):
        return keys_of(node.body) + keys_of(node.orelse)
    text = text_of(node)
    return [] if text is None else [text]


def pattern_of(node: ast.AST) -> str | None:
    """What the keys look like that an f-string makes."""
    if not isinstance(node, ast.JoinedStr):
        return None
    return "".join(re.escape(text) if (text := text_of(part)) is not None else ".+" for part in node.values)
