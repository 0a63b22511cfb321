"""The benchmarks are a command; here, that each of its rows really runs, and that what is reckoned is right."""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib.image
import pytest

from lesson_code.harness import load_checkpoint, load_effects
from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks.__main__ import PICTURE, RESULTS, command, folder_of
from tests.benchmarks.measure import MOST, ROUNDS, ROWS, child, gathered, growth, medians, ratios, real_disk, run
from tests.benchmarks.picture import LOOKS, draw
from tests.benchmarks.schemes import append, plain, raw, v1
from tests.benchmarks.task import RESULT, TASK, TOOLS, Model
from tests.benchmarks.told import NAMES, beneath, holds, size, table

ENGINES = ["dbos", "langgraph_sync", "langgraph_async", "burr"]


@pytest.mark.parametrize("name", ["v1", "plain", "raw", "append"])
def test_a_scheme_runs_its_turns_keeps_them_and_is_resumed(name: str, tmp_path: Path) -> None:
    check(run(ROWS[name], 3, tmp_path), name)


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_runs_its_turns_keeps_them_and_is_resumed(engines: None, name: str, tmp_path: Path) -> None:
    check(run(ROWS[name], 3, tmp_path), name)


def check(figures: dict[str, Any], name: str) -> None:
    assert all(figures[each] > 0 for each in ("ms", "cpu", "kept"))
    assert figures["kept"] >= 3 * 1024, "not every turn is on disk"
    assert figures["written"] is None or figures["written"] >= 1024
    assert (figures["resume"] is None) == (name == "raw")


@pytest.mark.parametrize("name", [name for name in ROWS if name != "raw"])
def test_a_resume_ends_with_the_models_last_answer(engines: None, name: str, tmp_path: Path) -> None:
    child(ROWS[name], "3", str(tmp_path))
    assert child(ROWS[name], "3", str(tmp_path), "resume")["answer"] == "Listo."


@pytest.mark.parametrize("scheme", [plain, raw])
def test_plain_and_raw_write_byte_by_byte_what_v1_writes(scheme: Any, tmp_path: Path) -> None:
    for each, name in ((v1, "v1"), (scheme, "other")):
        (tmp_path / name).mkdir()
        child(f"tests.benchmarks.schemes:{each.__name__}", "3", str(tmp_path / name))
    files = [sorted((tmp_path / name).glob("*.json")) for name in ("v1", "other")]
    assert [[path.name for path in each] for each in files] == [["checkpoint.json", "effects.json"]] * 2
    same = [[re.sub(rb'"at": \d{13}\b', b"", path.read_bytes()) for path in each] for each in files]
    assert same[0] == same[1]


def test_v1_leaves_every_turn_with_1_kb(tmp_path: Path) -> None:
    child(ROWS["v1"], "3", str(tmp_path))
    assert load_checkpoint(tmp_path)["turns"] == 3 and len(RESULT) == 1024
    assert [each["result"] for each in load_effects(tmp_path).values()] == [RESULT] * 3


def test_append_leaves_a_line_for_each_call_and_each_result(tmp_path: Path) -> None:
    assert append(Model(3), TASK, TOOLS, tmp_path, resume=False) == "Listo."
    assert len((tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()) == 7


def made_up(**costs: list[float]) -> dict[str, Any]:
    """What was found of each row in one round, with these costs of a turn, at 10, 100 and 1000 turns."""
    everything = {**{name: [1.0, 1.0, 1.0] for name in ROWS}, **costs}
    figures = {"cpu": 1.0, "written": 1000.0, "kept": 1000.0, "resume": None}
    return {
        name: {str(turns): [{"ms": cost, **figures}] for turns, cost in zip(ROUNDS, row, strict=True)}
        for name, row in everything.items()
    }


def results_of(found: dict[str, Any]) -> dict[str, Any]:
    circumstances = {"date": "2026-12-01", "machine": "Linux", "versions": {"dbos": "3.4.0"}, "rounds": [1]}
    return {**circumstances, "rows": medians(found), "ratios": ratios(found)}


def test_the_growth_of_a_cost_in_proportion_to_the_turns_is_one_and_of_a_steady_one_is_none() -> None:
    rows = medians(made_up(v1=[1, 4, 40], append=[2, 2, 2], plain=[1, 4, 400]))
    assert [growth(rows[name]) for name in ("v1", "append", "plain")] == pytest.approx([1, 0, 2])


@pytest.mark.parametrize(("costs", "is_held"), [([9, 1.2, 1.3], True), ([1, 1.31, 1], False), ([1, 1, 1.4], False)])
def test_v1_may_cost_so_much_of_the_plainest_python_and_no_more(costs: list[float], is_held: bool) -> None:
    assert holds(ratios(made_up(v1=costs))) == is_held


def test_a_ratio_is_of_two_runs_of_one_round_and_the_median_counts() -> None:
    found: dict[str, Any] = {"v1": {}, "plain": {}}
    for name, costs in (("v1", (2.0, 30.0, 4.0)), ("plain", (1.0, 10.0, 4.0))):
        found[name]["10"] = [{"ms": cost} for cost in costs]
    assert ratios(found)["plain"]["10"] == 2  # 2, 3 and 1; the medians of the costs would give 1
    assert medians({"v1": {"10": found["v1"]["10"]}}) == {"v1": {"10": {"ms": 4.0}}}


def test_runs_are_gathered_in_the_order_of_the_rounds() -> None:
    found = gathered([("v1", 10, {"ms": 2.0}), ("raw", 10, {"ms": 1.0}), ("v1", 10, {"ms": 3.0})])
    assert found["v1"] == {"10": [{"ms": 2.0}, {"ms": 3.0}]} and found["raw"] == {"10": [{"ms": 1.0}]}


def test_the_table_says_where_v1_costs_more_than_an_engine_and_than_it_may() -> None:
    told = table(results_of(made_up(v1=[0.5, 1.2, 7])))
    assert "A 10 turnos v1 cuesta 0.50 veces lo que cuesta DBOS (SQLite): más barato." in told
    assert "A 1000 turnos v1 cuesta 7.00 veces lo que cuesta LangGraph, async (SQLite): más caro." in told
    assert "v1 / Python más llano, a 100 turnos: 1.200 (cumple, a lo sumo 1.3)." in told
    assert f"v1 / Python más llano, a 1000 turnos: 7.000 (NO CUMPLE: a lo sumo {MOST})." in told


def test_bytes_are_told_in_words() -> None:
    assert [size(each) for each in (None, 12, 1500, 2_500_000)] == ["–", "12 B", "1.5 kB", "2.5 MB"]


def test_what_was_measured_is_kept_and_holds() -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert {name: list(row) for name, row in kept["rows"].items()} == {name: [*map(str, ROUNDS)] for name in ROWS}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept["date"]) and "Python" in kept["machine"]
    assert set(kept["versions"]) == {"dbos", "langgraph", "langgraph-checkpoint-sqlite", "apache-burr"}
    assert holds(kept["ratios"])
    assert set(NAMES) == set(LOOKS) == set(ROWS)


def test_the_picture_is_that_of_the_results_which_are_kept(tmp_path: Path) -> None:
    """The costs that it shows, and the line beneath the plot, are in its metadata too."""
    from PIL import Image

    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    draw(kept, tmp_path / "again.png")
    again, shown = (Image.open(path) for path in (tmp_path / "again.png", PICTURE))
    assert shown.info["Description"] == again.info["Description"]
    assert beneath(kept) in shown.info["Description"]
    assert shown.size == again.size and shown.size[0] == 800
    assert matplotlib.image.imread(PICTURE).std() > 0.05, "blank"


@pytest.mark.parametrize("arguments", [["--quick"], ["--folder"], ["--folder", "no-such-folder"], ["a", "b", "c"]])
def test_a_bad_argument_is_told_in_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert folder_of(["--folder", str(tmp_path)]) == tmp_path
    monkeypatch.setattr(benchmarks, "file_system", lambda place: "tmpfs")
    with pytest.raises(ValueError, match="en memoria"):
        folder_of(["--folder", str(tmp_path)])
    assert real_disk().is_dir()


def test_without_engines_it_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmarks, "missing", lambda: ["dbos"])
    assert command([]) == 1
    told = capsys.readouterr().err
    assert "dbos" in told and "lesson_code/engines/requirements.txt" in told and told.count("\n") == 1
