"""How the laboratory's commands begin and end: UTF-8, one sentence for an interruption, nothing left running."""

import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from ..words import is_warning, say, warn

Command = Callable[[list[str]], int]
"""`command(arguments)`: do it, and give the exit code."""


def speak_utf_8() -> None:
    """Let standard output and standard error be the same bytes on every system."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def show(event: str, **fields: Any) -> None:
    """Print an event: a line of the log on standard output, a warning on standard error."""
    if is_warning(event):
        warn(event, **fields)
    else:
        print(say(event, **fields), flush=True)


def run_command(command: Command) -> None:
    """Run `command` as this process and end it: 130 for Ctrl+C, 143 for SIGTERM, whatever it gives otherwise."""
    speak_utf_8()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that every `finally` runs
    try:
        sys.exit(command(sys.argv[1:]))
    except KeyboardInterrupt:
        print(say("attack_interrupted"), file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads it: let Python close in peace
        sys.exit(1)
