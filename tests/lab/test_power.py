"""What a power cut may leave, simulated on what the write explorer found."""

import os
from pathlib import Path
from typing import Any

from lesson_code.lab.disk import Death, example, explore
from lesson_code.lab.power import Disk, power_cut
from tests.lab.test_disk import save_delete_first, save_in_place, save_replace

OLD, NEW = example(21), example(22, pending=True)


def save_synced_file(checkpoint: dict[str, Any], folder: Path) -> None:
    """Synced, and renamed, but its folder is not synced."""
    save_in_place(checkpoint, folder)
    path = Path(folder) / "checkpoint.json"
    with open(path, "r+b") as file:
        os.fsync(file.fileno())


def cuts(save: Any = None) -> tuple[list[Death], list[tuple[str, ...]]]:
    deaths = explore(save, old=OLD, new=NEW) if save else explore(old=OLD, new=NEW)
    return deaths, power_cut(deaths, old=OLD, new=NEW)


def test_the_harness_s_writer_leaves_a_whole_version_and_at_its_end_the_new_one() -> None:
    deaths, found = cuts()
    assert found == [("old",)] * 8 + [("old", "new"), ("new",)]
    assert deaths[-2].step[0] == "replace"


def test_without_a_sync_a_rename_may_come_before_the_bytes() -> None:
    assert cuts(save_replace)[1] == [("old",)] * 6 + [("old", "new", "broken")]


def test_overwriting_may_break_at_every_step_even_after_it_has_ended() -> None:
    assert all("broken" in cut and "old" in cut for cut in cuts(save_in_place)[1])


def test_a_sync_makes_the_bytes_of_a_file_safe() -> None:
    deaths, found = cuts(save_synced_file)
    assert [death.step[0] for death in deaths][-3:] == ["open", "fsync", "close"]
    assert found[-3:] == [("old", "new", "broken"), ("new",), ("new",)]


def test_a_deleted_file_may_be_missing() -> None:
    assert cuts(save_delete_first)[1][0] == ("old", "missing")


def test_before_the_first_save_the_file_may_be_missing_until_the_folder_is_synced() -> None:
    found = power_cut(explore(old=None, new=NEW), old=None, new=NEW)
    assert found == [("missing",)] * 8 + [("new", "missing"), ("new",)]


def death(what: str, name: str, target: str = "", **files: bytes) -> Death:
    return Death((what, name, target), files, "", "")


def test_later_changes_of_a_folder_never_outlive_earlier_ones() -> None:
    disk = Disk({"a": b"1"})
    disk.follow(death("open", "b", a=b"1", b=b""))
    disk.follow(death("fsync", "b", a=b"1", b=b""))
    disk.follow(death("replace", "b", "a", a=b""))
    assert disk.outcomes() == [{"a": b"1"}, {"a": b"1", "b": b""}, {"a": b""}]
