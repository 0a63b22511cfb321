"""One run: `python -m tests.benchmarks.run TARGET TURNS FOLDER`, or `… TARGET resume FOLDER`; prints a JSON and ends.

A run dies at ③ of its last turn, as a process does. A resume ends with its first question.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import psutil

from lesson_code.harness import Tool
from lesson_code.lab.model import Block, Response, usage_of
from lesson_code.lab.victim import load
from tests.benchmarks.schemes import RESULT

TASK = "Anota las ventas de cada semana."


class Model:
    """Asks for a note, turn after turn, and tells `on_question` of each question before it answers."""

    def __init__(self, on_question: Callable[[], None]) -> None:
        self.on_question = on_question

    @property
    def messages(self) -> "Model":
        return self

    def create(self, *, messages: list[dict[str, Any]], **_: Any) -> Response:
        self.on_question()
        asked = sum(message["role"] == "assistant" for message in messages) + 1
        call = {"type": "tool_use", "id": f"toolu_{asked:04d}", "name": "note", "input": {"week": asked}}
        return Response([Block({"type": "text", "text": "Anoto."}), Block(call)], "tool_use", usage_of(asked))


class Meter:
    """Counts questions, and tells what it took from the first one to the one after so many turns."""

    def __init__(self, turns: int) -> None:
        self.turns, self.asked = turns, 0
        self.began: dict[str, Any] = {}

    def __call__(self) -> None:
        self.asked += 1
        if self.asked == 1:
            self.began = reading()
        if self.asked == self.turns + 1:
            now = reading()
            tell({name: None if now[name] is None else now[name] - self.began[name] for name in now})


def reading() -> dict[str, Any]:
    """Seconds, seconds of CPU, and bytes that this process has handed to the system (None where nobody counts them)."""
    process = psutil.Process()
    counters = process.io_counters() if hasattr(process, "io_counters") else None
    written = getattr(counters, "write_chars", getattr(counters, "write_bytes", None))
    return {"seconds": time.perf_counter(), "cpu": time.process_time(), "written": written}


def tell(figures: dict[str, Any]) -> NoReturn:
    """Print them and die, as a killed process does: no `finally`, nothing closed."""
    print(json.dumps(figures), flush=True)
    os._exit(0)


def main(target: str, turns: str, folder: Path) -> None:
    """Run or resume."""
    harness = load(target)  # its imports are not measured
    schema = {"type": "object", "properties": {"week": {"type": "integer"}}, "required": ["week"]}
    tools = {"note": Tool(lambda week: RESULT, description="Anota una semana.", input_schema=schema)}
    start = time.perf_counter()
    meter = (lambda: tell({"seconds": time.perf_counter() - start})) if turns == "resume" else Meter(int(turns))
    harness(Model(meter), TASK, tools, folder, resume=turns == "resume")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
