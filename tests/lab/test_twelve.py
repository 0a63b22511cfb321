"""The twelve tools: what each does the first time, and what the world holds after the second."""

import json
from pathlib import Path

import pytest

from lesson_code.harness import Tool, ToolRefused
from lesson_code.lab.twelve import inputs, make_twelve
from lesson_code.lab.twice import changes, contents, run_twice
from lesson_code.lab.world import World

SAME = {
    "read_temperature",
    "replace_report",
    "move_file",
    "charge_order",
    "read_file",
    "ensure_ticket",
    "set_config",
    "delete_file",
}
OTHER = {"toggle_alarm", "open_ticket", "send_email", "append_log"}
SAME_VALUE = {"replace_report", "charge_order", "read_file", "ensure_ticket", "set_config"} | OTHER - {"open_ticket"}
READ_ONLY = {"read_temperature", "read_file"}


@pytest.fixture
def tools(folder: Path) -> dict[str, Tool]:
    return make_twelve(folder, World(folder))


def test_they_are_twelve() -> None:
    assert set(inputs()) == SAME | OTHER and len(inputs()) == 12


@pytest.mark.parametrize("name", sorted(SAME | OTHER))
def test_the_world_decides_which_are_idempotent(name: str) -> None:
    trial = run_twice(name)
    assert trial.same_world == (name in SAME)
    assert bool(changes(trial.once, trial.twice)) == (name in OTHER)


def test_the_value_that_comes_back_does_not_decide() -> None:
    trials = [run_twice(name) for name in inputs()]
    assert {trial.name for trial in trials if trial.first == trial.second} == SAME_VALUE
    assert len({(trial.first == trial.second, trial.same_world) for trial in trials}) == 4  # every mixture


@pytest.mark.parametrize("name", sorted(SAME | OTHER))
def test_each_really_does_its_work_unless_it_only_reads(name: str, folder: Path, tools: dict[str, Tool]) -> None:
    before = contents(folder)
    tools[name].run(**inputs()[name])
    assert (contents(folder) == before) == (name in READ_ONLY) == tools[name].read_only


@pytest.mark.parametrize("name", ["delete_file", "move_file"])
def test_what_is_not_there_the_second_time_is_refused(name: str) -> None:
    assert run_twice(name).second == "error: No existe el archivo draft.txt."


def test_a_business_key_with_another_amount_is_refused(tools: dict[str, Tool], folder: Path) -> None:
    tools["charge_order"].run(order="A-113", amount=40)
    with pytest.raises(ToolRefused, match="por 40"):
        tools["charge_order"].run(order="A-113", amount=50)
    tools["charge_order"].run(order="A-114", amount=50)
    assert [effect["about"] for effect in World(folder).effects()] == ["A-113: 40", "A-114: 50"]


def test_setting_a_value_leaves_the_others_as_they_were(tools: dict[str, Tool], folder: Path) -> None:
    for key, value in (("language", "es"), ("colour", "azul"), ("language", "pt")):
        tools["set_config"].run(key=key, value=value)
    assert json.loads((folder / "config.json").read_bytes()) == {"language": "pt", "colour": "azul"}


def test_the_condition_broken_in_between_breaks_the_idempotence() -> None:
    def close(folder: Path) -> None:
        World(folder).do("close_ticket", "caldera de Ana")

    def configure(folder: Path) -> None:
        (folder / "config.json").write_text(json.dumps({"language": "pt"}), encoding="utf-8")

    def draft(folder: Path) -> None:
        (folder / "draft.txt").write_text("de otra persona", encoding="utf-8")

    broken = [("ensure_ticket", close), ("set_config", configure), ("delete_file", draft), ("move_file", draft)]
    assert [run_twice(name, between).same_world for name, between in broken] == [False] * 4


def test_a_trial_tells_what_the_second_time_added() -> None:
    assert str(run_twice("open_ticket")).splitlines()[1].strip() == "+ #2 open_ticket: caldera de Ana"
    assert str(run_twice("append_log")).splitlines()[1].strip() == "~ log.txt: listo → listo / listo"
    assert len(str(run_twice("set_config")).splitlines()) == 1
