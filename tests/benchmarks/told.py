"""What was measured, told on the terminal. `results` is what `results.json` holds."""

from typing import Any

from tests.benchmarks.measure import MOST, growth

NAMES = {
    "v1": "v1, el arnés del curso",
    "plain": "lo mismo, en el Python más llano",
    "raw": "los mismos bytes, ya serializados",
    "append": "agregar a un archivo, con fsync",
    "dbos": "DBOS (SQLite)",
    "langgraph_sync": "LangGraph, sync (SQLite)",
    "langgraph_async": "LangGraph, async (SQLite)",
    "burr": "Burr (SQLite)",
}
ENGINES = ("dbos", "langgraph_sync", "langgraph_async", "burr")
HEADS = ("ms/turno", "CPU ms/turno", "escrito/turno", "en disco", "reanudar ms", "v1 cuesta")
WIDTH = 15
LEGEND = (
    "escrito: bytes que el proceso entregó al sistema (write_chars; en Windows, write_bytes), no los que el disco "
    "recibió; –, donde nadie los cuenta.\n"
    "reanudar: desde la llamada, con la tarea muerta después de guardar su último turno, hasta la respuesta final "
    "(un motor también arranca y cierra su base).\n"
    "LangGraph, async: escribe mientras corren los turnos, y por eso se mide hasta que todo está en disco y se reanuda "
    "ya terminada.\n"
    "v1 cuesta: cuántas veces lo que cuesta la fila, por turno; se calcula dentro de cada ronda, y es la mediana."
)


def table(results: dict[str, Any]) -> str:
    """A block for each number of turns, then what v1 costs beside each, then with what it was measured."""
    rows = results["rows"]
    lines = []
    for turns in rows["v1"]:
        lines += [f"{turns} turnos".ljust(34) + "".join(head.rjust(WIDTH) for head in HEADS)]
        for name, row in rows.items():
            times = results["ratios"].get(name, {}).get(turns)
            shown = [*cells(row[turns]), "–" if times is None else f"× {times:.2f}"]
            lines += [NAMES[name].ljust(34) + "".join(cell.rjust(WIDTH) for cell in shown)]
        lines += [""]
    return "\n".join([*lines, LEGEND, "", *compared(results), "", beneath(results)])


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


def compared(results: dict[str, Any]) -> list[str]:
    """What v1 costs beside each row, how that of each grows, and whether v1 keeps within its bound."""
    rows, ratios = results["rows"], results["ratios"]
    lines = [against(ratios[name][turns], name, turns) for turns in rows["v1"] for name in ENGINES]
    few, many = sorted(map(int, rows["v1"]))[-2:]
    grown = "; ".join(f"{NAMES[name]}, {growth(row):.2f}" for name, row in rows.items())
    bounds = [bound(ratios["plain"][turns], turns) for turns in rows["v1"] if int(turns) >= 100]
    return [*lines, "", f"Exponente con que crece el costo de un turno, de {few} a {many}: {grown}.", "", *bounds]


def against(times: float, name: str, turns: str) -> str:
    """v1 beside an engine, in words."""
    word = "más caro" if times > 1 else "más barato"
    return f"A {turns} turnos v1 cuesta {times:.2f} veces lo que cuesta {NAMES[name]}: {word}."


def bound(times: float, turns: str) -> str:
    """Whether v1 costs no more than it may beside the plainest Python."""
    verdict = f"cumple, a lo sumo {MOST}" if times <= MOST else f"NO CUMPLE: a lo sumo {MOST}"
    return f"v1 / Python más llano, a {turns} turnos: {times:.3f} ({verdict})."


def holds(ratios: dict[str, dict[str, float]]) -> bool:
    """Whether it costs no more than it may, at 100 turns and at 1000; a ratio that is no number does not hold."""
    return all(times <= MOST for turns, times in ratios["plain"].items() if int(turns) >= 100)


def beneath(results: dict[str, Any]) -> str:
    """With what, and when."""
    *few, last = map(str, results["rounds"])
    rounds = f"{', '.join(few)} y {last}" if few else last
    versions = ", ".join(f"{name} {each}" for name, each in results["versions"].items())
    return f"{results['machine']}; {results['date']}; mediana de {rounds} rondas; {versions}."
