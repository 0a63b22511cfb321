"""Four ways to go on with a task, each really taken in a copy of its folder: what each leaves.

The task of the five offers stands for any: a turn is an effect, and a discount is what the model decided there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..harness import fork_from, load_checkpoint, rewind_to
from ..harness.conversation import calls_in
from ..harness.timeline import forks_of
from .offers import copy_of, discount_in, outside, received, work
from .scene import new_folder

PROJECT = "config.toml"  # a file of the project's: neither the harness nor its tools know of it
YESTERDAY, TODAY = b"version = 1\n", b"version = 2\n"
FIRST, SECOND = 50, 10  # what the model decides by itself, and what it decides when it is asked again
BACK = 3  # the turn whose B the last good decision left


@dataclass(frozen=True)
class Left:
    """What a way left: the discounts of each line that can still be resumed, what each customer received in all, and
    whether the project's file is yesterday's."""

    lines: list[list[int]]
    received: dict[str, list[int]]
    restored: bool


def resume(folder: Path) -> None:
    work(folder, SECOND, resume=True)


def rewind(folder: Path) -> None:
    rewind_to(BACK, folder, accept=True)
    work(folder, SECOND, resume=True)


def fork(folder: Path) -> None:
    work(fork_from(BACK, "other", folder), SECOND, resume=True)


def git(folder: Path) -> None:
    """What `git restore` does to a file; it runs no agent."""
    (folder / PROJECT).write_bytes(YESTERDAY)


WAYS: dict[str, Callable[[Path], None]] = {"resume": resume, "rewind": rewind, "fork": fork, "git": git}


def killed() -> Path:
    """A task whose decisions are good, killed in its turn 4, when the effect of that turn was noted."""
    return _begun(SECOND, label="after-effect-write:4")


def misled() -> Path:
    """A task that decided something else from its turn 4 on, and has ended."""
    return _begun(SECOND, SECOND, SECOND, FIRST)


def taken(way: str, begun: Path) -> Left:
    """What is left when `way` is taken in a copy of the folder."""
    folder = copy_of(begun)
    WAYS[way](folder)
    lines = [folder, *(folder.with_name(name) for name in forks_of(folder))]
    restored = (folder / PROJECT).read_bytes() == YESTERDAY
    return Left(list(map(_decided, lines)), received(outside(folder)), restored)


def _begun(*discounts: int, label: str = "") -> Path:
    folder = new_folder()
    (folder / PROJECT).write_bytes(TODAY)
    work(folder, *discounts, label=label)
    return folder


def _decided(folder: Path) -> list[int]:
    """The discounts that a line decided, turn by turn."""
    return [discount_in(call["input"]["text"]) for call in calls_in(load_checkpoint(folder)["messages"])]
