"""The world: what really happened, one line for each effect."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lesson_code.lab.scene import play
from lesson_code.lab.world import World

ROOT = Path(__file__).parents[2]
FILE = "world.jsonl"


def test_an_effect_is_one_write_of_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    really = os.write

    def write(descriptor: int, data: bytes) -> int:
        written.append(data)
        return really(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    World(folder).do("write_report", "report.txt")
    assert len(written) == 1
    assert written[0].endswith(b"\n") and written[0].count(b"\n") == 1
    assert (folder / FILE).read_bytes() == written[0]


def test_a_write_cut_short_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda descriptor, data: len(data) - 1)
    with pytest.raises(OSError):
        World(folder).do("write_report", "report.txt")


def test_an_effect_is_durable_when_it_returns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        really(descriptor)
        synced.append((folder / FILE).read_bytes())

    monkeypatch.setattr(os, "fsync", fsync)
    World(folder).do("write_report", "report.txt")
    assert synced[-1] == (folder / FILE).read_bytes() != b""


def test_the_world_only_grows(folder: Path) -> None:
    before = b""
    for number in range(3):
        World(folder).ask(f"toolu_{number}", "write_report")
        World(folder).do("write_report", "report.txt")
        after = (folder / FILE).read_bytes()
        assert after.startswith(before) and len(after) > len(before)
        before = after


def test_an_effect_carries_the_id_of_its_call_and_what_it_was_about(folder: Path) -> None:
    world = World(folder)
    world.ask("toolu_01", "write_report")
    world.ask("toolu_02", "otra")
    world.do("write_report", "a.txt")
    world.ask("toolu_03", "write_report")
    world.do("write_report", "b.txt")
    assert world.effects() == [
        {"done": "toolu_01", "name": "write_report", "about": "a.txt"},
        {"done": "toolu_03", "name": "write_report", "about": "b.txt"},
    ]
    assert (world.times("write_report"), world.times("otra")) == (2, 0)


def test_an_effect_that_nobody_asked_for_has_no_id(folder: Path) -> None:
    World(folder).do("write_report", "report.txt")
    assert World(folder).effects() == [{"done": None, "name": "write_report", "about": "report.txt"}]


def test_a_run_leaves_one_effect_with_the_id_that_the_model_gave(folder: Path) -> None:
    end = play(folder)
    assert end.world.effects() == [{"done": "toolu_03", "name": "write_report", "about": "report.txt"}]


def test_no_fresh_start_moves_it(folder: Path) -> None:
    first = play(folder)
    second = play(first.folder)
    assert (second.folder / "previous" / "001" / "checkpoint.json").exists()
    assert (second.folder / FILE).read_bytes().startswith((first.folder / FILE).read_bytes())
    assert second.world.times("write_report") == 2


def test_odd_text_stays_on_its_line(folder: Path) -> None:
    about = "a\nb\r\u2028\u0085ñ\udcf1"
    World(folder).do("write_report", about)
    assert World(folder).effects()[0]["about"] == about
    assert len((folder / FILE).read_bytes().splitlines()) == 1


def test_where_nothing_happened_there_is_no_file(folder: Path) -> None:
    assert World(folder).effects() == [] and not (folder / FILE).exists()


def test_two_processes_at_once_do_not_mix_their_lines(folder: Path) -> None:
    program = (
        "import sys; from lesson_code.lab.world import World\n"
        "for n in range(40): World(sys.argv[1]).ask(str(n), 'x' * 300)"
    )
    children = [subprocess.Popen([sys.executable, "-c", program, str(folder)], cwd=ROOT) for _ in range(2)]
    assert [child.wait(60) for child in children] == [0, 0]
    lines = (folder / FILE).read_bytes().splitlines()
    assert sorted(int(json.loads(line)["asked"]) for line in lines) == sorted([*range(40)] * 2)
