"""A function with all that it needs, as the text of a program: a child process can run what a notebook defined."""

import ast
import importlib.util
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any


def program_of(function: Callable[..., Any]) -> str:
    """Python source that defines `function`, and before it the imports, constants and functions that it uses.

    What stands in a module is imported; what was defined in a cell is copied. What can be neither is left out, and the
    program says so with a NameError when it gets there. Annotations are to be left unread (`__future__`).
    """
    found: dict[str, str] = {}
    _collect(function.__name__, function, found)
    return "\n".join(found.values())


def _collect(name: str, value: Any, found: dict[str, str]) -> None:
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
        found[name] = source if value.__name__ == name else f"{source}\n{name} = {value.__name__}"
    elif _is_plain(value):
        found[name] = f"{name} = {value!r}"


def _source(value: Any) -> str:
    """The source of a function or class, or "". Python by itself does not find that of a class of a cell."""
    methods = [each for each in vars(value).values() if isinstance(each, FunctionType)]
    try:
        if isinstance(value, FunctionType) or not methods:
            return textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError):
        return ""
    lines = linecache.getlines(methods[0].__code__.co_filename)
    wanted = value.__name__
    for node in ast.walk(ast.parse("".join(lines))):
        if isinstance(node, ast.ClassDef) and node.name == wanted:
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


def _is_plain(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
