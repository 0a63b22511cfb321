"""The controls of an exercise: the form of an exercise of words, and the criteria that only its learner can judge."""

from functools import partial
from typing import Any

from ipywidgets import HTML, Button, Checkbox, HBox, RadioButtons, Textarea, VBox

from ...words import say
from ..html import Html, bare, items, join, page, prose, tag
from ..widget import Widget, comes_true, group, show
from . import store


class Form(Widget):
    """The form of an exercise. `choices[field].value` is what is chosen there, `answers` all of it; `done.click()`."""

    def __init__(self, exercise: Any) -> None:
        self.exercise = exercise
        words, fields = exercise.words, exercise.task.form
        answer = store.entry_of(exercise.task.number)["answer"]  # what was handed in last, to go on from there
        kept = answer if isinstance(answer, dict) else {}
        self.choices = {
            name: RadioButtons(
                options=[(bare(words["options"][option]), option) for option in options],
                value=kept.get(name) if kept.get(name) in options else None,
            )
            for name, options in fields.items()
        }
        self.done = Button(description=say("ex_do_check"))
        self.report = HTML()
        asked = [group(words["fields"][name], control) for name, control in self.choices.items()]
        title = HTML(str(page(tag("p", prose(_title(exercise)), class_="curso-question"))))
        super().__init__(title, HBox(asked), self.done, self.report)
        self.done.on_click(self.when(self._check))

    @property
    def answers(self) -> dict[str, str]:
        """What is chosen, by field."""
        return {name: control.value for name, control in self.choices.items() if control.value is not None}

    def _check(self) -> None:
        comes_true(lambda: len(self.answers) == len(self.choices))
        self.report.value = show(self.exercise.check(self).html())

    def static(self) -> Html:
        fields = self.exercise.task.form
        rows = [
            join([prose(self.exercise.words["fields"][name]), " ", tag("code", name), ": ", self._options(options)])
            for name, options in fields.items()
        ]
        return join([tag("p", prose(_title(self.exercise))), tag("p", prose(say("ex_fill"))), items(rows)])

    def _options(self, options: tuple[str, ...]) -> Html:
        labels = self.exercise.words["options"]
        return join([join([tag("code", name), " ", prose(labels[name])]) for name in options], " · ")

    def plain(self) -> str:
        words = self.exercise.words
        lines = [bare(_title(self.exercise)), bare(say("ex_fill"))]
        for name, options in self.exercise.task.form.items():
            labels = " · ".join(f"{option} {bare(words['options'][option])}" for option in options)
            lines.append(f"- {bare(words['fields'][name])} {name}: {labels}")
        return "\n".join(lines)


class Criteria(Widget):
    """Every criterion of an exercise. `texts[id]` is where you write, `compare[id]` shows the model answer beside it,
    `ticks[id]` is your tick."""

    def __init__(self, exercise: Any) -> None:
        self.exercise = exercise
        entry = store.entry_of(exercise.task.number)
        own = [each.id for each in exercise.task.criteria if each.is_own]
        self.texts = {name: _place_to_write(entry["texts"].get(name, "")) for name in own}
        self.compare = {name: Button(description=say("ex_compare")) for name in own}
        self.models = {name: HTML() for name in own}
        self.ticks = {name: self._tick(name, name in entry["ticked"]) for name in own}
        self.saved = HTML()
        self.checked = {each.id: HTML() for each in exercise.task.criteria if not each.is_own}
        rows = [self.checked.get(each.id) or self._row(each.id) for each in exercise.task.criteria]
        self._show_marks()
        super().__init__(_line(_title(exercise)), *rows, self.saved)
        for name in own:
            self.compare[name].on_click(self.when(partial(self._show_model, name)))
            self.ticks[name].observe(self.when(partial(self._keep_tick, name)), "value")

    def _tick(self, name: str, ticked: bool) -> Checkbox:
        box = Checkbox(value=ticked, description=say("ex_tick"), indent=False)
        box.layout.display = "" if ticked else "none"  # first you write, then you compare
        return box

    def _row(self, name: str) -> VBox:
        text = group(self._sentence(name), self.texts[name])
        return VBox([*text.children, self.compare[name], self.models[name], self.ticks[name]])

    def _sentence(self, name: str) -> str:
        return str(self.exercise.words["criteria"][name])

    def _show_model(self, name: str) -> None:
        if not comes_true(lambda: self.texts[name].value.strip()):
            self.models[name].value = show(prose(say("ex_write_first")))
            return
        shown = self.exercise.write(name, self.texts[name].value)
        self.models[name].value = show(shown.html())
        self.ticks[name].layout.display = ""
        self._show_marks()

    def _keep_tick(self, name: str) -> None:
        self.exercise.write(name, self.texts[name].value)
        self.saved.value = show(self.exercise.tick(name, self.ticks[name].value).html())

    def _show_marks(self) -> None:
        """Say of what is checked how it stands now: a check may have come since."""
        entry = store.entry_of(self.exercise.task.number)
        for each in self.exercise.task.criteria:
            if each.id in self.checked:
                line = f"{_mark(each, entry)} · {self._sentence(each.id)}"
                self.checked[each.id].value = str(page(tag("p", prose(line))))

    def _marked(self) -> list[str]:
        """Each criterion under the mark that it has now."""
        entry = store.entry_of(self.exercise.task.number)
        return [
            f"{_mark(each, entry)} · {self._sentence(each.id)}" + (say("ex_named", name=each.id) if each.is_own else "")
            for each in self.exercise.task.criteria
        ]

    def static(self) -> Html:
        return join(
            [tag("p", prose(_title(self.exercise))), items(map(prose, self._marked())), *map(prose, self._how())]
        )

    def plain(self) -> str:
        lines = [_title(self.exercise), *(f"- {line}" for line in self._marked()), *self._how()]
        return "\n".join(map(bare, lines))

    def _how(self) -> list[str]:
        """How the learner's own are ticked without controls, where there are any."""
        own = next(iter(self.texts), None)
        return [say("ex_how_to_tick", number=self.exercise.task.number, criterion=own)] if own else []


def _place_to_write(text: str) -> Textarea:
    place = Textarea(value=text, description=say("ex_yours"), rows=3, style={"description_width": "initial"})
    place.layout.width = "100%"
    return place


def _mark(criterion: Any, entry: store.Entry) -> str:
    if criterion.is_own:
        return say("ex_ticked" if criterion.id in entry["ticked"] else "ex_own")
    known = entry["checked"].get(criterion.id)
    return say("ex_waits" if known is None else "ex_holds" if known else "ex_not_yet")


def _title(exercise: Any) -> str:
    return f"**{say('ex_title', number=exercise.task.number, title=exercise.words['title'])}**"


def _line(sentence: str) -> HTML:
    return HTML(str(page(tag("p", prose(sentence)))))
