"""A function with all that it needs, as the text of a program: a child process can run what a notebook defined."""

import ast
import importlib.util
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import PurePath
from types import FunctionType, ModuleType
from typing import Any


def program_of(*functions: Callable[..., Any]) -> str:
    """Python source that defines `functions`, and before each the imports, constants and functions that it uses.

    What stands in a module is imported; what was defined in a cell is copied. What can be neither is left out, and the
    program says so with a NameError when it gets there. Annotations are to be left unread (`__future__`).
    """
    return carried(*functions)[0]


def carried(*functions: Callable[..., Any]) -> tuple[str, list[str]]:
    """The program of `program_of`, and the names that were left out."""
    found: dict[str, str | None] = {}
    for function in functions:
        _collect(function.__name__, function, found)
    left_out = [name for name, source in found.items() if source is None]
    return "\n".join(source for source in found.values() if source is not None), left_out


def _collect(name: str, value: Any, found: dict[str, str | None]) -> None:
    if name in found:
        return
    if isinstance(value, ModuleType):
        found[name] = f"import {value.__name__} as {name}"
    elif is_imported(value):
        found[name] = f"from {value.__module__} import {value.__name__} as {name}"
    elif isinstance(value, FunctionType | type):
        source = _source(value)
        found[name] = ""  # a function that calls itself, or one that calls it
        space = value.__globals__ if isinstance(value, FunctionType) else vars(sys.modules[value.__module__])
        for used in sorted(_names(source) & space.keys()):
            _collect(used, space[used], found)
        del found[name]
        alias = "" if value.__name__ == name else f"\n{name} = {value.__name__}"
        found[name] = source + alias if source else None
    else:
        written = _written(value)
        found[name] = None if written is None else f"{name} = {written}"


def _source(value: Any) -> str:
    """The source of a function or class, or "". Python by itself does not find that of a class of a cell."""
    if isinstance(value, FunctionType):
        try:
            return textwrap.dedent(inspect.getsource(value))
        except (OSError, TypeError):
            return ""
    for file in reversed([*linecache.cache]):  # the newest cell first
        if "ipykernel" in file or file.startswith("<"):
            for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
                if isinstance(node, ast.ClassDef) and node.name == value.__name__:
                    return ast.unparse(node)
    return ""


def _names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def is_imported(value: Any) -> bool:
    """Whether another process gets the same thing by importing it."""
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module == "__main__":
        return False
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return False
    return spec is not None and getattr(importlib.import_module(module), name, None) is value


def _written(value: Any) -> str | None:
    """A value as an expression that makes it again, or None for one that has none."""
    if isinstance(value, re.Pattern):
        return f"__import__('re').compile({value.pattern!r}, {value.flags})"
    if isinstance(value, PurePath):
        return f"__import__('pathlib').Path({str(value)!r})"
    try:
        return repr(value) if ast.literal_eval(repr(value)) == value else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
