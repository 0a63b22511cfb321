"""The board, live: predict a row, run it, and read the story of any of its cells."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ipywidgets import HTML, Button, HBox, RadioButtons

from ..lab.board import Cell, Row, moments_of, rows, run_cell
from ..words import say
from .board import as_table, as_text, in_cells, moment_of, not_run, story
from .html import Html, join
from .widget import Widget, chosen, comes_true, group, show

MODELS = {"careful": "tablero_careful", "hasty": "tablero_hasty"}
TIMES = {0: "tablero_never", 1: "tablero_once", 2: "tablero_twice"}


class Tablero(Widget):
    """The rows of `strategies` (keys of `lab.strategies.STRATEGIES`). Each row is predicted, and then it is run.

    Those in `met` are run at once, with the first of `models` ("careful", "hasty"). `strategy` and `model` pick a row;
    `predict(moment, times)` for each of its moments, then `run()`; `cell` (a moment) shows the story of a cell. Each
    does what a click does. Raises ValueError.
    """

    strategy = chosen("strategies")
    model = chosen("models")
    cell = chosen("cells")

    def __init__(self, *strategies: str, met: Sequence[str] = (), models: Sequence[str] = ("careful",)) -> None:
        if not strategies:
            raise ValueError(say("tablero_none"))
        self.names = strategies
        self.filled: dict[tuple[str, str], list[tuple[Cell, int | None]]] = {}
        first = next((name for name in strategies if name not in met), strategies[0])
        self.strategies = RadioButtons(options=[(say(f"board_{name}"), name) for name in strategies], value=first)
        self.models = RadioButtons(options=[(say(MODELS[model]), model) for model in models])
        self.guesses: dict[str, RadioButtons] = {}
        self.asked, self.button = HBox(), Button(description=say("tablero_run"))
        self.cells = RadioButtons(options=[])
        self.message, self.table, self.story = HTML(), HTML(), HTML()
        model = [group(say("tablero_model"), self.models)] if len(models) > 1 else []
        row = HBox([group(say("tablero_strategy"), self.strategies), *model])
        self.told = group(say("tablero_cell"), self.cells)
        asked = group(say("tablero_guesses"), self.asked)
        super().__init__(row, asked, self.button, self.message, self.table, self.told, self.story)
        for name in met:
            self._fill(name, models[0], {})
        self._pick()
        self.strategies.observe(self.when(self._pick), "value")
        self.models.observe(self.when(self._pick), "value")
        self.cells.observe(self.when(self._tell), "value")
        self.button.on_click(self.when(self.run))

    def predict(self, moment: str, times: int) -> None:
        """Say how often (0, 1 or 2) the report will have been written if it dies at `moment`. Raises ValueError."""
        for value, known in ((moment, self.guesses), (times, TIMES)):
            if value not in known:
                raise ValueError(say("widget_no_option", value=value, known=", ".join(map(str, known))))
        self.guesses[moment].value = times

    def run(self) -> None:
        """Run the picked row, a death and a resume for each moment; only after it has been predicted."""
        if not comes_true(lambda: all(guess.value is not None for guess in self.guesses.values())):
            missing = [moment for moment, guess in self.guesses.items() if guess.value is None]
            self.message.value = show(say("tablero_missing", moments=", ".join(missing)))
            return
        known = self.filled.get((self.strategy, self.model))
        guesses = {moment: guess.value for moment, guess in self.guesses.items()}
        self._fill(self.strategy, self.model, {cell.row.moment: guess for cell, guess in known} if known else guesses)
        self._show()
        if known:
            self.message.value = show(say("tablero_keeps"))

    def state(self) -> dict[str, Any]:
        """The rows that were run, by strategy and model, each with the reader's predictions."""
        return {
            f"{name} {model}": [{**found.row._asdict(), "guess": guess} for found, guess in cells]
            for (name, model), cells in self.filled.items()
        }

    def _fill(self, strategy: str, model: str, guesses: dict[str, int | None]) -> None:
        found: list[tuple[Cell, int | None]] = []
        moments = moments_of(strategy)
        try:
            for number, moment in enumerate(moments, start=1):
                self.message.value = show(say("tablero_runs", number=number, of=len(moments)))
                found.append((run_cell(strategy, moment, hasty=model == "hasty"), guesses.get(moment)))
        finally:
            self.message.value = ""
        self.filled[strategy, model] = found

    def _pick(self) -> None:
        """Another row: ask for its predictions."""
        times = [(say(words), number) for number, words in TIMES.items()]
        moments = moments_of(self.strategy)
        self.guesses = {moment: RadioButtons(options=times, value=None) for moment in moments}
        groups = [group(say("tablero_guess", moment=moment), buttons) for moment, buttons in self.guesses.items()]
        self.asked.children = groups
        self.message.value = ""
        self._show()

    def _show(self) -> None:
        """The table of the picked model, and the cells of the picked row whose story can be read."""
        lines: list[list[str]] = []
        for name in self.names:
            found = self.filled.get((name, self.model), [])
            lines += [in_cells(cell.row, guess) for cell, guess in found] or [not_run(name)]
        self.table.value = show(as_table(self._caption(self.model), lines))
        run = self.filled.get((self.strategy, self.model), [])
        self.cells.options = [(say("tablero_dies", moment=moment_of(cell.row)), cell.row.moment) for cell, _ in run]
        self.cells.value = None
        self.told.layout.display = "" if run else "none"
        self.story.value = ""

    def _tell(self) -> None:
        told = [cell for cell, _ in self.filled.get((self.strategy, self.model), []) if cell.row.moment == self.cell]
        self.story.value = show(story(told[0])) if told else ""

    def static(self) -> Html:
        """The table of each model with every row run."""
        tables = self._whole.items()
        return join(as_table(self._caption(model), [in_cells(row) for row in found]) for model, found in tables)

    def plain(self) -> str:
        return "\n\n".join(f"{self._caption(model)}\n{as_text(found)}" for model, found in self._whole.items())

    def _caption(self, model: str) -> str:
        """With which model the rows are run, where there is more than one to choose."""
        return say(MODELS[model]) if len(self.models.options) > 1 else say("tablero_caption")

    @cached_property
    def _whole(self) -> dict[str, list[Row]]:
        """Every row with each model."""
        models = [model for _, model in self.models.options]
        return {model: [row for name in self.names for row in rows(name, hasty=model == "hasty")] for model in models}
