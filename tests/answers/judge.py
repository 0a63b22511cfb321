"""A child that judges one program after the other: a line of JSON in, a line out. See `Judge`."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from lesson_code.course.exercises.judging import described, judge, load
from lesson_code.course.exercises.tasks import task_of
from lesson_code.lab.simulated import fast_place

PATIENCE = 5.0  # seconds for one program
MANY = 20  # programs after which a child makes room: what they leave in its place goes with it


class Judge:
    """Judges programs of an exercise; one that does not end costs its child, and the next one gets a new child."""

    def __init__(self, number: str) -> None:
        self.number = number
        self.functions = list(task_of(number).takes or ())
        self.child: subprocess.Popen[str] | None = None
        self.place, self.judged = "", 0
        self.seconds = 0.0

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def verdicts(self, program: str) -> dict[str, Any]:
        """The verdict on each criterion; of no criterion, `""`, where it hangs, or is gone, or can't be loaded.

        `seconds` is then how long that kept the processor busy: other programs run beside this one.
        """
        if self.judged == MANY:
            self.close()
        self.judged += 1
        child = self.child = self.child or self._start()
        assert child.stdin and child.stdout
        late = threading.Event()
        timer = threading.Timer(PATIENCE, lambda: (late.set(), child.kill()))
        timer.start()
        child.stdin.write(json.dumps(program) + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
        timer.cancel()
        if line:
            self.seconds, found = json.loads(line)
            return dict(found)
        self.close()
        self.seconds = PATIENCE
        return {"": {"hangs" if late.is_set() else "gone": {}}}

    def close(self) -> None:
        """End the child, and remove what it left."""
        if self.child:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.communicate(timeout=10)
            self.child.kill()
            shutil.rmtree(self.place, ignore_errors=True)
        self.child, self.judged = None, 0

    def _start(self) -> "subprocess.Popen[str]":
        self.place = tempfile.mkdtemp(prefix="curso-", dir=fast_place())
        return subprocess.Popen(
            [sys.executable, "-m", "tests.answers.judge", self.number, self.place, *self.functions],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            cwd=Path(__file__).parents[2],
            env={**os.environ, "CRASH_AFTER": "", "PYTHONIOENCODING": "utf-8"},
        )


def main() -> None:
    number, tempfile.tempdir, *functions = sys.argv[1:]
    out, lines, place = sys.stdout, sys.stdin, os.getcwd()
    sys.stdin = io.StringIO()
    for line in lines:
        began = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found = _judge(number, json.loads(line), functions)
        os.chdir(place)
        out.write(json.dumps([time.process_time() - began, found]) + "\n")
        out.flush()


def _judge(number: str, program: str, functions: list[str]) -> dict[str, Any]:
    try:
        space = load(program)
        given = [space[name] for name in functions]
    except BaseException as error:
        return {"": {"error": described(error)}}
    return judge(task_of(number), given)


if __name__ == "__main__":
    main()
