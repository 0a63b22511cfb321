"""The task of forty weeks: what it leaves in the folder and in the world, whole, killed and started over."""

import json
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import Tool, ToolRefused, run_agent
from lesson_code.lab.crash import SimulatedCrash, raise_at
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.tools import make_tools
from lesson_code.lab.weeks import (
    CLOSE,
    NOTES_FILE,
    WEEKS,
    close_weeks,
    make_week_tools,
    new_weeks_folder,
    notices,
    read_notes_first,
    report_of,
    sent_again,
    weeks_task,
)
from lesson_code.lab.world import World
from tests.support import child

ALL = [f"aviso de la semana {week}" for week in range(1, WEEKS + 1)]


@pytest.fixture
def place(tmp_path: Path, no_sync: None) -> Path:
    folder = tmp_path / "cuarenta semanas"
    folder.mkdir()
    return folder


def run(folder: Path, script: Any = close_weeks, **options: Any) -> str:
    world = World(folder)
    tools = {**make_week_tools(folder, world), "read_notes": make_tools(folder, world)["read_notes"]}
    client = ScriptedModel(world=world, script=script)
    return run_agent(client, weeks_task(), tools, folder, **options)


def conversation(folder: Path) -> list[dict[str, Any]]:
    saved = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    return list(saved["messages"])


def test_it_works_forty_turns_one_week_each_and_then_ends(place: Path) -> None:
    assert run(place) == "Las 40 semanas están cerradas."
    assert json.loads((place / "checkpoint.json").read_text(encoding="utf-8"))["turns"] == WEEKS
    assert notices(World(place)) == ALL
    assert sent_again(World(place)) == 0
    assert [path.name for path in sorted((place / "reports").iterdir())] == [
        f"week-{week:02d}.txt" for week in range(1, WEEKS + 1)
    ]
    assert report_of(23, place).read_text(encoding="utf-8") == "Reporte de la semana 23.\n"


def test_the_model_keeps_a_note_of_each_ten_weeks(place: Path) -> None:
    run(place)
    notes = (place / NOTES_FILE).read_text(encoding="utf-8").splitlines()
    assert [note.split(":")[0] for note in notes] == [f"Semanas {first} a {first + 9}" for first in (1, 11, 21, 31)]


def test_each_notice_is_of_the_call_that_asked_for_it(place: Path) -> None:
    run(place)
    assert [effect["done"] for effect in World(place).effects()] == [f"toolu_{n:02d}" for n in range(1, WEEKS + 1)]


def test_the_next_step_depends_on_the_messages_alone(place: Path) -> None:
    run(place)
    messages = conversation(place)
    for closed in range(WEEKS):
        said, call = close_weeks(messages[: 1 + 2 * closed], hasty=False)
        assert call and call["input"]["week"] == closed + 1
        assert said == messages[1 + 2 * closed]["content"][0]["text"]
    assert close_weeks(messages[:-1], hasty=False) == ("Las 40 semanas están cerradas.", None)


def test_started_over_the_reports_are_overwritten_and_the_notices_and_notes_double(place: Path) -> None:
    with pytest.raises(SimulatedCrash):
        run(place, crash_point=raise_at("after-answer:23"))
    assert notices(World(place)) == ALL[:22]
    run(place)
    assert notices(World(place)) == ALL[:22] + ALL
    assert sent_again(World(place)) == 22
    assert len(list((place / "reports").iterdir())) == WEEKS
    assert len((place / NOTES_FILE).read_text(encoding="utf-8").splitlines()) == 6


def test_resumed_from_its_checkpoint_no_notice_doubles(place: Path) -> None:
    with pytest.raises(SimulatedCrash):
        run(place, crash_point=raise_at("after-save-b:23"))
    run(place, resume=True)
    assert notices(World(place)) == ALL


def test_a_model_that_reads_its_notes_first_repeats_only_what_came_after_the_last_note(place: Path) -> None:
    with pytest.raises(SimulatedCrash):
        run(place, crash_point=raise_at("after-answer:23"))
    run(place, script=read_notes_first, max_turns=41)
    assert notices(World(place))[22:] == ALL[20:]
    assert sent_again(World(place)) == 2


def test_a_model_that_finds_no_notes_begins_with_the_first_week(place: Path) -> None:
    run(place, script=read_notes_first, max_turns=41)
    assert notices(World(place)) == ALL


@pytest.mark.parametrize("hasty", [False, True])
def test_told_that_nobody_knows_it_stops_unless_it_is_hasty(place: Path, hasty: bool) -> None:
    with pytest.raises(SimulatedCrash):
        run(place, crash_point=raise_at("after-tool:23"))
    world = World(place)
    model = ScriptedModel(world=world, script=close_weeks, hasty=hasty)
    said = run_agent(model, weeks_task(), make_week_tools(place, world), place, resume=True, max_turns=41)
    assert sent_again(world) == (1 if hasty else 0)
    assert said.startswith("Las 40 semanas" if hasty else "No sé si la semana 23 quedó cerrada.")


PROGRAM = """
import sys
from pathlib import Path
from lesson_code.lab.commands import show
from lesson_code.harness import run_agent
from lesson_code.lab.crash import die_at
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.weeks import close_weeks, make_week_tools, weeks_task
from lesson_code.lab.world import World

folder = Path(sys.argv[1])
world = World(folder)
client = ScriptedModel(world=world, script=close_weeks)
run_agent(client, weeks_task(), make_week_tools(folder, world), folder, crash_point=die_at(sys.argv[2], show))
"""


@pytest.mark.parametrize("label, sent", [("after-answer:3", 2), ("after-tool:3", 3)])
def test_a_child_that_is_really_killed_leaves_what_it_had_done(place: Path, label: str, sent: int) -> None:
    died = child(PROGRAM, place, label)
    assert (died.returncode, died.stderr) == (137, "")
    assert notices(World(place)) == ALL[:sent]
    assert len(list((place / "reports").iterdir())) == sent


@pytest.fixture
def tools(place: Path) -> dict[str, Tool]:
    return make_week_tools(place, World(place))


def test_closing_a_week_is_never_declared_read_only(tools: dict[str, Tool]) -> None:
    assert not tools[CLOSE].read_only
    assert tools[CLOSE].input_schema["required"] == ["week", "report"]


@pytest.mark.parametrize("week", [0, 41, -1, True, 2.0, "2", None])
def test_a_week_that_is_none_is_refused_and_nothing_happens(place: Path, tools: dict[str, Tool], week: Any) -> None:
    with pytest.raises(ToolRefused, match="de 1 a 40"):
        tools[CLOSE].run(week=week, report="x")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("given", [{"report": None}, {"report": "x", "note": 3}])
def test_what_is_no_text_is_refused_and_nothing_happens(place: Path, tools: dict[str, Tool], given: Any) -> None:
    with pytest.raises(ToolRefused):
        tools[CLOSE].run(week=1, **given)
    assert list(place.iterdir()) == []


def test_its_folder_is_new_and_empty_each_time() -> None:
    first, second = new_weeks_folder(), new_weeks_folder()
    assert first != second
    assert list(first.iterdir()) == list(second.iterdir()) == []
