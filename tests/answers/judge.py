"""A child that judges one program after the other: a line of JSON in, a line out. See `Judge`."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from lesson_code.course.exercises.judging import judge
from lesson_code.course.exercises.tasks import task_of
from lesson_code.course.exercises.worker import load
from lesson_code.lab.simulated import fast_place

PATIENCE = 5.0  # seconds for one program


class Judge:
    """Judges programs of an exercise; one that does not end costs its child, and the next one gets a new child."""

    def __init__(self, number: str) -> None:
        self.number = number
        self.child: subprocess.Popen[str] | None = None

    def verdicts(self, program: str, functions: list[str]) -> dict[str, Any]:
        """The verdicts, or `{"hangs": {…}}`, or `{"gone": {…}}` where the child is gone."""
        child = self.child = self.child or self._start()
        assert child.stdin and child.stdout
        timer = threading.Timer(PATIENCE, child.kill)
        timer.start()
        began = time.monotonic()
        child.stdin.write(json.dumps({"number": self.number, "program": program, "functions": functions}) + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
        timer.cancel()
        if line:
            found: dict[str, Any] = json.loads(line)
            return found
        self.child = None
        return {"hangs" if time.monotonic() - began >= PATIENCE else "gone": {}}

    def close(self) -> None:
        if self.child:
            assert self.child.stdin
            self.child.stdin.close()
            self.child.wait(10)

    def _start(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "tests.answers.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            cwd=Path(__file__).parents[2],
            env={**os.environ, "CRASH_AFTER": "", "PYTHONIOENCODING": "utf-8"},
        )


def main() -> None:
    out, tempfile.tempdir = sys.stdout, fast_place()
    for line in sys.stdin:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found = _judge(json.loads(line))
        out.write(json.dumps(found) + "\n")
        out.flush()


def _judge(request: dict[str, Any]) -> dict[str, Any]:
    try:
        space = load(request["program"])
        functions = [space[name] for name in request["functions"]]
    except BaseException as error:
        return {"broken": {"error": repr(error)}}
    return judge(task_of(request["number"]), functions)


if __name__ == "__main__":
    main()
