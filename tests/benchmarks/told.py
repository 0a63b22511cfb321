"""What was measured, told: the table on the terminal, and the picture that lesson 2 and the README show."""

from pathlib import Path
from typing import Any

from tests.benchmarks.measure import MOST, growth, ratio

NAMES = {
    "v1": "arnés del curso",
    "plain": "lo mismo, en el Python más llano",
    "raw": "los mismos bytes, sin serializar",
    "append": "agregar a un archivo, con fsync",
    "dbos": "DBOS (SQLite)",
    "langgraph": "LangGraph, sync (SQLite)",
    "burr": "Burr (SQLite)",
}
ENGINES = ("dbos", "langgraph", "burr")
HEADS = ("ms/turno", "CPU ms", "escrito", "en disco", "reanudar ms")
LOOKS = {  # colours that people who see few can tell apart (Okabe and Ito), and a mark of its own for each
    "v1": ("#D55E00", "o"),
    "plain": ("#E69F00", "s"),
    "raw": ("#999999", "^"),
    "append": ("#000000", "v"),
    "dbos": ("#0072B2", "D"),
    "langgraph": ("#009E73", "P"),
    "burr": ("#CC79A7", "X"),
}


def table(results: dict[str, Any]) -> str:
    """A block for each number of turns, then how v1 compares, then with what it was measured."""
    rows = results["rows"]
    lines = []
    for turns in rows["v1"]:
        lines += [f"{turns} turnos".ljust(34) + "".join(head.rjust(13) for head in HEADS)]
        lines += [
            NAMES[name].ljust(34) + "".join(cell.rjust(13) for cell in cells(row[turns])) for name, row in rows.items()
        ]
        lines += [""]
    return "\n".join([*lines, *compared(rows), "", beneath(results)])


def cells(figures: dict[str, float | None]) -> list[str]:
    """The figures of a row in words."""
    numbers = [f"{figures['ms']:.2f}", f"{figures['cpu']:.2f}", size(figures["written"]), size(figures["kept"])]
    return [*numbers, "–" if figures["resume"] is None else f"{figures['resume']:.1f}"]


def size(count: float | None) -> str:
    """Bytes in words; a dash where the system does not count them."""
    if count is None:
        return "–"
    for unit in ("B", "kB", "MB"):
        if count < 1000 or unit == "MB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"


def compared(rows: dict[str, Any]) -> list[str]:
    """What v1 costs beside each, in the same run, and how its cost grows."""
    lines = []
    for turns in map(int, rows["v1"]):
        times = ratio(rows, "plain", turns)
        bound = "" if turns < 100 else f" (a lo sumo {MOST})" if times <= MOST else f" (MÁS DE {MOST})"
        lines += [
            f"A {turns} turnos el arnés del curso cuesta {times:.2f} veces lo mismo en el Python más llano{bound}."
        ]
        lines += [f"  {against(ratio(rows, name, turns), NAMES[name])}" for name in ENGINES]
    few, many = sorted(map(int, rows["v1"]))[-2:]
    grown = ", ".join(f"{NAMES[name]} {growth(row):.2f}" for name, row in rows.items())
    return [*lines, f"El costo de un turno crece, de {few} a {many} turnos, con el exponente: {grown}."]


def against(times: float, name: str) -> str:
    """v1 beside an engine."""
    return f"{times:.2f} veces lo que cuesta {name}: {'más caro' if times > 1 else 'más barato'}."


def holds(rows: dict[str, Any]) -> bool:
    """Whether v1 costs at most MOST times the plainest Python, where there is something to write."""
    return all(ratio(rows, "plain", turns) <= MOST for turns in map(int, rows["v1"]) if turns >= 100)


def beneath(results: dict[str, Any]) -> str:
    """With what, and when."""
    versions = ", ".join(f"{name} {each}" for name, each in results["versions"].items())
    return f"{results['machine']}; {versions}; {results['date']}; mediana de {results['rounds']} rondas."


def draw(results: dict[str, Any], path: Path) -> None:
    """The cost of a turn over the turns, both on a logarithmic scale."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.2), layout="constrained")
    axes = figure.subplots()
    for name, row in results["rows"].items():
        colour, mark = LOOKS[name]
        turns = sorted(map(int, row))
        costs = [row[str(each)]["ms"] for each in turns]
        axes.plot(turns, costs, color=colour, marker=mark, label=f"{NAMES[name]}: {costs[-1]:.1f}", linewidth=1.8)
    axes.set(xscale="log", yscale="log", xlabel="turnos de la tarea (1 KB cada uno)", ylabel="milisegundos por turno")
    axes.set_title("Lo que cuesta guardar un turno", loc="left")
    axes.grid(True, which="major", color="#dddddd")
    axes.legend(title=f"ms por turno, a {turns[-1]} turnos", fontsize=9, title_fontsize=9)
    figure.supxlabel(wrapped(beneath(results)), fontsize=9, x=0.01, ha="left")
    figure.savefig(path, dpi=100, metadata={"Software": None})


def wrapped(text: str) -> str:
    """In two lines."""
    middle = text.index("; ") + 2
    return f"{text[:middle]}\n{text[middle:]}"
