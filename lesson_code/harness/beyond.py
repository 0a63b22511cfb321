"""What going back can't undo: the calls that the world may have seen and a conversation does not know."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..words import say
from .checkpoint import CHECKPOINT_FILE, Checkpoint, CheckpointError, read_checkpoint
from .conversation import tool_uses
from .folder import ABANDONED, HISTORY
from .ledger import load_effects
from .snapshots import files_of
from .storage import Folder


class Effect(NamedTuple):
    """A call that a conversation does not know. `sure`: the ledger notes it; otherwise it may have happened."""

    id: str
    name: str
    sure: bool


def beyond(checkpoint: Checkpoint, folder: Folder) -> list[Effect]:
    """The calls that `checkpoint` does not know and the world may: noted in the ledger, or asked and not noted."""
    known, noted = calls_of(checkpoint), load_effects(folder)
    asked = {call_id: name for line in _lines(Path(folder)) for call_id, name in calls_of(line).items()}
    sure = [Effect(call_id, entry["name"], True) for call_id, entry in noted.items() if call_id not in known]
    return sure + [Effect(call_id, name, False) for call_id, name in asked.items() if call_id not in {*known, *noted}]


def _lines(folder: Path) -> Iterator[Checkpoint]:
    """Where each line of the run got to, the abandoned ones first: its checkpoint or, if that is no use, its newest."""
    aside = [(place, place) for place in sorted((folder / ABANDONED).glob("*"))]
    for place, sequence in [*aside, (folder, folder / HISTORY)]:
        try:
            yield read_checkpoint(place / CHECKPOINT_FILE)
        except (FileNotFoundError, CheckpointError):
            yield from (read_checkpoint(newest) for newest in list(files_of(sequence).values())[-1:])


def named(effects: list[Effect]) -> str:
    """The effects in one line, however many: their names and ids, and which of them are not sure."""
    return ", ".join(say("effect_sure" if e.sure else "effect_maybe", id=e.id, name=e.name) for e in effects)


def calls_of(checkpoint: Checkpoint) -> dict[str, str]:
    """The name of each call in the conversation, by its id."""
    return {call["id"]: call["name"] for message in checkpoint["messages"] for call in tool_uses(message["content"])}
