"""What the Messages API refuses is refused here with its words, and what it takes is taken."""

import copy
from typing import Any

import pytest

from lesson_code.lab.api_rules import ApiError, validate

TASK = {"role": "user", "content": "tarea"}
MUST_ANSWER = " Each `tool_use` block must have a corresponding `tool_result` block in the next message."
MUST_ASK = " Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
UNANSWERED = "`tool_use` ids were found without `tool_result` blocks immediately after: "
NON_EMPTY = "all messages must have non-empty content except for the optional final assistant message"
NO_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
NAME_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


def text(words: Any = "bien") -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(call_id: Any = "a", name: Any = "leer", given: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": {} if given is None else given, **more}


def result(call_id: Any = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, **({"content": "4"} | more)}


def thinking(words: str = "pienso", **more: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, **more}


def tools(*names: Any) -> list[dict[str, Any]]:
    return [{"name": name, "description": "d", "input_schema": {"type": "object"}} for name in names]


REFUSED = {
    "a call that nothing follows": (
        [TASK, assistant(use())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "a call that more of the model's words follow": (
        [TASK, assistant(use()), assistant(text())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "two calls that nothing follows": (
        [TASK, assistant(use("a"), use("b"))],
        f"messages.1: {UNANSWERED}a, b.{MUST_ANSWER}",
    ),
    "a call answered by words only": (
        [TASK, assistant(text(), use()), user(text())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "one of two calls answered": (
        [TASK, assistant(use("a"), use("b")), user(result("a"))],
        f"messages.1: {UNANSWERED}b.{MUST_ANSWER}",
    ),
    "text before the result": (
        [TASK, assistant(use()), user(text(), result())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "a message of text before the result's message": (
        [TASK, assistant(use()), user(text()), user(result())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "a string before the result's message": (
        [TASK, assistant(use()), {"role": "user", "content": "espera"}, user(result())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "a system message between call and result": (
        [TASK, assistant(use()), {"role": "system", "content": "espera"}, user(result())],
        f"messages.1: {UNANSWERED}a.{MUST_ANSWER}",
    ),
    "an unanswered call in the middle": (
        [TASK, assistant(use("a")), user(result("a")), assistant(use("b")), user(text()), assistant(text()), TASK],
        f"messages.3: {UNANSWERED}b.{MUST_ANSWER}",
    ),
    "a result nobody asked for": (
        [user(text(), result("x"))],
        f"messages.0.content.1: unexpected `tool_use_id` found in `tool_result` blocks: x.{MUST_ASK}",
    ),
    "a result for a call of an earlier turn": (
        [TASK, assistant(use("a")), user(result("a")), assistant(text()), user(result("a"))],
        f"messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.{MUST_ASK}",
    ),
    "a result whose call was lost (lesson 6's resume)": (
        [TASK, user(result("a"))],
        f"messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.{MUST_ASK}",
    ),
    "two results for one call": (
        [TASK, assistant(use("a")), user(result("a"), result("a"))],
        "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    ),
    "an id used twice in one turn": (
        [TASK, assistant(text(), use("a"), use("a")), user(result("a"))],
        "messages.1.content.2: `tool_use` ids must be unique",
    ),
    "an id used again in a later turn": (
        [TASK, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))],
        "messages.3.content.0: `tool_use` ids must be unique",
    ),
    "an id with a blank": (
        [TASK, assistant(text(), use("a b")), user(result("a b"))],
        f"messages.1.content.1.tool_use.id: {ID_PATTERN}",
    ),
    "an id that ends in a line feed": (
        [TASK, assistant(use("a\n")), user(result("a\n"))],
        f"messages.1.content.0.tool_use.id: {ID_PATTERN}",
    ),
    "an empty id": (
        [TASK, assistant(use("")), user(result(""))],
        f"messages.1.content.0.tool_use.id: {ID_PATTERN}",
    ),
    "an input that is a list": (
        [TASK, assistant(use(given=["x"])), user(result())],
        "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    ),
    "an input that is JSON in a string": (
        [TASK, assistant(use(given="{}")), user(result())],
        "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    ),
    "an extra key in a message": (
        [TASK, {**assistant(text()), "stop_details": None}, TASK],
        "messages.1.stop_details: Extra inputs are not permitted",
    ),
    "an extra key in a call": (
        [TASK, assistant(use(caller=None)), user(result())],
        "messages.1.content.0.tool_use.caller: Extra inputs are not permitted",
    ),
    "an extra key in a result": (
        [TASK, assistant(use()), user(result(name="leer"))],
        "messages.2.content.0.tool_result.name: Extra inputs are not permitted",
    ),
    "the nulls of model_dump() in a text": (
        [TASK, assistant({**text(), "citations": None}), TASK],
        "messages.1.content.0.text.citations: Extra inputs are not permitted",
    ),
    "an empty text block": (
        [user(text("tarea"), text(""))],
        "messages: text content blocks must be non-empty",
    ),
    "a text block of blanks": (
        [user(text("tarea"), text(" \n\t"))],
        "messages: text content blocks must contain non-whitespace text",
    ),
    "a message that is a string of blanks": (
        [{"role": "user", "content": "  "}],
        "messages: text content blocks must contain non-whitespace text",
    ),
    "a user message that is an empty string": (
        [{"role": "user", "content": ""}],
        f"messages.0: {NON_EMPTY}",
    ),
    "an assistant message of nothing in the middle": (
        [TASK, assistant(), TASK],
        f"messages.1: {NON_EMPTY}",
    ),
    "a last user message of nothing": (
        [TASK, assistant(text()), user()],
        f"messages.2: {NON_EMPTY}",
    ),
    "the assistant's words last": ([TASK, assistant(text())], NO_PREFILL),
    "the assistant's nothing last": ([TASK, assistant()], NO_PREFILL),
    "an error without content": (
        [TASK, assistant(use()), user({"type": "tool_result", "tool_use_id": "a", "is_error": True})],
        "messages.2.content.0.tool_result: content cannot be empty if is_error is true",
    ),
    "an error with an empty string": (
        [TASK, assistant(use()), user(result(content="", is_error=True))],
        "messages.2.content.0.tool_result: content cannot be empty if is_error is true",
    ),
    "an error with an image": (
        [TASK, assistant(use()), user(result(content=[text(), {"type": "image", "source": {}}], is_error=True))],
        'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
    ),
    "a call of a tool whose name has a point": (
        [TASK, assistant(use(name="leer.notas")), user(result())],
        f"messages.1.content.0.tool_use.name: {NAME_PATTERN}",
    ),
    "thinking without a signature": (
        [TASK, assistant(thinking(), use()), user(result())],
        "messages.1.content.0.thinking.signature: Field required",
    ),
    "thinking with an empty signature": (
        [TASK, assistant(text(), thinking(signature="")), TASK],
        "messages.1.content.1: Invalid `signature` in `thinking` block",
    ),
    # Not found in a real response: the wording of these is a guess (API rules).
    "a call without input": (
        [TASK, assistant({"type": "tool_use", "id": "a", "name": "leer"}), user(result())],
        "messages.1.content.0.tool_use.input: Field required",
    ),
    "a result without id": (
        [TASK, assistant(use()), user({"type": "tool_result", "content": "4"})],
        "messages.2.content.0.tool_result.tool_use_id: Field required",
    ),
    "a result whose content is a number": (
        [TASK, assistant(use()), user(result(content=4))],
        "messages.2.content.0.tool_result.content: Input should be a valid list",
    ),
    "a call in a user message": (
        [user(use())],
        "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    ),
    "a result in an assistant message": (
        [TASK, assistant(use()), assistant(result())],
        "messages.2.content.0: `tool_result` blocks can only be in `user` messages",
    ),
    "a role that is neither": (
        [TASK, {"role": "tool", "content": "4"}],
        "messages.1.role: Input should be 'user' or 'assistant'",
    ),
    "no messages": ([], "messages: at least one message is required"),
}

ACCEPTED = {
    "a task": [TASK],
    "a result without content": [TASK, assistant(use()), user({"type": "tool_result", "tool_use_id": "a"})],
    "a result that is an empty string": [TASK, assistant(use()), user(result(content=""))],
    "a result of text and an image": [
        TASK,
        assistant(use()),
        user(result(content=[text(), {"type": "image", "source": {}}])),
    ],
    "an error in words": [TASK, assistant(use()), user(result(content="no se sabe", is_error=True))],
    "an error in blocks": [TASK, assistant(use()), user(result(content=[text()], is_error=True))],
    "results split over two user messages": [
        TASK,
        assistant(use("a"), use("b")),
        user(result("a")),
        user(result("b")),
    ],
    "results in another order": [TASK, assistant(use("a"), use("b")), user(result("b"), result("a"))],
    "calls split over two assistant messages": [
        TASK,
        assistant(use("a")),
        assistant(use("b")),
        user(result("a"), result("b")),
    ],
    "text after the results": [TASK, assistant(use()), user(result(), text("sigue"))],
    "a message of text after the results": [TASK, assistant(use()), user(result()), TASK],
    "the assistant's words after its call": [TASK, assistant(use(), text()), user(result())],
    "a first message of the assistant's": [assistant(text()), TASK],
    "two user messages in a row": [TASK, TASK],
    "thinking, signed": [TASK, assistant(thinking(signature="f="), use()), user(result())],
    "thinking with empty text and a signature": [TASK, assistant(thinking("", signature="f="), use()), user(result())],
    "redacted thinking": [TASK, assistant({"type": "redacted_thinking", "data": "x"}, use()), user(result())],
    "a block of an unknown type, with keys of its own": [TASK, assistant({"type": "nuevo", "x": None}, text()), TASK],
    "a document from the user": [user({"type": "document", "source": {"data": ""}, "title": ""}, text())],
    "a caller that the API gave": [TASK, assistant(use(caller={"type": "direct"})), user(result())],
    "a text with its citations": [TASK, assistant({**text(), "citations": []}), TASK],
    "a cache mark": [user({**text(), "cache_control": {"type": "ephemeral"}})],
    "an id of 200 characters, which the pattern of ids takes": [
        TASK,
        assistant(use("a" * 200)),
        user(result("a" * 200)),
    ],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_api_refuses_is_refused_with_its_words_and_its_index(case: str) -> None:
    messages, wording = REFUSED[case]
    with pytest.raises(ApiError) as refusal:
        validate(messages, [])
    assert str(refusal.value) == wording
    assert (refusal.value.status, refusal.value.type) == (400, "invalid_request_error")


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_the_api_takes_is_taken_and_left_as_it_was(case: str) -> None:
    messages = copy.deepcopy(ACCEPTED[case])
    validate(messages, tools("leer"))
    assert messages == ACCEPTED[case]


@pytest.mark.parametrize("name", ["", "leer notas", "leer.notas", "leer\n", "ñ", "a" * 129, None, 1, ["leer"]])
def test_a_tool_whose_name_is_off_the_pattern_is_refused(name: Any) -> None:
    with pytest.raises(ApiError) as refusal:
        validate([TASK], tools("leer", name))
    assert str(refusal.value) == f"tools.1.custom.name: {NAME_PATTERN}"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ApiError, match=r"^tools: Tool names must be unique\.$"):
        validate([TASK], tools("leer", "contar", "leer"))


def test_a_tool_name_of_128_characters_is_taken() -> None:
    validate([TASK], tools("a" * 128, "_", "-", "9"))


def test_a_lone_surrogate_cannot_be_put_on_the_wire() -> None:
    with pytest.raises(UnicodeEncodeError):
        validate([user(text("a\udcf1"))], [])


ODD = [
    None,
    True,
    1,
    "",
    "x",
    [],
    {},
    [1],
    [None],
    ["x"],
    [{}],
    [[]],
    {"type": 1},
    [{"type": "text"}],
    [{"type": None}],
]
WHOLE = [
    TASK,
    assistant(thinking(signature="f="), text(), use("a", given={"x": [1]})),
    user(result("a", content=[text()], is_error=True), text()),
]


def variants(value: Any) -> list[Any]:
    """`value` with each of its parts, one at a time, replaced by each odd thing or taken away."""
    found = list(ODD)
    if isinstance(value, dict):
        for key in value:
            found += [{**value, key: odd} for odd in variants(value[key])]
            found.append({other: value[other] for other in value if other != key})
    if isinstance(value, list):
        for at in range(len(value)):
            found += [[*value[:at], odd, *value[at + 1 :]] for odd in variants(value[at])]
            found.append(value[:at] + value[at + 1 :])
    return found


@pytest.mark.parametrize("part", ["messages", "tools"])
def test_whatever_is_sent_is_taken_or_refused_as_the_api_does_and_nothing_else_is_raised(part: str) -> None:
    sent = {"messages": WHOLE, "tools": tools("leer")}
    for odd in variants(sent[part]):
        try:
            validate(**{**sent, part: odd})
        except ApiError:
            continue
        except Exception as error:
            raise AssertionError(f"{part}={odd!r}") from error
