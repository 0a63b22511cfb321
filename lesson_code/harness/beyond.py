"""What going back can't undo: the calls that the world may have seen and a conversation does not know."""

from pathlib import Path
from typing import NamedTuple

from ..words import say
from .checkpoint import Checkpoint
from .conversation import calls_in
from .folder import ABANDONED, HISTORY
from .ledger import load_effects
from .snapshots import reached
from .storage import Folder


class Effect(NamedTuple):
    """A call that a conversation does not know. `sure`: the ledger notes it; otherwise it may have happened."""

    id: str
    name: str
    sure: bool


def beyond(checkpoint: Checkpoint, folder: Folder) -> list[Effect]:
    """The calls that `checkpoint` does not know and the world may: noted in the ledger, or asked and not noted."""
    known, noted = calls_of(checkpoint), load_effects(folder)
    asked = {call_id: name for line in lines(Path(folder)) for call_id, name in calls_of(line).items()}
    sure = [Effect(call_id, entry["name"], True) for call_id, entry in noted.items() if call_id not in known]
    return sure + [Effect(call_id, name, False) for call_id, name in asked.items() if call_id not in {*known, *noted}]


def lines(folder: Path) -> list[Checkpoint]:
    """Where each line of the run got to, the abandoned ones first."""
    aside = [reached(place, place) for place in sorted((folder / ABANDONED).glob("*"))]
    return [line for line in (*aside, reached(folder, folder / HISTORY)) if line]


def named(effects: list[Effect]) -> str:
    """The effects in one line, however many: their names and ids, and which of them are not sure."""
    return ", ".join(say("effect_sure" if e.sure else "effect_maybe", id=e.id, name=e.name) for e in effects)


def calls_of(checkpoint: Checkpoint) -> dict[str, str]:
    """The name of each call in the conversation, by its id."""
    return {call["id"]: call["name"] for call in calls_in(checkpoint["messages"])}
