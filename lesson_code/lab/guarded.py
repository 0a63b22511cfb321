"""A child process that is not trusted: it can't hang, flood or leave others running."""

import os
import secrets
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass

import psutil

from .child import ROOT

MAX_OUTPUT = 256 * 1024  # bytes of standard output and standard error
PARTING = 1.0  # seconds that what a child started may take to end after it
MARK = "LESSON_CODE_ATTACKED"  # the variable by which all that a child starts is found again
OURS = secrets.token_hex(8)  # how the marks of this process begin


@dataclass(frozen=True)
class Ended:
    """How the child ended: its exit code (negative: the signal), and what it did that it may not do, or "".

    `problem`: `hangs` (not over in time), `floods` (it printed more than MAX_OUTPUT), `leaves` (others still running).
    """

    code: int
    problem: str = ""


def run_guarded(*arguments: str, request: str, seconds: float) -> Ended:
    """Run `python *arguments` with `request` on standard input, at most so long; whatever it started is ended with it.

    The child works in the present folder, and can import the course and all that this process can.
    """
    mark = OURS + secrets.token_hex(8)
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    child = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**os.environ, "CRASH_AFTER": "", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": path, MARK: mark},
    )
    problem: list[str] = []

    def listen() -> None:
        size = 0
        while part := os.read(child.stdout.fileno(), 65536):  # type: ignore[union-attr]  # it is a pipe
            size += len(part)
            if size > MAX_OUTPUT and not problem:
                problem.append("floods")
                end_all(mark, child.pid)

    def tell() -> None:
        with suppress(OSError), child.stdin as pipe:  # type: ignore[union-attr]  # it may have gone: its code says why
            pipe.write(request.encode("utf-8"))

    speaker, listener = (threading.Thread(target=each, daemon=True) for each in (tell, listen))
    speaker.start()
    listener.start()
    try:
        code = child.wait(seconds)
        if end_all(mark, child.pid, PARTING if code == 0 else 0) and code == 0:
            problem.append("leaves")
    except subprocess.TimeoutExpired:
        problem.append("hangs")
    finally:
        child.kill()
        end_all(mark, child.pid)
    listener.join(5)
    with suppress(OSError):
        child.stdout.close()  # type: ignore[union-attr]  # it is a pipe
    return Ended(child.wait(), problem[0] if problem else "")


def end_all(mark: str, session: int = 0, parting: float = 0) -> int:
    """Kill what was started under a mark that begins so, or in that session; give back how many there were.

    Those that end by themselves within `parting` seconds don't count.
    """
    found = [process for process in psutil.process_iter() if _is_of(process, mark, session)]
    if parting:
        psutil.wait_procs(found, timeout=parting)
    alive = [process for process in found if _is_of(process, mark, session)]  # no zombies
    for process in alive:
        with suppress(psutil.NoSuchProcess):  # it has just ended
            process.kill()
    psutil.wait_procs(alive, timeout=5)
    return len(alive)


def _is_of(process: psutil.Process, mark: str, session: int) -> bool:
    try:
        in_session = session and hasattr(os, "getsid") and os.getsid(process.pid) == session
        is_marked = str(process.environ().get(MARK, "")).startswith(mark)
        return bool(in_session or is_marked) and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False  # it has gone, or is not ours
