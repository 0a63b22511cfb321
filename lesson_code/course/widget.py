"""What all the widgets are: live controls where a kernel runs, and the whole of it as a table where none does."""

from collections.abc import Callable
from threading import RLock
from time import monotonic, sleep
from typing import Any

from ipywidgets import HTML, RadioButtons, VBox

from ..words import reason, say
from .html import Html, page, prose, quoted, tag
from .theme import STYLE

PATIENCE = 0.5  # seconds
LIMIT = 500  # characters of what an error says


class Widget(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A box of controls that a notebook shows also without a kernel.

    A subclass gives `static()`, the same as markup that teaches before anything is clicked, and `plain()`, as text.
    """

    def __init__(self, *children: Any) -> None:
        self.trouble = HTML()
        self._one_at_a_time = RLock()
        super().__init__([HTML(STYLE), *children, self.trouble])
        self.add_class("curso")

    def static(self) -> Html:
        """What is shown where no kernel runs: semantic, and whole without style and roles."""
        raise NotImplementedError

    def plain(self) -> str:
        """All of its meaning as text."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {
            **super()._repr_mimebundle_(**options),
            "text/html": str(page(self.static())),
            "text/plain": self.plain(),
        }

    def __repr__(self) -> str:
        return self.plain()

    def when(self, action: Callable[[], None]) -> Callable[[Any], None]:
        """A callback that does `action`; what it raises is shown in the widget, and goes on to whoever called.

        JupyterLab delivers clicks in several threads of the kernel: of two quick ones the second waits for the first.
        """

        def callback(_: Any) -> None:
            with self._one_at_a_time:
                self.trouble.value = ""
                try:
                    action()
                except Exception as error:
                    self.trouble.value = show(prose(_trouble(error)))
                    raise

        return callback


def _trouble(error: Exception) -> str:
    return say("widget_trouble", kind=type(error).__name__, error=quoted(reason(error), LIMIT))


def comes_true(is_there: Callable[[], bool]) -> bool:
    """Whether something that was chosen is known here, at once or in a moment.

    JupyterLab delivers the messages of two controls in two threads of the kernel: a button's click can come before the
    choice that was made just before it.
    """
    end = monotonic() + PATIENCE
    while not is_there() and monotonic() < end:
        sleep(0.02)
    return is_there()


def show(*children: object) -> str:
    """The value of an HTML control: the language is said, and a screen reader reads it when it changes."""
    return str(page(tag("div", *children, role="status")))


def group(title: str, control: Any) -> VBox:
    """A control under its title."""
    return VBox([HTML(str(page(tag("p", prose(title), class_="curso-question")))), control])


def chosen(name: str) -> Any:
    """A property of a widget: what its RadioButtons `name` has chosen. Setting it does what a click does.

    Setting raises ValueError for what is none of the options.
    """

    def get(self: Any) -> Any:
        return getattr(self, name).value

    def put(self: Any, value: Any) -> None:
        buttons: RadioButtons = getattr(self, name)
        known = [option[1] if isinstance(option, tuple) else option for option in buttons.options]
        if value not in known:
            raise ValueError(say("widget_no_option", value=value, known=", ".join(map(str, known)) or say("nothing")))
        buttons.value = value

    return property(get, put)
