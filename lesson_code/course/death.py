"""A death and its resume, computed by running both, and how they are told."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..harness.conversation import Block, text_of
from ..lab.deaths import AGAIN, CALLS, NOTHING, REUSE, UNKNOWN, Bench, Seen, branch_of, is_read_only, look
from ..lab.model import history
from ..lab.scene import Outcome
from ..words import say
from .html import Html, bare, items, join, label, prose, quoted, raw, tag
from .seen import SHORT, Line, as_table, as_text, json_of, lines

MOMENTS = {"①": "death_at_a", "②": "death_at_tool", "★": "death_at_note", "③": "death_at_b"}
BRANCHES = {REUSE: "death_reuse", AGAIN: "death_again", UNKNOWN: "death_unknown", NOTHING: "death_nothing"}
EFFECT = CALLS[3]


@dataclass(frozen=True)
class Death:
    """A run that died at a moment of a turn: what it left, and what changed since the moment `against`."""

    bench: Bench
    moment: str
    turn: int
    left: Outcome
    lines: list[Line]
    against: str

    @property
    def pending(self) -> dict[str, Any] | None:
        """The call that is open in what is left."""
        return self.left.checkpoint["pendingToolUse"]  # type: ignore[no-any-return]  # as in any checkpoint

    @property
    def noted(self) -> bool:
        """Whether that call is in the ledger."""
        return self.pending is not None and self.pending["id"] in (self.left.effects or {})

    def log_with(self, end: "End") -> list[str]:
        """What the two runs printed, and why the second one refused, if it did."""
        return [*self.left.log, *end.left.log, *end.left.warnings]


@dataclass(frozen=True)
class End:
    """What a resume made of a death: the branch, how often the report was written in all, and what changed.

    `told`: the result of the pending call that the model read, None if nothing was pending.
    """

    left: Outcome
    branch: str
    times: int
    lines: list[Line]
    told: Block | None


def die(bench: Bench, moment: str, turn: int) -> Death:
    """Run the course's task until it dies there. The moment before is looked at in a run of its own."""
    left = bench.die(moment, turn)
    place = bench.moments.index(moment)
    before = _before(replace(bench, real=False), moment, turn)
    against = bench.moments[place - 1] if place else say("death_before_a")
    return Death(bench, moment, turn, left, lines(look(left), before, ledger=bench.ledger), against)


@cache
def _before(bench: Bench, moment: str, turn: int) -> Seen:
    return look(bench.before(moment, turn))  # the same each time: it is run once


def resume(death: Death) -> End:
    """Another process goes on from what is left, to the end."""
    end = death.bench.resume(death.left)
    changed = lines(look(end), look(death.left), ledger=death.bench.ledger)
    answered = history(end.checkpoint["messages"]) if end.exit_code == 0 else ()
    told = next((result for call, result in answered if death.pending and call["id"] == death.pending["id"]), None)
    return End(end, branch_of(death.left, end), end.world.times(EFFECT), changed, told)


def call_named(turn: int) -> str:
    """The call of a turn, with its tool's kind."""
    kind = say("death_read_only") if is_read_only(CALLS[turn]) else say("death_with_effects")
    return say("death_call", turn=turn, name=CALLS[turn], kind=kind)


def sees(death: Death) -> list[str]:
    """What who resumes can read, each as a sentence, and then what it can't."""
    pending = death.pending
    if pending is None:
        return [say("death_sees_null")]
    name, call_id, noted = quoted(pending["name"], SHORT), quoted(pending["id"], SHORT), death.noted
    found = [say("death_sees_call", name=name, id=call_id)]
    if death.bench.ledger:
        found.append(say("death_sees_entry" if noted else "death_sees_no_entry", id=call_id))
    found.append(say("death_sees_reader" if is_read_only(pending["name"]) else "death_sees_writer", name=name))
    return [*found, _blind_spot(death)]


def _blind_spot(death: Death) -> str:
    if death.noted:
        return say("death_blind_to_nothing")
    if is_read_only(CALLS[death.turn]):
        return say("death_blind_to_reading")
    return say("death_blind_done" if death.left.world.times(EFFECT) else "death_blind_not_done")


def told(death: Death) -> Html:
    """What is left, as markup."""
    caption = say("death_caption", moment=death.moment, turn=death.turn, code=death.left.exit_code)
    seen = tag("p", tag("strong", say("death_sees")))
    table = as_table(death.lines, caption=caption, against=death.against)
    return join([table, json_of(look(death.left), ledger=death.bench.ledger), seen, items(map(prose, sees(death)))])


def told_end(death: Death, end: End, chosen: str | None) -> Html:
    """What came of it, as markup, beside the branch that the reader chose."""
    fits = label("arrived", say("death_fits")) if chosen == end.branch else label("changed", say("death_differs"))
    choice = [] if chosen is None else [prose(say("death_you", branch=bare(say(BRANCHES[chosen])))), fits]
    did = prose(say("death_it", branch=bare(say(BRANCHES[end.branch]))))
    times = tag("p", prose(say("death_times", name=EFFECT, times=end.times)))
    read = [tag("p", tag("strong", say("death_told"))), raw(_read(end.told))] if end.told else []
    caption = say("death_end_caption", code=end.left.exit_code)
    log = raw("\n".join(death.log_with(end)))
    said = tag("p", tag("strong", say("death_log")))
    return join(
        [
            tag("p", join([*choice, did], " ")),
            times,
            *read,
            said,
            log,
            as_table(end.lines, caption=caption, against=death.moment),
            json_of(look(end.left), ledger=death.bench.ledger),
        ]
    )


def as_words(death: Death, end: End) -> str:
    """The death and its end as text."""
    rows = [bare(say("death_caption", moment=death.moment, turn=death.turn, code=death.left.exit_code))]
    rows += [as_text(death.lines, death.against), say("death_sees"), *(f"  - {bare(one)}" for one in sees(death))]
    rows += [bare(say("death_it", branch=say(BRANCHES[end.branch]))), say("death_log"), *death.log_with(end)]
    rows += [say("death_told"), _read(end.told)] if end.told else []
    rows += [bare(say("death_times", name=EFFECT, times=end.times)), say("death_end_caption", code=end.left.exit_code)]
    return "\n".join([*rows, as_text(end.lines, death.moment)])


def _read(result: Block) -> str:
    text = text_of(result["content"])
    return bare(say("death_told_error", text=text)) if result.get("is_error") else text


def in_a_row(death: Death, end: End) -> dict[str, str]:
    """The death and its end, each thing in a few words, under its head. Without a ledger nothing is noted."""
    pending, seen = death.pending, look(death.left)
    noted = any(entry["name"] == CALLS[death.turn] for entry in (seen.effects or {}).values())
    found = {
        say("death_head_dies"): say("death_where", turn=death.turn, moment=death.moment),
        say("death_head_pending"): f"`{pending['name']}`" if pending else "`null`",
        say("death_head_noted"): say("death_noted" if noted else "death_not_noted"),
        say("death_head_world"): str(death.left.world.times(EFFECT)),
        say("death_head_branch"): say(BRANCHES[end.branch]),
        say("death_head_times"): str(end.times),
    }
    if not death.bench.ledger:
        del found[say("death_head_noted")]
    return found
