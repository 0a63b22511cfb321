"""An exercise: whatever a learner hands in ends in a report that says what came of it, and the kernel lives."""

import inspect
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from lesson_code.course.exercises import exercise, store
from lesson_code.course.exercises.judging import judge, now
from lesson_code.course.exercises.kinds import Criterion, Task, fault
from lesson_code.course.exercises.one import NoCriterion, NoExercise
from lesson_code.course.exercises.report import Report
from lesson_code.course.exercises.running import Checked, check_functions
from tests.course import toy
from tests.course.toy import cell
from tests.notebooks.guards import Markup, words_of
from tests.support import child, snapshot

pytestmark = pytest.mark.usefixtures("lesson9")

WAITS = "○ sin comprobar · devuelve el doble de number"
HOLDS = "✔ comprobado · devuelve el doble de number"
NOT_YET = "✘ todavía no · devuelve el doble de number"
NOT_REACHED = "○ sin comprobar, porque antes se detuvo · el doble de cero es cero"
UNTRIED, TODO, DONE, ERROR = "sin intentar todavía", "todavía no", "comprobado", "error en tu código"


def double(body: str, *, before: str = "", parameters: str = "number") -> Any:
    """A learner's function, from a cell: its body after `def`, on lines of its own."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return cell(f"{before}\ndef double({parameters}):\n{lines}")["double"]


def check(*given: Any, number: str = "9.1") -> Report:
    """The report on what is handed in. The kernel is as it was before."""
    before = os.getcwd(), dict(os.environ), sys.stdout, sys.stderr, threading.active_count()
    found = exercise(number).check(*given)
    assert (os.getcwd(), dict(os.environ), sys.stdout, sys.stderr) == before[:4]
    assert threading.active_count() <= before[4] + 2  # two that wait for the child's pipes, and end with them
    assert [each for each in psutil.Process().children(recursive=True) if each.status() != "zombie"] == []
    return found


def lines(report: Any) -> list[str]:
    return repr(report).splitlines()


def says_the_same(shown: Any) -> None:
    """What a notebook shows as markup, and what a terminal shows as text, have the same meaning."""
    bundle = shown._repr_mimebundle_()
    markup = Markup(bundle["text/html"])
    assert bundle["text/plain"] == repr(shown)
    said = {word.casefold() for word in markup.words}
    assert [word for word in words_of(repr(shown)) if word.casefold() not in said] == []
    assert markup.lost == []
    assert '<div lang="es">' in bundle["text/html"]


# What came of it


def test_what_the_lesson_gave_is_not_tried_whatever_its_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    given = cell('import json\ndef double( number ):  # un comentario\n    """El doble de number."""\n\n    ...\n')
    found = check(given["double"])
    assert (found.outcome, lines(found)[0]) == ("untried", f"Ejercicio 9.1: El doble · {UNTRIED}")
    assert lines(found)[1:] == [WAITS, "○ sin comprobar · el doble de cero es cero", "☐ para ti · dices por qué"]
    says_the_same(found)
    assert store.read() == {}


def test_what_was_given_is_not_tried_either_where_its_imports_stand_in_another_cell() -> None:
    """Bytecode tells the two apart: of a method of what the same cell imports Python makes another instruction."""
    source = "def double(number):\n    return json.dumps(number)\n"
    starters = sys.modules["lesson_code.course.exercises.starters.e9_1"]
    vars(starters)["double"] = cell(f"import json\n{source}")["double"]
    alone = cell(source)
    alone["json"] = json
    assert check(alone["double"]).outcome == "untried"
    assert check(double("return json.dumps( number )  # lo mismo", before="import json")).outcome == "untried"


def test_what_does_not_hold_yet_says_what_was_expected_what_came_and_what_shows_it() -> None:
    found = check(double("return number + 1"))
    assert (found.outcome, lines(found)[0]) == ("not_yet", f"Ejercicio 9.1: El doble · {TODO}")
    assert lines(found)[1:] == [
        NOT_YET,
        "    Se esperaba: 4",
        "    Salió: 3",
        "    Lo muestra: double(2)",
        "    Pista: mira qué devuelves.",
        "✘ todavía no · el doble de cero es cero",
        "    Se esperaba: cero",
        "    Salió: otra cosa",
        "    Pista: prueba con cero.",
        "☐ para ti · dices por qué",
    ]
    says_the_same(found)
    assert store.read()["9.1"]["checked"] == {"doubles": False, "zero": False}


def test_what_holds_is_told_of_each_criterion_and_kept_with_the_answer() -> None:
    found = check(double("return number * 2"))
    assert (found.outcome, lines(found)[0]) == ("checked", f"Ejercicio 9.1: El doble · {DONE}")
    assert lines(found)[1:] == [
        HOLDS,
        "✔ comprobado · el doble de cero es cero",
        "☐ para ti · dices por qué",
        "Lo que se puede correr está comprobado. Te queda juzgar lo tuyo, con criteria(): 1.",
    ]
    says_the_same(found)
    kept = store.read()["9.1"]
    assert kept["checked"] == {"doubles": True, "zero": True}
    assert kept["answer"]["functions"] == ["double"] and "return number * 2" in kept["answer"]["program"]


def test_one_criterion_holds_where_another_does_not() -> None:
    found = check(double("return number * 3"))
    assert [found.found[name][0][0] for name in ("doubles", "zero", "why")] == ["✘", "✔", "☐"]
    assert found.outcome == "not_yet"


def test_an_error_tells_the_call_the_moment_and_the_line_and_no_more() -> None:
    found = check(double("half = number // 0\nreturn half"))
    assert lines(found) == [
        f"Ejercicio 9.1: El doble · {ERROR}",
        NOT_YET,
        "    Tu código lanzó ZeroDivisionError: integer division or modulo by zero",
        "    Al llamar a double(number)",
        "    Cuándo: al pedir el doble de 1",
        "    En double, línea 2 contando desde su def: half = number // 0",
        "✘ todavía no · el doble de cero es cero",
        "    El mismo error, en la misma línea.",
        "☐ para ti · dices por qué",
    ]
    assert found.outcome == "error"
    says_the_same(found)


def test_an_error_in_a_helper_names_the_helper_and_its_line() -> None:
    half = "\n\ndef half(n):\n    return n['x']\n"
    found = check(double("first = 1\nreturn half(number) / first", before=half))
    assert "    En half, línea 2 contando desde su def: return n['x']" in lines(found)
    assert "    Al llamar a double(number)" in lines(found)
    found = check(double("first = half(number)\nreturn first / 0", before=half.replace("['x']", "")))
    assert "    En double, línea 3 contando desde su def: return first / 0" in lines(found)


def test_an_error_is_told_with_the_moment_of_its_own_criterion() -> None:
    def says_when() -> None:
        now("call", number=1)

    criteria = (Criterion("first", says_when), Criterion("second", lambda: fault("x", got=1 / 0)))
    found = judge(Task("9.9", criteria, takes={}), [])
    assert found["first"] == {} and found["second"]["error"]["moment"] is None


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process can be limited there")
def test_nobody_gets_more_memory_than_the_machine_can_spare() -> None:
    found = check(double("import mmap\nmmap.mmap(-1, 3 * 2**30)\n" + GOES))  # nothing of it is really used
    assert "Tu código lanzó OSError: [Errno 12] Cannot allocate memory" in repr(found)


def test_of_huge_output_no_more_is_carried_than_is_shown() -> None:
    assert len(check(double("print('y' * 10 ** 7)\n" + GOES)).checked.printed) <= 1000


# Whatever is handed in

GOES = "return 2 * number"
BODIES = {
    "exit": ("exit()", "error", "Tu código pidió terminar el programa"),
    "quit": ("quit()", "error", "Tu código pidió terminar el programa"),
    "sys.exit": ("import sys\nsys.exit(3)", "error", "Tu código pidió terminar el programa"),
    "SystemExit": ("raise SystemExit", "error", "Tu código pidió terminar el programa"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "error", "Tu código pidió terminar el programa"),
    "os._exit": ("import os\nos._exit(7)", "error", "terminó antes de tiempo, con código 7"),
    "a signal": ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", "error", "terminó antes de tiempo, con"),
    "None": ("pass", "not_yet", "Salió: None"),
    "another type": ("return {number}", "not_yet", "Salió: {1}"),
    "a value that can't be told": (
        "class Mute:\n    def __str__(self):\n        raise ValueError\nreturn Mute()",
        "not_yet",
        "Salió: Mute",
    ),
    "an error that can't be told": (
        "class Mute(Exception):\n    def __str__(self):\n        raise SystemExit\nraise Mute",
        "error",
        "Tu código lanzó Mute: Mute",
    ),
    "an error with marks": ("raise ValueError('`a` **b** \\\\ <b>')", "error", r"ValueError: `a` **b** \ <b>"),
    "half a character": ("raise ValueError('\\ud800')", "error", r"ValueError: \ud800"),
    "an error of many lines": ("raise ValueError('a\\n✔ comprobado')", "error", r"ValueError: a\n✔ comprobado"),
    "a long error": ("raise ValueError('x' * 10 ** 6)", "error", "x…"),
    "its own BaseException": ("class Mine(BaseException): ...\nraise Mine('x')", "error", "Tu código lanzó Mine: x"),
    "it swallows everything": ("try:\n    exit()\nexcept BaseException:\n    return None", "not_yet", "Salió: None"),
    "a value with marks": ("return '`a` **b** <i>'", "not_yet", "Salió: `a` **b** <i>"),
    "an error within a library": (
        "import json\nreturn json.loads('{')",
        "error",
        "En double, línea 3 contando desde",
    ),
    "recursion": ("return double(number)", "error", "Tu código lanzó RecursionError"),
    "more memory than there is": ("return [0] * 10 ** 12", "error", "Tu código lanzó MemoryError"),
    "input": ("return input()", "error", "Tu código lanzó EOFError"),
    "a print": (
        "print('hola', number)\n" + GOES,
        "checked",
        "Tu código imprimió 21 caracteres, que empiezan así:\n    hola 1",
    ),
    "a print to stderr": ("import sys\nprint('ay', file=sys.stderr)\n" + GOES, "checked", "que empiezan así:\n    ay"),
    "huge output": (
        "print('y' * 10 ** 7)\n" + GOES,
        "checked",
        "Tu código imprimió 30000003 caracteres, que empiezan así:\n    yyy",
    ),
    "half a character printed": ("print('\\ud800')\n" + GOES, "checked", "que empiezan así:\n    \\ud800"),
    "a flood past Python": (
        "import os\nos.write(1, b'x' * 10 ** 6)\n" + GOES,
        "error",
        "escribió demasiado en la salida",
    ),
    "another working folder": ("import os\nos.chdir('/')\n" + GOES, "checked", HOLDS),
    "a working folder that is gone": (
        "import os, contextlib\nwith contextlib.suppress(OSError):\n    os.rmdir(os.getcwd())\n" + GOES,
        "checked",
        HOLDS,
    ),
    "the environment": ("import os\nos.environ.clear()\n" + GOES, "checked", HOLDS),
    "closed streams": ("import sys\nsys.stdout.close()\nsys.stdin.close()\n" + GOES, "checked", HOLDS),
    "no streams": ("import sys\nsys.stdout = sys.stderr = None\n" + GOES, "checked", HOLDS),
    "a thread that goes on": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n" + GOES,
        "checked",
        HOLDS,
    ),
    "a process that goes on": (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n" + GOES,
        "checked",
        HOLDS,
    ),
    "what runs at the end": ("import atexit, time\natexit.register(time.sleep, 60)\n" + GOES, "checked", HOLDS),
    "a decorator": (GOES, "checked", HOLDS),
}
BEFORE = {"a decorator": "import functools\n@functools.wraps(len)\n"}


@pytest.mark.parametrize("what", BODIES)
def test_whatever_the_code_does_it_is_told_in_a_sentence(what: str) -> None:
    body, outcome, sentence = BODIES[what]
    found = check(double(body))
    assert (found.outcome, sentence in repr(found)) == (outcome, True), repr(found)
    assert "Traceback" not in repr(found) and "lesson_code" not in repr(found)
    assert all(len(line) < 500 for line in lines(found)), "a line too long"
    assert set(found.found) == {"doubles", "zero", "why"}
    says_the_same(found)


BUSY, IDLE = {toy.CPU: "1", toy.WALL: "60"}, {toy.CPU: "60", toy.WALL: "2"}
LOOPS = {
    "a loop": ("while True:\n    pass", BUSY),
    "a loop that swallows everything": (
        "while True:\n    try:\n        exit()\n    except BaseException:\n        pass",
        BUSY,
    ),
    "a long list": ("found = []\nwhile True:\n    found.append(0)", BUSY),
    "a sleep": ("import time\ntime.sleep(100)", IDLE),
    "a lock": ("import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()", IDLE),
}


@pytest.mark.parametrize("what", LOOPS)
def test_what_does_not_end_is_ended_and_its_line_is_told(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body, limits = LOOPS[what]
    for name, value in limits.items():
        monkeypatch.setenv(name, value)
    found = check(double(f"print('antes')\n{body}"))
    assert found.outcome == "error"
    assert "    Tu código no terminó a tiempo: mira si hay un bucle que no acaba." in lines(found)
    assert any(line.startswith("    En double, línea ") for line in lines(found))
    assert NOT_REACHED in lines(found)
    assert "que empiezan así:\n    antes" in repr(found)
    says_the_same(found)
    assert store.read()["9.1"]["checked"] == {"doubles": False}


def test_code_that_takes_too_long_to_be_loaded_is_no_fault_of_a_criterion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(toy.WALL, "3")
    given = double(GOES, before="import time\nCLOCK = [1]\n", parameters="number, late=CLOCK.append(time.sleep)")
    given.__globals__["CLOCK"] = []  # what is carried is what it is now
    program = "import time\ntime.sleep(60)\n"
    monkeypatch.setattr("lesson_code.course.exercises.running.carried", lambda *functions: (program, []))
    found = check(given)
    assert found.outcome == "error"
    assert lines(found)[1] == (
        "Tu código tardó demasiado en prepararse, antes de que se llamara a ninguna función: mira qué importa."
    )
    assert lines(found)[2] == WAITS
    assert store.read() == {}


def test_the_real_limits_are_short() -> None:
    from lesson_code.course.exercises import worker

    assert worker.CPU <= 3 and worker.WALL <= 10 and worker.MEMORY <= 4 * 1024**3


LAMBDA = cell("double = lambda number: 2 * number")["double"]
GENERATOR = double("yield 2 * number")
COROUTINE = cell("async def double(number):\n    return 2 * number")["double"]
STREAM = cell("async def double(number):\n    yield 2 * number")["double"]
HANDED_IN = {
    "nothing": ((), "Este ejercicio se comprueba con double, en ese orden; llegaron 0 cosas."),
    "too much": ((len, len), "Este ejercicio se comprueba con double, en ese orden; llegaron 2 cosas."),
    "None": (
        (None,),
        "En el lugar de double hace falta una función escrita con def; llegó algo de tipo NoneType. Pasa",
    ),
    "a result": ((4,), "En el lugar de double hace falta una función escrita con def; llegó algo de tipo int. Pasa"),
    "a name": (("double",), "llegó algo de tipo str."),
    "a built-in": ((len,), "llegó algo de tipo builtin_function_or_method."),
    "a class": ((Path,), "llegó algo de tipo type."),
    "a lambda": ((LAMBDA,), "llegó una lambda:"),
    "a method": ((Path().joinpath,), "llegó algo de tipo method."),
    "no parameter": ((double(GOES, parameters=""),), "A double no se la puede llamar con (number). Mira la firma"),
    "a parameter too many": (
        (double(GOES, parameters="number, more"),),
        "A double no se la puede llamar con (number).",
    ),
    "a named parameter": ((double(GOES, parameters="*, number"),), "A double no se la puede llamar con (number)."),
    "a generator": ((GENERATOR,), "double usa async o yield, y así llamarla no la corre."),
    "a coroutine": ((COROUTINE,), "double usa async o yield, y así llamarla no la corre."),
    "an asynchronous generator": ((STREAM,), "double usa async o yield, y así llamarla no la corre."),
}


@pytest.mark.parametrize("what", HANDED_IN)
def test_what_is_no_function_of_this_kind_is_refused_in_a_sentence(what: str) -> None:
    given, sentence = HANDED_IN[what]
    found = check(*given)
    assert (found.outcome, lines(found)[0]) == ("error", "Ejercicio 9.1: El doble · no se pudo comprobar")
    assert sentence in lines(found)[1]
    assert lines(found)[2] == WAITS
    says_the_same(found)
    assert store.read() == {}


def test_a_parameter_by_name_is_asked_for_and_the_same_function_twice_is_refused() -> None:
    put, get = (cell(toy.SOLUTIONS["9.2"])[name] for name in ("put", "get"))
    assert check(put, get, number="9.2").outcome == "checked"
    assert "A get no se la puede llamar con (folder, *, strict)." in repr(
        check(put, cell("def get(folder):\n    ...")["get"], number="9.2")
    )
    two = cell("def put(first, folder=None, *, strict=None):\n    ...")["put"]
    assert "Llegaron dos funciones con el mismo nombre, put" in repr(check(two, two, number="9.2"))


RIGHT = {
    "another name": "def twice(number):\n    return 2 * number",
    "a helper, a constant and an import": (
        "import operator\nfrom functools import reduce as fold\nTWO = [1, 1]\n"
        "def half():\n    return fold(operator.add, TWO)\ndef twice(number):\n    return half() * number"
    ),
    "helpers that call each other": (
        "def even(n):\n    return 0 if n == 0 else odd(n)\ndef odd(n):\n    return 2 + even(n - 1)\n"
        "def twice(number):\n    return even(number)"
    ),
    "a class": (
        "class Pair:\n    def __init__(self, n):\n        self.n = n\n    def sum(self):\n        return 2 * self.n\n"
        "def twice(number):\n    return Pair(number).sum()"
    ),
    "annotations of what is not there": (
        "from typing import TYPE_CHECKING\ndef twice(number: 'Nothing', *more: TYPE_CHECKING) -> 'Nowhere':\n"
        "    found: 'Nobody' = 2 * number\n    return found"
    ),
    "parameters of its own": "def twice(number, times=2, *others, **named):\n    return times * number",
    "a global that it changes": "TIMES = 0\ndef twice(n):\n    global TIMES\n    TIMES += 1\n    return 2 * n",
    "ñ": "def doble(año):\n    return 2 * año",
    "a decorator": (
        "import functools\ndef same(f):\n    @functools.wraps(f)\n    def inner(*given):\n        return f(*given)\n"
        "    return inner\n@same\ndef twice(number):\n    return 2 * number"
    ),
}


@pytest.mark.parametrize("what", RIGHT)
def test_different_right_ways_are_accepted(what: str) -> None:
    space = cell(RIGHT[what])
    found = check(space.get("twice") or space["doble"])
    assert found.outcome == "checked", repr(found)


LEFT_OUT = "Tu código usa LOCK, que no se puede llevar al proceso donde se comprueba. Defínelo dentro de tu función."


def test_a_value_that_cannot_be_carried_is_named() -> None:
    found = check(double("with LOCK:\n    return 2 * number", before="import threading\nLOCK = threading.Lock()\n"))
    assert found.outcome == "error"
    assert f"    {LEFT_OUT}" in lines(found)
    says_the_same(found)


def test_a_value_that_cannot_be_carried_is_named_where_it_is_needed_to_define_the_function() -> None:
    found = check(double(GOES, before="LOCK = object()\n", parameters="number, lock=LOCK"))
    assert lines(found)[1:3] == ["Tu código no se pudo preparar:", LEFT_OUT]
    assert WAITS in lines(found)
    says_the_same(found)


def test_a_name_that_is_nowhere_is_an_error_of_the_learner_s() -> None:
    assert "    Tu código lanzó NameError: name 'nowhere' is not defined" in lines(check(double("return nowhere")))


# No path, and nothing of the checker


def put_and(body: str) -> list[Any]:
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    return [cell(f"import os\ndef put(text, folder):\n{indented}")["put"], cell(toy.SOLUTIONS["9.2"])["get"]]


PATHS = {
    "in an error": "raise ValueError(f'{folder} {folder!r} {folder / \"a\"} {os.getcwd()} {folder.parents[1]}')",
    "in an error of the system's": "open(folder / 'no' / 'hay')",
    "printed": "print(folder, [folder], str(folder).encode(), os.environ, os.listdir('/'))\nraise ValueError",
    "at the end of what is printed": "print('x' * 960, folder)\nraise ValueError",
    "alone": "raise ValueError(folder.parents[3])",
}


@pytest.mark.parametrize("where", PATHS)
def test_no_path_of_the_check_is_seen(where: str) -> None:
    found = check(*put_and(PATHS[where].replace("os.environ", "'x'").replace("os.listdir('/')", "'y'")), number="9.2")
    assert found.outcome == "error"
    for secret in ("/shm", "/tmp", "curso-", "\\Temp"):
        assert secret not in repr(found) and secret not in found._repr_mimebundle_()["text/html"]
    kept = json.dumps(store.read()["9.2"]["checked"])
    assert kept == '{"stays": false}'


def test_the_name_of_a_file_is_still_seen() -> None:
    assert "'…/hay'" in repr(check(*put_and(PATHS["in an error of the system's"]), number="9.2"))


def test_a_check_leaves_nothing_in_the_place_where_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lesson_code.course.exercises.running.fast_place", lambda: str(tmp_path))
    check(*put_and("(folder / 'a').mkdir()\nos.chmod(folder / 'a', 0)"), number="9.2")
    assert snapshot(tmp_path) == {}


# A form


ANSWERS = {"sky": "blue", "grass": "green", "sea": "salty"}


def test_a_form_is_not_tried_as_long_as_it_is_empty() -> None:
    found = check({}, number="9.3")
    assert (found.outcome, lines(found)[0]) == ("untried", f"Ejercicio 9.3: Colores · {UNTRIED}")
    assert found.rows == []
    says_the_same(found)


def test_the_first_time_a_form_says_where_it_differs_and_not_yet_what_the_run_says_there() -> None:
    found = check({**ANSWERS, "sky": "green"}, number="9.3")
    assert "  ¿El cielo? · tú: verde · el curso: – ≠ distinto" in lines(found)
    assert lines(found)[-1].startswith("Piensa otra vez las que no coinciden")
    assert "azul" not in repr(found)
    says_the_same(found)


def test_the_answers_of_a_form_stand_beside_what_the_run_says() -> None:
    check({"sky": "green"}, number="9.3")
    found = check({**ANSWERS, "sky": "green", "sea": "both"}, number="9.3")
    assert lines(found) == [
        f"Ejercicio 9.3: Colores · {TODO}",
        "  ¿El cielo? · tú: verde · el curso: azul ≠ distinto",
        "  ¿El pasto? · tú: verde · el curso: verde = igual",
        "  ¿El mar? · tú: las dos cosas · el curso: las dos cosas = igual",
        "✘ todavía no · los colores son los que se ven",
        "    Pista: mira por la ventana.",
        "✔ comprobado · el mar es como es",
        "☐ para ti · dices cuál te gusta",
    ]
    says_the_same(found)
    assert store.read()["9.3"]["answer"] == {"sky": "green", "grass": "green", "sea": "both"}


def test_what_a_form_leaves_open_is_named_and_its_answer_is_not_told() -> None:
    found = check({"sky": "blue"}, number="9.3")
    assert "  ¿El pasto? · tú: Sin responder · el curso: –" in lines(found)
    assert "    Sin responder: ¿El pasto?" in lines(found)
    assert "verde" not in repr(found) and "salado" not in repr(found)
    says_the_same(found)


def test_a_whole_form_is_checked() -> None:
    assert check(ANSWERS, number="9.3").outcome == "checked"
    assert check({"sky": "azul", "grass": "verde", "sea": "las dos cosas"}, number="9.3").outcome == "checked"
    assert store.read()["9.3"]["answer"] == {**ANSWERS, "sea": "both"}
    assert check({**ANSWERS, "sea": "both"}, number="9.3").outcome == "checked"


@pytest.mark.parametrize(
    "given, sentence",
    [
        ((), "Este ejercicio se comprueba con su formulario, o con un diccionario de sus respuestas."),
        ((None,), "Este ejercicio se comprueba con su formulario, o con un diccionario de sus respuestas."),
        (([],), "Este ejercicio se comprueba con su formulario, o con un diccionario de sus respuestas."),
        (({}, {}), "Este ejercicio se comprueba con su formulario, o con un diccionario de sus respuestas."),
        (({"moon": "blue"},), "moon no es ninguna de las preguntas. Son: sky, grass, sea."),
        (({"sky": "salty"},), "En sky no se puede responder salty. Las opciones son: blue, green."),
        (({"sky": ["blue"]},), "En sky no se puede responder ['blue']. Las opciones son: blue, green."),
        (({1: "blue"},), "1 no es ninguna de las preguntas. Son: sky, grass, sea."),
    ],
)
def test_what_is_no_form_is_refused_in_a_sentence(given: tuple[Any, ...], sentence: str) -> None:
    found = check(*given, number="9.3")
    assert (found.outcome, lines(found)[1]) == ("error", sentence)
    says_the_same(found)


# Hints, the solution, what only the learner can judge


def test_a_hint_more_each_time_and_no_more_than_there_are() -> None:
    ex = exercise("9.1")
    hints = ["- Piensa en sumar.", "- Suma dos veces.", "- Suma el número y él mismo."]
    for given in (1, 2, 3, 3):
        shown = ex.hint()
        assert lines(shown) == [f"Pista {given} de 3.", *hints[:given]]
        says_the_same(shown)
    assert exercise("9.1") is ex


def test_a_solution_has_one_speed_bump() -> None:
    ex = exercise("9.1")
    first = ex.solution()
    assert "return" not in repr(first) and "¿Ya lo intentaste" in repr(first)
    says_the_same(first)
    for shown in (ex.solution(), ex.solution()):
        assert lines(shown)[0] == "Una solución. Hay otras que también valen."
        assert repr(shown).endswith(toy.SOLUTIONS["9.1"].strip())
        assert "<pre>" in shown._repr_mimebundle_()["text/html"]
        says_the_same(shown)


def test_what_you_write_is_kept_and_stands_beside_the_model_answer() -> None:
    shown = exercise("9.1").write("why", "porque sí")
    assert lines(shown) == ["Respuesta modelo: Porque sumar dos veces es doblar."]
    says_the_same(shown)
    assert store.read()["9.1"]["texts"] == {"why": "porque sí"}


def test_a_tick_is_kept_says_who_ticked_and_is_seen_in_the_report() -> None:
    ex = exercise("9.1")
    assert lines(ex.write("why", "  ")) == ["Escribe primero tu respuesta; después se compara."]
    assert lines(ex.tick("why")) == ["☑ marcado por ti · dices por qué"]
    ex.tick("why")
    assert store.read()["9.1"]["ticked"] == ["why"]
    assert "☑ marcado por ti · dices por qué" in lines(check(double(GOES)))
    assert lines(ex.tick("why", False)) == ["☐ para ti · dices por qué"]
    assert store.read()["9.1"]["ticked"] == []


def test_you_tick_only_what_is_yours() -> None:
    for action in (exercise("9.1").tick, lambda name: exercise("9.1").write(name, "x")):
        for name in ("doubles", "nada"):
            with pytest.raises(NoCriterion, match=f"^{name} no es un criterio que marques tú. Los tuyos: why.$"):
                action(name)
    with pytest.raises(NoCriterion, match="Los tuyos: ninguno."):
        exercise("9.2").tick("stays")
    assert store.read() == {}


def test_there_are_only_the_exercises_that_there_are() -> None:
    with pytest.raises(NoExercise, match="^No hay ejercicio 7.9. Los que hay: 9.1, 9.2, 9.3.$"):
        exercise("7.9")


def test_a_place_that_cannot_be_written_is_said_and_the_report_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    found = check(double(GOES))
    assert found.outcome == "checked" and HOLDS in lines(found)
    assert lines(found)[-1].startswith("Tu avance no se pudo guardar en progress.json (")
    says_the_same(found)


# Elsewhere

NO_WIDGETS = """
import sys
sys.modules["ipywidgets"] = sys.modules["IPython"] = None
from lesson_code.course.exercises import exercise, progress
from lesson_code.course.exercises.solutions.e3_2 import reconcile
ex = exercise("3.2")
print(ex.check(reconcile).outcome)
print(exercise("5.1").check({"config": "git"}).outcome)
for shown in (ex.hint(), ex.solution(), ex.solution(), ex.write("cause", "x"), ex.tick("cause"), progress()):
    assert repr(shown) and shown._repr_mimebundle_()["text/html"]
"""


def test_it_works_where_there_are_no_widgets_with_the_real_child() -> None:
    ended = child(NO_WIDGETS)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == ["checked", "not_yet"]


def test_the_child_that_checks_loads_no_widgets_and_one_lesson() -> None:
    code = (
        "import sys; from lesson_code.course.exercises import worker, tasks; tasks.task_of('3.2');"
        "print(*sorted(sys.modules))"
    )
    loaded = child(code).stdout.split()
    assert not {"ipywidgets", "IPython", "matplotlib", "anthropic"} & set(loaded)
    lessons = [name for name in loaded if name.startswith("lesson_code.course.exercises.lesson")]
    assert lessons == ["lesson_code.course.exercises.lesson3"]


def test_a_check_needs_no_kernel_and_can_be_asked_for_its_parts() -> None:
    task = exercise("9.1").task
    found = check_functions(task, [double(GOES)])
    assert isinstance(found, Checked) and found.verdicts == {"doubles": {}, "zero": {}}
    assert inspect.signature(Report).parameters.keys() >= {"task", "checked"}
