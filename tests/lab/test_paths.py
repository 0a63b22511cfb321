"""What a path from the model may reach: files of the task, and nothing else."""

import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import ToolRefused
from lesson_code.lab.paths import safe_path
from lesson_code.lab.tools import make_tools
from lesson_code.lab.world import World

OWN = [
    "checkpoint.json",
    "effects.json",
    "Effects.JSON",
    "CHECKPOINT.JSON",
    "chec\u212apoint.json",  # the Kelvin sign is a K wherever case is ignored
    "effect\u017f.json",  # and the long s an s
    "e\ufb00ects.json",  # a ligature
    "\uff45ffects.json",  # a wide e
    "check\u200cpoint.json",  # HFS+ does not see this character
    ".lock",
    "previous",
    "previous/x",
    "Previous/001/checkpoint.json",
    "checkpoints",
    "checkpoints/turn-001-A.json",
    "Checkpoint\u017f/x",
    "abandoned",
    "abandoned/001/checkpoint.json",
    "ABANDONED/x",
    "fork.json",
    "origin.json",
    "Fork.json",
    "\uff46ork.json",
    "world.jsonl",
    "report.txt.0123abcd.tmp",
    "checkpoint.json.0123abcd.tmp",
    "sub/report.txt.0123abcd.tmp",
]
ODD = [
    "",
    ".",
    "..",
    "/",
    "//",
    "../x",
    "../../x",
    "a/../x",
    "./Checkpoint.json",
    "./x",
    "a/./x",
    "/etc/passwd",
    "//server/share",
    "~",
    "~/x",
    "a~",
    "CHECKP~1.JSO",
    "C:x",
    "C:/x",
    "a.txt:otro",
    "a\\b",
    "..\\x",
    "\\\\server\\share",
    "a/",
    "/a",
    "a//b",
    ".hidden",
    "a/.hidden",
    "-x",
    " a",
    "\u00a0a",
    "a ",
    "a.",
    "a. ",
    "a /b",
    "a./b",
    "a\x00b",
    "x\n",
    "\nx",
    "a\tb",
    "a\x1b[31m",
    "a\x7f",
    "a\x85b",
    "a\u202eb",
    "a\u2028b",
    "a\ufeffb",
    "a*",
    "a?",
    'a"b',
    "a<b",
    "a>b",
    "a|b",
    "NUL",
    "nul.txt",
    "Nul .txt",
    "a/nul",
    "nul/a",
    "con",
    "PRN.x.y",
    "aux",
    "com1",
    "COM9.txt",
    "COM\u00b9.txt",
    "lpt\u00b3",
    "CONIN$",
    "conout$.txt",
    "a" * 300,
    "ñ" * 150,
    "a/" + "b" * 300,
    "/".join("a" * 3000),
    "\udcf1",
    "a\udcf1",
    "a\ud800b",
    "a\udcf1/b",
]
NOT_TEXT: list[Any] = [None, 1, True, b"report.txt", ["report.txt"], {}]

FINE = [
    "report.txt",
    "informe de ñandú.txt",
    "año 2026/ventas de enero.txt",
    "a/b/c/d.txt",
    "_x",
    "1.txt",
    "a-b+c, (1) [2] 'x' & y=z.txt",
    "日本.txt",
    "n\u0303andu.txt",
    "sin_extensión",
    "a.b.c",
    "nulo.txt",
    "console.txt",
    "auxiliar.txt",
    "com.txt",
    "com10.txt",
    "checkpoint.json.bak",
    "abandoned.txt",
    "sub/fork.json",
    "previous.txt",
    "x.tmp",
    "b" * 200,
]


def everything(place: Path) -> dict[str, Any]:
    """Every entry below `place`, with its kind, its bytes and where it leads."""
    found: dict[str, Any] = {}
    for path in sorted(place.rglob("*")):
        kind = os.lstat(path)
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (kind.st_mode, kind.st_nlink, kind.st_mtime_ns if data else 0, data)
    return found


def refused_by_all(path: Any, folder: Path) -> None:
    """No function or tool takes `path`, and nothing in or around the folder has changed."""
    tools = make_tools(folder, World(folder))
    before = everything(folder.parent)
    with pytest.raises(ToolRefused):
        safe_path(path, folder)
    with pytest.raises(ToolRefused):
        tools["read_notes"].run(path=path)
    with pytest.raises(ToolRefused):
        tools["write_report"].run(path=path, content="ataque")
    assert everything(folder.parent) == before


@pytest.fixture
def lived_in(folder: Path) -> Path:
    """A folder with the harness's own files in it, and a secret beside it."""
    for name in ("checkpoint.json", "effects.json", ".lock", "world.jsonl"):
        (folder / name).write_bytes(b"")
    (folder / "previous").mkdir()
    (folder.parent / "x").write_text("secreto", encoding="utf-8")
    return folder


@pytest.mark.parametrize("path", OWN, ids=ascii)
def test_the_own_files_of_the_harness_are_out_of_reach(lived_in: Path, path: str) -> None:
    refused_by_all(path, lived_in)


@pytest.mark.parametrize("path", ODD, ids=lambda path: ascii(path)[:40])
def test_an_odd_path_is_refused_and_nothing_is_read_or_written(lived_in: Path, path: str) -> None:
    refused_by_all(path, lived_in)


@pytest.mark.parametrize("path", NOT_TEXT, ids=repr)
def test_a_path_that_is_not_text_is_refused(lived_in: Path, path: Any) -> None:
    refused_by_all(path, lived_in)


@pytest.mark.parametrize("path", FINE, ids=lambda path: ascii(path)[:40])
def test_an_ordinary_name_is_written_and_read(folder: Path, path: str) -> None:
    tools = make_tools(folder, World(folder))
    tools["write_report"].run(path=path, content="uno\n")
    assert folder.joinpath(*path.split("/")).read_bytes() == b"uno\n"
    assert tools["read_notes"].run(path=path) == b"uno\n"
    assert safe_path(path, folder) == folder.joinpath(*path.split("/"))


def make_link(link: Path, target: Path) -> None:
    try:
        link.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this system does not let us make symbolic links")


def test_a_hard_link_to_a_file_outside_is_refused(lived_in: Path) -> None:
    os.link(lived_in.parent / "x", lived_in / "report.txt")
    refused_by_all("report.txt", lived_in)


def test_a_link_to_a_file_is_refused(lived_in: Path) -> None:
    make_link(lived_in / "report.txt", lived_in.parent / "x")
    refused_by_all("report.txt", lived_in)


def test_a_link_to_the_checkpoint_is_refused(lived_in: Path) -> None:
    make_link(lived_in / "report.txt", lived_in / "checkpoint.json")
    refused_by_all("report.txt", lived_in)


def test_a_link_to_nothing_is_refused(lived_in: Path) -> None:
    make_link(lived_in / "report.txt", lived_in.parent / "nuevo")
    refused_by_all("report.txt", lived_in)


def test_a_linked_folder_on_the_way_is_refused(lived_in: Path) -> None:
    make_link(lived_in / "sub", lived_in.parent)
    refused_by_all("sub/x", lived_in)
    refused_by_all("sub/nuevo", lived_in)


def test_a_linked_folder_further_down_the_way_is_refused(lived_in: Path) -> None:
    (lived_in / "a").mkdir()
    make_link(lived_in / "a" / "sub", lived_in.parent)
    refused_by_all("a/sub/x", lived_in)


def test_a_folder_is_no_file(lived_in: Path) -> None:
    (lived_in / "sub").mkdir()
    refused_by_all("sub", lived_in)


def test_a_file_is_no_folder(lived_in: Path) -> None:
    refused_by_all("sales-notes.txt/x", lived_in)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs on Windows")
def test_a_pipe_is_refused_without_waiting_for_it(lived_in: Path) -> None:
    os.mkfifo(lived_in / "report.txt")
    refused_by_all("report.txt", lived_in)
    os.mkfifo(lived_in / "sub")
    refused_by_all("sub/x", lived_in)


def test_reading_what_is_not_there_is_refused_and_makes_nothing(lived_in: Path) -> None:
    before = everything(lived_in)
    for path in ("nada.txt", "sub/nada.txt"):
        with pytest.raises(ToolRefused, match="No existe el archivo"):
            make_tools(lived_in, World(lived_in))["read_notes"].run(path=path)
    assert everything(lived_in) == before


def test_a_refusal_says_the_path_on_one_line(lived_in: Path) -> None:
    with pytest.raises(ToolRefused) as refusal:
        safe_path("x\n[done] listo\x1b[2J\u202e", lived_in)
    assert str(refusal.value).isprintable()
    assert r"x\n[done] listo" in str(refusal.value)
