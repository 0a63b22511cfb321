"""The write explorer: every step of a writing, died at for real."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint, save_checkpoint, storage
from lesson_code.lab.disk import ChildFailed, Death, die_while_saving, example, explore
from lesson_code.lab.looks import looks
from lesson_code.lab.steps import CHUNK, DIED
from lesson_code.lab.strategies import STRATEGIES
from tests.support import ROOT, child

OLD, NEW = example(21), example(22, pending=True)
ATOMIC = ["open", *["chunk"] * 4, "flush", "fsync", "close", "replace", "fsync-folder"]


def save_in_place(checkpoint: dict[str, Any], folder: Path) -> None:
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    (Path(folder) / "checkpoint.json").write_bytes(data)


def save_replace(checkpoint: dict[str, Any], folder: Path) -> None:
    temporary = Path(folder) / "checkpoint.json.tmp"
    temporary.write_bytes(json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8"))
    os.replace(temporary, Path(folder) / "checkpoint.json")


def save_delete_first(checkpoint: dict[str, Any], folder: Path) -> None:
    (Path(folder) / "checkpoint.json").unlink()
    save_replace(checkpoint, folder)


def save_too_little(checkpoint: dict[str, Any], folder: Path) -> None:
    save_in_place({"messages": checkpoint["messages"]}, folder)


def save_another(checkpoint: dict[str, Any], folder: Path) -> None:
    save_replace({**checkpoint, "tokensUsed": 0}, folder)


def save_never(checkpoint: dict[str, Any], folder: Path) -> None:
    raise RuntimeError("sin permiso")


def names(deaths: list[Death]) -> list[str]:
    return [death.step[0] for death in deaths]


def reads(deaths: list[Death]) -> list[str]:
    return [death.reads for death in deaths]


def test_the_atomic_write_is_whole_at_every_step() -> None:
    deaths = explore(old=OLD, new=NEW)
    assert names(deaths) == ATOMIC
    assert reads(deaths) == ["old"] * 8 + ["new"] * 2
    assert [len(death.files) for death in deaths] == [2] * 8 + [1] * 2


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
    assert tmp_path != ROOT


def test_a_temporary_has_the_same_name_in_every_run() -> None:
    found = {name for death in explore(old=OLD, new=NEW) for name in (*death.files, death.step[1])}
    assert found == {"checkpoint.json", "checkpoint.json.XXXXXXXX.tmp", "."}


def test_the_same_deaths_come_twice() -> None:
    assert explore(old=OLD, new=NEW) == explore(old=OLD, new=NEW)


def test_overwriting_loses_both_versions_from_the_first_step() -> None:
    deaths = explore(save_in_place, old=OLD, new=NEW)
    assert names(deaths) == ["open", *["chunk"] * 4, "close"]
    assert reads(deaths) == ["broken"] * 4 + ["new"] * 2
    assert [len(death.files["checkpoint.json"]) for death in deaths[:4]] == [0, CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert [death.reason for death in deaths][0] == "se corta o se rompe en la línea 1, columna 1"


def test_a_rename_is_whole_for_a_process_that_dies() -> None:
    assert reads(explore(save_replace, old=OLD, new=NEW)) == ["old"] * 6 + ["new"]


def test_before_the_first_save_there_is_nothing_or_the_new_one() -> None:
    assert reads(explore(old=None, new=NEW)) == ["missing"] * 8 + ["new"] * 2
    assert set(reads(explore(save_in_place, old=None, new=NEW))) == {"broken", "new"}


def test_deleting_the_old_one_first_is_seen() -> None:
    deaths = explore(save_delete_first, old=OLD, new=NEW)
    assert names(deaths)[0] == "remove" and reads(deaths)[:2] == ["missing", "missing"]


def test_what_is_no_checkpoint_or_another_one_is_broken() -> None:
    little, other = explore(save_too_little, old=OLD, new=NEW)[-1], explore(save_another, old=OLD, new=NEW)[-1]
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


def test_a_program_that_never_gets_there_ends(tmp_path: Path) -> None:
    assert die_while_saving(work_and_save, tmp_path, save=6, step=1) == 0
    assert load_checkpoint(tmp_path) == example(5)


@pytest.mark.parametrize("pending", [False, True])
def test_an_example_is_a_checkpoint_that_can_be_resumed(tmp_path: Path, pending: bool) -> None:
    for turns in (1, 7):
        save_checkpoint(example(turns, pending=pending), tmp_path)
        assert load_checkpoint(tmp_path) == example(turns, pending=pending)
        assert (load_checkpoint(tmp_path)["pendingToolUse"] is not None) == pending


def test_the_disk_names_a_tool_that_begins_only_where_a_is_saved() -> None:
    tools = ["read_notes", "count_words", "write_report"]
    for strategy, named in {"scratch": False, "b_only": False, "naive": True}.items():
        seen = looks(STRATEGIES[strategy])
        assert [moment for moment, _ in seen] == ["ask", tools[0], "ask", tools[1], "ask", tools[2], "ask"]
        assert [pending for moment, pending in seen if moment == "ask"] == [None] * 4
        assert [pending for moment, pending in seen if moment != "ask"] == (tools if named else [None] * 3)
