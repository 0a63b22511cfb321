"""The verdict on a run that died and was resumed: what is in the world, what the model was told, what is on disk."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..harness.checkpoint import CHECKPOINT_FILE
from .attempt import Case, Place, Setting
from .model import usage_of
from .orders import CONSULT, DELIVER, items_of
from .witness import Witness

UNSURE = ("after-save-a", "after-tool", "tool-entered", "tool-done", "write", "killed")
"""The deaths after which nobody can know, for they come between save A and the ledger. Those of a `write` and of a
`killed` may come anywhere: there the harness is believed."""

LIES = {"doubled", "untold", "success_false", "text_other", "unknown_feigned"}
"""The faults by which the model is not told the truth."""


class End(NamedTuple):
    """How the last run ended: the answer that it gave, or what it raised (`Type: message`), or `hangs`."""

    answer: str | None = None
    raised: str | None = None
    hangs: bool = False


class Fault(NamedTuple):
    """What is wrong: a key of the words (`fault_row_…` without its prefix), and what it is about."""

    key: str
    detail: str = ""


@dataclass(frozen=True)
class Row:
    """A case and what came of it.

    `effects`: deliveries in the world. `accepted`: the API would take every request. `truthful`: the model was told
    what happened; None where the task is stuck. `turns`, `tokens`: what checkpoint.json counts at the end, None where
    it is not of the course's form. `left`: files that a run which never dies does not leave.
    """

    case: Case
    effects: int
    accepted: bool
    truthful: bool | None
    turns: int | None
    tokens: int | None
    answer: str | None
    left: tuple[str, ...]
    faults: tuple[Fault, ...]


class Remains(NamedTuple):
    """What a run leaves: what checkpoint.json counts, the answer, the files, how many calls the model was told of."""

    turns: int | None
    tokens: int | None
    answer: str | None
    files: frozenset[str]
    told: int


def judge(case: Case, place: Place, end: End, never: Remains | None = None) -> Row:
    """The row of `case`, whose last run ended so in `place`; `never` is what the run that never dies leaves."""
    witness, remains = place.witness, remains_of(place, end)
    left = tuple(sorted(remains.files - never.files)) if never else ()
    faults = tuple(_faults(case.setting, witness, end, remains, never))
    keys = {fault.key for fault in faults}
    stuck = bool(keys & {"refused", "raised", "hangs"})
    truthful = False if keys & LIES else None if stuck else True
    return Row(
        case,
        len(witness.effects()),
        "refused" not in keys,
        truthful,
        remains.turns,
        remains.tokens,
        end.answer,
        left,
        faults,
    )


def remains_of(place: Place, end: End) -> Remains:
    """What is left of a run in `place`."""
    files = frozenset(path.relative_to(place.folder).as_posix() for path in place.folder.rglob("*") if path.is_file())
    saved = _saved(place)
    told = len({line["told"] for line in place.witness.lines("told")})
    return Remains(saved.get("turns"), saved.get("tokensUsed"), end.answer, files, told)


def counters_after(told: int, never: Remains) -> tuple[int | None, int | None]:
    """The turns and tokens of a conversation of `told` calls, in a harness that counts as it does in `never`.

    Without a death, or with one of which the model was not told, they are those of `never` itself. Where it was told,
    they are the sum of what happened. Not every harness saves the tokens of the last answer.
    """
    if never.turns is None or never.tokens is None:
        return None, None
    uncounted = sum(cost(asked) for asked in range(1, never.told + 2)) - never.tokens
    paid = sum(cost(asked) for asked in range(1, told + 2))
    return never.turns + told - never.told, paid - (cost(told + 1) if uncounted == cost(never.told + 1) else uncounted)


def cost(asked: int) -> int:
    """The tokens of the `asked`-th answer of a conversation."""
    usage = usage_of(asked)
    return usage.input_tokens + usage.output_tokens


def _faults(setting: Setting, witness: Witness, end: End, remains: Remains, never: Remains | None) -> Iterator[Fault]:
    refused = witness.lines("refused")
    if refused:
        yield Fault("refused", refused[-1]["refused"])
    elif end.hangs:
        yield Fault("hangs")
    elif end.raised:
        yield Fault("raised", end.raised)
    yield from _lies(setting, witness)
    if refused or end.hangs or end.raised:
        return
    told = {line["told"] for line in witness.lines("told")}
    done = {str(effect["done"]) for effect in witness.effects()}
    yield from (Fault("untold", tool_use_id) for tool_use_id in sorted(done - told))
    if setting.kind != "read_only":
        delivered = Counter(effect["about"] for effect in witness.effects())
        wanted = Counter(items_of(setting.kind, setting.orders))
        yield from (Fault("lost", item) for item in wanted if delivered[item] < wanted[item])
    if never is None:
        return
    turns, tokens = counters_after(remains.told, never)
    if remains.turns is not None and (remains.turns, remains.tokens) != (turns, tokens):
        yield Fault("counters", f"{remains.turns}/{remains.tokens} ≠ {turns}/{tokens}")
    if remains.answer != never.answer:
        yield Fault("answer", remains.answer or "")


def _lies(setting: Setting, witness: Witness) -> Iterator[Fault]:
    told = [line for line in witness.lines("told") if line["told"] in _asked(witness, DELIVER, CONSULT)]
    unsure = {tool_use_id for label, tool_use_id in witness.in_flight() if label.startswith(UNSURE)}
    raised = {line["raised"] for line in witness.lines("raised")}
    done = Counter(effect["done"] for effect in witness.effects())
    wanted = Counter(items_of(setting.kind, setting.orders))
    excused = {line["told"] for line in told if line["error"]}
    for item, effects in _by_item(witness).items():
        again = sum(effects.count(tool_use_id) > 1 for tool_use_id in set(effects))
        if again or len(effects) > wanted[item] + len(excused & set(effects)):
            yield Fault("doubled", item)
    for line in told:
        tool_use_id = line["told"]
        if line["error"]:
            if tool_use_id not in raised and not (setting.kind != "read_only" and tool_use_id in unsure):
                yield Fault("unknown_feigned", tool_use_id)
        elif setting.kind != "read_only" and not done[tool_use_id]:
            yield Fault("success_false", tool_use_id)
        elif not any(text in line["text"] for text in _returned(witness, tool_use_id)):
            yield Fault("text_other", tool_use_id)


def _asked(witness: Witness, *names: str) -> set[str]:
    return {line["asked"] for line in witness.calls() if line["name"] in names}


def _returned(witness: Witness, tool_use_id: str) -> list[str]:
    return [line["text"] for line in witness.lines("returned") if line["returned"] == tool_use_id]


def _by_item(witness: Witness) -> dict[str, list[str]]:
    """The ids under which each order was delivered."""
    found: dict[str, list[str]] = {}
    for effect in witness.effects():
        found.setdefault(effect["about"], []).append(effect["done"])
    return found


def _saved(place: Place) -> dict[str, Any]:
    """The counters of the course's checkpoint; nothing where there is no such file."""
    try:
        saved = json.loads((place.folder / CHECKPOINT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    counters = {name: saved.get(name) for name in ("turns", "tokensUsed")} if isinstance(saved, dict) else {}
    return counters if all(type(value) is int for value in counters.values()) else {}
