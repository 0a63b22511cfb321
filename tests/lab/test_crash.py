"""The moments at which a run can be killed, and the two ways of dying there."""

import subprocess
import sys
from pathlib import Path

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab.crash import MOMENTS, SimulatedCrash, UnknownLabel, check_label, raise_at
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.world import World

ROOT = Path(__file__).parents[2]
IN_TURN = ["after-answer", "after-save-a", "after-tool", "after-effect-write", "after-save-b"]
OTHERS = [
    "after-save-end",
    "resume-after-tool",
    "resume-after-effect-write",
    "resume-after-reconcile",
    "resume-after-save-b",
]
KNOWN = [f"{name}:{turn}" for name in IN_TURN for turn in (1, 2, 10, 40)] + OTHERS
UNKNOWN = [
    "",
    " ",
    "after-tool",
    "after-tool:",
    "after-tool:0",
    "after-tool:01",
    "after-tool:-1",
    "after-tool:+1",
    "after-tool:1.0",
    "after-tool:x",
    "after-tool:1\n",
    "after-tool:1 ",
    " after-tool:1",
    "after-tool: 1",
    "after-tool:\u0661",
    "after-tool:1:2",
    "AFTER-TOOL:1",
    "after_tool:1",
    "after-save-end:1",
    "after-save-c:1",
    "resume-after-tool:1",
    "resume-after-answer",
    "resume-after-save-a",
    "after-tool:1,after-tool:2",
    "after-tool:N",
]


@pytest.mark.parametrize("label", KNOWN)
def test_every_moment_of_the_protocol_is_known(label: str) -> None:
    assert check_label(label) == label


@pytest.mark.parametrize("label", UNKNOWN, ids=ascii)
def test_any_other_label_is_refused_with_the_list_of_those_that_exist(label: str) -> None:
    for refuse in (check_label, raise_at):
        with pytest.raises(UnknownLabel) as refusal:
            refuse(label)
        message = str(refusal.value)
        assert "\n" not in message
        listed = message.split(":", 1)[1].replace(".", "").replace(",", " ").split()
        assert {*(f"{name}:N" for name in IN_TURN), *OTHERS} <= set(listed)


def test_the_four_moments_of_the_lessons_are_moments_of_a_turn() -> None:
    assert MOMENTS == {"①": IN_TURN[1], "②": IN_TURN[2], "★": IN_TURN[3], "③": IN_TURN[4]}


def test_a_simulated_crash_is_not_swallowed_by_except_exception() -> None:
    with pytest.raises(SimulatedCrash, match=r"^after-tool:1$"):
        try:
            raise_at("after-tool:1")("after-tool:1")
        except Exception:
            pytest.fail("swallowed")


@pytest.mark.parametrize("name", IN_TURN)
def test_a_simulated_crash_passes_through_the_whole_harness(folder: Path, name: str) -> None:
    crash_point = raise_at(f"{name}:3")
    with pytest.raises(SimulatedCrash):
        run_agent(ScriptedModel(), TASK, make_tools(folder, World(folder)), folder, crash_point=crash_point)


def test_it_dies_only_at_its_own_label_and_only_once() -> None:
    crash_point = raise_at("after-tool:1")
    for other in ("after-tool:2", "after-tool:11", "after-tool", "resume-after-tool"):
        crash_point(other)
    with pytest.raises(SimulatedCrash):
        crash_point("after-tool:1")
    crash_point("after-tool:1")


def test_the_disk_is_looked_at_before_anything_unwinds() -> None:
    seen: list[str] = []
    with pytest.raises(SimulatedCrash):
        try:
            raise_at("after-save-end", lambda: seen.append("look"))("after-save-end")
        finally:
            seen.append("finally")
    assert seen == ["look", "finally"]


PROGRAM = """
import atexit
from lesson_code.lab.crash import die_at
atexit.register(print, "atexit")
crash_point = die_at("after-tool:1", lambda event, **fields: print(event, fields, flush=True))
try:
    print("sin vaciar")
    crash_point("after-tool:2")
    crash_point("after-tool:1")
except BaseException as error:
    print("caught", error, flush=True)
finally:
    print("finally", flush=True)
"""


def test_a_child_really_dies_without_finally_nor_except_nor_atexit() -> None:
    child = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert child.returncode == 137
    assert child.stdout.splitlines() == ["sin vaciar", "kill {'label': 'after-tool:1'}"]
    assert child.stderr == ""
