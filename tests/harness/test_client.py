"""The real client: what it needs to be made, what is sent through it, and what an error may say."""

import gc
import json
import sys
import traceback
from functools import cache
from pathlib import Path
from typing import Any

import anthropic
import pytest

from lesson_code.harness import AgentStopped, load_checkpoint, run_agent
from lesson_code.harness.client import MODEL, choose_model, make_client, why_failed
from lesson_code.harness.tools import describe
from lesson_code.lab.crash import IN_RESUME, IN_TURN
from lesson_code.lab.fake_api import FakeApi
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import Outcome, play
from tests.outside import nothing_of_this_machine  # noqa: F401
from tests.support import TASK, Died, Replies, answer, call, die_at, end, text, tool

pytestmark = pytest.mark.usefixtures("no_sync")
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


@cache
def first_client() -> Any:
    """The one whose connections the others share: a new one reads all certificates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", "none")
        patch.setenv("NO_PROXY", "127.0.0.1")
        return make_client()


def client_of(api: FakeApi) -> Any:
    return first_client().with_options(base_url=api.url, api_key=api.key, max_retries=0)


# Making it


def refusal() -> str:
    """Why no client can be made, with nothing of the key in what a traceback could show."""
    with pytest.raises(AgentStopped) as stopped:
        make_client()
    shown = "".join(traceback.TracebackException.from_exception(stopped.value, capture_locals=True).format())
    assert "s3cr3t" not in shown
    return str(stopped.value)


def test_without_a_key_there_is_no_client() -> None:
    assert refusal().startswith("No hay clave de la API: define la variable de entorno ANTHROPIC_API_KEY")


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(
    "key", [" ", "s3cr3t ", "\ts3cr3t", "s3cr3t\n", "s3\r\ncr3t", "s3cr3tñ", "s3cr3t\x7f"], ids=ascii
)
def test_a_key_that_no_header_can_carry_is_refused_before_it_is_sent(
    monkeypatch: pytest.MonkeyPatch, name: str, key: str
) -> None:
    monkeypatch.setenv(name, key)
    assert refusal().startswith("La clave de la API trae espacios, saltos de línea o letras raras")


@pytest.mark.parametrize(
    "keys, sent", [(("uno", ""), "uno"), (("", "dos"), "dos"), (("uno", "dos"), "uno"), (("uno", "d o s"), "uno")]
)
def test_the_key_that_is_set_first_is_the_one_that_is_sent_and_nothing_is_said_of_the_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, keys: tuple[str, str], sent: str
) -> None:
    with FakeApi([end()], key=sent) as api:
        for name, key in {**dict(zip(KEYS, keys, strict=True)), "ANTHROPIC_BASE_URL": api.url}.items():
            monkeypatch.setenv(name, key)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        client = make_client()
        client.messages.create(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "a"}])
    assert (client.max_retries, client.timeout) == (2, 300.0) and caplog.messages == []


def test_without_the_package_it_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cr3t")
    monkeypatch.setitem(sys.modules, "anthropic", None)
    assert "python -m pip install -r requirements.txt" in refusal()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")  # half a client of the package's own
@pytest.mark.parametrize(
    "name, value",
    [
        ("HTTP_PROXY", "nada://s3cr3t@127.0.0.1"),
        ("ALL_PROXY", "socks5://s3cr3t@127.0.0.1:9"),
        ("SSL_CERT_FILE", "/s3cr3t/nada.pem"),
    ],
)
def test_a_proxy_or_certificates_that_are_none_are_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cr3t")
    monkeypatch.setenv(name, value)
    assert refusal().startswith("No se puede hacer el cliente de la API (")
    gc.collect()


@pytest.mark.parametrize(
    "asked, variable, model", [(None, "", MODEL), (None, "a-1", "a-1"), ("b/2:0", "a-1", "b/2:0"), ("b", "ñ", "b")]
)
def test_the_model_is_what_was_asked_for_or_the_environment_s_or_a_current_one(
    monkeypatch: pytest.MonkeyPatch, asked: str | None, variable: str, model: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_MODEL", variable)
    assert choose_model(asked) == model


@pytest.mark.parametrize("name", [" ", "a b", "ñ", "a\n", "\udcff"], ids=ascii)
def test_a_name_that_cannot_be_sent_is_no_model_s(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(AgentStopped, match="El nombre de modelo"):
        choose_model(name)
    monkeypatch.setenv("ANTHROPIC_MODEL", name)
    with pytest.raises(AgentStopped, match="El nombre de modelo"):
        choose_model(None)


# What goes and comes

RAW: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "El total…", "signature": "c2ln"},
    {"type": "thinking", "thinking": "", "signature": "dmFjaW8="},
    {"type": "redacted_thinking", "data": "b2N1bHRv"},
    {"type": "text", "text": "Leo las notas: «ñ» 🗒"},
    {"type": "block_of_tomorrow", "depth": {"a": [1, 2.5, None, True]}, "note": None},
    {"type": "tool_use", "id": "toolu_a", "name": "read", "input": {"path": "ñ.txt", "n": 1.0, "deep": [{}]}},
]
TOOLS = {"read": tool(lambda path: "enero: 10 ñ", "path", read_only=True)}


def as_the_package_sends_it(raw: list[dict[str, Any]]) -> bytes:
    """The body of a request that takes back an answer's own blocks, with the result of its call."""
    result = {"type": "tool_result", "tool_use_id": "toolu_a", "content": "enero: 10 ñ"}
    one_call = {"type": "auto", "disable_parallel_tool_use": True}
    with FakeApi([{"content": raw, "stop_reason": "tool_use"}, end()]) as api:
        asked = {"model": MODEL, "max_tokens": 4096, "tools": describe(TOOLS), "tool_choice": one_call}
        task = {"role": "user", "content": TASK}
        said = client_of(api).messages.create(**asked, messages=[task]).content
        told = [{"role": "assistant", "content": said}, {"role": "user", "content": [result]}]
        client_of(api).messages.create(**asked, messages=[task, *told])
    return api.requests[1].raw


@pytest.mark.parametrize("label", ["", "after-tool:1", "after-save-b:1"])
def test_an_answer_goes_to_disk_and_back_on_the_wire_byte_for_byte_as_the_package_sends_it(
    folder: Path, label: str
) -> None:
    with FakeApi([{"content": RAW, "stop_reason": "tool_use"}, end()]) as api:
        if label:
            with pytest.raises(Died):
                run_agent(client_of(api), TASK, TOOLS, folder, crash_point=die_at(label))
        run_agent(client_of(api), TASK, TOOLS, folder, resume=bool(label))
    assert json.loads((folder / "checkpoint.json").read_bytes())["messages"][1]["content"] == RAW
    assert api.requests[1].raw == as_the_package_sends_it(RAW)


def test_blank_text_stays_on_disk_and_is_not_sent(folder: Path) -> None:
    blank = [RAW[0], text(""), text(" \n"), RAW[-1]]
    with FakeApi([{"content": blank, "stop_reason": "tool_use"}, end()]) as api:
        run_agent(client_of(api), TASK, TOOLS, folder)
    assert load_checkpoint(folder)["messages"][1]["content"] == blank
    assert api.requests[1].body["messages"][1]["content"] == [RAW[0], RAW[-1]]


def test_a_request_has_the_settings_it_was_given_and_the_schemas_of_the_tools(folder: Path) -> None:
    with FakeApi([end()]) as api:
        run_agent(client_of(api), TASK, TOOLS, folder, model="claude-haiku-5-5", max_tokens=77, system="Sé breve: ñ.")
    assert api.requests[0].body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 77,
        "system": "Sé breve: ñ.",
        "tools": [{"name": "read", "description": "de prueba", "input_schema": TOOLS["read"].input_schema}],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        "messages": [{"role": "user", "content": TASK}],
    }


def test_what_cannot_be_encoded_reaches_the_package_as_something_that_can(folder: Path) -> None:
    tools = {"read": tool(lambda: "a\ud83d\udcf1", read_only=True)}
    with FakeApi([answer(call("t1", "read")), end()]) as api:
        assert run_agent(client_of(api), TASK, tools, folder) == "Listo."
        with pytest.raises(AgentStopped):
            run_agent(client_of(api), "una \ud83d tarea", tools, folder)
    assert api.requests[1].body["messages"][2]["content"][0]["content"] == "a📱" and len(api.requests) == 2


def test_a_system_text_that_cannot_be_encoded_is_a_sentence_and_the_task_can_go_on(folder: Path) -> None:
    with FakeApi([end()]) as api:
        with pytest.raises(AgentStopped, match="UnicodeEncodeError"):
            run_agent(client_of(api), TASK, {}, folder, system="\ud83d")
        assert run_agent(client_of(api), TASK, {}, folder, resume=True) == "Listo."
    assert len(api.requests) == 1


# Deaths, as in process

IN_TURNS = [(f"{name}:{turn}", "") for name in IN_TURN for turn in (1, 2, 3)]
AGAIN = [(first, second) for first in ("after-tool:1", "after-effect-write:3") for second in IN_RESUME[2:]]
AGAIN += [("after-save-a:1", second) for second in IN_RESUME[:2]]


def through_http(folder: Path, label: str = "", resume: bool = False) -> Outcome:
    with FakeApi(ScriptedModel()) as api:
        return play(folder, label, resume=resume, model=client_of(api))


@pytest.mark.parametrize(("first", "second"), [*IN_TURNS, ("after-save-end", ""), *AGAIN])
def test_a_death_anywhere_comes_through_http_to_the_end_that_it_has_in_process(
    folder: Path, first: str, second: str
) -> None:
    deaths: list[tuple[str, bool]] = [(first, False), *([(second, True)] if second else []), ("", True)]
    ours = theirs = folder
    for label, resume in deaths:
        here, there = through_http(ours, label, resume), play(theirs, label, resume=resume)
        assert (here.log, here.warnings, here.exit_code) == (there.log, there.warnings, there.exit_code)
        assert here.checkpoint == there.checkpoint and (here.effects or {}).keys() == (there.effects or {}).keys()
        assert here.world.times("write_report") == there.world.times("write_report")
        ours, theirs = here.folder, there.folder
    assert here.exit_code == 0 and here.world.times("write_report") == 1


# What an error may say


def test_the_error_shows_neither_the_package_s_nor_the_key_in_a_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeApi(trouble=[500], key="s3cr3t") as api:
        for name, value in api.environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(AgentStopped) as stopped:
            run_agent(make_client().with_options(max_retries=0), TASK, {}, folder)
    told = traceback.TracebackException.from_exception(stopped.value, capture_locals=True)
    shown = "".join(told.format())
    assert stopped.value.__context__ is None
    assert "s3cr3t" not in shown and "InternalServerError" not in shown and "Bearer" not in shown


@pytest.mark.parametrize(
    "error, words",
    [
        (ValueError("raro\nmás"), r"(ValueError: raro\nmás)"),
        (OSError(28, "No space left", "/ruta"), "(OSError: no queda espacio en el disco)"),
        (TypeError("x s3cr3t x"), "(TypeError: x … x)"),
    ],
)
def test_any_other_error_is_named_in_a_sentence_without_the_key(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cr3t")
    assert words in why_failed(error)


def test_an_error_that_only_looks_like_the_package_s_is_told_too(folder: Path) -> None:
    class APIConnectionError(Exception):
        """Another client's, which has no cause."""

    with pytest.raises(AgentStopped, match=r"Se cortó la conexión con la API \(APIConnectionError\)"):
        run_agent(Replies(APIConnectionError()), TASK, {}, folder)


def test_the_package_is_one_that_the_course_says_it_works_with() -> None:
    major, minor = map(int, anthropic.__version__.split(".")[:2])
    assert major == 2 and minor >= 10
