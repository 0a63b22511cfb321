import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lesson_code.harness import save_effect
from lesson_code.lab.attempt import Place
from lesson_code.lab.storm import WINDOW, command, note_death, storm
from tests.support import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a storm is of SIGKILLs, and Windows has none")

FIGURES = re.compile(
    r"semilla (?P<seed>\d+): (?P<tasks>\d+) tareas de 40 turnos, matadas (?P<kills>\d+) veces en instantes al azar; "
    r"archivos que no se leen: (?P<unreadable>\d+); efectos perdidos: (?P<lost>\d+); "
    r"repetidos sin decirlo: (?P<doubled>\d+); otras faltas: (?P<others>\d+)\n"
)


def figures_in(said: str) -> dict[str, int]:
    """The figures of the one line that the command prints."""
    line = FIGURES.fullmatch(said)
    assert line, said
    return {name: int(figure) for name, figure in line.groupdict().items()}


def run(house: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command, in a process of its own, of the course in `house`. Its many children compile it once."""
    environment = {**os.environ, "PYTHONPATH": str(house), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "lesson_code.lab.storm", *arguments],
        cwd=house,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def test_a_hundred_kills_at_any_instant_lose_nothing_and_the_truth_is_told(
    capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> None:
    began = time.monotonic()
    code = command(["--kills", "100", "--seed", "1"])
    said = capsys.readouterr()
    record_property("measured", f"{said.out.strip()} ({time.monotonic() - began:.0f} s)")
    figures = figures_in(said.out)
    assert figures.pop("seed") == 1 and figures.pop("kills") >= 100 and figures.pop("tasks") > 0
    assert figures == {"unreadable": 0, "lost": 0, "doubled": 0, "others": 0} and (code, said.err) == (0, "")


class Enough(Exception):
    pass


def first_instants(seed: int, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each of the first tasks of a storm is left alone before it is killed for the first time."""
    seen: list[float] = []

    def sleep(seconds: float) -> None:
        seen.append(seconds)
        raise Enough

    with monkeypatch.context() as system, pytest.raises(Enough):
        system.setattr(time, "sleep", sleep)
        list(storm(1, seed))
    return sorted(seen)


def test_the_same_seed_gives_the_same_instants_and_another_gives_others(monkeypatch: pytest.MonkeyPatch) -> None:
    one = first_instants(1, monkeypatch)
    assert one and len({*one}) == len(one) and all(0 <= instant < WINDOW for instant in one)
    assert first_instants(1, monkeypatch) == one
    assert {*first_instants(2, monkeypatch)}.isdisjoint(one)


WITHOUT = {
    "waiting for the effect before it is noted": (
        "calls.py",
        "        result = run_tool(call, tools)\n",
        '        noted = {"name": call["name"], "input": call["input"], "result": "", "at": 0}\n'
        '        save_effect(call["id"], noted, folder)\n'
        "        result = run_tool(call, tools)\n",
        "others",
    ),
    "the pending call in A": (
        "loop.py",
        '    scene["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}\n',
        "",
        "unreadable",
    ),
}


# A short task, whose tools take long, so that most of a few kills find it where it matters.
SHORT = "Setting(orders=40)", "Setting(orders=6)"
SLOW = "reach=lambda label: None", """reach=lambda label: label[:4] == "tool" and __import__("time").sleep(0.02)"""


@pytest.mark.parametrize("guard", WITHOUT)
def test_a_storm_finds_a_harness_without(tmp_path: Path, guard: str) -> None:
    module, old, new, figure = WITHOUT[guard]
    shutil.copytree(ROOT / "lesson_code", tmp_path / "lesson_code", ignore=shutil.ignore_patterns("__pycache__"))
    for path, here, there in (
        (tmp_path / "lesson_code" / "harness" / module, old, new),
        (tmp_path / "lesson_code" / "lab" / "storm.py", *SHORT),
        (tmp_path / "lesson_code" / "lab" / "storm.py", *SLOW),
    ):
        whole = path.read_text(encoding="utf-8")
        assert whole.count(here) == 1
        path.write_text(whole.replace(here, there), encoding="utf-8")
    ended = run(tmp_path, "--kills", "10", "--seed", "1")
    assert ended.returncode == 1 and ended.stderr == ""
    assert figures_in(ended.stdout)[figure] > 0


@pytest.mark.parametrize(
    "arguments", [["--kills"], ["--kills", "mil"], ["--seed", "x"], ["otra"], ["--kills", "0"], ["--kills", "-5"]]
)
def test_arguments_that_are_not_understood_are_one_sentence_and_nothing_is_killed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(arguments) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1 and "storm" in error and "usage:" not in error


def test_a_death_after_the_note_is_no_excuse_for_not_knowing(tmp_path: Path) -> None:
    place = Place.new(tmp_path)
    place.folder.mkdir()
    place.witness.ask("t1", "deliver")
    note_death(place)
    save_effect("t1", {"name": "deliver", "input": {}, "result": "ok", "at": 0}, place.folder)
    note_death(place)
    assert [line["died"] for line in place.witness.lines("died")] == ["killed", "noted-before"]
