"""What an attack found, as a table and as sentences: which moments hold, the smallest case that falls, what to read."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..words import say
from .attempt import Case
from .judge import Fault, Row
from .orders import KINDS

MOMENTS = {
    "never": (),
    "answer": ("after-answer",),
    "entered": ("tool-entered", "after-save-a"),
    "done": ("tool-done", "after-tool"),
    "noted": ("after-effect-write",),
    "next": ("next-request", "after-save-b"),
    "ended": ("returned", "after-save-end"),
    "write": ("write",),
    "twice": (),
}
"""The lines of the table, in order: each with the labels of the deaths that belong to it."""

ONLY_INSIDE = ("answer", "noted")
SEEN = {
    "tool-entered",
    "tool-done",
    "next-request",
    "returned",
    "write",
}  # from outside, without the help of the harness

READING = {
    "doubled": "once",
    "untold": "once",
    "lost": "noting",
    "success_false": "noting",
    "text_other": "noting",
    "failure_hidden": "failed",
    "failure_lost": "both",
    "unknown_feigned": "nature",
    "refused": "dangling",
    "raised": "loader",
    "hangs": "method",
    "counters": "counters",
    "answer": "method",
}
"""What to read of each fault: a key of the words (`read_…` without its prefix)."""


class Line(NamedTuple):
    """A moment of the table: the rows that were tried there, and those that fall."""

    moment: str
    rows: list[Row]
    falls: list[Row]


@dataclass(frozen=True, repr=False)
class Verdict:
    """What came of an attack on `name`, whose runs passed moments of these names (`after-tool`, `write`…)."""

    name: str
    rows: list[Row]
    passed: set[str]
    simulated: bool = False

    @property
    def holds(self) -> bool:
        """Whether no row falls."""
        return not any(row.faults for row in self.rows)

    @property
    def lines(self) -> list[Line]:
        """The table."""
        found = {moment: Line(moment, [], []) for moment in MOMENTS}
        for row in self.rows:
            line = found[moment_of(row.case)]
            line.rows.append(row)
            if row.faults:
                line.falls.append(row)
        return list(found.values())

    def smallest(self) -> Iterator[Row]:
        """Of each fault (the first of its row: the others follow from it) and its cause, the smallest case."""
        shown = set()
        for row in sorted((row for row in self.rows if row.faults), key=size_of):
            fault = row.faults[0]
            what = (fault.key, reading(row), fault.detail.split(":")[0] if fault.key == "raised" else "")
            if what not in shown:
                shown.add(what)
                yield row

    def sentences(self) -> list[str]:
        """The smallest cases in words."""
        return [sentence(row, self.name) for row in self.smallest()]

    def as_json(self) -> dict[str, Any]:
        """`{"target", "holds", "simulated", "empty": {moment: why}, "rows": [{"case", "faults": [[key, …]], …}]}`."""
        rows = [{**asdict(row), "case": str(row.case)} for row in self.rows]
        empty = {line.moment: self.why_empty(line.moment) for line in self.lines if not line.rows}
        return {"target": self.name, "holds": self.holds, "simulated": self.simulated, "empty": empty, "rows": rows}

    def __str__(self) -> str:
        fallen = sum(bool(row.faults) for row in self.rows)
        how = "falls" if fallen else "holds"
        end = say(f"attack_{how}" if len(self.rows) > 1 else f"attack_one_{how}", rows=len(self.rows), falls=fallen)
        return "\n".join(
            [*(self.table() if len(self.rows) > 1 else []), *(f"{each}\n" for each in self.sentences()), end]
        )

    def table(self) -> list[str]:
        """The lines of the table, and what its words mean."""
        lines = [_laid_out(say(f"moment_{line.moment}"), *self._counts(line)) for line in self.lines]
        empty = {self.why_empty(line.moment): None for line in self.lines if not line.rows}
        legend = [say(f"attack_means_{why}") for why in empty]
        return [_laid_out(*say("attack_head").split("|")), *lines, *legend, ""]

    __repr__ = __str__

    def _counts(self, line: Line) -> list[str]:
        if line.rows:
            return [str(len(line.rows)), str(len(line.falls))]
        return [say(f"attack_{self.why_empty(line.moment)}")]

    def why_empty(self, moment: str) -> str:
        """Why a moment has no row: `untried` in this attack, `absent` in this harness, or `unmeasured`."""
        is_passed = self.passed & set(MOMENTS[moment])
        if is_passed or moment in ("never", "twice") or (moment == "write" and self.simulated):
            return "untried"
        return "absent" if moment in ONLY_INSIDE and self.passed - SEEN else "unmeasured"


def moment_of(case: Case) -> str:
    """The line of the table to which a case belongs."""
    return line_of(case.deaths[0]) if len(case.deaths) == 1 else "twice" if case.deaths else "never"


def line_of(label: str) -> str:
    """The line of the table for a death at `label`; those of a resume belong to `twice`."""
    name = label.split(":")[0]
    return next((moment for moment, names in MOMENTS.items() if name in names), "twice")


def size_of(row: Row) -> tuple[Any, ...]:
    """Smaller is plainer: fewer deaths, a careful model, a plain tool, an early turn."""
    setting, deaths = row.case.setting, row.case.deaths
    turns = [int(found) for death in deaths for found in re.findall(r"\d+", death)]
    moments = [[*MOMENTS].index(line_of(death)) for death in deaths]
    kind = KINDS.index(setting.kind)
    return len(deaths), setting.hasty, row.case.kill, kind, not setting.fresh_ids, moments, turns, deaths


def sentence(row: Row, name: str) -> str:
    """What goes wrong in a row, how to see it again, and what to read."""
    setting, fault = row.case.setting, row.faults[0]
    model = say("model_hasty" if setting.hasty else "model_careful")
    moments = [say("attack_moment", moment=_when(label), label=label) for label in row.case.deaths]
    where = say("attack_dies", moments=say("attack_then").join(moments)) if moments else say("attack_lives")
    what = say("attack_row", kind=say(f"kind_{setting.kind}"), model=model, where=where, fault=said(fault))
    in_notebook = name.startswith("__main__:")
    again = say(
        "attack_again_here" if in_notebook else "attack_again", target=name.split("__main__:")[-1], case=row.case
    )
    return f"{what}\n  {again}\n  {say('attack_read', reading=say(f'read_{reading(row)}'))}"


def _when(label: str) -> str:
    moment = line_of(label)
    return say("attack_resuming") if moment == "twice" else say(f"moment_{moment}")


def said(fault: Fault) -> str:
    """A fault in words."""
    return say(f"row_{fault.key}", detail=fault.detail)


def reading(row: Row) -> str:
    """What to read of a row that falls."""
    fault = row.faults[0]
    if fault.key == "raised" and moment_of(row.case) == "write":
        return "write"
    if fault.key == "refused" and "unexpected `tool_use_id`" in fault.detail:
        return "order"  # a result without its call: the other of the API's two refusals
    if fault.key == "raised" and not row.case.deaths:
        return {"raising": "failed", "unserialisable": "unnoted"}.get(row.case.setting.kind, "method")
    if moment_of(row.case) == "ended":
        return "finished"
    return READING[fault.key]


def _laid_out(*cells: str) -> str:
    return f"{cells[0]:46}{''.join(f'{cell:>12}' for cell in cells[1:])}"
