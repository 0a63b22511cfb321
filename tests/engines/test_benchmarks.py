"""The benchmarks are a command; here, that each of its rows really runs, and that what is reckoned is right."""

import json
from typing import Any

import pytest

from tests.benchmarks.__main__ import PICTURE, RESULTS, command
from tests.benchmarks.measure import MOST, ROWS, TURNS, growth, ratio, run, summed_up
from tests.benchmarks.told import holds, size, table


@pytest.mark.parametrize("name", ROWS)
def test_a_row_runs_its_turns_keeps_them_and_is_resumed(engines: None, name: str) -> None:
    figures = run(ROWS[name], 5)
    assert all(figures[each] for each in ("ms", "cpu", "kept"))
    assert figures["kept"] >= 5 * 900, "not every turn is on disk"
    assert (figures["resume"] is None) == (name == "raw")


def made_up(**costs: list[float]) -> dict[str, Any]:
    """Rows of a table with these costs of a turn, at 10, 100 and 1000 turns."""
    return {
        name: {
            str(turns): {"ms": cost, "cpu": cost, "written": 1000.0, "kept": 1000.0, "resume": None}
            for turns, cost in zip((10, 100, 1000), row, strict=True)
        }
        for name, row in costs.items()
    }


def test_the_growth_of_a_cost_in_proportion_to_the_turns_is_one_and_of_a_steady_one_is_none() -> None:
    rows = made_up(v1=[1, 4, 40], append=[2, 2, 2])
    assert growth(rows["v1"]) == pytest.approx(1)
    assert growth(rows["append"]) == pytest.approx(0)


@pytest.mark.parametrize(("costs", "is_held"), [([9, 1.2, 1.3], True), ([1, 1.31, 1], False), ([1, 1, 1.4], False)])
def test_v1_may_cost_so_much_of_the_plainest_python_and_no_more(costs: list[float], is_held: bool) -> None:
    assert holds(made_up(v1=costs, plain=[1, 1, 1])) == is_held


def test_the_median_of_the_rounds_counts() -> None:
    runs = [("v1", 10, {"ms": each, "written": None}) for each in (5.0, 100.0, 1.0)]
    assert summed_up(runs) == {"v1": {"10": {"ms": 5.0, "written": None}}}


def test_the_table_says_where_v1_costs_more_than_an_engine() -> None:
    costs: dict[str, list[float]] = {name: [1, 1, 1] for name in ROWS}
    told = table({**json.loads(RESULTS.read_text("utf-8")), "rows": made_up(**{**costs, "v1": [0.5, 1.5, 7]})})
    assert "0.50 veces lo que cuesta DBOS (SQLite): más barato." in told
    assert "7.00 veces lo que cuesta DBOS (SQLite): más caro." in told
    assert f"MÁS DE {MOST}" in told


def test_bytes_are_told_in_words() -> None:
    assert [size(each) for each in (None, 12, 1500, 2_500_000)] == ["–", "12 B", "1.5 kB", "2.5 MB"]


def test_what_was_measured_is_kept_with_its_picture_and_holds() -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert {name: list(row) for name, row in kept["rows"].items()} == {name: [*map(str, TURNS)] for name in ROWS}
    assert kept["date"] and kept["machine"] and kept["versions"]["dbos"]
    assert holds(kept["rows"]) and ratio(kept["rows"], "dbos", 1000) > 1
    assert PICTURE.read_bytes().startswith(b"\x89PNG")


def test_it_takes_no_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["--quick"]) == 2
    assert capsys.readouterr().err == "Uso: python -m tests.benchmarks (sin argumentos).\n"
