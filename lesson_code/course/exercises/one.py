"""An exercise in a notebook: check an answer, ask for a hint, read the solution, tick what only you can judge."""

import inspect
from collections.abc import Mapping
from typing import Any

from ...lab.attempt import Told
from ...words import exercise as words_of
from ...words import say
from . import store
from .report import Listing, Report, Shown, hint_shown
from .running import Checked, Refused, check_form, check_functions
from .tasks import solution_module, task_of, tasks


class NoExercise(Told, LookupError):
    """There is no exercise of that number; the message names those that there are."""


class NoCriterion(Told, LookupError):
    """The learner does not tick that criterion; the message names those that they do."""


class Exercise:
    """The exercise `number` (`"6.2"`). Raises NoExercise."""

    def __init__(self, number: str) -> None:
        if number not in tasks():
            raise NoExercise(say("ex_none", number=number, known=", ".join(tasks())))
        self.task = task_of(number)
        self.words = words_of(number)
        self._hints = 0
        self._asked = False

    def check(self, *given: Any) -> Report:
        """Run what was written and say of each criterion whether it holds. What was tried is kept as progress.

        Of an exercise of code: its functions, in the order of the statement. Of a form: the form, or its answers as a
        dictionary. Whatever is handed in, it ends in a report.
        """
        try:
            checked = self._check(given)
        except Refused as error:
            checked = Checked("error", stopped=str(error))
        before = store.entry_of(self.task.number)
        said = [] if checked.outcome == "untried" or not checked.verdicts else self._keep(checked)
        return Report(self.task, checked, before["ticked"], said, is_first=before["answer"] is None)

    def _check(self, given: tuple[Any, ...]) -> Checked:
        if self.task.takes is not None:
            return check_functions(self.task, given)
        if len(given) != 1:
            raise Refused(say("ex_no_form"))
        answers = getattr(given[0], "answers", given[0])
        if not isinstance(answers, Mapping):
            raise Refused(say("ex_no_form"))
        return check_form(self.task, answers)

    def _keep(self, checked: Checked) -> list[str]:
        def action(entry: store.Entry) -> None:
            entry["checked"] = {name: not verdict for name, verdict in checked.verdicts.items()}
            entry["answer"] = checked.answer

        return store.change(self.task.number, action)

    def hint(self) -> Shown:
        """One hint more each time, from the idea to the line."""
        self._hints = min(self._hints + 1, len(self.words["hints"]))
        return hint_shown(self.words["hints"], self._hints)

    def solution(self) -> Shown:
        """One solution of several. The first time it asks whether you want to see it; the second time it shows it."""
        if not self._asked:
            self._asked = True
            return Shown(say("ex_bump"))
        return Listing(say("ex_solution"), inspect.getsource(solution_module(self.task)).strip())

    def form(self) -> Any:
        """The form of an exercise of words. Its `answers` are what has been chosen."""
        from .form import Form  # here, for without a front end nothing of an exercise needs widgets

        return Form(self)

    def criteria(self) -> Any:
        """Every criterion; those that only you can judge with a place to write, the model answer, and a box to tick."""
        from .form import Criteria

        return Criteria(self)

    def write(self, criterion: str, text: str) -> Shown:
        """Keep what you say to a criterion of your own, and compare it with the model answer. Raises NoCriterion."""
        self._own(criterion)
        if not text.strip():
            return Shown(say("ex_write_first"))
        said = store.change(self.task.number, lambda entry: entry["texts"].update({criterion: text}))
        return Shown(f"{say('ex_model')} {self.words['model'][criterion]}", *said)

    def tick(self, criterion: str, done: bool = True) -> Shown:
        """Say that a criterion of your own holds, or no longer does. Raises NoCriterion."""
        self._own(criterion)

        def action(entry: store.Entry) -> None:
            entry["ticked"] = [name for name in entry["ticked"] if name != criterion] + [criterion] * done

        said = store.change(self.task.number, action)
        mark = say("ex_ticked" if done else "ex_own")
        return Shown(f"{mark} · {self.words['criteria'][criterion]}", *said)

    def _own(self, criterion: str) -> None:
        own = [each.id for each in self.task.criteria if each.is_own]
        if criterion not in own:
            raise NoCriterion(say("ex_not_own", criterion=criterion, known=", ".join(own) or say("nothing")))
