import copy
from typing import Any

import pytest

from lesson_code.harness.conversation import Fault, dangling, find_fault, is_call, sendable, text_of, tool_uses
from lesson_code.lab.api_rules import validate
from tests.support import call, case, text


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content[0] if isinstance(content[0], str) else list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {**user(*content), "role": "assistant"}


def result(tool_use_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": "ok", **more}


THINKING = {"type": "thinking", "thinking": "", "signature": "firma"}
ASKED = [user("tarea"), assistant(text("Leo."), call("t1", "read"))]
ASKED_TWO = [user("tarea"), assistant(call("t1", "read"), call("t2", "read"))]


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [user("tarea")],
        [user("tarea"), assistant("Listo.")],
        [*ASKED, user(result("t1"))],
        [*ASKED, user(result("t1"), text("y además"))],
        [*ASKED, user({"type": "tool_result", "tool_use_id": "t1"})],
        [*ASKED_TWO, user(result("t2"), result("t1"))],
        [*ASKED_TWO, user(result("t1")), user(result("t2"))],
        [*ASKED, assistant(call("t2", "read")), user(result("t1"), result("t2"))],
        [*ASKED, user(result("t1")), assistant(call("t2", "read")), user(result("t2")), assistant("Listo.")],
        [user("tarea"), assistant(THINKING, text("Leo."), {"type": "de_otra_época", "x": 1}), user("sigue")],
        [assistant(call("t1", "read")), user(result("t1"))],
        [user("tarea"), user("otra cosa")],
        ASKED,
    ],
)
def test_a_conversation_that_the_api_takes_has_no_fault(messages: list[Any]) -> None:
    assert find_fault(messages) is None


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([*ASKED, user("sigue")], Fault("unanswered", 1, 0, ("t1",))),
        ([*ASKED, user(text("antes"), result("t1"))], Fault("unanswered", 1, 0, ("t1",))),
        ([*ASKED_TWO, user(result("t1"))], Fault("unanswered", 1, 0, ("t2",))),
        ([*ASKED_TWO, user("sigue")], Fault("unanswered", 1, 0, ("t1", "t2"))),
        ([*ASKED_TWO, user(result("t1"), text("y"), result("t2"))], Fault("unanswered", 1, 0, ("t2",))),
        ([*ASKED, user("antes"), user(result("t1"))], Fault("unanswered", 1, 0, ("t1",))),
        ([user(result("t1"))], Fault("orphan", 0, 0, ("t1",))),
        ([user("tarea"), user(text("x"), result("t1"))], Fault("orphan", 1, 1, ("t1",))),
        ([*ASKED, user(result("t1"), result("t9"))], Fault("orphan", 2, 1, ("t9",))),
        ([*ASKED, user(result("t1")), assistant("Sigo."), user(result("t1"))], Fault("orphan", 4, 0, ("t1",))),
        ([*ASKED, user(result("t1"), result("t1"))], Fault("repeated_result", 2, 1, ("t1",))),
        ([*ASKED, user(result("t1")), user(result("t1"))], Fault("repeated_result", 3, 0, ("t1",))),
        ([user("x"), assistant(call("t1", "a"), call("t1", "a"))], Fault("repeated_id", 1, 1, ("t1",))),
        ([*ASKED, user(result("t1")), assistant(call("t1", "read"))], Fault("repeated_id", 3, 0, ("t1",))),
    ],
)
def test_the_first_fault_is_named_with_its_place_and_its_ids(messages: list[Any], fault: Fault) -> None:
    assert find_fault(messages) == fault


@pytest.mark.parametrize(
    "message",
    [
        None,
        "tarea",
        [],
        {},
        {"role": "user"},
        {"content": "tarea"},
        {"role": "system", "content": "tarea"},
        {"role": None, "content": "tarea"},
        {"role": "user", "content": None},
        {"role": "user", "content": 42},
        {"role": "user", "content": {"type": "text", "text": "x"}},
        {"role": "user", "content": ["tarea"]},
        {"role": "user", "content": [{}]},
        {"role": "user", "content": [{"type": None}]},
        {"role": "user", "content": [{"type": "text"}]},
        {"role": "user", "content": [{"type": "text", "text": None}]},
        {"role": "user", "content": [{"type": "tool_result"}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": 1}]},
        {"role": "user", "content": [call("t1", "read")]},
        {"role": "assistant", "content": [result("t1")]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "a", "input": {}}]},
        {"role": "assistant", "content": [{**call("t1", "a"), "input": []}]},
        {"role": "assistant", "content": [call("t1\n", "a")]},
        {"role": "assistant", "content": "Listo.", "stop_details": None},
    ],
)
def test_a_message_without_the_shape_of_one_is_named_by_its_index(message: Any) -> None:
    assert find_fault([user("tarea"), message, user("fin")]) == Fault("shape", 1)


GOOD_NAMES = ["a", "toolu_01", "A-z_9", "x" * 128]
BAD_NAMES = ["", " ", "a b", "a\n", "\na", "a.b", "a:b", "ñ", "x" * 129, "a\0", "\u0661", None, 1, True, ["a"], b"a"]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_an_id_or_a_name_that_the_api_takes_is_taken(name: str) -> None:
    assert is_call(call(name, "read")) and is_call(call("t1", name))


@pytest.mark.parametrize("name", BAD_NAMES, ids=repr)
def test_an_id_or_a_name_that_the_api_refuses_is_no_call(name: Any) -> None:
    assert not is_call(call(name, "read")) and not is_call(call("t1", name))


@pytest.mark.parametrize("given", [None, [], "{}", 1, True])
def test_an_input_that_is_no_object_is_no_call(given: Any) -> None:
    assert not is_call({**call("t1", "read"), "input": given})


@pytest.mark.parametrize("missing", ["id", "name", "input"])
def test_a_call_without_a_part_is_no_call(missing: str) -> None:
    part = call("t1", "read")
    del part[missing]
    assert not is_call(part)


def test_the_calls_that_nothing_answers_yet_are_those_of_the_last_turn() -> None:
    assert dangling(ASKED) == [call("t1", "read")]
    assert [open_call["id"] for open_call in dangling(ASKED_TWO)] == ["t1", "t2"]
    assert dangling([]) == dangling([*ASKED, user(result("t1"))]) == dangling([user("tarea"), assistant("fin")]) == []


def test_a_message_of_text_is_one_block_of_text() -> None:
    assert text_of("Listo.") == text_of([text("Lis"), THINKING, text("to.")]) == "Listo."
    assert tool_uses("Listo.") == [] and tool_uses([text("x"), call("t1", "a")]) == [call("t1", "a")]


def test_blank_text_is_dropped_when_sent_and_stays_where_it_was() -> None:
    messages = [user("tarea"), assistant(text(" \n"), THINKING, call("t1", "read"), text("")), user(result("t1"))]
    before = copy.deepcopy(messages)
    sent = sendable(messages)
    assert sent[1]["content"] == [THINKING, call("t1", "read")]
    assert messages == before
    validate(sent, [])


@pytest.mark.parametrize("content", ["", " ", [], [text("\t")]])
def test_a_message_that_is_all_blank_is_not_sent(content: Any) -> None:
    messages = [user("tarea"), {"role": "assistant", "content": content}, user("sigue")]
    assert sendable(messages) == [user("tarea"), user("sigue")]


def test_all_but_blank_text_is_sent_as_it_is() -> None:
    messages = [*ASKED, user(result("t1", content="")), assistant(THINKING, text(" con blancos "))]
    assert sendable(messages) == messages


@pytest.mark.parametrize(("name", "kind", "index"), [("poisoned", "orphan", 5), ("orphan_midway", "unanswered", 1)])
def test_the_faults_that_were_seen_elsewhere_are_found(name: str, kind: str, index: int) -> None:
    fault = find_fault(case(f"{name}.json")["messages"])
    assert fault and (fault.kind, fault.message) == (kind, index)
