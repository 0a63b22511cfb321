"""The three tools: they really read, count and write."""

import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import Tool, ToolRefused, run_tool_uses
from lesson_code.lab.tools import make_tools
from lesson_code.lab.world import World
from tests.support import call


@pytest.fixture
def tools(folder: Path) -> dict[str, Tool]:
    return make_tools(folder, World(folder))


def test_reading_and_counting_are_declared_read_only_and_writing_is_not(tools: dict[str, Tool]) -> None:
    assert {name: tool.read_only for name, tool in tools.items()} == {
        "read_notes": True,
        "count_words": True,
        "write_report": False,
    }


def test_each_tool_asks_for_the_text_it_needs(tools: dict[str, Tool]) -> None:
    asked = {name: tool.input_schema["required"] for name, tool in tools.items()}
    assert asked == {"read_notes": ["path"], "count_words": ["text"], "write_report": ["path", "content"]}
    for tool in tools.values():
        assert tool.input_schema["properties"] == {name: {"type": "string"} for name in tool.input_schema["required"]}
        assert tool.description.strip()


@pytest.mark.parametrize("text, words", [("", 0), (" \n", 0), ("uno", 1), ("uno  dos\ntres\t", 3), ("ñ \udcf1", 2)])
def test_words_are_really_counted(tools: dict[str, Tool], text: str, words: int) -> None:
    assert tools["count_words"].run(text=text) == words


def test_a_file_is_read_to_the_byte(folder: Path, tools: dict[str, Tool]) -> None:
    (folder / "raw").write_bytes(b"a\r\n\x00\xff")
    assert tools["read_notes"].run(path="raw") == b"a\r\n\x00\xff"


def test_a_report_is_written_to_the_byte_and_the_world_knows(folder: Path, tools: dict[str, Tool]) -> None:
    World(folder).ask("toolu_07", "write_report")
    said = tools["write_report"].run(path="sub/informe.txt", content="ñ\r\n€\n")
    assert (folder / "sub" / "informe.txt").read_bytes() == "ñ\r\n€\n".encode()
    assert "sub/informe.txt" in said
    assert World(folder).effects() == [{"done": "toolu_07", "name": "write_report", "about": "sub/informe.txt"}]


def test_reading_and_counting_leave_the_folder_as_it_was(folder: Path, tools: dict[str, Tool]) -> None:
    tools["read_notes"].run(path="sales-notes.txt")
    tools["count_words"].run(text="uno")
    assert [path.name for path in folder.iterdir()] == ["sales-notes.txt"]


@pytest.mark.parametrize("content", [None, 1, b"x", ["x"], {}, "a\udcf1"], ids=ascii)
def test_content_that_is_not_text_in_utf_8_is_refused_and_nothing_is_written(
    folder: Path, tools: dict[str, Tool], content: Any
) -> None:
    with pytest.raises(ToolRefused):
        tools["write_report"].run(path="report.txt", content=content)
    assert [path.name for path in folder.iterdir()] == ["sales-notes.txt"]


@pytest.mark.parametrize("text", [None, 1, b"x", ["x"], {}], ids=repr)
def test_what_is_not_text_is_not_counted(tools: dict[str, Tool], text: Any) -> None:
    with pytest.raises(ToolRefused):
        tools["count_words"].run(text=text)


def test_a_write_that_fails_is_no_effect(folder: Path, tools: dict[str, Tool], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(source: Any, target: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(OSError):
        tools["write_report"].run(path="report.txt", content="x")
    assert [path.name for path in folder.iterdir()] == ["sales-notes.txt"]


def test_the_same_report_asked_for_twice_is_written_twice(folder: Path, tools: dict[str, Tool]) -> None:
    for call_id in ("toolu_01", "toolu_02"):
        World(folder).ask(call_id, "write_report")
        run_tool_uses([call(call_id, "write_report", path="report.txt", content="x")], tools, folder)
    assert [effect["done"] for effect in World(folder).effects()] == ["toolu_01", "toolu_02"]


@pytest.mark.parametrize(
    "name, given", [("write_report", {"path": "effects.json", "content": "{}"}), ("read_notes", {})]
)
def test_a_refused_call_is_told_as_nothing_done(
    folder: Path, tools: dict[str, Tool], name: str, given: dict[str, str]
) -> None:
    (result,) = run_tool_uses([call("toolu_01", name, **given)], tools, folder)
    assert result["is_error"] is True
    assert result["content"].startswith("La herramienta se negó y no hizo nada:")
    assert [path.name for path in folder.iterdir()] == ["sales-notes.txt"]
