"""One run: `python -m tests.benchmarks.run TARGET TURNS FOLDER [resume]`; prints a JSON and ends.

A run dies, as a process does, when turn TURNS has been saved and the model has been asked once more. A resume goes on
from there: it is measured from the call of the harness to the answer that it returns. Imports are in neither.
What writes behind its turns (LATE) is measured until it returns, with all on disk: a death would leave most of its cost
uncounted. Its resume is that of a finished task.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import psutil

from lesson_code.lab.victim import load
from tests.benchmarks.task import TASK, TOOLS, Model

LATE = ("lesson_code.engines.on_langgraph:in_async",)


class Meter:
    """Counts questions, and ends with what it took from the first one to the one after so many turns, if `is_last`."""

    def __init__(self, turns: int, is_last: bool) -> None:
        self.turns, self.is_last, self.asked = turns, is_last, 0
        self.began: dict[str, Any] = {}

    def __call__(self) -> None:
        self.asked += 1
        if self.asked == 1:
            self.began = reading()
        if self.asked == self.turns + 1 and self.is_last:
            self.end()

    def end(self) -> NoReturn:
        """Tell it, and die."""
        now = reading()
        die({name: None if now[name] is None else now[name] - self.began[name] for name in now})


def reading() -> dict[str, Any]:
    """Seconds, seconds of CPU, and bytes that this process has handed to the system (None where nobody counts them)."""
    process = psutil.Process()
    counters = process.io_counters() if hasattr(process, "io_counters") else None
    written = getattr(counters, "write_chars", getattr(counters, "write_bytes", None))
    return {"seconds": time.perf_counter(), "cpu": time.process_time(), "written": written}


def die(figures: dict[str, Any]) -> NoReturn:
    """Tell the figures and end as a killed process does: no `finally`, nothing closed."""
    print(json.dumps(figures), flush=True)
    os._exit(0)


def main(target: str, turns: int, folder: Path, resume: bool) -> None:
    """Run or resume."""
    harness = load(target)
    meter = Meter(turns, target not in LATE)
    start = time.perf_counter()
    answer = harness(Model(turns) if resume else Model(turns, meter), TASK, TOOLS, folder, resume=resume)
    if not resume:
        meter.end()
    die({"seconds": time.perf_counter() - start, "answer": answer})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:] == ["resume"])
