"""The task that every row runs: a note of 1 KB each turn, and a stand-in model that answers at once."""

from collections.abc import Callable
from typing import Any

from lesson_code.harness import Tool
from lesson_code.lab.model import Block, Response, usage_of

TASK = "Anota las ventas de cada semana."
RESULT = ("ventas " * 147)[:1024]  # 1 KB
SCHEMA = {"type": "object", "properties": {"week": {"type": "integer"}}, "required": ["week"]}
TOOLS = {"note": Tool(lambda week: RESULT, description="Anota una semana.", input_schema=SCHEMA)}


def said(turn: int) -> list[dict[str, Any]]:
    """What the model says in a turn: some words and a call."""
    call = {"type": "tool_use", "id": f"toolu_{turn:04d}", "name": "note", "input": {"week": turn}}
    return [{"type": "text", "text": "Anoto."}, call]


class Model:
    """Asks for a note in each of so many turns, and then ends; `on_question` hears each question before it answers.

    The turn is reckoned from the number of messages, a question and an answer for each, so that any death can be
    resumed, and so that to answer takes no time that grows.
    """

    def __init__(self, turns: int, on_question: Callable[[], None] = lambda: None) -> None:
        self.turns, self.on_question = turns, on_question

    @property
    def messages(self) -> "Model":
        return self

    def create(self, *, messages: list[dict[str, Any]], **_: Any) -> Response:
        self.on_question()
        turn = len(messages) // 2 + 1
        if turn > self.turns:
            return Response([Block({"type": "text", "text": "Listo."})], "end_turn", usage_of(turn))
        return Response([Block(block) for block in said(turn)], "tool_use", usage_of(turn))
