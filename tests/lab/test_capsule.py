"""A function with what it needs, as a program that another process runs."""

import json

from lesson_code.lab.capsule import program_of
from lesson_code.lab.tools import put_sample
from tests.support import child

CELLS = '''
import json, os.path
import os
from dataclasses import dataclass
from pathlib import Path
import xml.dom as a_part
from lesson_code.lab.disk import example as an_example
LIMIT, WORDS = 3, {"ñ": ["uno", 2]}
NOT_JSON = object()

class Box:
    """A class of a cell."""
    size = LIMIT
    def label(self):
        return f"box {self.size}"

class Unknown(Exception):
    """A class without methods."""

@dataclass
class Pair:
    first: str
    second: int = LIMIT

def inner(n: "not a name") -> Box:
    return WORDS["ñ"][0] * n

def even(n):
    return n == 0 or odd(n - 1)

if True:
    def odd(n):
        return n != 0 and even(n - 1)

another_name = odd

def outer(n=LIMIT):
    """Docstring with ñ and 'quotes'."""
    found = [os.path.basename("a/b"), a_part.__name__, an_example(2)["turns"]]
    return json.dumps([inner(n), Box().label(), even(4), another_name(4), *found])

def needs_the_impossible():
    return NOT_JSON

def needs_classes_without_methods():
    try:
        raise Unknown(Pair("a"))
    except Unknown as error:
        return error
'''


def run(ask: str) -> str:
    """What a child prints that runs the program of a function of CELLS, which another child made."""
    make = (
        "import sys, linecache\n"
        "cells = sys.argv[1]\n"
        "linecache.cache['<cell>'] = (len(cells), None, cells.splitlines(True), '<cell>')\n"
        "exec(compile(cells, '<cell>', 'exec'))\n"
        "from lesson_code.lab.capsule import program_of\n"
        f"print(ascii(program_of({ask})))"
    )
    made = child(make, CELLS)
    assert made.returncode == 0, made.stderr
    end = child(f"from __future__ import annotations\nexec({made.stdout.strip()})\nprint({ask}())")
    return end.stdout + end.stderr


def test_a_function_of_a_cell_takes_along_all_that_it_uses() -> None:
    assert json.loads(run("outer")) == ["uno" * 3, "box 3", True, False, "b", "xml.dom", 2]


def test_what_cannot_be_taken_along_is_missed_where_it_is_used() -> None:
    assert "NameError: name 'NOT_JSON' is not defined" in run("needs_the_impossible")


def test_a_class_needs_no_methods_to_be_taken_along() -> None:
    assert run("needs_classes_without_methods") == "Pair(first='a', second=3)\n"


def test_what_stands_in_a_module_is_imported() -> None:
    assert program_of(put_sample) == "from lesson_code.lab.tools import put_sample as put_sample"
