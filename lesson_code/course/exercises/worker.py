"""The child in which a learner's code is checked: it can end, print and loop as it likes, and the kernel lives."""

import io
import json
import linecache
import os
import sys
import tempfile
import threading
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from ...words import use
from .judging import ANSWER, described, is_learners, place_of, verdict_on
from .tasks import task_of

CPU, WALL = 3.0, 8.0  # seconds that one criterion may work, and may last
SHOWN = 1000  # characters of what the learner's code prints


class Printed(io.TextIOBase):
    """Keeps the beginning of what is printed, and forgets the rest."""

    def __init__(self) -> None:
        self.beginning = ""
        self.size = 0

    def write(self, text: str) -> int:
        self.beginning += text[: max(0, SHOWN - len(self.beginning))]
        self.size += len(text)
        return len(text)


class Watchdog(threading.Thread):
    """Ends this process with a report when one criterion works or lasts too long."""

    def __init__(self, report: dict[str, Any], path: Path) -> None:
        super().__init__(daemon=True)
        self.report, self.path = report, path
        self.main = threading.main_thread().ident
        self.begin("")

    def begin(self, criterion: str) -> None:
        self.criterion, self.since = criterion, (time.process_time(), time.monotonic())

    def run(self) -> None:
        while True:
            time.sleep(0.05)
            worked, lasted = time.process_time() - self.since[0], time.monotonic() - self.since[1]
            if worked > CPU or lasted > WALL:
                self.report["verdicts"][self.criterion] = {"hangs": self._where()}
                self.path.write_text(json.dumps(self.report), encoding="utf-8")
                os._exit(0)

    def _where(self) -> dict[str, Any]:
        frame: Any = sys._current_frames().get(self.main or 0)
        while frame:
            if is_learners(frame.f_code):
                return place_of(frame.f_code, frame.f_lineno)
            frame = frame.f_back
        return {}


def main() -> None:
    """Do what the request on standard input says, and write its verdicts to its `report`."""
    request = json.loads(sys.stdin.buffer.read())
    use(request["language"])
    path, printed = Path(request["report"]), Printed()
    report: dict[str, Any] = {"verdicts": {}}
    tempfile.tempdir = request["place"]
    os.chdir(request["place"])
    watchdog = Watchdog(report, path)
    watchdog.start()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            space = load(request["program"])
            functions = [space[name] for name in request["functions"]]
        except BaseException as error:  # a default value may raise, or end the process
            report["broken"] = described(error)
        else:
            for criterion in task_of(request["exercise"]).criteria:
                if criterion.check:
                    watchdog.begin(criterion.id)
                    report["verdicts"][criterion.id] = verdict_on(criterion, functions)
            watchdog.begin("")
    report |= {"printed": printed.beginning, "size": printed.size}
    path.write_text(json.dumps(report), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # what the learner's code has started or registered does not run any more


def load(program: str) -> dict[str, Any]:
    """What the program defines. Its lines can be found afterwards under `ANSWER`."""
    linecache.cache[ANSWER] = len(program), None, program.splitlines(keepends=True), ANSWER
    space: dict[str, Any] = {"__name__": "respuesta"}
    exec(compile(program, ANSWER, "exec", dont_inherit=True), space)
    return space


if __name__ == "__main__":
    main()
