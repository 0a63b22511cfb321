"""The command: `python -m lesson_code.agent [--resume] [--workdir DIR]`."""

import io
import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, NoReturn

from .harness import AgentStopped, CheckpointError, FolderInUse, LedgerError, run_agent
from .harness.folder import owned
from .harness.ports import CrashPoint, go_on
from .lab.crash import UnknownLabel, check_label, die_at
from .lab.model import ScriptedModel
from .lab.tools import TASK, make_tools, put_sample
from .lab.world import World
from .words import indented, is_warning, reason, say, warn

FOLDER = "agent-run"


class UsageError(Exception):
    """The command was called with arguments that it does not know."""


def main(options: Namespace, crash_label: str = "") -> None:
    """Run the task in `options.workdir`, or go on from its checkpoint with `options.resume`, and print the answer."""
    crash_point = crash_point_from(crash_label)
    folder = Path(options.workdir)
    if not options.resume:
        with owned(folder):
            put_sample(folder)
    world = World(folder)
    tools = make_tools(folder, world)
    client = ScriptedModel(world=world)
    answer = run_agent(client, TASK, tools, folder, resume=options.resume, emit=show, crash_point=crash_point)
    print(say("done") + indented(answer), flush=True)
    if crash_label:
        show("warning_label_unused", label=crash_label)


def crash_point_from(label: str) -> CrashPoint:
    """The place to die that `CRASH_AFTER` names; nowhere if it is empty. Raises UnknownLabel."""
    return die_at(check_label(label), show) if label else go_on


def show(event: str, **fields: Any) -> None:
    """Print an event: a line of the log on standard output, a warning on standard error."""
    if is_warning(event):
        warn(event, **fields)
    else:
        print(say(event, **fields), flush=True)


def parse(arguments: list[str]) -> Namespace:
    """`resume: bool`, `workdir: str`, `help: bool`. Raises UsageError."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--workdir", default=FOLDER)
    options = parser.parse_args(arguments)
    if not options.workdir.strip():
        parser.error("--workdir")
    return options


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def command(arguments: list[str]) -> int:
    """The exit code of `main`: 0, 1 for any error (one line on standard error), 130 for Ctrl+C."""
    folder = FOLDER
    try:
        options = parse(arguments)
        folder = options.workdir
        if options.help:
            print(say("help"))
        else:
            main(options, os.environ.get("CRASH_AFTER", ""))
        return 0
    except KeyboardInterrupt:
        print(say("interrupted"), file=sys.stderr)
        return 130
    except UsageError:
        problem = say("usage_error", arguments=" ".join(arguments))
    except (CheckpointError, LedgerError, FolderInUse, AgentStopped, UnknownLabel) as error:
        problem = str(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads it: let Python close in peace
        problem = say("reader_gone")
    except OSError as error:
        problem = say("system_error", folder=folder, reason=reason(error))
    except Exception as error:
        problem = say("unexpected", kind=type(error).__name__, error=error)
    print(problem, file=sys.stderr)
    return 1


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.exit(command(sys.argv[1:]))
