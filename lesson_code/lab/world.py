"""What really happened: one line for each effect, in a file that no fresh start moves."""

import errno
import json
import os
from pathlib import Path
from typing import Any

WORLD_FILE = "world.jsonl"


class World:
    """The evidence. The model notes what it asked, a tool what it did; the harness never reads it.

    A line is `{"asked": id, "name": str}` or `{"done": id, "name": str, "about": str}`. A tool is not told the id of
    its call, as with any real tool: it is the last one asked under its name (None if nobody asked).
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = Path(folder) / WORLD_FILE

    def ask(self, tool_use_id: str, name: str) -> None:
        """The model asked for a call."""
        self._append({"asked": tool_use_id, "name": name})

    def do(self, name: str, about: str) -> None:
        """An effect: when this returns it has happened, durably; a death before leaves nothing of it."""
        asked = [line["asked"] for line in self.calls() if line["name"] == name]
        self._append({"done": asked[-1] if asked else None, "name": name, "about": about})

    def calls(self) -> list[dict[str, Any]]:
        """What the model asked for, in order: `{"asked": id, "name": str}`."""
        return [line for line in self._lines() if "asked" in line]

    def effects(self) -> list[dict[str, Any]]:
        """The effects in order: `{"done": id, "name": str, "about": str}`."""
        return [line for line in self._lines() if "done" in line]

    def times(self, name: str) -> int:
        """How many times the tool `name` had its effect."""
        return sum(effect["name"] == name for effect in self.effects())

    def _lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return list(json.loads(f"[{','.join(lines)}]"))  # at once: a world is read often

    def _append(self, line: dict[str, Any]) -> None:
        data = json.dumps(line).encode("ascii") + b"\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o666)
        try:
            size = os.fstat(descriptor).st_size
            if os.write(descriptor, data) != len(data):
                os.ftruncate(descriptor, size)  # half a line would spoil the next one
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
