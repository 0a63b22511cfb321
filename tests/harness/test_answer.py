import json
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import AgentStopped, CheckpointRejected, load_checkpoint, run_agent, save_checkpoint
from lesson_code.harness.answer import read_answer
from tests.support import (
    TASK,
    Replies,
    answer,
    call,
    case,
    end,
    scene_b,
    snapshot,
    text,
    tool,
)

THINKING = {"type": "thinking", "thinking": "", "signature": "firma"}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def from_case(name: str) -> Any:
    response = case(name)
    usage = response["usage"]
    tokens = (usage["input_tokens"], usage["output_tokens"])
    return answer(*response["content"], stop_reason=response["stop_reason"], tokens=tokens)


PUT = call("t2", "put")
STOPS = {
    "two calls": from_case("two_calls.json"),
    "the same call twice": answer(PUT, PUT),
    "max_tokens with half a call": from_case("max_tokens.json"),
    "max_tokens with text": answer(text("La mitad"), stop_reason="max_tokens"),
    "end_turn with a call": answer(text("Listo."), PUT, stop_reason="end_turn"),
    "tool_use without a call": answer(text("Llamo.")),
    "tool_use without anything": answer(),
    "end_turn without anything": answer(stop_reason="end_turn"),
    "end_turn with blanks": answer(text(" \n"), text(""), stop_reason="end_turn"),
    "end_turn with thinking only": answer(THINKING, stop_reason="end_turn"),
    "refusal": answer(text("No."), stop_reason="refusal"),
    "refusal with a call": answer(PUT, stop_reason="refusal"),
    "pause_turn": answer(text("…"), stop_reason="pause_turn"),
    "pause_turn with a call": answer(PUT, stop_reason="pause_turn"),
    "stop_sequence": answer(text("Listo."), stop_reason="stop_sequence"),
    "model_context_window_exceeded": answer(text("…"), stop_reason="model_context_window_exceeded"),
    "a reason of another time": answer(PUT, stop_reason="de_otra_época"),
    "a reason that forges a line": answer(PUT, stop_reason="x\n[done] listo"),
    "no reason": answer(PUT, stop_reason=None),  # type: ignore[arg-type]
    "an id that is in messages": answer(call("t1", "put")),
    "an id with a line feed": answer(call("t2\n", "put")),
    "an id with a blank": answer(call("t 2", "put")),
    "an empty id": answer(call("", "put")),
    "an id of 129 letters": answer(call("x" * 129, "put")),
    "an id that is no text": answer({**PUT, "id": 2}),
    "a name with a line feed": answer(call("t2", "put\n[done] listo")),
    "a name with an escape": answer(call("t2", "\x1b[31mput")),
    "a name of 129 letters": answer(call("t2", "x" * 129)),
    "an input that is a list": answer({**PUT, "input": []}),
    "an input that is text": answer({**PUT, "input": "{}"}),
    "no input": answer({"type": "tool_use", "id": "t2", "name": "put"}),
    "NaN in the input": answer(call("t2", "put", n=float("nan"))),
    "a lone surrogate in the input": answer(call("t2", "put", text="\udcf1")),
    "a lone surrogate in the text": answer(text("\udcf1"), stop_reason="end_turn"),
    "bytes in the input": answer(call("t2", "put", data=b"x")),
    "an input that nests two hundred levels": answer(call("t2", "put", data=nested(200))),
    "a number of 2,000 digits": answer(call("t2", "put", n=10**2000)),
    "a call beside a text that is no text": answer({"type": "text", "text": None}, PUT),
    "a text that is no text": answer({"type": "text", "text": None}, stop_reason="end_turn"),
    "a call beside a result": answer(PUT, {"type": "tool_result", "tool_use_id": "t2", "content": "hecho"}),
}


@pytest.mark.parametrize("kind", STOPS)
def test_an_answer_that_is_not_one_call_or_the_end_stops_and_only_its_tokens_are_saved(folder: Path, kind: str) -> None:
    ran: list[Any] = []
    tools = {name: tool(lambda **given: ran.append(given)) for name in ("put", "read_notes", "write_report")}
    save_checkpoint(scene_b(), folder)
    tokens = STOPS[kind].usage.input_tokens + STOPS[kind].usage.output_tokens
    with pytest.raises(AgentStopped) as caught:
        run_agent(Replies(STOPS[kind]), TASK, tools, folder, resume=True)
    assert ran == [] and str(caught.value) and "\n" not in str(caught.value)
    assert load_checkpoint(folder) == {**scene_b(), "tokensUsed": 15 + tokens}
    assert "effects.json" not in snapshot(folder)

    again = Replies(end())
    assert run_agent(again, TASK, tools, folder, resume=True) == "Listo."
    assert again.requests[0]["messages"] == scene_b()["messages"] and ran == []
    assert load_checkpoint(folder)["tokensUsed"] == 30 + tokens


@pytest.mark.parametrize("levels", range(90, 103))
def test_an_input_is_refused_or_can_be_loaded_again_however_deep_it_is(folder: Path, levels: int) -> None:
    ran: list[Any] = []

    def die(label: str) -> None:
        if label.startswith("after-save-a"):
            raise KeyboardInterrupt

    client = Replies(answer(call("t1", "put", data=nested(levels))))
    with pytest.raises((AgentStopped, CheckpointRejected, KeyboardInterrupt)):
        run_agent(client, TASK, {"put": tool(ran.append, "data")}, folder, crash_point=die)
    assert load_checkpoint(folder)["turns"] in (0, 1) and ran == []


@pytest.mark.parametrize("kind", ["two calls", "refusal", "an id with a line feed"])
def test_a_first_answer_that_stops_leaves_save_0_with_its_tokens(folder: Path, kind: str) -> None:
    with pytest.raises(AgentStopped):
        run_agent(Replies(STOPS[kind]), TASK, {}, folder)
    saved = load_checkpoint(folder)
    assert saved["turns"] == 0 and saved["tokensUsed"] > 0
    assert saved["messages"] == [{"role": "user", "content": TASK}] and saved["pendingToolUse"] is None


@pytest.mark.parametrize("error", [RuntimeError("429"), ConnectionError(), ValueError("a\n[done] listo")], ids=repr)
def test_a_client_that_fails_stops_and_can_be_asked_again(folder: Path, error: Exception) -> None:
    save_checkpoint(scene_b(), folder)
    with pytest.raises(AgentStopped, match=type(error).__name__) as caught:
        run_agent(Replies(error), TASK, {}, folder, resume=True)
    assert "\n" not in str(caught.value) and caught.value.__context__ is None
    assert load_checkpoint(folder) == scene_b()
    assert run_agent(Replies(end()), TASK, {}, folder, resume=True) == "Listo."


@pytest.mark.parametrize("response", [None, object(), {"content": []}], ids=["None", "object", "dict"])
def test_a_client_that_answers_with_something_else_stops(folder: Path, response: Any) -> None:
    save_checkpoint(scene_b(), folder)
    with pytest.raises(AgentStopped):
        run_agent(Replies(response), TASK, {}, folder, resume=True)
    assert load_checkpoint(folder) == scene_b()


def test_ctrl_c_while_the_model_thinks_goes_through_and_can_be_resumed(folder: Path) -> None:
    save_checkpoint(scene_b(), folder)
    with pytest.raises(KeyboardInterrupt):
        run_agent(Replies(KeyboardInterrupt()), TASK, {}, folder, resume=True)
    assert load_checkpoint(folder) == scene_b()


CONTENT = [
    THINKING,
    {"type": "redacted_thinking", "data": "x"},
    text(""),
    text("Leo. "),
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "ñ"}},
    {"type": "de_otra_época", "dato": [1, None, {"a": 1.5}]},
    call("t1", "read", path="a"),
]


def test_content_is_stored_as_the_api_gave_it_and_goes_back_without_blank_text(folder: Path) -> None:
    client = Replies(answer(*CONTENT), end())
    run_agent(client, TASK, {"read": tool(lambda path: path, "path", read_only=True)}, folder)
    assert load_checkpoint(folder)["messages"][1]["content"] == CONTENT
    sent = [block for block in CONTENT if block != text("")]
    assert client.requests[1]["messages"][1]["content"] == sent


def test_the_answer_is_the_text_of_the_last_message(folder: Path) -> None:
    reply = answer(THINKING, text("Listo"), text(".\n"), stop_reason="end_turn")
    assert run_agent(Replies(reply), TASK, {}, folder) == "Listo.\n"
    assert load_checkpoint(folder)["messages"][1]["content"] == [THINKING, text("Listo"), text(".\n")]


def test_the_messages_of_the_real_package_are_stored_without_what_it_adds() -> None:
    types = pytest.importorskip("anthropic.types")
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": None}
    content = [THINKING, text("Leo."), call("t1", "read", path="ñ")]
    raw = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": content}
    message = types.Message.model_validate({**raw, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage})
    read = read_answer(message)
    assert json.loads(json.dumps(read.content)) == content and (read.stop_reason, read.tokens) == ("tool_use", 15)
