"""`python -m tests.benchmarks [--folder FOLDER]`: measure, print the table, write `results.json` and the picture.

It takes some fifteen minutes. Exit code 1 where the lesson's harness costs too much beside the plainest Python, or
where the engines are not installed; 2 for an argument. FOLDER must be on a real disk; without it, the system's folder
for temporaries is used (`measure.real_disk`).
"""

import json
import sys
from pathlib import Path

from tqdm import tqdm

from lesson_code.engines.attacks import missing
from lesson_code.lab.commands import run_command
from lesson_code.lab.matrix import file_system
from lesson_code.words import say
from tests.benchmarks.measure import (
    IN_MEMORY,
    ROUNDS,
    ROWS,
    circumstances,
    gathered,
    measure,
    medians,
    ratios,
    real_disk,
)
from tests.benchmarks.picture import draw
from tests.benchmarks.told import holds, table
from tests.support import ROOT

RESULTS = Path(__file__).parent / "results.json"
PICTURE = ROOT / "notebooks" / "img" / "costo_por_turno.png"


def command(arguments: list[str]) -> int:
    """See above."""
    try:
        place = folder_of(arguments)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if missing():
        print(say("engines_missing", names=", ".join(missing())), file=sys.stderr)
        return 1
    runs = tqdm(measure(place), total=sum(ROUNDS.values()) * len(ROWS), disable=None, leave=False)
    found = gathered(runs)
    results = {**circumstances(place), "rows": medians(found), "ratios": ratios(found)}
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")
    draw(results, PICTURE)
    print(table(results))
    return 0 if holds(results["ratios"]) else 1


def folder_of(arguments: list[str]) -> Path:
    """Where the runs write. Raises ValueError with a sentence."""
    if not arguments:
        return real_disk()
    if len(arguments) != 2 or arguments[0] != "--folder":
        raise ValueError("Uso: python -m tests.benchmarks [--folder CARPETA].")
    place = Path(arguments[1])
    if not place.is_dir():
        raise ValueError(f"No hay ninguna carpeta {place}: crea una, en un disco de verdad.")
    if file_system(place) in IN_MEMORY:
        raise ValueError(f"{place} está en memoria ({file_system(place)}), donde fsync no cuesta nada: elige un disco.")
    return place


if __name__ == "__main__":
    run_command(command)
