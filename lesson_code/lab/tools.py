"""The three tools of the course's task: they really read, count and write in their folder."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..harness import Tool, ToolRefused, write_atomic
from ..words import say
from .paths import safe_path
from .world import World

NOTES = "sales-notes.txt"
REPORT = "report.txt"
TASK = "Convierte sales-notes.txt en un reporte breve y escríbelo en report.txt."


def make_tools(folder: Path, world: World) -> dict[str, Tool]:
    """`read_notes`, `count_words` (read-only) and `write_report`, at work in `folder`; effects are told to `world`."""

    def read_notes(path: str) -> bytes:
        place = safe_path(path, folder)
        if not place.exists():
            raise ToolRefused(say("path_missing", path=path))
        return place.read_bytes()

    def count_words(text: str) -> int:
        if not isinstance(text, str):
            raise ToolRefused(say("content_not_text"))
        return len(text.split())

    def write_report(path: str, content: str) -> str:
        place = safe_path(path, folder)
        write_atomic(place, _encoded(content))
        world.do("write_report", path)
        return say("report_written", path=path)

    return {
        "read_notes": text_tool(read_notes, say("about_read_notes"), "path", read_only=True),
        "count_words": text_tool(count_words, say("about_count_words"), "text", read_only=True),
        "write_report": text_tool(write_report, say("about_write_report"), "path", "content"),
    }


def put_sample(folder: Path) -> None:
    """Give a folder notes to work on; notes that are there stay."""
    if not os.path.lexists(folder / NOTES):
        write_atomic(folder / NOTES, (say("sample_notes") + "\n").encode("utf-8"))


def _encoded(content: object) -> bytes:
    try:
        return str.encode(content, "utf-8")  # type: ignore[arg-type]  # what is no str is refused just below
    except (TypeError, UnicodeEncodeError):
        raise ToolRefused(say("content_not_text")) from None


def text_tool(run: Callable[..., Any], description: str, *names: str, read_only: bool = False) -> Tool:
    """A tool whose inputs are `names`, all of them text and required."""
    properties = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": properties, "required": list(names)}
    return Tool(run, description=description, input_schema=schema, read_only=read_only)
