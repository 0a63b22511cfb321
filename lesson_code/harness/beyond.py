"""What going back can't undo: the calls that the world may have seen and a conversation does not know."""

from typing import NamedTuple

from ..words import say
from .checkpoint import Checkpoint, CheckpointError, load_checkpoint
from .conversation import tool_uses
from .ledger import load_effects
from .snapshots import load_latest
from .storage import Folder


class Effect(NamedTuple):
    """A call that a conversation does not know. `sure`: the ledger notes it; otherwise it may have happened."""

    id: str
    name: str
    sure: bool


def beyond(checkpoint: Checkpoint, folder: Folder) -> list[Effect]:
    """The calls that `checkpoint` does not know and the world may: noted in the ledger, or asked and not noted."""
    known, noted = calls_of(checkpoint), load_effects(folder)
    try:
        now = load_checkpoint(folder)
    except CheckpointError:
        now = load_latest(folder)
    sure = [Effect(call_id, entry["name"], True) for call_id, entry in noted.items() if call_id not in known]
    asked = calls_of(now).items()
    return sure + [Effect(call_id, name, False) for call_id, name in asked if call_id not in {*known, *noted}]


def named(effects: list[Effect]) -> str:
    """The effects in one line: their names and ids, and which of them are not sure."""
    return ", ".join(say("effect_sure" if e.sure else "effect_maybe", id=e.id, name=e.name) for e in effects)


def calls_of(checkpoint: Checkpoint) -> dict[str, str]:
    """The name of each call in the conversation, by its id."""
    return {call["id"]: call["name"] for message in checkpoint["messages"] for call in tool_uses(message["content"])}
