"""The write explorer: every step of a writing, died at for real."""

import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint, save_checkpoint, storage
from lesson_code.lab.crash import DIED
from lesson_code.lab.disk import ChildFailed, Death, die_while_saving, example, explore
from lesson_code.lab.handles import CHUNK
from tests.lab.saves import NEW, OLD, deaths, save_delete_first, save_in_place, save_replace
from tests.support import child

ATOMIC = ["open", *["chunk"] * 4, "flush", "fsync", "close", "replace", "fsync-folder"]


def save_too_little(checkpoint: dict[str, Any], folder: Path) -> None:
    save_in_place({"messages": checkpoint["messages"]}, folder)


def save_another(checkpoint: dict[str, Any], folder: Path) -> None:
    save_replace({**checkpoint, "tokensUsed": 0}, folder)


def save_never(checkpoint: dict[str, Any], folder: Path) -> None:
    raise RuntimeError("sin permiso")


def names(found: list[Death]) -> list[str]:
    return [death.step[0] for death in found]


def reads(found: list[Death]) -> list[str]:
    return [death.reads for death in found]


def test_the_atomic_write_is_whole_at_every_step() -> None:
    assert names(deaths()) == ATOMIC
    assert reads(deaths()) == ["old"] * 8 + ["new"] * 2
    assert [len(death.files) for death in deaths()] == [2] * 8 + [1] * 2


def test_it_drives_the_harness_s_own_writer(tmp_path: Path) -> None:
    """In a copy whose `write_atomic` has lost its sync, the sync is gone from the steps."""
    source = Path(storage.__file__).read_text(encoding="utf-8")
    assert source.count("os.fsync(file.fileno())") == 1
    ask = (
        "import sys, pathlib, shutil, lesson_code\n"
        "place = pathlib.Path(sys.argv[1])\n"
        "shutil.copytree(pathlib.Path(lesson_code.__file__).parent, place / 'lesson_code')\n"
        "path = place / 'lesson_code' / 'harness' / 'storage.py'\n"
        "text = path.read_text(encoding='utf-8').replace('os.fsync(file.fileno())', 'pass')\n"
        "path.write_text(text, encoding='utf-8')"
    )
    assert child(ask, tmp_path).returncode == 0
    count = (
        "from lesson_code.lab.disk import example, explore\n"
        "print([death.step[0] for death in explore(old=example(1), new=example(2))])"
    )
    end = child(count, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert "'replace'" in end.stdout and "'fsync'" not in end.stdout, end.stderr


def test_a_temporary_has_the_same_name_in_every_run() -> None:
    found = {name for death in deaths() for name in (*death.files, death.step[1])}
    assert found == {"checkpoint.json", "checkpoint.json.XXXXXXXX.tmp", "."}


def test_the_same_deaths_come_twice() -> None:
    assert explore(old=OLD, new=NEW) == deaths()


def test_overwriting_loses_both_versions_from_the_first_step() -> None:
    found = deaths(save_in_place)
    assert names(found) == ["open", *["chunk"] * 4, "close"]
    assert reads(found) == ["broken"] * 4 + ["new"] * 2
    assert [len(death.files["checkpoint.json"]) for death in found[:4]] == [0, CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert found[0].reason == "se corta o se rompe en la línea 1, columna 1"


def test_a_rename_is_whole_for_a_process_that_dies() -> None:
    assert reads(deaths(save_replace)) == ["old"] * 6 + ["new"]


def test_before_the_first_save_there_is_nothing_or_the_new_one() -> None:
    assert reads(deaths(first=True)) == ["missing"] * 8 + ["new"] * 2
    assert set(reads(deaths(save_in_place, first=True))) == {"broken", "new"}


def test_deleting_the_old_one_first_is_seen() -> None:
    found = deaths(save_delete_first)
    assert names(found)[0] == "remove" and reads(found)[:2] == ["missing", "missing"]


def test_what_is_no_checkpoint_or_another_one_is_broken() -> None:
    little, other = (explore(save, old=example(1), new=example(2))[-1] for save in (save_too_little, save_another))
    assert (little.reads, other.reads) == ("broken", "broken")
    assert "version" in little.reason and other.reason == "se lee, pero no es ni el viejo ni el nuevo"


def test_a_function_that_raises_is_an_error_with_its_reason() -> None:
    with pytest.raises(ChildFailed, match="RuntimeError: sin permiso"):
        explore(save_never, old=OLD, new=NEW)


def work_and_save(folder: Path) -> None:
    for turn in range(1, 6):
        (folder / f"report-{turn}.txt").write_bytes(b"x")
        save_in_place(example(turn), folder)


def test_a_program_dies_in_the_writing_that_was_asked_for(tmp_path: Path) -> None:
    assert die_while_saving(work_and_save, tmp_path, save=4, step=1) == DIED
    assert (tmp_path / "checkpoint.json").read_bytes() == b""
    assert sorted(path.name for path in tmp_path.glob("report-*")) == [f"report-{turn}.txt" for turn in range(1, 5)]


def test_a_program_that_never_gets_there_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert die_while_saving(work_and_save, Path("."), save=6, step=1) == 0
    assert load_checkpoint(tmp_path) == example(5)


@pytest.mark.parametrize("pending", [False, True])
def test_an_example_is_a_checkpoint_that_can_be_resumed(tmp_path: Path, pending: bool) -> None:
    for turns in (1, 7):
        save_checkpoint(example(turns, pending=pending), tmp_path)
        assert load_checkpoint(tmp_path) == example(turns, pending=pending)
        assert (load_checkpoint(tmp_path)["pendingToolUse"] is not None) == pending
