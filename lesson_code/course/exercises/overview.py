"""All lessons at a glance: what is done, what is left, and when nothing is, everything once more."""

from functools import partial
from typing import Any

from ...words import exercise, say
from ..html import Html, bare, join, page, prose, table, tag
from . import store
from .kinds import Task
from .running import Checked, Refused, check_form, run_program
from .tasks import tasks


class Overview:
    """What each exercise has, as it is now. When all is done, the answers that were kept are checked again."""

    def __init__(self) -> None:
        self.said: list[str] = []
        try:
            self.found = store.read()
        except (OSError, ValueError):
            self.found = {}
            self.said.append(say("ex_unreadable", name=store.path().name))
        if not any(self._left(task) for task in tasks().values()):
            self._again()
        self.rows = [self._row(task) for task in tasks().values()]

    def _again(self) -> None:
        for task in tasks().values():
            verdicts = _checked(task, self.found[task.number]["answer"]).verdicts
            now = {each.id: verdicts.get(each.id) == {} for each in task.criteria if not each.is_own}
            self.said += store.change(task.number, partial(_renew, now))
            self.found[task.number]["checked"] = now
        fallen = [task.number for task in tasks().values() if self._left(task)]
        self.said.append(say("ex_again_fell", numbers=", ".join(fallen)) if fallen else say("ex_again"))

    def _left(self, task: Task) -> list[str]:
        """The criteria that are still open."""
        entry = self.found.get(task.number, {"checked": {}, "ticked": []})
        return [
            each.id
            for each in task.criteria
            if not (each.id in entry["ticked"] if each.is_own else entry["checked"].get(each.id))
        ]

    def _row(self, task: Task) -> list[str]:
        left = self._left(task)
        own = [each.id for each in task.criteria if each.is_own and each.id in left]
        mark = say("ex_none_left") if not left else say("ex_untouched") if task.number not in self.found else ""
        open_ = say("ex_left", checked=len(left) - len(own), own=len(own))
        title = exercise(task.number)["title"]
        return [
            say("ex_of_lesson", number=task.lesson),
            say("ex_title", number=task.number, title=title),
            mark or open_,
        ]

    def html(self) -> Html:
        heads = [say("ex_lesson"), say("ex_exercise"), say("ex_state")]
        rows = [[prose(cell) for cell in row] for row in self.rows]
        return join([table(say("ex_progress"), heads, rows), *(tag("p", prose(line)) for line in self.said)])

    def __repr__(self) -> str:
        rows = [" · ".join(row) for row in self.rows]
        return "\n".join(map(bare, [say("ex_progress"), *rows, *self.said]))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        return {"text/html": str(page(self.html())), "text/plain": repr(self)}


def _renew(checked: dict[str, bool], entry: store.Entry) -> None:
    entry["checked"] = checked


def _checked(task: Task, answer: Any) -> Checked:
    """What comes of an answer that was kept; one that is no answer any more, since the course has changed, falls."""
    try:
        return check_form(task, answer) if task.takes is None else run_program(task, answer)
    except (Refused, AttributeError, TypeError):
        return Checked("error")
