"""Runs with a past: a call of `send` in each turn, what the world saw, and every death of a change of the folder."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lesson_code.harness import AgentStopped, run_agent
from lesson_code.harness.beyond import calls_of
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.folder import HISTORY
from lesson_code.harness.snapshots import keeping, snapshots
from lesson_code.harness.storage import read_state
from lesson_code.harness.strict import parse
from tests.support import TASK, Died, answer, call, die_at, dies_at_step, snapshot, text, tool

FIVE = ("t1", "t2", "t3", "t4", "t5")


class Sends:
    """A client that asks for one call for each id, whatever it has to go on from; and then the network is gone."""

    def __init__(self, *ids: str) -> None:
        self.ids = ids

    @property
    def messages(self) -> "Sends":
        return self

    def create(self, *, messages: list[dict[str, Any]], **_: Any) -> Any:
        asked = {block["id"] for message in messages for block in tool_uses(message["content"])}
        left = [name for name in self.ids if name not in asked]
        if not left:
            raise ConnectionError("sin red")
        return answer(text("Sigo."), call(left[0], "send", to=left[0]))


def silent(event: str, **fields: Any) -> None:
    """Listen, and say nothing."""


def go(
    folder: Path, *ids: str, resume: bool = False, history: bool = True, crash: str = "", emit: Any = silent
) -> None:
    """Run, or go on, until each of `ids` has been asked, or until the death at `crash`."""
    world = folder.parent / "mundo.txt"

    def send(to: str) -> str:
        with world.open("a", encoding="utf-8") as file:
            file.write(f"{to}\n")
        return f"enviado a {to}"

    points = {"crash_point": die_at(crash)} if crash else {}
    listener = keeping(folder, emit) if history else emit
    try:
        run_agent(Sends(*ids), TASK, {"send": tool(send, "to")}, folder, resume=resume, emit=listener, **points)
    except (AgentStopped, Died) as stop:
        assert isinstance(stop, Died) if crash else "sin red" in str(stop), stop


def sent(folder: Path) -> list[str]:
    """What the world of `folder`, and of its forks, has seen."""
    return (folder.parent / "mundo.txt").read_text(encoding="utf-8").split()


def line(checkpoint: dict[str, Any]) -> tuple[str, ...]:
    """The calls of a conversation, in order."""
    return tuple(calls_of(checkpoint))


def kept(folder: Path) -> list[str]:
    """The names of the sequence, in its order."""
    return [path.name for path in snapshots(folder).values()]


def names(*places: str) -> list[str]:
    """`names("1AB", "2A")`: the files of turn 1, and the A of turn 2."""
    points = [(int(place.rstrip("AB")), point) for place in places for point in place.lstrip("0123456789")]
    return [f"turn-{turn:03d}-{point}.json" for turn, point in points]


def mixes_no_lines(folder: Path) -> bool:
    """Whether each snapshot of the sequence is on the way to the last one, and says its own turn."""
    lines = [(turn, line(parse(read_state(path)))) for (turn, _), path in snapshots(folder).items()]
    return all(len(ids) == turn and ids == lines[-1][1][:turn] for turn, ids in lines)


def copy(folder: Path, place: Path) -> Path:
    """A copy of `folder`, under its own name, in `place`."""
    return Path(shutil.copytree(folder, place / folder.name, symlinks=True))


def deaths(folder: Path, run: Callable[[Path], Any], *beside: Path) -> Iterator[Path]:
    """A copy of `folder`, and of those beside it, for each state in which a death of `run` leaves it."""
    last: dict[str, Any] = {}
    for step in range(1, 1000):
        place, *_ = [copy(original, folder.parent / "muertes" / str(step)) for original in (folder, *beside)]
        if not dies_at_step(step, lambda place=place: run(place), place):
            assert step > 5
            return
        if last != (last := snapshot(place.parent)):  # to die at a step that only reads leaves nothing new
            yield place


def history_of(folder: Path) -> dict[str, bytes]:
    """The bytes of each file in checkpoints/."""
    return {path.name: path.read_bytes() for path in (folder / HISTORY).iterdir()}
