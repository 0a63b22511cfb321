"""The picture of what was measured, for lesson 2 and the README: 800 pixels wide."""

from pathlib import Path
from typing import Any

from tests.benchmarks.told import NAMES, beneath

LOOKS = {  # colours that people who see few can tell apart (Okabe and Ito), and a mark of its own for each
    "v1": ("#d55e00", "o", "-"),
    "plain": ("#b07900", "s", "--"),
    "raw": ("#777777", "^", "-"),
    "append": ("#000000", "v", "-"),
    "dbos": ("#0072b2", "D", "-"),
    "langgraph_sync": ("#009e73", "P", "-"),
    "langgraph_async": ("#56b4e9", "<", "--"),
    "burr": ("#cc79a7", "X", ":"),
}


def draw(results: dict[str, Any], path: Path) -> None:
    """The cost of a turn over the turns, both on a logarithmic scale."""
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context("default"):  # and not as this machine has it set
        figure = Figure(figsize=(8, 6.4), facecolor="white", layout="constrained")
        axes = figure.subplots()
        for name, row in results["rows"].items():
            plot(axes, name, row)
        set_out(axes, sorted(map(int, results["rows"]["v1"])))
        many = max(map(int, results["rows"]["v1"]))
        title = f"Lo que cuesta guardar un turno (entre paréntesis, milisegundos a {many} turnos)"
        looks = {"ncols": 2, "fontsize": 10, "title_fontsize": 11.5, "alignment": "left", "frameon": False}
        figure.legend(loc="outside upper left", title=title, **looks)
        figure.supxlabel(wrapped(beneath(results)), fontsize=9, color="#333333", x=0.01, ha="left")
        figure.savefig(path, dpi=100, metadata={"Software": None, "Description": in_words(results)})


def plot(axes: Any, name: str, row: dict[str, Any]) -> None:
    """The line of a row."""
    colour, mark, line = LOOKS[name]
    turns = sorted(map(int, row))
    costs = [row[str(each)]["ms"] for each in turns]
    label = f"{NAMES[name]} ({costs[-1]:.1f})"
    look = {"marker": mark, "markersize": 8, "markeredgecolor": "white", "linewidth": 1.8}
    on_top = 3 if name == "v1" else 2
    axes.plot(turns, costs, color=colour, linestyle=line, label=label, zorder=on_top, **look)


def set_out(axes: Any, turns: list[int]) -> None:
    """Axes that say their numbers in full."""
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel("turnos de la tarea (1 KB cada uno)", fontsize=10)
    axes.set_ylabel("milisegundos por turno", fontsize=10)
    axes.set_xticks(turns, labels=[str(each) for each in turns], fontsize=10)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.tick_params(labelsize=10)
    axes.grid(True, which="major", color="#dddddd")


def wrapped(text: str) -> str:
    """In two lines: the machine and when, and the versions."""
    *first, last = text.split("; ")
    return f"{'; '.join(first)};\n{last}"


def in_words(results: dict[str, Any]) -> str:
    """What the picture shows, kept in it: so that it can be told whether it is that of the results beside it."""
    lines = [f"{name}: {[each['ms'] for each in row.values()]}" for name, row in results["rows"].items()]
    return "\n".join([*lines, beneath(results)])
