"""The child in which a learner's code is checked: it can end, print and loop as it likes, and the kernel lives."""

import io
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NoReturn

from ...words import say, use
from .judging import described, is_learners, load, place_of, verdict_on
from .tasks import task_of

CPU, WALL = 3.0, 8.0  # seconds that one criterion may work, and may last
MEMORY = 2 * 1024**3  # bytes that all of it may take, where the system can limit them
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

    def __init__(self, finish: Callable[[], None], report: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.finish, self.report = finish, report
        self.main = threading.main_thread().ident
        self.begin("")

    def begin(self, criterion: str) -> None:
        self.criterion, self.since = criterion, (time.process_time(), time.monotonic())

    def run(self) -> None:
        while True:
            time.sleep(0.05)
            worked, lasted = time.process_time() - self.since[0], time.monotonic() - self.since[1]
            if worked > CPU or lasted > WALL:
                if self.criterion:
                    self.report["verdicts"][self.criterion] = {"hangs": self._where()}
                else:
                    self.report["stopped"] = say("ex_slow")
                self.finish()

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
    printed = Printed()
    report: dict[str, Any] = {"verdicts": {}}
    tempfile.tempdir = request["place"]
    os.chdir(request["place"])

    def finish() -> NoReturn:
        told = json.dumps({**report, "printed": printed.beginning, "size": printed.size})
        Path(request["report"]).write_text(told, encoding="utf-8")
        os._exit(0)  # what the learner's code has started or registered does not run any more

    limit_memory()
    watchdog = Watchdog(finish, report)
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
    finish()


def limit_memory() -> None:
    """A list that never ends must not take the whole machine: it ends in a MemoryError."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit, and macOS takes none
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
