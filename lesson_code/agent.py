"""The command: `python -m lesson_code.agent [--resume | --rewind N | --fork N NAME] [--history] [--workdir DIR]`."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from .harness import (
    AgentStopped,
    CheckpointError,
    FolderInUse,
    LedgerError,
    fork_from,
    rewind_to,
    run_agent,
)
from .harness.beyond import beyond, named
from .harness.checkpoint import Checkpoint
from .harness.client import choose_model, make_client
from .harness.folder import HISTORY, owned
from .harness.origin import Remembering
from .harness.ports import CrashPoint, go_on
from .harness.snapshots import keeping, load_turn
from .harness.storage import read_state, write_atomic
from .lab.commands import show, speak_utf_8
from .lab.crash import UnknownLabel, check_label, die_at
from .lab.model import SCRIPTED, ScriptedModel, has_another_line
from .lab.tools import NOTES, TASK, make_tools, put_sample
from .lab.world import World
from .options import FOLDER, UsageError, parse
from .words import indented, reason, say


def main(options: Namespace, crash_label: str = "") -> None:
    """Run the task in `options.workdir`, or go on from its checkpoint with `options.resume`, and print the answer."""
    crash_point = crash_point_from(crash_label)
    folder = Path(options.workdir)
    live = make_client() if options.live else None  # without a key nothing is touched
    model = choose_model(options.model) if options.live else SCRIPTED
    if not options.resume:
        with owned(folder):
            put_sample(folder)
    world = World(folder)
    tools = make_tools(folder, world)
    client = live or ScriptedModel(options.resume and has_another_line(folder), world=world)
    keeps = options.history or (options.resume and (folder / HISTORY).is_dir())
    answer = run_agent(
        Remembering(client, folder, show),
        TASK,
        tools,
        folder,
        resume=options.resume,
        max_turns=options.max_turns,
        max_tokens_total=options.max_tokens_total,
        model=model,
        emit=keeping(folder, show) if keeps else show,
        crash_point=crash_point,
    )
    print(say("done") + indented(answer), flush=True)
    if crash_label:
        show("warning_label_unused", label=crash_label)


def rewind(turn: int, folder: Path) -> None:
    """Go back to the B of `turn`, and print which effects that does not undo."""
    effects = not_undone(load_turn(turn, folder), folder)
    rewind_to(turn, folder, accept=True)
    print(say("rewind", turn=turn) + effects, flush=True)


def fork(turn: int, branch: str, folder: Path) -> None:
    """Give a second line, from the B of `turn`, a folder of its own with the notes; print what it does not undo."""
    effects = not_undone(load_turn(turn, folder), folder)
    notes = read_state(folder / NOTES) if (folder / NOTES).exists() else None
    place = fork_from(turn, branch, folder)
    if notes is not None:
        write_atomic(place / NOTES, notes)
    beside = folder.parent / place.name
    shown = beside if os.path.realpath(beside) == str(place) else place
    print(say("fork", branch=branch, turn=turn, folder=shown) + effects, flush=True)


def not_undone(checkpoint: Checkpoint, folder: Path) -> str:
    """The effects of the world that `checkpoint` does not know, in one line, without the read-only calls."""
    tools = make_tools(folder, World(folder))
    read_only = {name for name, tool in tools.items() if tool.read_only}
    return named([effect for effect in beyond(checkpoint, folder) if effect.name not in read_only]) or say("nothing")


def crash_point_from(label: str) -> CrashPoint:
    """The place to die that `CRASH_AFTER` names; nowhere if it is empty. Raises UnknownLabel."""
    return die_at(check_label(label), show) if label else go_on


def run(options: Namespace, crash_label: str) -> None:
    """Do what the options say; a label that is none is told before any file is touched."""
    crash_point_from(crash_label)
    if options.help:
        print(say("help"))
    elif options.rewind is not None:
        rewind(options.rewind, Path(options.workdir))
    elif options.fork:
        fork(options.fork[0], options.fork[1], Path(options.workdir))
    else:
        main(options, crash_label)


def command(arguments: list[str]) -> int:
    """The exit code of `main`: 0, 1 for any error (one line on standard error), 130 for Ctrl+C."""
    folder = FOLDER
    try:
        options = parse(arguments)
        folder = options.workdir
        run(options, os.environ.get("CRASH_AFTER", ""))
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
    speak_utf_8()
    sys.exit(command(sys.argv[1:]))
