"""The desk: a ticket that a repetition doubles, a tool that does not double it, and a model that looks or does not."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import LedgerError, Tool, ToolRefused, load_effects, run_tool_uses
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.desk import (
    CLOSER,
    OPENERS,
    a_ticket,
    desk_task,
    die_and_resume,
    make_desk_tools,
    new_desk,
    tickets,
)
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import play
from lesson_code.lab.strategy import Strategy, run_again
from lesson_code.lab.world import World
from tests.support import call

SUBJECT = "caldera de Ana"


@pytest.fixture
def world(folder: Path) -> World:
    return World(folder)


@pytest.fixture
def tools(folder: Path, world: World) -> dict[str, Tool]:
    return make_desk_tools(folder, world)


def test_a_ticket_opened_twice_is_two_tickets_with_two_numbers(tools: dict[str, Tool], world: World) -> None:
    said = [tools["open_ticket"].run(subject=SUBJECT) for _ in range(2)]
    assert said == [f"ticket 1: {SUBJECT}", f"ticket 2: {SUBJECT}"]
    assert tickets(world) == {1: SUBJECT, 2: SUBJECT}


def test_a_ticket_ensured_twice_is_one(tools: dict[str, Tool], world: World) -> None:
    said = [tools["ensure_ticket"].run(subject=SUBJECT) for _ in range(2)]
    assert said == [f"ticket 1: {SUBJECT}"] * 2
    assert world.times("ensure_ticket") == 1


def test_ensuring_finds_what_opening_opened_and_nothing_of_another_subject(tools: dict[str, Tool]) -> None:
    tools["open_ticket"].run(subject=SUBJECT)
    assert tools["ensure_ticket"].run(subject=SUBJECT) == f"ticket 1: {SUBJECT}"
    assert tools["ensure_ticket"].run(subject="otra cosa") == "ticket 2: otra cosa"


def test_once_somebody_has_closed_it_ensuring_opens_another(tools: dict[str, Tool], world: World) -> None:
    tools["ensure_ticket"].run(subject=SUBJECT)
    world.do(CLOSER, SUBJECT)
    assert tickets(world) == {}
    assert tools["ensure_ticket"].run(subject=SUBJECT) == f"ticket 2: {SUBJECT}"


def test_the_list_names_those_that_are_open_and_changes_nothing(tools: dict[str, Tool], world: World) -> None:
    assert tools["list_tickets"].read_only and tools["list_tickets"].run() == []
    tools["open_ticket"].run(subject=SUBJECT)
    before = world.path.read_bytes()
    assert tools["list_tickets"].run() == [f"ticket 1: {SUBJECT}"]
    assert world.path.read_bytes() == before


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("subject", [None, 7, "", "  ", "a\nb"], ids=repr)
def test_a_subject_that_is_no_line_is_refused_and_nothing_is_opened(
    opener: str, subject: Any, tools: dict[str, Tool], world: World
) -> None:
    with pytest.raises(ToolRefused):
        tools[opener].run(subject=subject)
    assert not world.path.exists()


def test_a_run_that_never_dies_opens_one_ticket_in_one_turn(folder: Path) -> None:
    end = play(folder, model=ScriptedModel(script=a_ticket()), tools=make_desk_tools, task=desk_task())
    assert (end.checkpoint["turns"], tickets(end.world)) == (1, {1: SUBJECT})
    assert end.log[-1].endswith(f"Listo: el ticket de la {SUBJECT} es el 1.")


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_careful_model_ends_with_one_ticket_from_every_moment(opener: str, moment: str) -> None:
    dead, end = die_and_resume(moment, opener)
    assert (dead.exit_code, len(tickets(dead.world))) == (137, 0 if moment == "①" else 1)
    assert end.exit_code == 0 and list(tickets(end.world).values()) == [SUBJECT]


@pytest.mark.parametrize("opener, left", [("open_ticket", 2), ("ensure_ticket", 1)])
def test_the_hasty_model_doubles_the_ticket_unless_the_tool_prevents_it(opener: str, left: int) -> None:
    _, end = die_and_resume("②", opener, hasty=True)
    assert end.exit_code == 0 and len(tickets(end.world)) == left


@pytest.mark.parametrize("opener, left", [("open_ticket", 2), ("ensure_ticket", 1)])
def test_a_harness_that_repeats_blindly_doubles_it_unless_the_tool_prevents_it(opener: str, left: int) -> None:
    _, end = die_and_resume("②", opener, harness=Strategy(settle=run_again))
    assert len(tickets(end.world)) == left and len(end.world.calls()) == 1


def test_a_desk_may_lose_its_ledger_while_a_ticket_is_opened() -> None:
    folder, world, tools = new_desk(breaks_ledger=True)
    warned: list[str] = []
    (result,) = run_tool_uses(
        [call("toolu_01", "open_ticket", subject="x")], tools, folder, emit=lambda event, **fields: warned.append(event)
    )
    assert ("is_error" in result, tickets(world), warned) == (False, {1: "x"}, ["warning_not_noted"])
    with pytest.raises(LedgerError):
        load_effects(folder)


@pytest.mark.parametrize("hasty", [False, True])
@pytest.mark.parametrize("names", [["open_ticket"], ["open_ticket", "list_tickets"]])
def test_a_desk_that_always_fails_makes_the_model_give_up(folder: Path, hasty: bool, names: list[str]) -> None:
    def broken(folder: Path, world: World) -> dict[str, Tool]:
        bad = Tool(lambda **given: 1 / 0, description="", input_schema={"type": "object"})
        return {**make_desk_tools(folder, world), **dict.fromkeys(names, bad)}

    model = ScriptedModel(script=a_ticket(), hasty=hasty)
    end = play(folder, model=model, tools=broken, task=desk_task())
    assert end.log[-1] == "[done] No puedo terminar la tarea: una herramienta falló."
    assert len(model.requests) < 9
