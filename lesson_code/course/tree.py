"""The tree of a task as text."""

from ..lab.tree import FORK, LEFT, TASK, Line, Step
from ..words import say

HEADS = {TASK: "tree_task", LEFT: "tree_left", FORK: "tree_fork"}


def drawn(line: Line) -> str:
    """A row for each turn of a line and, below the turn that they leave, further in, the other lines."""
    turns = [step.turn for step in line.steps]
    state = say("tree_finished") if line.finished else say("tree_at", turn=turns[-1] if turns else line.after)
    rows = [say(HEADS[line.kind], name=line.name, turn=line.after, state=state)]
    rows += _leaving(line, 0, turns[0] if turns else None)
    for step, following in zip(line.steps, (*turns, None)[1:], strict=True):
        rows += [_row(step), *_leaving(line, step.turn, following)]
    return "\n".join(rows)


def _leaving(line: Line, turn: int, following: int | None) -> list[str]:
    """The lines that leave `line` from `turn` on and before the turn `following`."""
    rows: list[str] = []
    for one in line.lines:
        if turn <= one.after and (following is None or one.after < following):
            head, *rest = drawn(one).splitlines()
            rows += [f"├─ {head}", *(f"│  {row}" for row in rest)]
    return rows


def _row(step: Step) -> str:
    nothing = say("tree_not_looked" if step.effects is None else "tree_no_effect")
    notes = [say("tree_pending")] if step.pending else []
    notes += [] if step.noted else [say("tree_not_noted")]
    did = "; ".join(step.effects or [nothing]) + (f" ({', '.join(notes)})" if notes else "")
    return say("tree_step", turn=step.turn, kept=" ".join(step.kept or "–").ljust(3), name=step.name, did=did)
