"""Each engine, killed for real and run again. Measured in November 2026: the plain ones repeat the effect at ②."""

import subprocess
import sys

import pytest

from lesson_code.engines import attacks
from lesson_code.engines.__main__ import cells_of, command
from lesson_code.engines.attacks import ENGINES, AttackFailed, Tried, moments_of, try_once
from lesson_code.lab.engine_table import kept
from lesson_code.words import say
from tests.support import ROOT

PLAIN = ["dbos", "langgraph", "langgraph_async", "burr"]
GUARDED = ["dbos_policy", "langgraph_policy"]  # the lesson's harness has the whole matrix


@pytest.mark.parametrize("engine", PLAIN)
def test_an_engine_as_its_documentation_writes_it_repeats_at_2_what_the_model_is_not_told(
    engines: None, engine: str
) -> None:
    assert try_once(engine, "②") == Tried(engine, "②", written=2, truthful=False, unknown=False)


@pytest.mark.parametrize(("engine", "moment"), [("dbos", "①"), ("dbos", "③"), ("langgraph", "③"), ("burr", "③")])
def test_before_the_tool_and_after_its_step_is_on_disk_an_engine_holds(engines: None, engine: str, moment: str) -> None:
    assert try_once(engine, moment) == Tried(engine, moment, written=1, truthful=True, unknown=False)


@pytest.mark.parametrize("engine", GUARDED)
@pytest.mark.parametrize("moment", ["②", "★"])
def test_with_the_policy_of_the_lesson_the_model_is_told_that_nobody_knows_or_what_was_noted(
    engines: None, engine: str, moment: str
) -> None:
    assert try_once(engine, moment) == Tried(engine, moment, written=1, truthful=True, unknown=moment == "②")


@pytest.mark.parametrize("moment", ["①", "②", "③"])
def test_the_harness_by_hand_that_the_move_starts_from_holds_too(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    monkeypatch.setitem(ENGINES, "by_hand", "lesson_code.engines.by_hand:run_agent")
    assert try_once("by_hand", moment) == Tried("by_hand", moment, written=1, truthful=True, unknown=moment != "③")


def test_a_run_that_does_not_die_where_it_should_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "by_hand", "lesson_code.engines.by_hand:run_agent")
    with pytest.raises(AttackFailed, match="no murió en ★"):
        try_once("by_hand", "★")


def test_a_run_that_fails_by_itself_is_not_taken_for_a_death(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "none", "lesson_code.engines.by_hand:save")
    with pytest.raises(AttackFailed, match="TypeError"):
        try_once("none", "②")


def test_what_is_kept_has_every_engine_at_every_moment() -> None:
    cells = {(cell["engine"], cell["moment"]): cell["runs"] for cell in kept()["cells"]}
    assert cells == {(name, at): attacks.count_of(name, at) for name in ENGINES for at in moments_of(name)}
    assert list(kept()["versions"]) == list(attacks.PACKAGES)


def test_runs_that_ended_differently_are_counted_apart() -> None:
    found = [Tried("dbos", "②", 2, False, False), Tried("dbos", "②", 1, True, True), Tried("dbos", "③", 1, True, False)]
    assert cells_of(found) == [
        {"engine": "dbos", "moment": "②", "runs": 2, "untold": 1, "unknown": 1},
        {"engine": "dbos", "moment": "③", "runs": 1, "untold": 0, "unknown": 0},
    ]


@pytest.mark.parametrize("arguments", [["--wirte"], ["--write", "x"], ["table"]])
def test_what_can_not_be_asked_gets_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(arguments) == 2
    assert capsys.readouterr().err == say("engines_usage") + "\n"


def test_without_its_packages_the_command_says_how_to_install_them() -> None:
    program = (
        "import sys; sys.modules.update(dbos=None, burr=None)\n"
        "from lesson_code.engines.__main__ import run_command, command\n"
        "run_command(command)"
    )
    child = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert (child.returncode, child.stdout) == (2, "")
    assert "dbos" in child.stderr and "burr" in child.stderr and len(child.stderr.splitlines()) == 1
    assert "python -m pip install -r lesson_code/engines/requirements.txt" in child.stderr


def test_nothing_else_of_the_course_loads_an_engine() -> None:
    program = (
        "import sys, pkgutil, importlib, lesson_code\n"
        "names = [m.name for m in pkgutil.walk_packages(lesson_code.__path__, 'lesson_code.')]\n"
        "apart = ('lesson_code.engines', 'lesson_code.lab.broken', 'lesson_code.course.exercises.starters',\n"
        "         'lesson_code.course.exercises.solutions')\n"
        "[importlib.import_module(n) for n in names if not n.startswith(apart) and not n.endswith('__main__')]\n"
        "print({name.split('.')[0] for name in sys.modules} & {'dbos', 'langgraph', 'burr', 'psycopg', 'sqlalchemy'})"
    )
    child = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert (child.stdout, child.stderr) == ("set()\n", "")
