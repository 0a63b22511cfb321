"""The task that sends e-mail: what it leaves in the world, and what the model does when it is told *unknown*."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import Tool, ToolRefused
from lesson_code.lab.mail import CUSTOMER, about, mail_ends, mail_task, make_mail_tools, send_mail
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import Outcome, play
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.lab.world import World

LETTER = {"to": CUSTOMER, "text": "Tu reporte está listo."}


@pytest.fixture
def tools(folder: Path) -> dict[str, Tool]:
    return make_mail_tools(folder, World(folder))


def run(folder: Path, label: str = "", *, hasty: bool = False, tools: Any = make_mail_tools, **more: Any) -> Outcome:
    model = ScriptedModel(script=send_mail, hasty=hasty)
    return play(folder, label, model=model, tools=tools, task=mail_task(), **more)


def die_and_resume(folder: Path, label: str, **more: Any) -> Outcome:
    return run(run(folder, label, **more).folder, resume=True, **more)


def sent(end: Outcome) -> list[str]:
    return [effect["about"].split(":")[0] for effect in end.world.effects()]


def names(end: Outcome) -> list[str]:
    return [call["name"] for call in end.world.calls()]


def test_looking_is_declared_read_only_and_sending_is_not(tools: dict[str, Tool]) -> None:
    assert {name: tool.read_only for name, tool in tools.items()} == {"send_email": False, "list_sent": True}


def test_sending_is_one_line_of_the_world_and_nothing_else(folder: Path, tools: dict[str, Tool]) -> None:
    World(folder).ask("toolu_07", "send_email")
    assert CUSTOMER in tools["send_email"].run(**LETTER)
    assert World(folder).effects() == [{"done": "toolu_07", "name": "send_email", "about": about(**LETTER)}]
    assert sorted(path.name for path in folder.iterdir()) == ["sales-notes.txt", "world.jsonl"]


def test_looking_tells_what_was_sent_and_changes_nothing(folder: Path, tools: dict[str, Tool]) -> None:
    assert tools["list_sent"].run() == []
    tools["send_email"].run(**LETTER)
    World(folder).do("write_report", "report.txt")
    before = (folder / "world.jsonl").read_bytes()
    assert tools["list_sent"].run() == [about(**LETTER)]
    assert (folder / "world.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [{"to": to} for to in (None, 1, "", "ana", "ana@", "a b@c", "a@b\n", "ana@x: ok")]
    + [{"text": text} for text in (None, 1, "", " ", "a\nb", "a\x00")],
    ids=ascii,
)
def test_a_letter_that_makes_no_sense_is_refused_and_not_sent(
    folder: Path, tools: dict[str, Tool], wrong: dict[str, Any]
) -> None:
    with pytest.raises(ToolRefused):
        tools["send_email"].run(**{**LETTER, **wrong})
    assert World(folder).effects() == []


def test_without_a_death_one_letter_goes_to_the_customer_of_the_task(folder: Path) -> None:
    end = run(folder)
    assert CUSTOMER in mail_task()
    assert (sent(end), names(end)) == ([CUSTOMER], ["send_email"])
    assert end.log[-1] == f"[done] Tarea completa: correo enviado a {CUSTOMER}."


@pytest.mark.parametrize("label", ["after-save-a:1", "after-tool:1", "after-effect-write:1", "after-save-b:1"])
def test_a_careful_model_ends_with_exactly_one_letter_from_every_moment(folder: Path, label: str) -> None:
    assert sent(die_and_resume(folder, label)) == [CUSTOMER]


@pytest.mark.parametrize(
    "label, asked",
    [
        ("after-save-a:1", ["send_email", "list_sent", "send_email"]),
        ("after-tool:1", ["send_email", "list_sent"]),
    ],
)
def test_told_unknown_it_looks_and_sends_only_what_is_not_there(folder: Path, label: str, asked: list[str]) -> None:
    assert names(die_and_resume(folder, label)) == asked


@pytest.mark.parametrize("label", ["after-save-a:1", "after-tool:1"])
def test_it_takes_no_other_letter_for_the_one_it_looks_for(folder: Path, label: str) -> None:
    ours = about(**LETTER)
    for theirs in (f"ju{ours}", f"{ours} Gracias."):
        World(folder).do("send_email", theirs)
    assert [effect["about"] for effect in die_and_resume(folder, label).world.effects()].count(ours) == 1


@pytest.mark.parametrize("label, times", [("after-save-a:1", 1), ("after-tool:1", 2)])
def test_a_hasty_model_repeats_without_looking(folder: Path, label: str, times: int) -> None:
    end = die_and_resume(folder, label, hasty=True)
    assert names(end) == ["send_email", "send_email"] and sent(end) == [CUSTOMER] * times


def failing(name: str) -> Any:
    def make(folder: Path, world: World) -> dict[str, Tool]:
        def fail(**given: Any) -> str:
            raise OSError("down")

        tools = make_mail_tools(folder, world)
        old = tools[name]
        broken = Tool(fail, description="d", input_schema=old.input_schema, read_only=old.read_only)
        return {**tools, name: broken}

    return make


@pytest.mark.parametrize("hasty", [False, True])
def test_when_sending_always_fails_it_gives_up(folder: Path, hasty: bool) -> None:
    end = run(folder, tools=failing("send_email"), hasty=hasty)
    assert sent(end) == [] and names(end).count("send_email") == 3
    assert end.log[-1] == "[done] No puedo terminar la tarea: una herramienta falló."


def test_when_it_cannot_look_it_does_not_guess(folder: Path) -> None:
    end = die_and_resume(folder, "after-tool:1", tools=failing("list_sent"))
    assert sent(end) == [CUSTOMER] and names(end) == ["send_email", "list_sent"]
    assert end.log[-1] == "[done] No puedo terminar la tarea: una herramienta falló."


@pytest.mark.parametrize(
    "strategy, times",
    [
        ("blind", {"①": 1, "②": 2, "③": 1}),
        ("always_unknown", {"①": 1, "②": 1, "③": 1}),
        ("lesson", {"①": 1, "②": 1, "★": 1, "③": 1}),
    ],
)
def test_the_ends_of_a_harness_are_those_of_each_moment_it_has(strategy: str, times: dict[str, int]) -> None:
    ends = mail_ends(STRATEGIES[strategy])
    assert {moment: end.world.times("send_email") for moment, end in ends.items()} == times
    assert {end.exit_code for end in ends.values()} == {0}


def test_a_hasty_model_doubles_the_letter_at_the_second_moment_only() -> None:
    ends = mail_ends(STRATEGIES["lesson"], hasty=True)
    assert {moment: end.world.times("send_email") for moment, end in ends.items()} == {"①": 1, "②": 2, "★": 1, "③": 1}
