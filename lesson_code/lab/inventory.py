"""Twelve things that a process has at the instant of its death, and where another one finds them afterwards.

As a command it is that process: `python -m lesson_code.lab.inventory DIR` says what it has, and dies.
"""

import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from .child import run_child
from .crash import DIED
from .world import World

THINGS = (
    "summary",  # of the first chapters, in a file of the model's
    "messages",
    "report",  # in its file
    "turns",
    "analysis",  # in the answer of this turn
    "call",  # which has no result yet
    "tokens",
    "mail",  # that has been sent
    "style",  # a file that goes into every request
    "appendix",  # written to a file that is still open
    "reason",  # in an earlier answer
    "copy",  # of another conversation and its turns, in a file
)
FILES = {"summary": "NOTES.md", "report": "report.md", "style": "STYLE.md", "copy": "careful.json"}


@cache
def places() -> dict[str, str]:
    """The file in which each of the twelve is found after the process was killed, or "" for one that is in none."""
    with tempfile.TemporaryDirectory(prefix="curso-") as name:
        child = run_child("-m", __name__, name)
        assert child.returncode == DIED, child.stderr
        left = {path.name: path.read_text(encoding="utf-8") for path in Path(name).iterdir()}
    had = json.loads(child.stdout)
    return {thing: next((file for file, text in left.items() if had[thing] in text), "") for thing in THINGS}


def live_and_die(folder: Path) -> NoReturn:
    """Bring the twelve about, tell the text by which each is known, and end as a process that is killed."""
    had = {thing: f"the {thing} of seventeen turns" for thing in THINGS}
    call = {"type": "tool_use", "id": "toolu_17", "name": "write_chapter", "input": {"text": had["call"]}}
    messages = [_said(had["reason"]), _said(had["analysis"], call)]
    turns, tokens = 17, 20_340
    had |= {"messages": json.dumps(messages), "turns": f'"turns": {turns}', "tokens": f'"tokensUsed": {tokens}'}
    had["copy"] = json.dumps({"messages": [_said(had["copy"])], "turns": turns - 1})
    for thing, name in FILES.items():
        (folder / name).write_text(had[thing], encoding="utf-8")
    World(folder).do("send_email", had["mail"])
    appendix = open(folder / "appendix.md", "w", encoding="utf-8")
    appendix.write(had["appendix"])  # it waits in a buffer
    print(json.dumps(had), flush=True)
    os._exit(DIED)


def _said(text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}, *calls]}


if __name__ == "__main__":
    live_and_die(Path(sys.argv[1]))
