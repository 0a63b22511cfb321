"""The command that attacks anybody's harness: a table, the smallest case that falls, one sentence for what is none."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import psutil
import pytest

from lesson_code.harness import run_agent
from lesson_code.lab import real
from lesson_code.lab.attack import after, attack, command, rows
from lesson_code.lab.attempt import Case, Setting
from lesson_code.lab.judge import Remains, Row
from lesson_code.lab.plan import QUICK, is_quick
from lesson_code.lab.real import KILLED, Target, Tried, Unfit
from lesson_code.lab.verdict import Verdict
from lesson_code.words import say
from tests.support import ROOT

LESSON = "lesson_code.harness:run_agent"
OURS = "OF_THIS_TEST"  # the variable by which we find all that was started here
OF_SOMEBODY = '''
import os, subprocess, sys, time
from lesson_code.harness import run_agent
from lesson_code.lab.broken import blind

def mine(client, task, tools, folder, *, resume):
    """It names no moment."""
    return run_agent(client, task, tools, folder, resume=resume)

def boasts(client, task, tools, folder, *, resume):
    """It says something else when it was resumed."""
    return mine(client, task, tools, folder, resume=resume) + (" At last." if resume else "")

def repeats(client, task, tools, folder, *, resume):
    return blind.run_agent(client, task, tools, folder, resume=resume)

def no_harness(client, task, tools, folder, *, resume):
    return "done"

async def coroutine(client, task, tools, folder, *, resume):
    return run_agent(client, task, tools, folder, resume=resume)

def of_two(client, task):
    return "done"

def without_resume(client, task, tools, folder):
    return run_agent(client, task, tools, folder)

def prints(client, task, tools, folder, *, resume):
    print("x" * 1_000_000, file=sys.stderr)
    return run_agent(client, task, tools, folder, resume=resume)

def leaves(client, task, tools, folder, *, resume):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    return run_agent(client, task, tools, folder, resume=resume)

def exits(client, task, tools, folder, *, resume):
    sys.exit(0)

def exits_hard(client, task, tools, folder, *, resume):
    os._exit(0)

def raises(client, task, tools, folder, *, resume):
    raise RuntimeError("one\\ntwo")

def hangs(client, task, tools, folder, *, resume):
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass

def hangs_when_resumed(client, task, tools, folder, *, resume):
    return (hangs if resume else mine)(client, task, tools, folder, resume=resume)

number = 3
'''
NOT_TO_BE_ATTACKED = {
    "of_somebody.harnesses:no_harness": "no es un arnés",
    "of_somebody.harnesses:coroutine": "es una función async",
    "of_somebody.harnesses:of_two": "TypeError: too many positional arguments",
    "of_somebody.harnesses:without_resume": "TypeError: got an unexpected keyword argument 'resume'",
    "of_somebody.harnesses:number": "TypeError: 'number' is not callable",
    "of_somebody.harnesses:nothing": "AttributeError",
    "of_somebody.nothing:f": "ModuleNotFoundError",
    "of_somebody.leaves:f": "SystemExit: adiós",
    "of_somebody.broken:f": "SyntaxError",
    "of_somebody.fails:f": "ZeroDivisionError",
    "of_somebody.harnesses:prints": "imprime más de 256 KiB",
    "of_somebody.harnesses:leaves": "deja otros procesos en marcha (ya están cerrados)",
    "of_somebody.harnesses:exits": "SystemExit: 0",
    "of_somebody.harnesses:exits_hard": "código 0",
    "of_somebody.harnesses:raises": r"RuntimeError: one\ntwo",
    "of_somebody/harnesses.py:mine": "Uso: python -m lesson_code.lab.attack PAQUETE.MODULO:FUNCION",
}
"""What the sentence of each says, among other things."""

Ended = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of somebody, with a package in it; the present one."""
    place = tmp_path_factory.mktemp("carpeta con ñ")
    package = place / "of_somebody"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "harnesses.py").write_text(OF_SOMEBODY, encoding="utf-8")
    (package / "leaves.py").write_text("raise SystemExit('adiós')", encoding="utf-8")
    (package / "broken.py").write_text("def f(:", encoding="utf-8")
    (package / "fails.py").write_text("print('x'); 1 / 0", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr(sys, "path", [str(place), *sys.path])
        patch.setenv(OURS, secrets.token_hex(8))
        yield place
    for name in [name for name in sys.modules if name.startswith("of_somebody")]:
        del sys.modules[name]


def wakeful() -> None:
    """Where the tests themselves run in the background, they are deaf to Ctrl+C, and so are their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(*arguments: str, **variables: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "lesson_code.lab.attack", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=None if sys.platform == "win32" else wakeful,
    )


def run(*arguments: str, **variables: str) -> Ended:
    """The command, in a process of its own and in the folder of somebody."""
    process = started(*arguments, **variables)
    out, err = process.communicate(timeout=300)
    return Ended(arguments, process.returncode, out, err)


def run_here(*arguments: str) -> Ended:
    """The command, in this process."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = command([*arguments])
    return Ended(arguments, code, out.getvalue(), err.getvalue())


def running() -> list[int]:
    """The processes that were started here and are running, whoever started them."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(OURS) == os.environ[OURS] and process.pid != os.getpid():
                found.append(process.pid)
        except (psutil.Error, OSError):
            pass  # it has gone, or is not ours
    return found


@pytest.fixture(scope="module")
def refused(folder: Path) -> tuple[dict[str, Ended], list[int]]:
    """How the command ended for each of NOT_TO_BE_ATTACKED, and who was left running. The last two are in processes."""
    *most, one, other = NOT_TO_BE_ATTACKED
    ended = {**{target: run_here(target) for target in most}, **{target: run(target) for target in (one, other)}}
    return ended, running()


def is_one_sentence(text: str) -> bool:
    return text.endswith("\n") and text.count("\n") == 1 and "Traceback" not in text and len(text) < 400


@pytest.mark.parametrize("target", NOT_TO_BE_ATTACKED)
def test_what_cannot_be_attacked_is_said_in_one_sentence(
    refused: tuple[dict[str, Ended], list[int]], target: str
) -> None:
    ended = refused[0][target]
    assert (ended.returncode, ended.stdout) == (2, "")
    assert is_one_sentence(ended.stderr) and NOT_TO_BE_ATTACKED[target] in ended.stderr
    assert ended.stderr[0] in "NEU" and "Arréglala" in ended.stderr or "No hay nada" not in ended.stderr


def test_of_what_could_not_be_attacked_nothing_is_left_running(
    refused: tuple[dict[str, Ended], list[int]],
) -> None:
    assert refused[1] == []


def in_this_process(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = command([*arguments])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--quick"],
        [LESSON, LESSON],
        [LESSON, "--unknown"],
        [LESSON, "--qui"],
        [LESSON, "--case"],
        [LESSON, "--json=3"],
        ["lesson_code.harness"],
        [":run_agent"],
        [LESSON, "-h"],
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_answered_with_the_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert in_this_process(capsys, *arguments) == (2, "", say("attack_usage") + "\n")


@pytest.mark.parametrize("case", ["nothing", "appending/tool-done", "appending/", "appending/write:1", "tool-done:1"])
def test_a_case_that_is_none_is_said_with_what_one_is_made_of(capsys: pytest.CaptureFixture[str], case: str) -> None:
    code, out, err = in_this_process(capsys, LESSON, "--case", case)
    assert (code, out) == (2, "") and is_one_sentence(err)
    assert err.startswith(f"{case} no es un caso.") and "overwriting" in err


def test_a_case_whose_moment_does_not_come_is_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = in_this_process(capsys, LESSON, "--case", "appending/tool-done:9")
    assert (code, out, err) == (2, "", say("death_gone", label="tool-done:9") + "\n")


def test_what_has_no_name_to_find_it_by_cannot_be_attacked() -> None:
    for unnamed in (partial(run_agent), lambda client, task, tools, folder, *, resume: "done", object()):
        with pytest.raises(Unfit, match=re.escape(say("unfit_unnamed"))):
            attack(unnamed, quick=True)  # type: ignore[arg-type]  # that is the point


def test_help_is_no_error_whatever_else_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert in_this_process(capsys, "--help", "x") == (0, say("attack_help") + "\n", "")


def test_one_that_hangs_is_ended_and_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "PATIENCE", 1.5)
    code, out, err = in_this_process(capsys, "of_somebody.harnesses:hangs")
    assert (code, out) == (2, "")
    assert is_one_sentence(err) and "no termina" in err and running() == []


def test_one_that_hangs_only_when_it_is_resumed_falls(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(real, "PATIENCE", 4)
    target = "of_somebody.harnesses:hangs_when_resumed"
    code, out, err = in_this_process(capsys, target, "--case", "appending/tool-done:2")
    assert (code, err, running()) == (1, "", [])
    assert "(tool-done:2), la corrida no termina.\n" in out
    assert f"attack {target} --case appending/tool-done:2\n" in out


def test_after_three_runs_that_do_not_end_there_are_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "PATIENCE", 2)
    verdict = attack("of_somebody.harnesses:hangs_when_resumed", quick=True)
    assert sum(row.faults == (("hangs", ""),) for row in verdict.rows) == 3 and running() == []


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM and pipes as on POSIX")
@pytest.mark.parametrize("module", ["attack", "storm", "matrix"])
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_interrupted_leaves_nothing_and_shows_no_traceback(
    tmp_path: Path, module: str, number: int, code: int
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    target = [LESSON] if module == "attack" else []
    arguments = [sys.executable, "-m", f"lesson_code.lab.{module}", *target]
    child = subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE, preexec_fn=lets_itself_be_interrupted)
    assert children_of(child)
    child.send_signal(number)
    _, said = child.communicate(timeout=30)
    assert child.returncode == code
    assert said.decode() == (f"{say('attack_interrupted')}\n" if number == signal.SIGINT else "")


def children_of(process: "subprocess.Popen[Any]") -> list[psutil.Process]:
    """Those that it has, a moment after it has some; or none, if it ended without any."""
    children: list[psutil.Process] = []
    while not children and process.poll() is None:
        time.sleep(0.05)
        children = psutil.Process(process.pid).children(recursive=True)
    time.sleep(0.3)
    return children


def lets_itself_be_interrupted() -> None:
    """Whoever runs the tests in the background may have taught its children to ignore Ctrl+C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


TABLE = """\
el proceso muere                                  corridas      fallan
no muere                                                 8           0
con la respuesta, antes de guardar A            sin probar
en ①, al entrar en la herramienta                        4           0
en ②, con el efecto hecho                                8           0
en ★, anotado y sin guardar B                            3           0
en ③, al preguntar otra vez al modelo                    4           0
con la tarea terminada                                   1           0
mientras escribe un archivo                              3           0
dos veces: otra al reanudar                     sin probar
sin probar: este ataque no lo incluye

Se sostiene: no falla ninguna de las 31 corridas.
"""


def test_the_lesson_s_harness_holds_in_a_quick_attack_even_if_a_crash_was_left_set() -> None:
    ended = run(LESSON, "--quick", CRASH_AFTER="after-save-a:1", PYTHONIOENCODING="ascii")
    assert (ended.stderr, ended.stdout, ended.returncode) == ("", TABLE, 0)
    assert running() == []


def test_of_a_harness_that_names_no_moment_the_inner_ones_cannot_be_measured() -> None:
    table = str(attack("of_somebody.harnesses:mine", quick=True, simulated=True))
    assert [line.split("  ")[0] for line in table.splitlines() if line.endswith("no medible")] == [
        "con la respuesta, antes de guardar A",
        "en ★, anotado y sin guardar B",
    ]
    assert say("attack_means_unmeasured") in table.splitlines()


def test_it_works_from_the_folder_of_somebody_and_one_case_is_one_row() -> None:
    ended = run("of_somebody.harnesses:mine", "--case", f"appending/{'kill/' if KILLED else ''}tool-done:2")
    assert (ended.stderr, ended.returncode) == ("", 0)
    assert ended.stdout.splitlines()[-1] == say("attack_one_holds")


def test_one_that_falls_ends_with_1_in_words_and_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    target, case = "of_somebody.harnesses:repeats", "appending/hasty/same-ids/tool-done:1"
    code, out, err = in_this_process(capsys, target, "--case", case)
    assert (code, err) == (1, "")
    assert f"\n  {say('attack_again', target=target, case=case)}\n  Qué leer: lección 4" in out
    code, out, err = in_this_process(capsys, target, "--json", "--case", case)
    assert (code, err) == (1, "")
    assert "están" in out
    found = json.loads(out)
    assert (found["target"], found["holds"], len(found["rows"])) == (target, False, 1)
    assert (found["rows"][0]["case"], found["rows"][0]["faults"]) == (case, [["doubled", "p01"]])


def test_a_case_without_a_death_is_the_run_that_never_dies() -> None:
    verdict = attack(LESSON, case="raising/hasty")
    assert [(row.case, row.effects, row.faults) for row in verdict.rows] == [(Case(Setting("raising", True)), 6, ())]
    assert verdict.holds and "after-save-end" in verdict.passed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_ctrl_c_ends_it_with_130_and_a_word_and_nothing_is_left_running() -> None:
    process = started("of_somebody.harnesses:hangs", "--quick")
    children = children_of(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "") and is_one_sentence(err)
    assert children and running() == []


def test_a_quick_attack_tries_the_cases_of_the_plan_each_once_and_what_it_passes_is_noted() -> None:
    found = attack(LESSON, quick=True, simulated=True)
    assert [row.case.setting for row in found.rows if not row.case.deaths] == [*QUICK]
    assert len({row.case for row in found.rows}) == len(found.rows) == 28
    assert all(is_quick(row.case) for row in found.rows)
    assert {"after-answer", "after-save-a", "after-effect-write", "next-request", "after-save-end"} <= found.passed
    assert attack(run_agent, quick=True, simulated=True).rows == found.rows


def test_one_death_further_is_at_each_moment_that_was_passed_and_by_signal_only_the_first() -> None:
    def tried(*deaths: str) -> Tried:
        row = Row(Case(deaths=deaths), 0, True, True, None, None, None, (), ())
        return Tried(row, ["tool-done:2", "write:1.1"], Remains(None, None, None, frozenset(), 0))

    assert [*after(tried())] == [
        Case(deaths=("tool-done:2",)),
        Case(deaths=("tool-done:2",), kill=True),
        Case(deaths=("write:1.1",)),
    ]
    assert [*after(tried("tool-done:1"))] == [
        Case(deaths=("tool-done:1", "tool-done:2")),
        Case(deaths=("tool-done:1", "write:1.1")),
    ]


def test_after_each_death_come_those_of_its_resume_and_all_are_compared_with_the_run_that_never_dies() -> None:
    deaths = [("tool-done:2",), ("tool-done:2", "tool-entered:2")]
    setting = Setting("read_only")
    wanted = rows(
        Target("of_somebody.harnesses:boasts"), [setting], lambda case: case.deaths in deaths and not case.kill
    )
    assert [(row.case, [fault.key for fault in row.faults]) for row in wanted] == [
        (Case(setting), []),
        (Case(setting, deaths[0]), ["answer"]),
        (Case(setting, deaths[1]), ["answer"]),
    ]


def test_a_case_is_compared_with_the_same_task_where_nobody_dies() -> None:
    (row,) = attack("of_somebody.harnesses:boasts", case="raising/tool-done:1").rows
    assert [fault.key for fault in row.faults] == ["answer"]


def test_the_verdict_is_named_as_the_target() -> None:
    assert isinstance(found := attack(LESSON, case="read_only"), Verdict) and found.name == LESSON
