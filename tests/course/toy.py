"""Three exercises of the tests' own, 9.1 to 9.3, that this process and the children that check an answer both know.

Run as a program it is such a child: the real one, which knows lesson 9 too.
"""

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from lesson_code import words
from lesson_code.course.exercises import tasks, worker
from lesson_code.course.exercises.judging import now
from lesson_code.course.exercises.kinds import Criterion, Fault, NotYet, Task, fault
from lesson_code.lab.scene import new_folder

CPU, WALL = "TOY_CPU", "TOY_WALL"  # variables: other limits, in seconds


def _doubles(double: Callable[[int], Any]) -> Fault | None:
    for number in (1, 2):
        now("call", number=number)
        if (got := double(number)) != 2 * number:
            return fault("other", number=number, wanted=2 * number, got=got)
    return None


def _zero(double: Callable[[int], Any]) -> Fault | None:
    now("zero")
    if double(0) != 0:
        raise NotYet(fault("zero"))
    return None


def _stays(put: Callable[..., Any], get: Callable[..., Any]) -> Fault | None:
    folder = new_folder()
    put("hola", folder)
    return None if get(folder) == "hola" else fault("lost")


TASKS = (
    Task(
        "9.1", (Criterion("doubles", _doubles), Criterion("zero", _zero), Criterion("why")), takes={"double": "number"}
    ),
    Task("9.2", (Criterion("stays", _stays),), takes={"put": "text, folder", "get": "folder, *, strict"}),
    Task(
        "9.3",
        (Criterion("colours", fields=("sky", "grass")), Criterion("salt", fields=("sea",)), Criterion("own")),
        form={"sky": ("blue", "green"), "grass": ("blue", "green"), "sea": ("salty", "sweet", "both")},
        measure=lambda: {"sky": ("blue",), "grass": ("green",), "sea": ("salty", "both")},
    ),
)

WORDS: dict[str, dict[str, Any]] = {
    "9.1": {
        "title": "El `doble`",
        "criteria": {
            "doubles": "devuelve el **doble** de `number`",
            "zero": "el doble de cero es cero",
            "why": "dices por qué",
        },
        "hints": ["Piensa en `sumar`.", "Suma dos veces.", "Suma el número y él mismo."],
        "faults": {
            "other": ("{wanted}", "{got}", "`double({number})`", "mira qué devuelves."),
            "zero": ("cero", "otra cosa", "", "prueba con cero."),
        },
        "moments": {"call": "al pedir el doble de {number}", "zero": "al pedir el doble de cero"},
        "model": {"why": "Porque **sumar** dos veces es doblar."},
    },
    "9.2": {
        "title": "Poner y sacar",
        "criteria": {"stays": "sale lo que se puso"},
        "hints": ["Un archivo.", "Escribe, y después lee."],
        "faults": {"lost": ("lo mismo", "otra cosa", "`put` y después `get`", "¿dónde lo pusiste?")},
        "moments": {},
        "model": {},
    },
    "9.3": {
        "title": "Colores",
        "criteria": {
            "colours": "los colores son los que se ven",
            "salt": "el mar es como es",
            "own": "dices cuál te gusta",
        },
        "hints": ["Mira arriba.", "Mira abajo."],
        "fields": {"sky": "¿El cielo?", "grass": "¿El `pasto`?", "sea": "¿El mar?"},
        "options": {"blue": "azul", "green": "verde", "salty": "salado", "sweet": "dulce", "both": "**las dos** cosas"},
        "why": {"sky": "mira por la ventana.", "grass": "mira por la ventana.", "sea": "pruébalo."},
        "model": {"own": "El que quieras."},
    },
}

STARTERS = {
    "9.1": 'def double(number):\n    """El doble de number."""\n    ...\n',
    "9.2": "def put(text, folder):\n    ...\n\n\ndef get(folder, strict=True):\n    ...\n",
}
SOLUTIONS = {
    "9.1": "def double(number):\n    return 2 * number  # también number + number\n",
    "9.2": """
def put(text, folder):
    (folder / "cosa").write_text(text, encoding="utf-8")


def get(folder, strict=True):
    return (folder / "cosa").read_text(encoding="utf-8")
""",
    "9.3": 'ANSWERS = {"sky": "blue", "grass": "green", "sea": "both"}  # se ve\n',
}


def cell(source: str) -> dict[str, Any]:
    """What a cell of a notebook defines: its source is kept, as a kernel does."""
    space: dict[str, Any] = {"__name__": "__main__"}
    return _run(source, f"<cell {hash(source)}>", space)


def _run(source: str, name: str, space: dict[str, Any]) -> dict[str, Any]:
    import linecache

    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    exec(compile(source, name, "exec"), space)
    return space


def modules() -> dict[str, ModuleType]:
    """Lesson 9 as the course looks for it."""
    package = tasks.__package__
    found = {f"{package}.lesson9": sys.modules[__name__]}
    for kind, sources in (("starters", STARTERS), ("solutions", SOLUTIONS)):
        for number, source in sources.items():
            name = f"{package}.{kind}.e{number.replace('.', '_')}"
            module = found[name] = ModuleType(name)
            module.__file__ = f"<{name}>"
            _run(source, f"<{name}>", vars(module))
    return found


if __name__ == "__main__":
    words.EXERCISES["es"] |= WORDS
    tasks.LESSONS += ("9",)
    sys.modules |= modules()
    worker.CPU, worker.WALL = float(os.environ.get(CPU, worker.CPU)), float(os.environ.get(WALL, worker.WALL))
    worker.main()
