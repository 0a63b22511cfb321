"""The verdict on a run that died and was resumed: what is in the world, what the model was told, what is on disk."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..harness.checkpoint import CHECKPOINT_FILE
from .attempt import Case, Place, Setting
from .model import usage_of
from .orders import DELIVER, items_of
from .witness import Witness

UNSURE = ("after-save-a", "after-tool", "tool-entered", "tool-done", "write", "killed")
"""The deaths after which nobody can know, for they come between save A and the ledger. Those of a `write` and of a
`killed` may come anywhere: there the harness is believed."""

LIES = {"doubled", "untold", "success_false", "failure_hidden", "failure_lost", "text_other", "unknown_feigned"}
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
    they are the sum of what happened. Not every harness saves the tokens of the last answer; of one that counts in some
    way of its own, nothing is known: (None, None).
    """
    if never.turns is None or never.tokens is None:
        return None, None
    uncounted = paid(never.told) - never.tokens
    if uncounted not in (0, cost(never.told + 1)):
        return None, None
    return never.turns + told - never.told, paid(told) - (cost(told + 1) if uncounted else 0)


def paid(told: int) -> int:
    """The tokens of a conversation of `told` calls, its last answer included."""
    return sum(cost(asked) for asked in range(1, told + 2))


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
    if turns is not None and (remains.turns, remains.tokens) != (turns, tokens):
        yield Fault("counters", f"{remains.turns}/{remains.tokens} ≠ {turns}/{tokens}")
    if remains.answer != never.answer:
        yield Fault("answer", remains.answer or "")


def _lies(setting: Setting, witness: Witness) -> Iterator[Fault]:
    yield from (Fault("doubled", item) for item in _doubled(setting, witness))
    names = {line["asked"]: line["name"] for line in witness.calls()}
    in_flight = list(witness.in_flight())
    unsure = {tool_use_id for label, tool_use_id in in_flight if label.startswith(UNSURE)}
    known = {tool_use_id for _, tool_use_id in in_flight} - unsure  # how these ended could have been saved
    raised = {line["raised"]: line["text"] for line in witness.lines("raised")}
    told = witness.lines("told")
    says_why = any(line["error"] and line["told"] in raised and raised[line["told"]] in line["text"] for line in told)
    for line in told:
        tool_use_id = line["told"]
        has_effects = names.get(tool_use_id) == DELIVER
        if not line["error"]:
            yield from _of_success(witness, tool_use_id, line["text"], has_effects, tool_use_id in unsure)
        elif tool_use_id in raised:
            if says_why and tool_use_id in known and raised[tool_use_id] not in line["text"]:
                yield Fault("failure_lost", tool_use_id)
        elif not (has_effects and tool_use_id in unsure):
            yield Fault("unknown_feigned", tool_use_id)


def _doubled(setting: Setting, witness: Witness) -> Iterator[str]:
    """The orders that were delivered once more than was asked and than the model had been told might happen."""
    left = Counter(items_of(setting.kind, setting.orders))
    seen: set[tuple[str, str]] = set()
    doubled: dict[str, None] = {}
    for line in witness.lines():
        if "done" in line:
            call, item = (line["done"], line["about"]), line["about"]
            if call in seen or left[item] <= 0:
                doubled[item] = None
            seen.add(call)
            left[item] -= 1
        elif line.get("error"):  # failed or unknown: to do again what it did is no longer untold
            left.update(item for tool_use_id, item in seen if tool_use_id == line["told"])
    return iter(doubled)


def _of_success(witness: Witness, tool_use_id: str, text: str, has_effects: bool, is_unsure: bool) -> Iterator[Fault]:
    """What is wrong with telling the model that a call succeeded, with this text."""
    returned = [line["text"] for line in witness.lines("returned") if line["returned"] == tool_use_id]
    happened = any(effect["done"] == tool_use_id for effect in witness.effects()) if has_effects else bool(returned)
    found_out = is_unsure and _probed(witness, tool_use_id)  # and it may tell what it found in words of its own
    if not happened:
        yield Fault("success_false", tool_use_id)
    elif not (returned or found_out):
        yield Fault("failure_hidden", tool_use_id)
    elif not (found_out or any(each in text for each in returned)):
        yield Fault("text_other", tool_use_id)


def _probed(witness: Witness, tool_use_id: str) -> bool:
    """Whether the harness looked for the effect of a call after a death."""
    about = {effect["about"] for effect in witness.effects() if effect["done"] == tool_use_id}
    lines = witness.lines()
    deaths = [number for number, line in enumerate(lines) if "died" in line]
    return any("probed" in line and line["about"] in about for line in lines[min(deaths, default=len(lines)) :])


def _saved(place: Place) -> dict[str, Any]:
    """The counters of the course's checkpoint; nothing where there is no such file."""
    try:
        saved = json.loads((place.folder / CHECKPOINT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    counters = {name: saved.get(name) for name in ("turns", "tokensUsed")} if isinstance(saved, dict) else {}
    return counters if all(type(value) is int for value in counters.values()) else {}
