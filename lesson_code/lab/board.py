"""The board: what each strategy does at each moment of death, every row of it a run."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..harness.conversation import calls_in, text_of
from ..words import say
from .crash import MOMENTS
from .model import ScriptedModel, history
from .scene import Outcome, new_folder, play
from .strategies import STRATEGIES
from .world import World

TURN = 3  # the one that writes the report
EFFECT = "write_report"


class Row(NamedTuple):
    """One death and its resume, in the turn that writes the report.

    `written`: times the report was really written. `extra`: calls asked beyond those of a run that never dies.
    `truthful` and `extra` are None where the API refused the resumed conversation and the task is stuck.
    """

    strategy: str
    moment: str
    written: int
    accepted: bool
    truthful: bool | None
    extra: int | None


class Cell(NamedTuple):
    """A row with the two runs that it was read from, and what the model read of the report.

    `read`: for each call of the tool, its id, whether it was told as an error, and the text.
    """

    row: Row
    dead: Outcome
    end: Outcome
    read: list[tuple[str, bool, str]]


def moments_of(strategy: str) -> str:
    """The moments of a strategy, in the order in which a run passes them. Without a ledger there is no ★."""
    if strategy == "ledger_first":
        return "①★②③"
    return "".join(MOMENTS) if strategy == "lesson" else "①②③"


def rows(strategy: str, *, hasty: bool = False) -> Iterator[Row]:
    """The rows of a strategy, one for each of its moments, as they are found."""
    for moment in moments_of(strategy):
        yield run_cell(strategy, moment, hasty=hasty).row


def run_cell(strategy: str, moment: str, *, hasty: bool = False) -> Cell:
    """Die at a moment of the turn that writes the report, and resume. Raises NothingHappened where there is none."""
    harness = STRATEGIES[strategy]
    model = ScriptedModel(fresh_ids=True, hasty=hasty)  # as the API does: asked again, it gives a new id
    dead = play(new_folder(), f"{MOMENTS[moment]}:{TURN}", harness=harness, model=model)
    end = play(dead.folder, resume=True, harness=harness, model=model)
    written = end.world.times(EFFECT)
    if end.exit_code:
        return Cell(Row(strategy, moment, written, False, None, None), dead, end, [])
    truthful = told_the_truth(dead, end, model.requests[-1])
    row = Row(strategy, moment, written, True, truthful, len(end.world.calls()) - TURN)
    return Cell(row, dead, end, list(_read(model.requests[-1])))


def _read(messages: list[dict[str, Any]]) -> Iterator[tuple[str, bool, str]]:
    for call, result in history(messages):
        if call["name"] == EFFECT:
            yield call["id"], bool(result.get("is_error")), text_of(result["content"])


def told_the_truth(dead: Outcome, end: Outcome, messages: list[dict[str, Any]]) -> bool:
    """Whether what the model was told of the report is what happened; `dead` tells what nobody could know."""
    last = dead.checkpoint["messages"][-1:] if dead.checkpoint else []
    return is_the_truth(end.world, messages, {call["id"] for call in calls_in(last)} - set(dead.effects or {}))


def is_the_truth(world: World, messages: list[dict[str, Any]], unsure: set[str]) -> bool:
    """Whether `messages` tell of the report what happened in `world`; `unsure` are the ids that nobody knew of.

    A success: the effect is in the world once under its id, and the text is the tool's. Unknown: the death came with
    that call pending and without a note of it. A second id: only after an unknown one. And no effect untold.
    """
    done = [effect["done"] for effect in world.effects() if effect["name"] == EFFECT]
    seen = [(call, result) for call, result in history(messages) if call["name"] == EFFECT]
    failed = [bool(result.get("is_error")) for _, result in seen]
    for (call, result), unknown in zip(seen, failed, strict=True):
        times = done.count(call["id"])
        true = call["id"] in unsure and times <= 1 if unknown else times == 1
        told = say("result_unknown", name=EFFECT) if unknown else say("report_written", path=call["input"]["path"])
        if not (true and result["content"] == told):
            return False
    return all(failed[:-1]) and set(done) <= {call["id"] for call, _ in seen}
