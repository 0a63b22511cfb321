"""A child process that is not trusted: it can't hang, flood or leave others running."""

import os
import secrets
import subprocess
import sys
import threading
from dataclasses import dataclass

import psutil

from .child import ROOT

MAX_OUTPUT = 256 * 1024  # bytes of standard output and standard error
MARK = "LESSON_CODE_ATTACKED"  # the variable by which all that a child starts is found again


@dataclass(frozen=True)
class Ended:
    """How the child ended: its exit code (negative: the signal), and what it did that it may not do, or "".

    `problem`: `hangs` (not over in time), `floods` (it printed more than MAX_OUTPUT), `leaves` (others still running).
    """

    code: int
    problem: str = ""


def run_guarded(*arguments: str, request: str, seconds: float) -> Ended:
    """Run `python *arguments` with `request` on standard input, at most so long; whatever it started is ended with it.

    The child works in the present folder, and can import the course and what is importable from there.
    """
    mark = secrets.token_hex(8)
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    child = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "CRASH_AFTER": "", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": path, MARK: mark},
    )
    problem: list[str] = []

    def listen() -> None:
        size = 0
        while part := os.read(child.stdout.fileno(), 65536):  # type: ignore[union-attr]  # it is a pipe
            size += len(part)
            if size > MAX_OUTPUT and not problem:
                problem.append("floods")
                end_all(mark)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        with child.stdin as pipe:  # type: ignore[union-attr]  # it is a pipe
            pipe.write(request.encode("utf-8"))
    except BrokenPipeError:
        pass  # it died before it had read it; its exit code says so
    try:
        code = child.wait(seconds)
    except subprocess.TimeoutExpired:
        problem.append("hangs")
        child.kill()
        code = child.wait()
    if end_all(mark) and code == 0:
        problem.append("leaves")
    listener.join(5)
    return Ended(code, problem[0] if problem else "")


def end_all(mark: str) -> int:
    """Kill every process that was started under `mark`; give back how many there were."""
    found = [process for process in psutil.process_iter() if _mark_of(process) == mark]
    for process in found:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            pass  # it has ended by itself
    psutil.wait_procs(found, timeout=5)
    return len(found)


def _mark_of(process: psutil.Process) -> str | None:
    try:
        return dict(process.environ()).get(MARK)
    except (psutil.Error, OSError):
        return None  # it has gone, or is not ours
