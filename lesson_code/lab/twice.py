"""A tool really run twice, in a folder of its own: what did the second time leave in the world?"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness.tools import run_tool
from ..words import say
from .scene import new_folder
from .twelve import inputs, make_twelve
from .world import WORLD_FILE, World

Contents = dict[str, str]
"""The world in a form in which two moments can be compared: each file with its text, and each effect in order."""

MAX_SHOWN = 28


@dataclass(frozen=True)
class Trial:
    """A tool run twice with the same input: what each time returned, and the world after each."""

    name: str
    first: str
    second: str
    once: Contents
    twice: Contents

    @property
    def same_world(self) -> bool:
        """Whether the second time left the world as it was: whether the tool was idempotent here."""
        return self.once == self.twice

    def __str__(self) -> str:
        world = say("twice_same_world" if self.same_world else "twice_other_world")
        head = f"{self.name:16}  {world:14}  {self.first} → {self.second}"
        return "\n".join([head, *(f"{'':18}{change}" for change in changes(self.once, self.twice))])


def run_twice(name: str, between: Callable[[Path], object] | None = None) -> Trial:
    """Run the tool `name` of the twelve, and again in silence; `between(folder)` may happen in the middle."""
    folder = new_folder()
    tools = make_twelve(folder, World(folder))
    call = {"id": "toolu_01", "name": name, "input": inputs()[name]}
    first = _told(run_tool(call, tools))
    if between:
        between(folder)
    once = contents(folder)
    second = _told(run_tool(call, tools))
    return Trial(name, first, second, once, contents(folder))


def contents(folder: Path) -> Contents:
    """The world of `folder`: its files, and the effects that its tools had outside."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != WORLD_FILE]
    found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}
    for number, effect in enumerate(World(folder).effects(), start=1):
        found[f"#{number} {effect['name']}"] = effect["about"]
    return found


def changes(before: Contents, after: Contents) -> list[str]:
    """What differs, a line each: `+ what: new`, `- what: old`, `~ what: old → new`."""
    lines = []
    for what in sorted(before.keys() | after.keys()):
        old, new = before.get(what), after.get(what)
        if old is None or new is None:
            lines.append(f"+ {what}: {_shown(new or '')}" if old is None else f"- {what}: {_shown(old)}")
        elif old != new:
            lines.append(f"~ {what}: {_shown(old)} → {_shown(new)}")
    return lines


def _told(result: dict[str, Any]) -> str:
    """What the model is told; of an error, its last line."""
    text = str(result["content"])
    return say("twice_error", text=text.splitlines()[-1]) if result.get("is_error") else _shown(text)


def _shown(text: str) -> str:
    line = " / ".join(text.splitlines())
    return line if len(line) <= MAX_SHOWN else line[: MAX_SHOWN - 1] + "…"
