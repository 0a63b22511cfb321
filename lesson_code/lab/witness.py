"""The evidence of an attack: what was asked, told, done and returned, and where the process died, in one order."""

from collections.abc import Iterator
from typing import Any

from ..harness.conversation import text_of
from .model import history
from .world import World


class Witness(World):
    """A world that also hears what the model is told. Beside those of a world its lines are, in their order:

    `{"told": id, "error": bool, "text": str}` (each once), `{"refused": str}` (a request, with the API's words),
    `{"returned": id, "text": str}`, `{"raised": id, "text": str}` (a tool), `{"probed": tool, "about": str}` (that
    the harness ran without being asked), `{"died": label}`.
    """

    def note(self, **line: Any) -> None:
        """One more line."""
        self._append(line)

    def hear(self, messages: list[dict[str, Any]]) -> None:
        """The model has been sent `messages`: note the results in them that it had not seen."""
        known = [(line["told"], line["error"], line["text"]) for line in self.lines("told")]
        for call, result in history(messages):
            told = (call["id"], bool(result.get("is_error")), text_of(result.get("content", "")))
            if told not in known:
                self.note(told=told[0], error=told[1], text=told[2])

    def lines(self, kind: str = "") -> list[dict[str, Any]]:
        """The lines of that kind (the name of their first field), or all of them."""
        return [line for line in self._lines() if not kind or kind in line]

    def in_flight(self) -> Iterator[tuple[str, str]]:
        """(label, id) for each death that came while the model had not yet been told of the last call that it asked."""
        asked: str | None = None
        for line in self.lines():
            if "asked" in line:
                asked = line["asked"]
            elif line.get("told") == asked:
                asked = None
            elif "died" in line and asked is not None:
                yield line["died"], asked
