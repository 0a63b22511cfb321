"""`python -m tests.benchmarks`: measure, print the table, and write `results.json` and the picture of lesson 2.

It takes some ten minutes. Exit code 1 where the lesson's harness costs too much beside the plainest Python, or where
the engines are not installed; 2 for an argument.
"""

import json
import sys
from pathlib import Path

from tqdm import tqdm

from lesson_code.engines.attacks import missing
from lesson_code.lab.commands import run_command
from lesson_code.words import say
from tests.benchmarks.measure import ROUNDS, ROWS, TURNS, circumstances, measure, summed_up
from tests.benchmarks.told import draw, holds, table
from tests.support import ROOT

RESULTS = Path(__file__).parent / "results.json"
PICTURE = ROOT / "notebooks" / "img" / "costo_por_turno.png"


def command(arguments: list[str]) -> int:
    """See above."""
    if arguments:
        print("Uso: python -m tests.benchmarks (sin argumentos).", file=sys.stderr)
        return 2
    if missing():
        print(say("engines_missing", names=", ".join(missing())), file=sys.stderr)
        return 1
    runs = tqdm(measure(), total=ROUNDS * len(TURNS) * len(ROWS), disable=None, leave=False)
    results = {**circumstances(ROUNDS), "rows": summed_up(runs)}
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")
    draw(results, PICTURE)
    print(table(results))
    return 0 if holds(results["rows"]) else 1


if __name__ == "__main__":
    run_command(command)
