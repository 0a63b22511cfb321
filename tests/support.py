"""What several tests need: real folders, the cases, and a client that answers what a test wrote down."""

import json
from pathlib import Path
from typing import Any

from lesson_code.harness import Tool
from lesson_code.lab.model import Block, Response, Usage

TASK = "Convierte sales-notes.txt en un reporte breve y escríbelo en report.txt."
CASES = Path(__file__).parent / "cases"


def case(name: str) -> Any:
    """A case of `tests/cases`, parsed."""
    return json.loads((CASES / name).read_text(encoding="utf-8"))


def answer(*content: dict[str, Any], stop_reason: str = "tool_use", tokens: tuple[int, int] = (10, 5)) -> Response:
    """A response of the API with these blocks."""
    return Response([Block(block) for block in content], stop_reason, Usage(*tokens))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(tool_use_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": tool_use_id, "name": name, "input": given}


def end(words: str = "Listo.") -> Response:
    return answer(text(words), stop_reason="end_turn")


class Replies:
    """A client that gives the written answers in order, raises those that are exceptions, and keeps the requests."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []

    @property
    def messages(self) -> "Replies":
        return self

    def create(self, **request: Any) -> Any:
        self.requests.append(json.loads(json.dumps(request)))
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


def tool(run: Any, *names: str, read_only: bool = False) -> Tool:
    """A tool whose schema asks for `names`."""
    properties = {name: {} for name in names}
    schema = {"type": "object", "properties": properties, "required": list(names)}
    return Tool(run, description="de prueba", input_schema=schema, read_only=read_only)


def write_json(path: Path, value: Any) -> bytes:
    """Write `value` as any program would, and give back the bytes to compare with later."""
    data = json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")
    path.write_bytes(data)
    return data
