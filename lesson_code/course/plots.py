"""The lessons' plots: one look for all, readable in both themes and without colour."""

import io
import logging
from collections.abc import Mapping, Sequence

from IPython.display import Image

# On a fresh machine matplotlib tells standard error that it builds its font cache, and where: no lesson prints that.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

COLOURS = ("#0072b2", "#b34700", "#00664d", "#5b2a86")  # told apart by the colour-blind, and dark enough on white
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D")

Series = tuple[Sequence[float], Sequence[float]]


def chart(series: Mapping[str, Series], *, x: str, y: str, title: str, alt: str, log: bool = False) -> Image:
    """A PNG of lines, one for each `{name: (xs, ys)}`; the labels `x` and `y` say what is measured, and its unit.

    `alt` is the text for who can't see it. `log`: both axes are logarithmic, so that a power law is a straight line.
    """
    from matplotlib import style  # half a second: only when something is drawn

    with style.context("default"):  # and not as this machine has it set
        return Image(_draw(series, x, y, title, log), alt=alt)  # type: ignore[no-untyped-call]


def _draw(series: Mapping[str, Series], x: str, y: str, title: str, log: bool) -> bytes:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4), dpi=110, facecolor="white", layout="constrained")
    axes = figure.subplots()
    for number, (name, (xs, ys)) in enumerate(series.items()):
        style = number % len(COLOURS)
        marks = max(1, len(xs) // 10)
        axes.plot(
            xs, ys, LINES[style], color=COLOURS[style], marker=MARKERS[style], markevery=marks, linewidth=2, label=name
        )
    if log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    data = io.BytesIO()
    figure.savefig(data, format="png", metadata={"Software": None})
    return data.getvalue()
