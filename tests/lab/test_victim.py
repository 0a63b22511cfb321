"""The child of a real attack: what it loads, what it tells, and that it really dies."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lesson_code.lab.crash import DIED
from lesson_code.lab.real import KILLED
from lesson_code.lab.victim import load, told, watch_for, writings
from tests.support import ROOT

SIGNATURE = "(client, task, tools, folder, *, resume)"
WRITER = f"""
import os
from pathlib import Path

def f{SIGNATURE}:
    for name in "ab":
        with open(folder / name, "wb") as file:
            file.write(b"x" * 10)
    return "written"
"""
SHOWS = f"""
def f{SIGNATURE}:
    answer = client.messages.create(model="m", max_tokens=9, tools=[], messages=[{{"role": "user", "content": task}}])
    return str([resume, folder.name, folder.is_dir(), sorted(tools), answer.content[-1].name])
"""


class Told(NamedTuple):
    """How the child ended, its report (None: it left none), and the folder that the harness had."""

    code: int
    report: Any
    folder: Path


def victim(place: Path, target: str = "cell:f", **changes: Any) -> Told:
    """Run one with that request, in the present folder."""
    request = {
        "target": target,
        "program": None,
        "place": str(place),
        "report": str(place / "report.json"),
        "setting": {"kind": "appending", "hasty": False, "fresh_ids": True, "orders": 2},
        "resume": False,
        "label": "",
        "kill": False,
        "watch": False,
        **changes,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "lesson_code.lab.victim"],
        input=json.dumps(request).encode(),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    path = place / "report.json"
    return Told(ended.returncode, json.loads(path.read_bytes()) if path.exists() else None, place / "run")


def moments(report: Any) -> list[str]:
    """The moments that it tells, without the last one, of a run that returned."""
    return [label for label in report["reached"] if label != "returned"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package of a user, in the present folder, with a module `inner`; new in each test."""
    name = f"of_{tmp_path.name}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "inner.py").write_text(
        f"import asyncio\nclass Box:\n  @staticmethod\n  def f{SIGNATURE}: return 'inside'\nnumber = 3\n"
        "def of_two(client, task): ...\ndef without_resume(client, task, tools, folder): ...\n"
        "def asks_for_more(client, task, tools, folder, *, resume, more): ...\n",
        encoding="utf-8",
    )
    (tmp_path / name / "leaves.py").write_text("import sys; sys.exit('adiós')", encoding="utf-8")
    (tmp_path / name / "broken.py").write_text("def f(:", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    return name


def test_a_function_is_found_in_the_present_folder_and_inside_of_others(package: str) -> None:
    assert load(f"{package}.inner:Box.f")(1, 2, 3, 4, resume=False) == "inside"


@pytest.mark.parametrize(
    "target, error",
    [
        ("inner:number", TypeError),
        ("inner:Box.g", AttributeError),
        ("inner:nothing", AttributeError),
        ("nothing:f", ModuleNotFoundError),
        ("broken:f", SyntaxError),
        ("leaves:f", SystemExit),
    ],
)
def test_what_cannot_be_had_is_said_by_its_error(package: str, target: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        load(f"{package}.{target}")


@pytest.mark.parametrize(
    "name, said",
    [
        ("inner:of_two", "TypeError: too many positional arguments"),
        ("inner:without_resume", "TypeError: got an unexpected keyword argument 'resume'"),
        ("inner:asks_for_more", "TypeError: missing a required"),
        ("inner:number", "TypeError: 'number' is not callable"),
        ("leaves:f", "SystemExit: adiós"),
    ],
)
def test_what_cannot_be_attacked_is_reported_and_not_run(package: str, tmp_path: Path, name: str, said: str) -> None:
    code, report, folder = victim(tmp_path, f"{package}.{name}")
    assert (code, report["reached"], folder.exists()) == (0, [], False)
    assert report["unfit"].startswith(said)


def test_a_program_in_text_is_run_with_what_it_defines(tmp_path: Path) -> None:
    program = (
        f"from __future__ import annotations\nWORDS = 'ñ'\ndef f{SIGNATURE[:-1]}: Nothing): return WORDS + __name__"
    )
    code, report, _ = victim(tmp_path, "a_cell:f", program=program)
    assert (code, report["answer"], moments(report)) == (0, "ñ__main__", [])


@pytest.mark.parametrize("resume", [False, True])
def test_the_harness_is_given_a_folder_of_its_own_that_is_there_the_tools_and_whether_to_resume(
    tmp_path: Path, resume: bool
) -> None:
    setting = {"kind": "read_only", "hasty": False, "fresh_ids": True, "orders": 2}
    program = SHOWS.replace("tools=[]", "tools=[{'name': 'consult', 'input_schema': {'type': 'object'}}]")
    _, report, _ = victim(tmp_path, program=program, resume=resume, setting=setting)
    assert report["answer"] == str([resume, "run", True, ["consult"], "consult"])


def test_what_stops_it_is_reported_with_its_type_even_if_it_wanted_to_end_the_process(tmp_path: Path) -> None:
    code, report, _ = victim(tmp_path, program=f"def f{SIGNATURE}: raise SystemExit('adiós')")
    assert (code, report) == (0, {"reached": [], "raised": "SystemExit: adiós"})


RUNS_A_TOOL = f"""
def f{SIGNATURE}:
    known = [{{"name": name, "input_schema": {{"type": "object"}}}} for name in tools]
    client.messages.create(model="m", max_tokens=9, tools=known, messages=[{{"role": "user", "content": task}}])
    try:
        return tools["deliver"].run(item="p01")
    finally:
        open(folder / "bye", "w")
"""


def test_without_a_death_every_moment_is_told_in_its_order_and_last_the_writings(tmp_path: Path) -> None:
    _, report, folder = victim(tmp_path, program=RUNS_A_TOOL, watch=True)
    assert report["answer"] == "p01: ok"
    assert moments(report) == ["tool-entered:1", "tool-done:1", "write:1.1", "write:1.2"]
    assert (folder / "bye").exists()


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=pytest.mark.skipif(not KILLED, reason="POSIX"))])
def test_at_its_label_it_dies_without_goodbye_or_report(tmp_path: Path, kill: bool) -> None:
    code, report, folder = victim(tmp_path, program=RUNS_A_TOOL, label="tool-entered:1", kill=kill)
    assert (code, [*folder.iterdir()]) == (KILLED if kill else DIED, [])
    assert not {"answer", "raised", "unfit"} & {*(report or {})}
    assert "done" not in (tmp_path / "world.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("label, sizes", [("write:1.1", [0]), ("write:1.2", [10]), ("write:2.1", [10, 0])])
def test_it_dies_at_the_step_of_the_writing_that_it_is_told(tmp_path: Path, label: str, sizes: list[int]) -> None:
    code, report, folder = victim(tmp_path, program=WRITER, label=label)
    assert code == DIED and not {"answer", "raised", "unfit"} & {*(report or {})}
    assert [path.stat().st_size for path in sorted(folder.iterdir())] == sizes


@pytest.mark.parametrize("label", ["write:3.1", "tool-entered:1"])
def test_at_a_label_that_does_not_come_nobody_dies(tmp_path: Path, label: str) -> None:
    code, report, _ = victim(tmp_path, program=WRITER, label=label)
    writes = [f"write:{file}.{step}" for file in (1, 2) for step in (1, 2, 3)]
    assert (code, report["answer"]) == (0, "written")
    assert moments(report) == (writes if label.startswith("write") else [])


def test_the_steps_of_each_writing_are_counted_from_one() -> None:
    steps = [("open", "a", ""), ("chunk", "a", ""), ("close", "a", ""), ("open", "b", ""), ("replace", "b", "a")]
    assert [*writings(steps)] == ["write:1.1", "write:1.2", "write:1.3", "write:2.1", "write:2.2"]
    assert told(ValueError("ñ")) == "ValueError: ñ" and callable(watch_for)
