"""The instants of a writing, in this process: what each photograph holds, and that nothing is watched afterwards."""

import builtins
import errno
import io
import os
import pathlib
from pathlib import Path

import pytest

from lesson_code.harness import write_atomic
from lesson_code.lab.handles import CHUNK
from lesson_code.lab.instants import instants
from tests.support import snapshot


def test_each_photograph_is_the_folder_as_a_death_there_would_leave_it(folder: Path) -> None:
    (folder / "a").write_bytes(b"old")
    with instants(folder) as found:
        (folder / "a").write_bytes(b"x" * (CHUNK + 1))
    assert [(each.step, each.name) for each in found] == [(1, "a"), (2, "a"), (3, "a"), (4, "a")]
    assert [each.what for each in found] == ["open", "chunk", "chunk", "close"]
    assert [(each.folder / "a").read_bytes() for each in found] == [b"", b"x" * CHUNK, *[b"x" * (CHUNK + 1)] * 2]
    assert all(each.folder.name == folder.name for each in found)


def test_an_atomic_writing_shows_the_old_version_or_the_new_one(folder: Path) -> None:
    write_atomic(folder / "a", b"old")
    with instants(folder) as found:
        write_atomic(folder / "a", b"new")
    versions = [(each.folder / "a").read_bytes() for each in found]
    assert versions == [b"old"] * (len(found) - 1) + [b"new"]
    assert found[-1].name == "a"


def test_what_is_moved_and_what_is_removed_are_instants_too(folder: Path) -> None:
    (folder / "a").write_bytes(b"1")
    (folder / "aside").mkdir()
    with instants(folder) as found:
        os.replace(folder / "a", folder / "aside" / "b")
        (folder / "sales-notes.txt").unlink()
    assert [(each.name, *snapshot(each.folder)) for each in found] == [
        ("b", "aside", "aside/b", "sales-notes.txt"),
        ("sales-notes.txt", "aside", "aside/b"),
    ]


def test_a_folder_that_is_its_own_disk_lets_nothing_be_renamed_across(folder: Path, tmp_path: Path) -> None:
    for place in (folder, tmp_path):
        (place / "draft").write_bytes(b"x")
    with instants(folder, own_disk=True) as found:
        for source, target in ((tmp_path / "draft", folder / "a"), (folder / "draft", tmp_path / "a")):
            for rename in (os.replace, os.rename, Path.rename):
                with pytest.raises(OSError) as error:
                    rename(source, target)
                assert error.value.errno == errno.EXDEV
        os.replace(folder / "draft", folder / "a")
        os.replace(tmp_path / "draft", tmp_path / "a")
    assert [each.name for each in found] == ["a"]


def test_of_some_files_only_those_count_under_whatever_name_they_were_made(folder: Path) -> None:
    with instants(folder, prefix="a") as found:
        (folder / "draft").write_bytes(b"x")
        (folder / "draft").replace(folder / "a")
        (folder / "a").unlink()
    assert [(each.name, (each.folder / "a").exists()) for each in found] == [("a", True), ("a", False)]


def test_what_happens_elsewhere_is_none(folder: Path, tmp_path: Path) -> None:
    with instants(folder) as found:
        (tmp_path / "other").write_bytes(b"x")
    assert found == []


def test_afterwards_nothing_stands_between_the_program_and_the_system(folder: Path) -> None:
    accessor = getattr(pathlib, "_NormalAccessor", None)
    before = [builtins.open, io.open, os.open, os.write, os.replace, vars(accessor) if accessor else None]
    with pytest.raises(ZeroDivisionError), instants(folder) as found:
        file = open(folder / "a", "wb")
        1 / 0  # noqa: B018
    file.write(b"later")
    file.close()
    assert [builtins.open, io.open, os.open, os.write, os.replace, vars(accessor) if accessor else None] == before
    assert [each.name for each in found] == ["a"]
