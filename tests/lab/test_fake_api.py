"""The stand-in of the API: the real package takes it for the API, and what the API refuses it refuses."""

import functools
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from typing import Any

import anthropic
import pytest

from lesson_code.harness.client import choose_model
from lesson_code.harness.conversation import sendable
from lesson_code.lab.fake_api import FakeApi
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import play
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.trouble import Status
from lesson_code.lab.world import World
from tests.support import answer, call, text

TOOLS: list[Any] = [{"name": "read_notes", "description": "d", "input_schema": {"type": "object", "properties": {}}}]
FIRST: list[Any] = [{"role": "user", "content": TASK}]
ONE_CALL: Any = {"type": "auto", "disable_parallel_tool_use": True}
ASKED = {"model": "claude-sonnet-5-5", "max_tokens": 10, "tools": TOOLS, "tool_choice": ONE_CALL, "messages": FIRST}
QUICK = {"retry-after-ms": "1"}


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that leads nowhere, and no key: what works here works anywhere."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "http_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@functools.cache
def first_client() -> anthropic.Anthropic:
    """The one that the others share their connections with: a new one reads all certificates, which takes a while."""
    return anthropic.Anthropic(api_key="none")


def client_of(api: FakeApi, **options: Any) -> anthropic.Anthropic:
    return first_client().with_options(**{"base_url": api.url, "api_key": api.key, "max_retries": 0, **options})


def ask(api: FakeApi, client: anthropic.Anthropic | None = None, **changes: Any) -> Any:
    return (client or client_of(api)).messages.create(**{**ASKED, **changes})


def post(api: FakeApi, body: Any = ASKED, *, method: str = "POST", path: str = "/v1/messages", **changes: Any) -> Any:
    """What comes back without the package: status, headers, body. A header that is None is not sent."""
    usual = {"x-api-key": api.key, "anthropic-version": "2026-10-21", "content-type": "application/json"}
    headers = {**usual, **{name.replace("_", "-"): value for name, value in changes.items()}}
    line = http.client.HTTPConnection("127.0.0.1", int(api.url.rsplit(":")[-1]), timeout=5)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    line.request(method, path, data, {name: value for name, value in headers.items() if value is not None})
    response = line.getresponse()
    said = (response.status, dict(response.getheaders()), json.loads(response.read()))
    line.close()
    return said


def words_of(said: Any) -> tuple[int, str, str]:
    status, _, body = said
    return status, body["error"]["type"], body["error"]["message"]


def test_the_package_reads_the_scripted_answer_as_a_message() -> None:
    with FakeApi(ScriptedModel()) as api:
        message = ask(api)
    assert isinstance(message, anthropic.types.Message)
    assert (message.id, message.model, message.stop_reason) == ("msg_" + "1".zfill(24), "claude-sonnet-5-5", "tool_use")
    assert [block.type for block in message.content] == ["text", "tool_use"]
    assert (message.content[1].id, message.content[1].name) == ("toolu_01", "read_notes")
    assert (message.usage.input_tokens, message.usage.output_tokens) == (100, 20)
    assert message.usage.service_tier == "standard" and message.usage.cache_creation.ephemeral_5m_input_tokens == 0
    assert message._request_id == "req_" + "1".zfill(24)


def test_a_whole_task_through_the_package_ends_as_the_one_in_process(folder: Any) -> None:
    end = play(folder)
    with FakeApi(ScriptedModel()) as api:
        client = client_of(api)
        messages: list[Any] = [{"role": "user", "content": TASK}]
        tools = make_tools(folder, World(folder))
        while (message := ask(api, client, messages=sendable(messages))).stop_reason == "tool_use":
            asked = message.content[-1]
            told = tools[asked.name].run(**asked.input)
            told = told.decode() if isinstance(told, bytes) else str(told)
            result = {"type": "tool_result", "tool_use_id": asked.id, "content": told}
            messages.append({"role": "assistant", "content": [b.to_dict(mode="json") for b in message.content]})
            messages.append({"role": "user", "content": [result]})
    messages.append({"role": "assistant", "content": [b.to_dict(mode="json") for b in message.content]})
    assert messages == end.checkpoint["messages"]


def test_by_default_each_answer_has_a_fresh_id_as_the_api_s() -> None:
    with FakeApi() as api:
        client = client_of(api)
        first, again = ask(api, client), ask(api, client)
    assert first.id != again.id and first.content[1].id != again.content[1].id


RAW: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "El total…", "signature": "c2ln"},
    {"type": "thinking", "thinking": "", "signature": "dmFjaW8="},
    {"type": "redacted_thinking", "data": "b2N1bHRv"},
    {"type": "text", "text": "Leo las notas: «ñ» 🗒"},
    {"type": "block_of_tomorrow", "depth": {"a": [1, 2.5, None, True]}, "note": None},
    {"type": "tool_use", "id": "toolu_a", "name": "read_notes", "input": {"path": "ñ.txt", "n": 1.0, "deep": [{}]}},
]


def test_what_goes_to_disk_and_back_is_on_the_wire_as_the_package_sends_it_byte_for_byte() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_a", "content": "enero"}
    with FakeApi([{"content": RAW, "stop_reason": "tool_use"}, {}, {}]) as api:
        client = client_of(api)
        answered = ask(api, client).content
        stored = json.loads(json.dumps([block.to_dict(mode="json") for block in answered]))
        for content in (answered, stored):
            turn = [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
            ask(api, client, messages=[*FIRST, *turn])
    assert stored == RAW == api.requests[2].body["messages"][1]["content"]
    assert api.requests[1].raw == api.requests[2].raw


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded", "new"])
def test_any_stop_reason_reaches_the_reader(reason: str) -> None:
    with FakeApi([{"content": [text("Pero")], "stop_reason": reason}]) as api:
        assert ask(api).stop_reason == reason


def test_two_calls_in_one_answer_and_fields_of_tomorrow_reach_the_reader() -> None:
    calls = [call("toolu_a", "read_notes"), call("toolu_b", "read_notes")]
    with FakeApi([answer(*calls, tokens=(7, 3)), {"usage": {"output_tokens": 9}, "field_of_tomorrow": 1}]) as api:
        client = client_of(api)
        first, second = ask(api, client), ask(api, client)
    assert [block.id for block in first.content] == ["toolu_a", "toolu_b"]
    assert (first.usage.input_tokens, first.usage.output_tokens) == (7, 3)
    assert (second.content, second.usage.output_tokens, second.field_of_tomorrow) == ([], 9, 1)


def test_the_requests_are_kept_without_the_key() -> None:
    with FakeApi() as api:
        ask(api)
        post(api)
    first, second = api.requests
    assert (first.method, first.path, first.body) == ("POST", "/v1/messages", ASKED)
    assert first.headers["authorization"] == second.headers["x-api-key"] == "(hidden)"
    assert first.headers["anthropic-version"] == "2026-10-21" and first.headers["x-stainless-retry-count"] == "0"
    assert api.key not in repr(api.requests)


CALLED = {"role": "assistant", "content": [call("toolu_a", "read_notes")]}
NO_RESULT = [*FIRST, CALLED, {"role": "user", "content": "?"}]
UNANSWERED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_a. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
TAG = "found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'"


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"messages": NO_RESULT}, UNANSWERED),
        ({"messages": []}, "messages: at least one message is required"),
        ({"tools": TOOLS * 2}, "tools: Tool names must be unique."),
        ({"tools": [{"name": "a"}]}, "tools.0.custom.input_schema: Field required"),
        ({"tools": [{"name": "a", "input_schema": {}}]}, "tools.0.custom.input_schema.type: Field required"),
        (
            {"tools": [{"name": "a", "input_schema": {"type": "array"}}]},
            "tools.0.custom.input_schema.type: Input should be 'object'",
        ),
        ({"tools": [{**TOOLS[0], "read_only": True}]}, "tools.0.custom.read_only: Extra inputs are not permitted"),
        ({"max_tokens": 0}, "max_tokens: must be greater than or equal to 1"),
        ({"system": 3}, "system: Input should be a valid list"),
        ({"extra_body": {"temperature": 1}}, "temperature: Extra inputs are not permitted"),
        ({"tool_choice": "auto"}, "tool_choice: Input should be an object"),
        ({"tool_choice": {"type": "required"}}, f"tool_choice: Input tag 'required' {TAG}"),
        ({"tool_choice": {"type": ["auto"]}}, f"tool_choice: Input tag '['auto']' {TAG}"),
        ({"tool_choice": {"type": "auto", "name": "a"}}, "tool_choice.auto.name: Extra inputs are not permitted"),
        ({"tool_choice": {"type": "tool"}}, "tool_choice.tool.name: Field required"),
        (
            {"tool_choice": {"type": "auto", "disable_parallel_tool_use": 1}},
            "tool_choice.auto.disable_parallel_tool_use: Input should be a valid boolean",
        ),
        (
            {"tool_choice": {"type": "any"}, "tools": []},
            "tool_choice.any may only be specified while providing tools",
        ),
        (
            {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}, "tools": []},
            "tool_choice.auto may only be specified while providing tools",
        ),
        ({"tool_choice": {"type": "tool", "name": "a"}}, "Tool 'a' not found in provided tools"),
        (
            {"tool_choice": {"type": "any"}, "model": "claude-opus-5-5"},
            'tool_choice: type "tool" and "any" are not supported for this model.',
        ),
    ],
)
def test_what_the_api_refuses_is_a_bad_request_with_its_words_and_no_retry(changes: Any, words: str) -> None:
    with FakeApi() as api, pytest.raises(anthropic.BadRequestError) as caught:
        ask(api, client_of(api, max_retries=2), **changes)
    error = caught.value
    assert error.body == {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": words},
        "request_id": error.request_id,
    }
    assert error.request_id == "req_" + "1".zfill(24)
    assert error.response.headers["x-should-retry"] == "false"
    assert len(api.requests) == 1


NOT_UTF_8 = "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"


@pytest.mark.parametrize("name", ["model", "max_tokens", "messages"])
def test_a_field_that_the_api_needs_is_required(name: str) -> None:
    with FakeApi() as api:
        said = post(api, {key: value for key, value in ASKED.items() if key != name})
    assert words_of(said) == (400, "invalid_request_error", f"{name}: Field required")


@pytest.mark.parametrize(
    "body, words",
    [
        (b'{"model": ', "The request body is not valid JSON: Expecting value: line 1 column 11 (char 10)"),
        (b"", "The request body is not valid JSON: Expecting value: line 1 column 1 (char 0)"),
        (b'{"a": "\\ud83d"}', "The request body is not valid JSON: no low surrogate in string"),
        (b'{"max_tokens": NaN}', "The request body is not valid JSON: unexpected NaN"),
        (b"\xff{}", f"The request body is not valid JSON: {NOT_UTF_8}"),
        (b"[]", "Input should be a valid dictionary"),
        ({**ASKED, "max_tokens": "9"}, "max_tokens: Input should be a valid integer"),
        ({**ASKED, "max_tokens": True}, "max_tokens: Input should be a valid integer"),
        ({**ASKED, "model": 3}, "model: Input should be a valid string"),
        ({**ASKED, "tools": None}, "tools: Input should be a valid list"),
        ({**ASKED, "stream": True}, "stream: this stand-in does not stream"),
    ],
)
def test_a_body_that_is_no_request_is_refused(body: Any, words: str) -> None:
    with FakeApi() as api:
        assert words_of(post(api, body)) == (400, "invalid_request_error", words)


@pytest.mark.parametrize(
    "changes, status, words",
    [
        ({"x_api_key": None}, 401, "x-api-key header is required"),
        ({"x_api_key": "wrong"}, 401, "invalid x-api-key"),
        ({"x_api_key": None, "authorization": "Bearer wrong"}, 401, "Invalid bearer token"),
        ({"x_api_key": None, "authorization": "Basic not-a-real-key"}, 401, "Invalid bearer token"),
        ({"x_api_key": "wrong", "authorization": "Bearer not-a-real-key"}, 401, "invalid x-api-key"),
        ({"anthropic_version": None}, 400, "anthropic-version: header is required"),
        ({"anthropic_version": "2024-10-22"}, 400, 'anthropic-version: "2024-10-22" is not a valid version'),
        ({"content_type": "text/plain"}, 400, "content-type: must be application/json"),
        ({"path": "/v1/complete"}, 404, "Not Found"),
        ({"path": "/"}, 404, "Not Found"),
        ({"method": "GET"}, 405, "Method Not Allowed"),
        ({"method": "DELETE"}, 405, "Method Not Allowed"),
    ],
)
def test_wrong_headers_method_or_path_are_refused(changes: Any, status: int, words: str) -> None:
    with FakeApi() as api:
        said = post(api, **changes)
    assert (said[0], said[2]["error"]["message"]) == (status, words)
    assert said[2]["type"] == "error" and said[2]["request_id"] == said[1]["request-id"]


def test_a_wrong_key_of_the_package_is_an_authentication_error() -> None:
    with FakeApi() as api, pytest.raises(anthropic.AuthenticationError) as caught:
        ask(api, client_of(api, api_key="wrong-key"))
    assert (caught.value.type, caught.value.api_message) == ("authentication_error", "Invalid bearer token")
    assert "wrong-key" not in f"{caught.value} {caught.value!r} {caught.value.request.headers!r}"


def test_an_unknown_model_is_not_found() -> None:
    with FakeApi() as api, pytest.raises(anthropic.NotFoundError) as caught:
        ask(api, model="claude-sonnet-0")
    assert (caught.value.type, caught.value.api_message) == ("not_found_error", "model: claude-sonnet-0")


def test_a_request_that_is_too_large_is_refused_before_it_is_read() -> None:
    with FakeApi(max_body=100) as api, pytest.raises(anthropic.RequestTooLargeError) as caught:
        ask(api)
    assert caught.value.body == {"error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}}
    assert caught.value.request_id is None


@pytest.mark.parametrize(
    "trouble, kind, requests",
    [
        (400, anthropic.BadRequestError, 1),
        (401, anthropic.AuthenticationError, 1),
        (403, anthropic.PermissionDeniedError, 1),
        (404, anthropic.NotFoundError, 1),
        (413, anthropic.RequestTooLargeError, 1),
        (Status(429, headers={"retry-after": "0.01"}), anthropic.RateLimitError, 3),
        (Status(429, headers={"retry-after": "99", **QUICK}), anthropic.RateLimitError, 3),
        (Status(429, headers={"x-should-retry": "false"}), anthropic.RateLimitError, 1),
        (Status(500, headers=QUICK), anthropic.InternalServerError, 3),
        (Status(503, headers=QUICK), anthropic.InternalServerError, 3),
        (Status(529, headers=QUICK), anthropic.InternalServerError, 3),
    ],
    ids=str,
)
def test_each_status_is_an_error_of_the_package_after_its_own_retries(trouble: Any, kind: Any, requests: int) -> None:
    with FakeApi(trouble=[trouble] * 3) as api, pytest.raises(kind) as caught:
        ask(api, client_of(api, max_retries=2))
    code = trouble if isinstance(trouble, int) else trouble.code
    assert caught.value.status_code == code
    assert [request.headers["x-stainless-retry-count"] for request in api.requests] == ["0", "1", "2"][:requests]
    assert len({request.raw for request in api.requests}) == 1


def test_errors_have_the_body_that_the_api_sends() -> None:
    with FakeApi(trouble=[429, 500, 529, 503, Status(500, "Otra cosa."), Status(502, body=b"<html>")]) as api:
        errors = [pytest.raises(anthropic.APIStatusError, ask, api, client_of(api)).value for _ in range(6)]
    told = [(error.type, error.api_message) for error in errors]
    assert told[0] == (
        "rate_limit_error",
        "This request would exceed your account's rate limit. Please try again later.",
    )
    assert told[1:3] == [("api_error", "Internal server error"), ("overloaded_error", "Overloaded")]
    assert errors[0].response.headers["retry-after"] == "1"
    assert errors[0].response.headers["x-should-retry"] == "true"
    assert told[3] == (None, None) and str(errors[3]).startswith("upstream connect error") and not errors[3].request_id
    assert told[4] == ("api_error", "Otra cosa.") and errors[5].body == "<html>"


def test_trouble_comes_in_order_and_then_it_answers() -> None:
    busy, broken = Status(529, headers=QUICK), Status(500, headers=QUICK)
    with FakeApi(ScriptedModel(), trouble=[busy, None, broken, broken]) as api:
        client = client_of(api, max_retries=1)
        first = ask(api, client)
        with pytest.raises(anthropic.InternalServerError):
            ask(api, client)
        again = ask(api, client)
    assert first.content == again.content and len(api.requests) == 5


def test_a_request_that_the_api_refuses_is_refused_whatever_its_trouble() -> None:
    with FakeApi(trouble=["reset", 529]) as api:
        for _ in range(2):
            with pytest.raises(anthropic.BadRequestError):
                ask(api, messages=NO_RESULT)


@pytest.mark.parametrize(
    "trouble, cause", [("reset", "ReadError"), ("close", "RemoteProtocolError"), ("cut", "RemoteProtocolError")]
)
def test_a_connection_that_ends_badly_is_a_connection_error(trouble: str, cause: str) -> None:
    with FakeApi(trouble=[trouble]) as api, pytest.raises(anthropic.APIConnectionError) as caught:
        ask(api)
    assert (str(caught.value), type(caught.value.__cause__).__name__) == ("Connection error.", cause)
    assert not isinstance(caught.value, anthropic.APITimeoutError)


def test_a_reset_is_one_on_the_wire_too() -> None:
    with FakeApi(trouble=["reset"]) as api, pytest.raises(ConnectionResetError):
        post(api)


def test_a_stand_in_that_hangs_lets_the_client_give_up() -> None:
    with FakeApi(trouble=["hang"]) as api, pytest.raises(anthropic.APITimeoutError):
        ask(api, client_of(api, timeout=0.1))


def test_a_stand_in_that_hangs_answers_when_it_is_let_go() -> None:
    with FakeApi(trouble=["hang"]) as api:
        timer = threading.Timer(0.1, api.let_go.set)
        timer.start()
        assert ask(api).stop_reason == "tool_use"
        timer.join()


def test_a_slow_answer_arrives_whole() -> None:
    with FakeApi(ScriptedModel(), trouble=["slow"]) as api:
        client = client_of(api, timeout=0.1)
        start = time.monotonic()
        slow = ask(api, client)
        assert time.monotonic() - start > 0.1  # longer than the timeout, which is for each piece
        assert slow.content == ask(api, client).content


def test_who_waits_for_an_answer_can_be_killed() -> None:
    program = """
import http.client, sys
port, key, body = sys.argv[1:]
headers = {"x-api-key": key, "anthropic-version": "2026-10-21", "content-type": "application/json"}
line = http.client.HTTPConnection("127.0.0.1", int(port))
line.request("POST", "/v1/messages", body, headers)
line.getresponse()
"""
    arrived = threading.Event()
    with FakeApi(trouble=["hang"], on_request=lambda number: arrived.set()) as api:
        command = [sys.executable, "-c", program, api.url.rsplit(":")[-1], api.key, json.dumps(ASKED)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as child:
            assert arrived.wait(10)
            child.kill()
        assert ask(api).stop_reason == "tool_use"
    assert child.returncode != 0 and api.requests[0].body == api.requests[1].body == ASKED


def test_closing_it_leaves_no_thread_and_no_socket_even_while_it_holds_an_answer() -> None:
    threads = threading.active_count()
    arrived = threading.Event()
    failed: list[BaseException] = []

    def wait_for_it(api: FakeApi) -> None:
        try:
            ask(api)
        except anthropic.APIConnectionError as error:
            failed.append(error)

    with FakeApi(trouble=[None, "hang"], on_request=lambda number: number == 2 and arrived.set()) as api:
        client = client_of(api)
        ask(api, client)  # its connection stays open
        waiting = threading.Thread(target=wait_for_it, args=(api,))
        waiting.start()
        assert arrived.wait(5)
        port = int(api.url.rsplit(":")[-1])
        start = time.monotonic()
    assert time.monotonic() - start < 1
    waiting.join(5)
    assert len(failed) == 1 and threading.active_count() == threads
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_a_closed_stand_in_is_a_refused_connection() -> None:
    with FakeApi() as api:
        client = client_of(api)
    with pytest.raises(anthropic.APIConnectionError) as caught:
        ask(api, client)
    assert type(caught.value.__cause__).__name__ == "ConnectError"


def test_what_the_model_raises_is_raised_when_it_closes() -> None:
    def broken(messages: Any, *, hasty: bool) -> Any:
        raise ZeroDivisionError("of the script")

    with pytest.raises(ZeroDivisionError, match="of the script"), FakeApi(ScriptedModel(script=broken)) as api:
        ask(api)
    with pytest.raises(LookupError, match="more requests than answers"), FakeApi([]) as api:
        ask(api)


def test_it_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with FakeApi(trouble=[None, 529, "reset", "cut"]) as api:
        post(api)
        post(api, method="GET")
        for _ in range(2):
            with pytest.raises(anthropic.APIConnectionError):
                ask(api)
        with socket.create_connection(("127.0.0.1", int(api.url.rsplit(":")[-1]))) as line:
            line.sendall(b"nonsense\r\n\r\n")
            assert line.recv(100)
    assert capfd.readouterr() == ("", "")


def test_a_trouble_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such trouble: hangs"):
        FakeApi(trouble=["hangs"])


YOURS = {
    "ALL_PROXY": "http://127.0.0.1:1",
    "ANTHROPIC_CUSTOM_HEADERS": "x-api-key: another",
    "ANTHROPIC_MODEL": "claude-of-another-house",
}


def test_the_environment_leads_the_package_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY")
    for name, value in YOURS.items():
        monkeypatch.setenv(name, value)
    with FakeApi() as api:
        for name, value in api.environment.items():
            monkeypatch.setenv(name, value)
        asked = {**ASKED, "model": choose_model(None)}
        assert anthropic.Anthropic().messages.create(**asked).stop_reason == "tool_use"
