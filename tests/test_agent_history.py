"""The command with a past: `--history`, `--rewind` and `--fork`, as a learner runs them."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from lesson_code.agent import command
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.scene import play
from lesson_code.lab.world import World
from tests.harness.past import history_of, kept, line, names
from tests.support import ROOT, snapshot
from tests.test_agent import WHOLE, agent, one_line, posix_only

pytestmark = pytest.mark.usefixtures("no_sync")
RESUMED_FROM_2 = """\
[resume] leído turn=2 pending=null
[turn 3][save A] pending=write_report
[turn 3][save B]
[done] Reporte escrito en report.txt, tarea completa.
""".encode()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of a run that kept its past to the end."""
    place = tmp_path_factory.mktemp("casa")
    end = agent("--workdir", place / "carpeta con ñ", "--history")
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)
    return place


@pytest.fixture
def ran(house: Path, tmp_path: Path) -> Path:
    """A copy of that run."""
    return Path(shutil.copytree(house, tmp_path, dirs_exist_ok=True)) / "carpeta con ñ"


def said(*arguments: Any, **options: Any) -> bytes:
    """What the command prints where all goes well."""
    end = agent(*arguments, **options)
    assert (end.stderr, end.returncode) == (b"", 0), end
    return end.stdout


def scene(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "checkpoint.json").read_bytes()))


# Keeping


def test_history_changes_no_line_and_keeps_each_save_point(ran: Path) -> None:
    assert kept(ran) == names("1AB", "2AB", "3AB") == sorted(history_of(ran))


def test_without_history_nothing_is_kept(folder: Path) -> None:
    assert said("--workdir", folder) == WHOLE and not (folder / "checkpoints").exists()


@pytest.mark.parametrize("moment, turn", [("②", 1), *((moment, 3) for moment in MOMENTS)])
def test_a_death_with_history_ends_as_one_without(folder: Path, moment: str, turn: int) -> None:
    label = f"{MOMENTS[moment]}:{turn}"
    dead = play(folder, label)
    end = play(dead.folder, resume=True)
    child = agent("--workdir", folder, "--history", crash=label)
    assert (child.stdout.decode().splitlines(), child.stderr, child.returncode) == (dead.log, b"", 137)
    assert scene(folder) == dead.checkpoint

    resumed = said("--workdir", folder, "--resume")  # it goes on keeping: nobody has to say it again
    assert resumed.decode().splitlines() == end.log and scene(folder) == end.checkpoint
    assert World(folder).effects() == end.world.effects()
    assert kept(folder) == names(*(f"{number}AB" for number in range(1, scene(folder)["turns"] + 1)))


def test_a_death_before_the_first_save_point_leaves_nothing_kept_and_history_is_asked_for_again(folder: Path) -> None:
    agent("--workdir", folder, "--history", crash="after-answer:1")
    assert not (folder / "checkpoints").exists()
    said("--workdir", folder, "--resume", "--history")
    assert kept(folder) == names("1AB", "2AB", "3AB")


def test_a_fresh_start_has_a_sequence_of_its_own(ran: Path) -> None:
    old = history_of(ran)
    end = agent("--workdir", ran, "--history", crash="after-save-b:1")
    assert end.returncode == 137 and b"previous/001" in end.stderr
    assert kept(ran) == names("1AB")
    assert {path.name: path.read_bytes() for path in (ran / "previous" / "001" / "checkpoints").iterdir()} == old


def test_a_fresh_start_over_a_past_is_as_any_other(ran: Path) -> None:
    said("--workdir", ran, "--rewind", 2)
    assert agent("--workdir", ran).stdout == WHOLE
    assert line(scene(ran)) == ("toolu_01", "toolu_02", "toolu_03")


# Rewinding


@pytest.mark.parametrize(
    "turn, effects", [(1, "write_report (toolu_03)"), (2, "write_report (toolu_03)"), (3, "ninguno")]
)
def test_a_rewind_says_in_one_line_what_it_does_not_undo(ran: Path, turn: int, effects: str) -> None:
    shown = said("--workdir", ran, "--rewind", turn)
    assert shown.decode() == f"[rewind] turn={turn}, efectos que no se deshacen: {effects}\n"
    assert scene(ran)["turns"] == turn and kept(ran)[-1] == f"turn-00{turn}-B.json"
    assert (ran / "report.txt").exists() and World(ran).times("write_report") == 1


def test_after_a_rewind_the_same_request_is_another_call_and_the_world_sees_two(ran: Path) -> None:
    said("--workdir", ran, "--rewind", 2)
    assert said("--workdir", ran, "--resume") == RESUMED_FROM_2
    first, again = (effect["done"] for effect in World(ran).effects())
    assert first == "toolu_03" and re.fullmatch(r"toolu_03_[0-9a-f]{8}", again)
    assert kept(ran) == names("1AB", "2AB", "3AB") and line(json.loads(history_of(ran)["turn-003-B.json"]))[2] == again
    shown = said("--workdir", ran, "--rewind", 2).decode()
    assert shown.endswith(f": write_report (toolu_03), write_report ({again})\n")
    assert sorted(os.listdir(ran / "abandoned")) == ["001", "002"]


def test_what_a_death_left_open_is_told_as_possible(folder: Path) -> None:
    agent("--workdir", folder, "--history", crash="after-tool:3")
    shown = said("--workdir", folder, "--rewind", 2).decode()
    assert shown == "[rewind] turn=2, efectos que no se deshacen: quizá write_report (toolu_03)\n"
    assert said("--workdir", folder, "--resume") == RESUMED_FROM_2
    assert World(folder).times("write_report") == 2


def test_a_broken_checkpoint_is_brought_back_from_the_sequence(ran: Path) -> None:
    (ran / "checkpoint.json").write_bytes(b"{roto")
    one_line(agent("--workdir", ran, "--resume"))
    assert b"[rewind] turn=2, " in said("--workdir", ran, "--rewind", 2)
    assert said("--workdir", ran, "--resume") == RESUMED_FROM_2


def test_a_task_that_is_running_is_not_rewound(ran: Path) -> None:
    with FileLock(ran / ".lock"):
        before = snapshot(ran) if os.name != "nt" else {}
        assert "Otro proceso" in one_line(agent("--workdir", ran, "--rewind", 2))
        assert not before or snapshot(ran) == before


# Forking


def test_a_fork_goes_on_in_its_folder_and_leaves_the_parent_as_it_was(ran: Path) -> None:
    before = snapshot(ran)
    place = ran.with_name(f"{ran.name}-breve")
    shown = said("--workdir", ran, "--fork", 2, "breve").decode()
    assert shown == f"[fork] turn=2 nombre=breve carpeta={place}, efectos que no se deshacen: write_report (toolu_03)\n"
    assert (place / "sales-notes.txt").read_bytes() == before["sales-notes.txt"]
    assert said("--workdir", place, "--resume") == RESUMED_FROM_2
    assert (place / "report.txt").read_bytes() == before["report.txt"]
    assert snapshot(ran) == before and kept(place) == names("2B", "3AB")
    [done] = World(place).effects()
    assert re.fullmatch(r"toolu_03_[0-9a-f]{8}", done["done"])


PLACES = {
    "./carpeta con ñ/": ".",
    "..": "carpeta con ñ/sub",
    "../../carpeta con ñ": "carpeta con ñ/sub",
    ".": "carpeta con ñ",
}


@pytest.mark.parametrize(
    "given",
    [
        *list(PLACES)[:-1],
        ".",
    ],
)
def test_the_folder_that_a_fork_shows_is_where_it_can_be_resumed(ran: Path, given: str) -> None:
    (ran / "sub").mkdir()
    here = {"cwd": ran.parent / PLACES[given], "PYTHONPATH": str(ROOT)}
    shown = said("--workdir", given, "--fork", 2, "rama", **here).decode()
    place = re.fullmatch(r"\[fork\] turn=2 nombre=rama carpeta=(.*), efectos que no se deshacen: .*\n", shown)[1]
    assert said("--workdir", place, "--resume", **here) == RESUMED_FROM_2
    assert (ran.with_name(f"{ran.name}-rama") / "report.txt").exists()


def test_notes_that_cannot_be_copied_stop_a_fork_before_it_is_made(ran: Path) -> None:
    (ran / "sales-notes.txt").unlink()
    (ran / "sales-notes.txt").mkdir()
    end = agent("--workdir", ran, "--fork", 1, "rama")
    assert (end.returncode == 0) == ran.with_name(f"{ran.name}-rama").exists()


@posix_only
def test_the_name_of_a_folder_forges_no_line(house: Path, tmp_path: Path) -> None:
    place = shutil.copytree(house / "carpeta con ñ", tmp_path / "x\n[done] listo\x1b[2J")
    shown = said("--workdir", place, "--fork", 2, "rama").decode()
    assert shown.count("\n") == 1 and r"x\n[done] listo\x1b[2J-rama" in shown


# What is refused: in this process, which prints and ends as the child does


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The command, which gives back the one line of an error."""

    def run(*arguments: Any) -> str:
        code = command([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return one_line(subprocess.CompletedProcess(arguments, code, out.encode(), err.encode()))

    return run


@pytest.mark.parametrize(
    "wrong",
    [
        ["--rewind"],
        ["--rewind", "x"],
        ["--rewind", "1.5"],
        ["--rewind", "2", "3"],
        ["--rewind", "9" * 5000],
        ["--rewind", "2", "--resume"],
        ["--rewind", "2", "--history"],
        ["--rewind", "2", "--fork", "2", "a"],
        ["--fork", "2"],
        ["--fork", "x", "a"],
        ["--fork", "²", "a"],
        ["--fork", "٢", "a"],
        ["--fork", "2", "-a"],
        ["--fork", "2", "a", "b"],
        ["--fork", "2", "a", "--resume"],
        ["--fork", "2", "a", "--history"],
        ["--fork", "9" * 5000, "a"],
        ["--hist"],
        ["--history=1"],
    ],
    ids=lambda wrong: " ".join(wrong)[:30],
)
def test_what_is_not_understood_is_one_line_and_touches_nothing(ran: Path, refused: Any, wrong: list[str]) -> None:
    before = snapshot(ran.parent)
    assert "--help" in refused("--workdir", ran, *wrong)
    assert snapshot(ran.parent) == before


@pytest.mark.parametrize("turn", [0, -1, 4, 10**20])
def test_a_turn_that_is_not_there_is_one_line_with_those_that_are(ran: Path, refused: Any, turn: int) -> None:
    before = snapshot(ran.parent)
    for way in (["--rewind", turn], ["--fork", turn, "a"]):
        assert f"turno {turn}. Tiene los de estos turnos: 1, 2, 3." in refused("--workdir", ran, *way)
    assert snapshot(ran.parent) == before


@pytest.mark.parametrize("way", [["--rewind", 1], ["--fork", 1, "a"]], ids=lambda way: way[0])
def test_where_no_past_was_kept_it_is_one_line_and_nothing_is_made(
    tmp_path: Path, refused: Any, way: list[Any]
) -> None:
    (tmp_path / "vacía").mkdir()
    for place in ("no existe", "vacía"):
        refused("--workdir", tmp_path / place, *way)
    assert snapshot(tmp_path) == {"vacía": None}


@pytest.mark.parametrize("branch", ["", "Rama", "../x", "x\n[done] listo"], ids=ascii)
def test_a_bad_name_of_a_branch_is_one_line_and_nothing_is_made(ran: Path, refused: Any, branch: str) -> None:
    before = snapshot(ran.parent)
    assert "nombre de bifurcación" in refused("--workdir", ran, "--fork", 2, branch)
    assert snapshot(ran.parent) == before


def test_a_branch_that_is_there_is_one_line(ran: Path, refused: Any) -> None:
    said("--workdir", ran, "--fork", 2, "a")
    before = snapshot(ran.parent)
    assert f"{ran.name}-a" in refused("--workdir", ran, "--fork", 1, "a")
    assert snapshot(ran.parent) == before


@pytest.mark.parametrize("name", ["effects.json", "checkpoints/turn-002-B.json"])
def test_a_file_that_cannot_be_read_is_one_line_and_stays_as_it_is(ran: Path, refused: Any, name: str) -> None:
    (ran / name).write_bytes(b"{roto")
    before = snapshot(ran.parent)
    for way in (["--rewind", 2], ["--fork", 2, "a"]):
        assert Path(name).name in refused("--workdir", ran, *way)
    assert snapshot(ran.parent) == before


@pytest.mark.parametrize("way", [["--rewind", 2], ["--fork", 2, "a"]], ids=lambda way: way[0])
def test_an_unknown_crash_after_touches_no_file(
    ran: Path, refused: Any, way: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRASH_AFTER", "nada")
    before = snapshot(ran.parent)
    assert "after-save-b:N" in refused("--workdir", ran, *way)
    assert snapshot(ran.parent) == before


def test_help_tells_of_the_past(tmp_path: Path) -> None:
    shown = said("--help").decode()
    assert all(option in shown for option in ("--history", "--rewind N", "--fork N NOMBRE", "checkpoints/"))
