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
    "ended": ("after-save-end",),
    "write": ("write",),
    "twice": (),
}
"""The lines of the table, in order: each with the labels of the deaths that belong to it."""

ONLY_INSIDE = ("answer", "noted", "ended")
SEEN = {"tool-entered", "tool-done", "next-request", "write"}  # from outside, without the help of the harness

READING = {
    "doubled": "once",
    "untold": "once",
    "lost": "noting",
    "success_false": "noting",
    "text_other": "noting",
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


@dataclass(frozen=True)
class Verdict:
    """What came of an attack on `name`, whose runs passed moments of these names (`after-tool`, `write`…)."""

    name: str
    rows: list[Row]
    passed: set[str]

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
        """Of each fault, the smallest case that shows it."""
        shown = set()
        for row in sorted((row for row in self.rows if row.faults), key=size_of):
            if row.faults[0].key not in shown:
                shown.add(row.faults[0].key)
                yield row

    def sentences(self) -> list[str]:
        """The smallest cases in words."""
        return [sentence(row, self.name) for row in self.smallest()]

    def as_json(self) -> dict[str, Any]:
        """`{"target", "holds", "rows": [{"case", "effects", …, "faults": [[key, detail]]}]}`."""
        rows = [{**asdict(row), "case": str(row.case)} for row in self.rows]
        return {"target": self.name, "holds": self.holds, "rows": rows}

    def __str__(self) -> str:
        head = [_laid_out(*say("attack_head").split("|"))]
        table = [_laid_out(say(f"moment_{line.moment}"), *self._counts(line)) for line in self.lines]
        fallen = sum(bool(row.faults) for row in self.rows)
        end = say("attack_falls" if fallen else "attack_holds", rows=len(self.rows), falls=fallen)
        return "\n".join([*head, *table, "", *(f"{found}\n" for found in self.sentences()), end])

    def _counts(self, line: Line) -> list[str]:
        if line.rows:
            return [str(len(line.rows)), str(len(line.falls))]
        if line.moment == "twice" or self.passed & set(MOMENTS[line.moment]):
            return [say("attack_untried")]
        names_its_own = self.passed - SEEN
        return [say("attack_absent" if line.moment in ONLY_INSIDE and names_its_own else "attack_unmeasured")]


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
    turns = [float(found) for death in deaths for found in re.findall(r":([\d.]+)", death)]
    moments = [[*MOMENTS].index(line_of(death)) for death in deaths]
    kind = KINDS.index(setting.kind)
    return len(deaths), setting.hasty, row.case.kill, kind, not setting.fresh_ids, turns, moments, deaths


def sentence(row: Row, name: str) -> str:
    """What goes wrong in a row, how to see it again, and what to read."""
    setting, fault = row.case.setting, row.faults[0]
    model = say("model_hasty" if setting.hasty else "model_careful")
    moments = [say("attack_moment", moment=say(f"moment_{line_of(label)}"), label=label) for label in row.case.deaths]
    where = say("attack_dies", moments=say("attack_then").join(moments)) if moments else say("attack_lives")
    what = say("attack_row", kind=say(f"kind_{setting.kind}"), model=model, where=where, fault=said(fault))
    again = say("attack_again", target=name, case=row.case)
    return f"{what}\n  {again}\n  {say('attack_read', reading=say(f'read_{reading(row)}'))}"


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
    return READING[fault.key]


def _laid_out(*cells: str) -> str:
    return f"{cells[0]:46}{''.join(f'{cell:>12}' for cell in cells[1:])}".rstrip()
