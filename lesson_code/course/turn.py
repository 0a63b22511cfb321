"""The steps of a turn, with the moments between them: where it died, and what did not arrive."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ipywidgets import HTML, RadioButtons

from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.conversation import calls_in
from ..harness.ledger import LEDGER_FILE
from ..lab.deaths import CALLS, Bench
from ..lab.scene import Outcome
from ..words import say
from .death import MOMENTS
from .html import Html, bare, join, label, prose, table, tag
from .widget import Widget, chosen, group, show

TURN = 3  # the one whose tool leaves something in the world
ANSWER = "answer"  # the death before ①, which has no sign of its own


@dataclass(frozen=True)
class Step:
    """A step of a turn: what is done, where that is seen, whether it was seen there, and the moment that follows it."""

    does: str
    where: str
    arrived: bool
    moment: str


def steps(outcome: Outcome, *, ledger: bool) -> list[Step]:
    """The steps of the turn that writes the report, each looked for on disk or in the world after the run."""
    scene = outcome.checkpoint
    asked = [call["asked"] for call in outcome.world.calls() if call["name"] == CALLS[TURN]]
    noted = [key for key in outcome.effects or {} if key in asked]
    known, has_a = calls_in(scene["messages"]), scene["turns"] >= TURN
    found = [
        Step(say("turn_asks"), say("turn_asks_where"), any(call["id"] in asked for call in known), ANSWER),
        Step(say("turn_saves_a"), f"`{CHECKPOINT_FILE}`", has_a, "①"),
        Step(say("turn_runs"), say("turn_runs_where"), outcome.world.times(CALLS[TURN]) > 0, "②"),
        Step(say("turn_saves_b"), f"`{CHECKPOINT_FILE}`", has_a and scene["pendingToolUse"] is None, "③"),
    ]
    if ledger:
        found.insert(3, Step(say("turn_notes"), f"`{LEDGER_FILE}`", bool(noted), "★"))
    return found


class TurnTimeline(Widget):
    """The turn that writes the report. `moment` ("answer", "①", "②", "★" or "③") says where it dies.

    Without a ledger it is the harness of lessons 2 and 3.
    """

    moment = chosen("moments")

    def __init__(self, *, ledger: bool = True) -> None:
        self.bench = Bench(ledger)
        places = [(say("turn_answer"), ANSWER), *((say(MOMENTS[moment]), moment) for moment in self.bench.moments)]
        self.moments = RadioButtons(options=places, value="①")
        self.line = HTML()
        super().__init__(group(say("turn_moment"), self.moments), self.line)
        self._run()
        self.moments.observe(self.when(self._run), "value")

    def state(self) -> dict[str, Any]:
        """Where it died, with which exit code, and each step that arrived or did not."""
        return {"moment": self.moment, "exit_code": self._left.exit_code, "steps": self._steps}

    def _run(self) -> None:
        self._left = self._play(self.moment)
        self._steps = steps(self._left, ledger=self.bench.ledger)
        self.line.value = show(_drawn(self._steps, self.moment, self._left.exit_code))

    def _play(self, moment: str) -> Outcome:
        return self.bench.before("①", TURN) if moment == ANSWER else self.bench.die(moment, TURN)

    def static(self) -> Html:
        """Each step in each of the turn's deaths."""
        runs = list(self._every.values())
        rows = [
            [prose(step.does), prose(step.where), *(_state(run[number]) for run in runs)]
            for number, step in enumerate(runs[0])
        ]
        heads = [say("turn_step"), say("turn_where"), *map(_named, self._every)]
        return join([table(_caption(), heads, rows), tag("p", say("turn_all_lost"))])

    def plain(self) -> str:
        lines = [bare(say("turn_caption", turn=TURN, name=CALLS[TURN]))]
        for moment, found in self._every.items():
            lines.append(f"{_named(moment)}:")
            lines += [f"    {_word(step)}: {bare(step.does)} ({bare(step.where)})" for step in found]
        return "\n".join([*lines, say("turn_all_lost")])

    @cached_property
    def _every(self) -> dict[str, list[Step]]:
        """The steps as each death left them."""
        moments = [moment for _, moment in self.moments.options]
        return {moment: steps(self._play(moment), ledger=self.bench.ledger) for moment in moments}


def _drawn(found: list[Step], moment: str, code: int) -> Html:
    """The steps in their order; the last column is what lies between a step and the next."""
    rows = []
    for step in found:
        sign = "" if step.moment == ANSWER else step.moment
        after = label("changed", say("turn_dead", code=code)) if step.moment == moment else ""
        rows.append([prose(step.does), _state(step), prose(step.where), join([sign, " ", after])])
    heads = [say("turn_step"), say("turn_state"), say("turn_where"), say("turn_after")]
    return join([table(_caption(), heads, rows), tag("p", say("turn_all_lost"))])


def _caption() -> Html:
    return prose(say("turn_caption", turn=TURN, name=CALLS[TURN]))


def _named(moment: str) -> str:
    return say("turn_answer") if moment == ANSWER else say(MOMENTS[moment])


def _word(step: Step) -> str:
    if step.arrived:
        return say("turn_arrived")
    return say("turn_forgotten" if step.moment == ANSWER else "turn_lost")  # the answer did come


def _state(step: Step) -> Html:
    return label("arrived" if step.arrived else "lost", _word(step))
