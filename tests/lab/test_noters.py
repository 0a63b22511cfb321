"""Ways to run the calls of a turn: without a death all give the same; with one, some have noted what never ran."""

from pathlib import Path

import pytest

from lesson_code.harness import Tool, load_effects
from lesson_code.lab.crash import SimulatedCrash
from lesson_code.lab.noters import NOTERS, described
from lesson_code.lab.tools import make_tools
from lesson_code.lab.world import World
from tests.support import call, text, tool

every_noter = pytest.mark.parametrize("name", NOTERS)
CALLS = [call("toolu_1", "write_report", path="report.txt", content="13"), call("toolu_2", "count_words", text="a b")]


def dies() -> None:
    raise SimulatedCrash("here")


def fails() -> None:
    raise RuntimeError("no")


@every_noter
def test_on_a_day_without_deaths_all_do_the_same(name: str, folder: Path) -> None:
    results = NOTERS[name][0]([text("Dos."), *CALLS], make_tools(folder, World(folder)), folder)
    assert [(result["tool_use_id"], result["content"]) for result in results] == [
        ("toolu_1", "Reporte escrito en report.txt."),
        ("toolu_2", "2"),
    ]
    assert World(folder).times("write_report") == 1
    assert list(load_effects(folder)) == ["toolu_1", "toolu_2"]


@every_noter
def test_a_death_inside_a_tool_shows_which_of_them_note_before_it_runs(name: str, folder: Path) -> None:
    run, notes_first = NOTERS[name]
    try:
        run([call("toolu_9", "work")], {"work": tool(dies)}, folder)
    except SimulatedCrash:
        assert name != "stubborn"
    assert ("toolu_9" in load_effects(folder)) is notes_first


def test_one_of_them_hides_behind_an_ordinary_failure(folder: Path) -> None:
    tools: dict[str, Tool] = {"work": tool(fails)}
    assert NOTERS["taken_back"][0]([call("toolu_9", "work")], tools, folder)[0]["is_error"]
    assert load_effects(folder) == {}


def test_each_is_told_in_words_of_its_own() -> None:
    assert len({described(name) for name in NOTERS}) == len(NOTERS)
