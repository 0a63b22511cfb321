"""The scripted model: a function of `messages`, as strict as the API."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.lab.api_rules import ApiError, validate
from lesson_code.lab.model import Response, ScriptedModel
from lesson_code.lab.scene import Outcome, play
from lesson_code.lab.tools import NOTES, REPORT, TASK, make_tools
from lesson_code.lab.world import World

SETTINGS: dict[str, Any] = {"model": "claude-sonnet-5-5", "max_tokens": 10, "tool_choice": {"type": "auto"}}
TOOLS = [{"name": "read_notes", "description": "d", "input_schema": {}}]
FIRST = [{"role": "user", "content": TASK}]


def ask(model: ScriptedModel, messages: list[dict[str, Any]] = FIRST) -> Response:
    return model.messages.create(messages=messages, tools=TOOLS, **SETTINGS)


def content(response: Response) -> list[dict[str, Any]]:
    return [block.to_dict(mode="json") for block in response.content]


def call_of(response: Response) -> dict[str, Any]:
    return content(response)[-1]


def die_and_resume(folder: Path, label: str, **model: bool) -> Outcome:
    dead = play(folder, label, model=ScriptedModel(**model))
    return play(dead.folder, resume=True, model=ScriptedModel(**model))


def test_the_same_messages_get_the_same_answer_from_another_instance(folder: Path) -> None:
    model = ScriptedModel()
    end = play(folder, model=model)
    told = [m["content"] for m in end.checkpoint["messages"] if m["role"] == "assistant"]
    assert [content(ask(ScriptedModel(), request)) for request in model.requests] == told
    assert [content(ask(model, request)) for request in list(model.requests)] == told


def test_it_reads_counts_writes_and_finishes(folder: Path) -> None:
    model = ScriptedModel()
    play(folder, model=model)
    answers = [ask(ScriptedModel(), request) for request in model.requests]
    assert [answer.stop_reason for answer in answers] == ["tool_use", "tool_use", "tool_use", "end_turn"]
    assert [call_of(answer).get("name") for answer in answers[:3]] == ["read_notes", "count_words", "write_report"]
    assert [call_of(answer).get("id") for answer in answers[:3]] == ["toolu_01", "toolu_02", "toolu_03"]
    assert [block.type for block in answers[0].content] == ["text", "tool_use"]


def test_the_report_says_what_is_in_the_notes(folder: Path) -> None:
    (folder / NOTES).write_text("uno dos tres\ncuatro\n", encoding="utf-8")
    end = play(folder)
    assert (end.folder / REPORT).read_text(encoding="utf-8") == "Reporte de ventas: 2 líneas de notas, 4 palabras.\n"


def test_a_longer_conversation_costs_more(folder: Path) -> None:
    model = ScriptedModel()
    play(folder, model=model)
    costs = [ask(ScriptedModel(), request).usage.input_tokens for request in model.requests]
    assert costs == sorted(set(costs)) and min(costs) > 0


def test_what_the_api_refuses_it_refuses_with_the_words_of_the_api() -> None:
    open_call = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "n", "input": {}}]}
    model = ScriptedModel()
    with pytest.raises(ApiError, match=r"^messages\.1: `tool_use` ids were found without `tool_result` blocks"):
        ask(model, [*FIRST, open_call])
    assert model.requests == []


def test_tools_that_the_api_refuses_are_refused_too() -> None:
    with pytest.raises(ApiError, match=r"^tools: Tool names must be unique\.$"):
        ScriptedModel().create(messages=FIRST, tools=[*TOOLS, *TOOLS], **SETTINGS)


def test_fresh_ids_give_a_new_id_each_time_it_is_asked_again() -> None:
    model = ScriptedModel(fresh_ids=True)
    first, again = call_of(ask(model)), call_of(ask(model))
    assert first["id"] != again["id"]
    assert {**first, "id": ""} == {**again, "id": ""}


def test_with_fresh_ids_the_end_is_one_report_from_every_moment(folder: Path) -> None:
    for label in ("after-answer:3", "after-save-a:3", "after-tool:3", "after-effect-write:3", "after-save-b:3"):
        end = die_and_resume(folder, label, fresh_ids=True)
        assert (label, end.exit_code, end.world.times("write_report")) == (label, 0, 1)


@pytest.mark.parametrize("label", ["after-save-a:3", "after-tool:3"])
def test_a_careful_model_that_is_told_unknown_ends_with_exactly_one_report(folder: Path, label: str) -> None:
    end = die_and_resume(folder, label)
    assert end.exit_code == 0
    assert end.world.times("write_report") == 1
    assert (end.folder / REPORT).read_text(encoding="utf-8") == "Reporte de ventas: 2 líneas de notas, 4 palabras.\n"


@pytest.mark.parametrize("label, times", [("after-save-a:3", 1), ("after-tool:3", 2)])
def test_a_hasty_model_repeats_without_looking_so_an_effect_that_had_happened_is_doubled(
    folder: Path, label: str, times: int
) -> None:
    end = die_and_resume(folder, label, hasty=True)
    names = [m["content"][-1].get("name") for m in end.checkpoint["messages"] if m["role"] == "assistant"]
    assert names == ["read_notes", "count_words", "write_report", "write_report", None]
    assert end.world.times("write_report") == times


def test_a_stale_report_of_an_earlier_run_is_replaced(folder: Path) -> None:
    (folder / REPORT).write_text("Reporte de ventas: de ayer.\n", encoding="utf-8")
    end = die_and_resume(folder, "after-save-a:3")
    assert end.world.times("write_report") == 1
    assert (end.folder / REPORT).read_text(encoding="utf-8") == "Reporte de ventas: 2 líneas de notas, 4 palabras.\n"


def test_when_a_tool_fails_it_says_so_and_ends(folder: Path) -> None:
    (folder / NOTES).unlink()
    end = play(folder)
    assert end.exit_code == 0
    assert end.log[-1] == "[done] No puedo terminar la tarea: una herramienta falló."
    assert end.world.effects() == []


@pytest.mark.parametrize("wrong", [{"temperature": 0}, {"system": "s"}, {"max_tokens": None}, {"messages": None}])
def test_keyword_arguments_that_are_missing_or_unknown_are_refused(wrong: dict[str, Any]) -> None:
    given = {"messages": FIRST, "tools": TOOLS, **SETTINGS}
    asked = {key: value for key, value in {**given, **wrong}.items() if value is not None}
    with pytest.raises(TypeError):
        ScriptedModel().create(**asked)


def test_positional_arguments_are_refused() -> None:
    with pytest.raises(TypeError):
        ScriptedModel().create("claude-sonnet-5-5", 10, TOOLS, {}, FIRST)  # type: ignore[misc]


def test_every_request_is_recorded_as_it_was_sent(folder: Path) -> None:
    model = ScriptedModel()
    messages = [dict(FIRST[0])]
    ask(model, messages)
    messages[0]["content"] = "otra"
    assert model.requests == [FIRST]


def test_every_request_of_a_run_and_of_its_resume_is_one_that_the_api_takes(folder: Path) -> None:
    first, second = ScriptedModel(), ScriptedModel()
    dead = play(folder, "after-tool:3", model=first)
    play(dead.folder, resume=True, model=second)
    assert [len(request) for request in first.requests + second.requests] == [1, 3, 5, 7, 9]
    for request in first.requests + second.requests:
        validate(request, [])


def test_an_answer_given_to_the_loop_is_not_shared_with_it() -> None:
    block = ask(ScriptedModel()).content[-1]
    block.to_dict()["input"]["path"] = "otra"
    assert block.to_dict()["input"]["path"] == NOTES


def test_the_world_is_told_what_it_asked(folder: Path) -> None:
    world = World(folder)
    asked = call_of(ask(ScriptedModel(world=world)))
    make_tools(folder, world)["read_notes"].run(path=NOTES)
    world.do("read_notes", NOTES)
    assert world.effects() == [{"done": asked["id"], "name": "read_notes", "about": NOTES}]


def test_an_id_that_is_already_there_is_not_given_again() -> None:
    calls = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": "read_notes", "input": {"path": NOTES}} for n in ("03", "02")
    ]
    told = [{"type": "tool_result", "tool_use_id": call["id"], "content": "enero"} for call in calls]
    turns = [
        [{"role": "assistant", "content": [c]}, {"role": "user", "content": [r]}]
        for c, r in zip(calls, told, strict=True)
    ]
    assert call_of(ask(ScriptedModel(), [*FIRST, *turns[0], *turns[1]]))["id"] == "toolu_04"
