"""What a power cut may leave, simulated on what the write explorer found."""

from typing import Any

from lesson_code.lab.disk import Death
from lesson_code.lab.power import Disk, power_cut
from tests.lab.saves import NEW, OLD, deaths, save_delete_first, save_in_place, save_replace, save_synced_file


def cuts(*save: Any) -> list[tuple[str, ...]]:
    return power_cut(deaths(*save), old=OLD, new=NEW)


def test_the_harness_s_writer_leaves_a_whole_version_and_at_its_end_the_new_one() -> None:
    assert cuts() == [("old",)] * 8 + [("old", "new"), ("new",)]
    assert deaths()[-2].step[0] == "replace"


def test_without_a_sync_a_rename_may_come_before_the_bytes() -> None:
    assert cuts(save_replace) == [("old",)] * 6 + [("old", "new", "broken")]


def test_overwriting_may_break_at_every_step_even_after_it_has_ended() -> None:
    assert all("broken" in cut and "old" in cut for cut in cuts(save_in_place))


def test_a_sync_makes_the_bytes_of_a_file_safe() -> None:
    assert [death.step[0] for death in deaths(save_synced_file)][-3:] == ["open", "fsync", "close"]
    assert cuts(save_synced_file)[-3:] == [("old", "new", "broken"), ("new",), ("new",)]


def test_a_deleted_file_may_be_missing() -> None:
    assert cuts(save_delete_first)[0] == ("old", "missing")


def test_before_the_first_save_the_file_may_be_missing_until_the_folder_is_synced() -> None:
    found = power_cut(deaths(first=True), old=None, new=NEW)
    assert found == [("missing",)] * 8 + [("new", "missing"), ("new",)]


def death(what: str, name: str, target: str = "", **files: bytes) -> Death:
    return Death((what, name, target), files, "", "")


def test_later_changes_of_a_folder_never_outlive_earlier_ones() -> None:
    disk = Disk({"a": b"1"})
    disk.follow(death("open", "b", a=b"1", b=b""))
    disk.follow(death("fsync", "b", a=b"1", b=b""))
    disk.follow(death("replace", "b", "a", a=b""))
    assert disk.outcomes() == [{"a": b"1"}, {"a": b"1", "b": b""}, {"a": b""}]
