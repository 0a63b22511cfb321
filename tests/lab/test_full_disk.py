"""A full disk refuses what is to last, leaves what was there, and is over when it is over."""

import errno
import os
from pathlib import Path

import pytest

from lesson_code.harness import save_effect, write_atomic
from lesson_code.lab.full_disk import full_disk


def test_nothing_can_be_written_to_last_and_what_was_there_stays(folder: Path) -> None:
    write_atomic(folder / "effects.json", b"{}")
    with full_disk(), pytest.raises(OSError) as caught:
        save_effect("toolu_01", {"name": "open_ticket", "result": "", "at": 0}, folder)
    assert caught.value.errno == errno.ENOSPC
    assert (folder / "effects.json").read_bytes() == b"{}" and not list(folder.glob("*.tmp"))


def test_the_disk_is_as_before_also_when_it_ends_in_an_error(folder: Path) -> None:
    before = os.fsync, os.replace, os.rename
    with pytest.raises(KeyError), full_disk():
        raise KeyError
    assert (os.fsync, os.replace, os.rename) == before
    write_atomic(folder / "a", b"1")
