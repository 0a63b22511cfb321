"""A gate (*apuesta*): predict first; then every option has its reason, whichever was chosen."""

import textwrap

from ipywidgets import HTML, Button, RadioButtons

from ..words import gate, say
from .html import Html, bare, folded, items, join, label, page, prose, tag
from .widget import Widget, comes_true, show


class Gate(Widget):
    """The gate `key` of the words' table. `choice.value` is the reader's option; `reveal.click()` shows the reasons."""

    def __init__(self, key: str) -> None:
        self.question, self.options = gate(key)
        self.choice = RadioButtons(options=[bare(option) for option, _ in self.options], value=None)
        self.reveal = Button(description=say("gate_reveal"))
        self.reasons = HTML()
        words = join([say("gate_word"), " ", prose(self.question)])
        question = HTML(str(page(tag("p", words, class_="curso-question"))))
        super().__init__(question, self.choice, self.reveal, self.reasons)
        self.reveal.on_click(self.when(self._reveal))

    def _reveal(self) -> None:
        if comes_true(lambda: self.choice.index is not None):
            self.reasons.value = show(self._answers(self.choice.index))
        else:
            self.reasons.value = show(prose(say("gate_first")))

    def _answers(self, chosen: int | None = None) -> Html:
        mark = join([" ", label("chosen", say("gate_chosen"))])
        return items(
            join([tag("strong", prose(option)), " ", prose(why), mark if number == chosen else ""])
            for number, (option, why) in enumerate(self.options)
        )

    def static(self) -> Html:
        question = tag("p", tag("strong", say("gate_word")), " ", prose(self.question))
        options = items(prose(option) for option, _ in self.options)
        return join([question, options, folded(say("gate_folded"), self._answers())])

    def plain(self) -> str:
        lines = [f"{say('gate_word')} {bare(self.question)}"]
        for option, why in self.options:
            lines += [f"( ) {bare(option)}", f"    {bare(why)}"]
        wrapped = [textwrap.wrap(line, 96, subsequent_indent="    ", initial_indent="") for line in lines]
        return "\n".join(line for part in wrapped for line in part)
