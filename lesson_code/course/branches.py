"""How the tree of a task is told: its lines and turns, which one is chosen, and what the last action did."""

import sys
from typing import Any

from ..harness.folder import ABANDONED
from ..lab.tree import FORK, LEFT, TASK, Line, Step
from ..words import say
from .html import Html, items, join, label, prose, raw, tag
from .theme import LINE

KINDS = {TASK: ("arrived", "lines_in_use"), LEFT: ("lost", "lines_left"), FORK: ("same", "lines_fork")}
BRIEF = 90  # characters of what a call did


def report_of(state: dict[str, Any]) -> list[Html]:
    """What is asked, or what has been done."""
    if state["asked"]:
        question = tag("p", prose(say("lines_asks", turn=state["chosen"][1])))
        return [question, items(state["asked"]), tag("p", prose(say("lines_nothing_moved")))]
    told = [join([tag("p", prose(sentence)), items(listed) if listed else ""]) for sentence, listed in state["told"]]
    log = [tag("p", say("lines_said")), raw("\n".join(state["log"]))]
    return told + (log if state["log"] else [])


def branch_of(line: Line, state: dict[str, Any]) -> Html:
    """A line, its turns and, below the turn that they leave, further in, the other lines."""
    meaning, kind = KINDS[line.kind]
    head = [label(meaning, say(kind)), " ", tag("strong", name_of(line)), f" · {state_of(line)}"]
    starts = [0, *(step.turn for step in line.steps)]
    below = [
        join(branch_of(one, state) for one in line.lines if start <= one.after < end)
        for start, end in zip(starts, [*starts[1:], sys.maxsize], strict=True)
    ]
    rows = [[text_of(step), marks_of(line, step.turn, state)] for step in line.steps]
    turns = items(join([*row, under]) for row, under in zip(rows, below[1:], strict=True))
    own = marks_of(line, line.after, state) if line.kind == FORK else ""
    return tag(
        "div", tag("div", *head, own), below[0], turns, style=f"border-left: 3px solid {LINE}; padding-left: 10px"
    )


def marks_of(line: Line, turn: int, state: dict[str, Any]) -> Html:
    """Whether a turn is the one that is chosen, and whether it has just come."""
    is_chosen = line.kind != LEFT and state["chosen"] == (line.name, turn)
    is_new = (line.kind, line.name, turn) in state["new"]
    marks = [(is_chosen, "chosen", "lines_chosen"), (is_new, "changed", "lines_new")]
    return join(join([" ", label(meaning, say(key))]) for holds, meaning, key in marks if holds)


def rows_of(line: Line) -> list[list[object]]:
    """A row for a line, and one for each of its turns."""
    name, none = f"{say(KINDS[line.kind][1])} {name_of(line)}", say("lines_none")
    steps = [[name, step.turn, " ".join(step.kept) or none, call_of(step) + notes_of(step)] for step in line.steps]
    return [[name, none, none, state_of(line)], *steps]


def name_of(line: Line) -> str:
    return f"{ABANDONED}/{line.name}" if line.kind == LEFT else line.name


def state_of(line: Line) -> str:
    """From which turn a line leaves, and how far it got."""
    last = line.steps[-1].turn if line.steps else line.after
    state = say("tree_finished") if line.finished else say("tree_at", turn=last)
    return state if line.kind == TASK else say("lines_leaves", turn=line.after, state=state)


def text_of(step: Step) -> str:
    """A turn in one line: its save points on disk, its call, and what that did."""
    kept = " ".join(step.kept) or say("lines_none")
    return say("lines_step", turn=step.turn, kept=kept, call=call_of(step)) + notes_of(step)


def call_of(step: Step) -> str:
    nothing = say("tree_not_looked") if step.effects is None else say("tree_no_effect")
    return say("lines_call", name=step.name, did=brief("; ".join(step.effects or [nothing])))


def notes_of(step: Step) -> str:
    notes = [say("tree_pending")] if step.pending else []
    notes += [] if step.noted else [say("tree_not_noted")]
    return f" ({', '.join(notes)})" if notes else ""


def brief(did: str) -> str:
    return did if len(did) <= BRIEF else f"{did[:BRIEF]}…"


def turns_of(line: Line) -> set[tuple[str, str, int]]:
    """The turns of a tree, each by its line."""
    return {(one.kind, one.name, step.turn) for one in line.every() for step in one.steps}
