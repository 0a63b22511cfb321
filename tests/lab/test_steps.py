"""The steps of a writing, counted in a real child that dies after one of them."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from lesson_code.lab.crash import DIED
from lesson_code.lab.handles import BUFFER, CHUNK
from tests.support import child

DATA = 2 * CHUNK + 100  # two chunks, and a rest that waits in the buffer

WAYS = {
    "Path.write_bytes": "Path(f, 'a').write_bytes(b'x' * n)",
    "Path.write_text": "Path(f, 'a').write_text('x' * n, encoding='utf-8')",
    "open": "h = open(Path(f, 'a'), 'wb'); h.write(b'x' * n); h.close()",
    "open as text": "h = open(Path(f, 'a'), 'w', encoding='utf-8'); h.write('x' * n); h.close()",
    "open to read and write": "h = open(Path(f, 'a'), 'w+b'); h.write(b'x' * n); h.seek(0); h.read(); h.close()",
    "fdopen": "h = os.fdopen(os.open(Path(f, 'a'), os.O_CREAT | os.O_WRONLY), 'wb'); h.write(b'x' * n); h.close()",
    "opener": "h = open(Path(f, 'a'), 'wb', opener=os.open); h.write(b'x' * n); h.close()",
    "tempfile": "h = tempfile.NamedTemporaryFile(dir=f, delete=False); h.write(b'x' * n); h.close()",
}


def watched(folder: Path, code: str, *, prefix: str = "", save: int = 0, step: int = 0) -> tuple[int, list[list[str]]]:
    """The exit code of a child that runs `code` (its folder is `f`), and the steps that it told at its end."""
    lines = [
        "import json, os, sys, tempfile",
        "from pathlib import Path",
        "from lesson_code.lab.steps import Watch",
        f"f, n = sys.argv[1], {DATA}",
        f"watch = Watch(f, {prefix!r}, {save}, {step})",
        code,
        "print(json.dumps(watch.steps))",
    ]
    end = child("\n".join(lines), folder)
    assert end.returncode in (0, DIED), end.stderr
    return end.returncode, json.loads(end.stdout) if end.returncode == 0 else []


def names(steps: list[list[str]]) -> list[str]:
    return [what for what, _, _ in steps]


@pytest.mark.parametrize("way", WAYS)
def test_a_file_is_opened_filled_in_chunks_and_closed_whatever_opens_it(folder: Path, way: str) -> None:
    _, steps = watched(folder, WAYS[way])
    assert names(steps) == ["open", "chunk", "chunk", "chunk", "close"]
    assert len({name for _, name, _ in steps}) == 1


def test_what_is_in_the_buffer_is_lost_and_what_was_handed_over_stays(folder: Path) -> None:
    assert CHUNK == BUFFER
    left = []
    for step in range(1, 6):
        code, _ = watched(folder, WAYS["Path.write_bytes"], step=step)
        left.append((code, (folder / "a").stat().st_size))
    assert left == [(DIED, size) for size in (0, CHUNK, 2 * CHUNK, DATA, DATA)]


def test_nobody_says_goodbye(folder: Path) -> None:
    code, _ = watched(folder, f"try:\n  {WAYS['open']}\nfinally:\n  Path(f, 'adiós').mkdir()", save=1, step=2)
    assert code == DIED and not (folder / "adiós").exists()


def test_flush_fsync_and_rename_are_steps(folder: Path) -> None:
    _, steps = watched(
        folder,
        "h = open(Path(f, 'a'), 'wb'); h.write(b'x'); h.flush(); os.fsync(h.fileno()); h.close()\n"
        "os.replace(Path(f, 'a'), Path(f, 'b')); Path(f, 'b').rename(Path(f, 'c')); Path(f, 'c').unlink()",
    )
    assert names(steps) == ["open", "chunk", "flush", "fsync", "close", "replace", "replace", "remove"]
    assert steps[5][1:] == ["a", "b"] and steps[6][1:] == ["b", "c"]


def test_os_remove_removes_too(folder: Path) -> None:
    _, steps = watched(folder, "os.remove(Path(f, 'sales-notes.txt'))")
    assert steps == [["remove", "sales-notes.txt", ""]]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows syncs no folder")
def test_the_sync_of_the_folder_is_a_step_and_that_of_another_is_not(folder: Path) -> None:
    _, steps = watched(folder, "for p in (f, '/'):\n  d = os.open(p, os.O_RDONLY); os.fsync(d); os.close(d)")
    assert steps == [["fsync-folder", ".", ""]]


def test_what_is_read_and_what_is_written_elsewhere_is_no_step(folder: Path) -> None:
    reads = "p = Path(f, 'sales-notes.txt'); p.read_bytes(); os.close(os.open(p, os.O_RDONLY))"
    beside = "q = Path(f).with_name('b'); q.write_bytes(b'x'); q.unlink()"
    _, steps = watched(folder, f"{reads}; {beside}")
    assert steps == []


def test_what_is_written_below_counts_only_where_every_file_is_watched(folder: Path) -> None:
    below = "Path(f, 'sub').mkdir(); Path(f, 'sub', 'a').write_bytes(b'x')"
    assert [what for what, _, _ in watched(folder, below)[1]] == ["open", "chunk", "close"]
    shutil.rmtree(folder / "sub")
    assert watched(folder, below, prefix="a")[1] == []


def test_writings_are_counted_by_what_is_opened_and_only_those_of_the_prefix(folder: Path) -> None:
    code = "for name in ('a', 'other', 'a.tmp', 'a'): Path(f, name).write_bytes(b'x' * n)"
    assert {name for _, name, _ in watched(folder, code, prefix="a")[1]} == {"a", "a.tmp"}
    end, _ = watched(folder, code, prefix="a", save=3, step=2)
    sizes: dict[str, Any] = {name: (folder / name).stat().st_size for name in ("a", "other", "a.tmp")}
    assert end == DIED and sizes == {"a": CHUNK, "other": DATA, "a.tmp": DATA}


def test_without_a_writing_steps_are_counted_from_the_beginning(folder: Path) -> None:
    code = "Path(f, 'sales-notes.txt').unlink(); Path(f, 'a').write_bytes(b'x')"
    assert watched(folder, code, step=1)[0] == DIED
    assert not (folder / "sales-notes.txt").exists() and not (folder / "a").exists()


def test_a_step_that_does_not_come_kills_nobody(folder: Path) -> None:
    assert watched(folder, WAYS["open"], save=1, step=6)[0] == 0
    assert watched(folder, WAYS["open"], save=2, step=1)[0] == 0
