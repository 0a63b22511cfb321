"""The crash picker: choose where the run dies, look at what is left, choose the branch, resume, and compare."""

from functools import cached_property
from typing import Any

from ipywidgets import HTML, Button, HBox, RadioButtons

from ..lab.deaths import CALLS, REUSE, Bench, look
from ..lab.scene import Outcome
from ..words import say
from .death import BRANCHES, MOMENTS, Death, End, as_words, call_named, die, in_a_row, resume, told, told_end
from .html import Html, bare, folded, join, prose, table
from .widget import Widget, chosen, comes_true, group, show


class CrashPicker(Widget):
    """Pick a moment, a turn and a way of dying; then a branch, and resume.

    `moment` ("①", "②", "★", "③"), `turn` (1 to 3), `real` and `branch` ("reuse", "again", "unknown", "nothing") can be
    set from code, which does what a click does; `resume()` is the button. Without a ledger it is lesson 3's harness.
    """

    def __init__(self, *, ledger: bool = True) -> None:
        self.ledger = ledger
        moments = [(say(MOMENTS[moment]), moment) for moment in Bench(ledger).moments]
        branches = [(bare(say(words)), branch) for branch, words in BRANCHES.items() if ledger or branch != REUSE]
        self.moments = RadioButtons(options=moments, value="②")
        self.turns = RadioButtons(options=[(bare(call_named(turn)), turn) for turn in CALLS], value=3)
        self.ways = RadioButtons(options=[(say("picker_simulated"), False), (say("picker_real"), True)])
        self.branches = RadioButtons(options=branches, value=None)
        self.button = Button(description=say("picker_resume"))
        self.disk, self.end = HTML(), HTML()
        pick = [group(say("picker_moment"), self.moments), group(say("picker_turn"), self.turns)]
        branch = [group(say("picker_branch"), self.branches), self.button, self.end]
        super().__init__(HBox(pick), group(say("picker_way"), self.ways), self.disk, *branch)
        self._death: Death | None = None
        self._end: End | None = None
        self._die()
        for control in (self.moments, self.turns, self.ways):
            control.observe(self.when(self._die), "value")
        self.branches.observe(self.when(self._forget), "value")
        self.button.on_click(self.when(self.resume))

    moment = chosen("moments")
    turn = chosen("turns")
    real = chosen("ways")
    branch = chosen("branches")

    def resume(self) -> None:
        """Go on from what is left; the branch must have been chosen."""
        if self._death is None:
            self.end.value = show(prose(say("picker_nothing")))
            return
        if not comes_true(lambda: self.branch is not None):
            self.end.value = show(prose(say("picker_first")))
            return
        self._wait(self.end)
        self._end = end = resume(self._death)
        self.end.value = show(told_end(self._death, end, self.branch))

    def state(self) -> dict[str, Any]:
        """What is picked, and what the runs left: files, world, exit code; `end` is None before the resume.

        After a pick that failed it is only what is picked.
        """
        death, end = self._death, self._end
        picked = {"moment": self.moment, "turn": self.turn, "real": self.real, "branch": self.branch}
        found = {**picked, **vars(look(death.left)), **_told(death.left)} if death else picked
        ended = {**vars(look(end.left)), **_told(end.left), "branch": end.branch, "times": end.times} if end else None
        return {**found, "end": ended}

    def _die(self) -> None:
        self.branches.value = None
        self._forget()
        self.branches.disabled = self.button.disabled = self.real  # nothing can be resumed until it has died
        self._death = None
        try:
            self._wait(self.disk)
            self._death = die(Bench(self.ledger, self.real), self.moment, self.turn)
        finally:
            self.disk.value = show(told(self._death)) if self._death else ""
            self.branches.disabled = self.button.disabled = self._death is None

    def _forget(self) -> None:
        """Another branch, or another death: what came of the last one is no longer shown."""
        self._end, self.end.value = None, ""

    def _wait(self, place: Any) -> None:
        if self.real:
            place.value = show(say("picker_waits"))

    def static(self) -> Html:
        """The widget as it opens, the rest folded, and below it every moment of every turn."""
        death, end = self._opening
        rest = folded(say("picker_folded"), told_end(death, end, None))
        return join([told(death), rest, folded(say("picker_all"), self._every())])

    def plain(self) -> str:
        rows = [list(self._rows[0]), *(list(row.values()) for row in self._rows)]
        return "\n".join([as_words(*self._opening), "", say("picker_all"), *(bare(" · ".join(row)) for row in rows)])

    @cached_property
    def _opening(self) -> tuple[Death, End]:
        death = die(Bench(self.ledger), "②", 3)
        return death, resume(death)

    @cached_property
    def _rows(self) -> list[dict[str, str]]:
        """Each moment of each turn, run and resumed."""
        bench = Bench(self.ledger)
        deaths = [die(bench, moment, turn) for turn in CALLS for moment in bench.moments]
        return [in_a_row(death, resume(death)) for death in deaths]

    def _every(self) -> Html:
        rows = [[prose(cell) for cell in row.values()] for row in self._rows]
        return table(say("picker_all"), list(self._rows[0]), rows)


def _told(outcome: Outcome) -> dict[str, Any]:
    return {"exit_code": outcome.exit_code, "log": outcome.log}
