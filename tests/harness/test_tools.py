import datetime
import decimal
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_code.harness import Tool, ToolRefused, load_checkpoint, load_effects, run_agent
from lesson_code.harness.tools import MAX_RESULT, describe, result_text, run_tool, tool_result
from tests.support import TASK, Replies, answer, call, end, snapshot, tool

REFUSED, MAYBE = "se negó y no hizo nada", "es posible que su efecto haya ocurrido"


class Mute:
    def __str__(self) -> str:
        raise RuntimeError("sin texto")

    __repr__ = __str__


class Named(str):
    def __str__(self) -> str:
        return "otra cosa"


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


TEXTS = [
    ("", ""),
    ("ñ 😀\n\x00", "ñ 😀\n\x00"),
    (Named("igual"), "igual"),
    (None, ""),
    (0, "0"),
    (False, "false"),
    (True, "true"),
    (1.5, "1.5"),
    (float("nan"), "NaN"),
    ([], "[]"),
    ({}, "{}"),
    (["ñ", None, {"a": 1}], '["ñ", null, {"a": 1}]'),
    ((1, "a"), '[1, "a"]'),
    (b"a\xc3\xb1\xff", "añ\\xff"),
    (bytearray(b"\xff"), "\\xff"),
    ({"b", "a", "c"}, '["a", "b", "c"]'),
    (frozenset({2, 10}), "[10, 2]"),
    ({"a", 1}, '["a", 1]'),
    ({"x": {"b", "a"}}, '{"x": ["a", "b"]}'),
    (set(), "[]"),
    (decimal.Decimal("1.10"), '"1.10"'),
    (datetime.datetime(2026, 1, 2, 3, 4), '"2026-01-02 03:04:00"'),
    ({"d": datetime.date(2026, 1, 2)}, '{"d": "2026-01-02"}'),
    (Path("a"), '"a"'),
    ("a\udcf1", "a\ufffd"),
    ("\ud83da", "\ufffda"),
    ("a\ud83d", "a\ufffd"),
    ("\udcf1\udcf1", "\ufffd\ufffd"),
    ("\ud83d\ude00", "😀"),
    ({"a": "\udcf1"}, '{"a": "\ufffd"}'),
    ({"\udcf1": 1}, '{"\ufffd": 1}'),
]


@pytest.mark.parametrize(("value", "told"), TEXTS)
def test_what_a_tool_returns_becomes_this_text(value: Any, told: str) -> None:
    assert result_text(value) == told and type(result_text(value)) is str


@pytest.mark.parametrize("make", [Mute, endless, deep, lambda: {(1, 2): "x"}, lambda: [Mute()], lambda: {Mute()}])
def test_what_cannot_become_text_is_told_as_a_tool_that_ended_well(make: Any) -> None:
    assert result_text(make()).startswith("La herramienta terminó bien")


@given(st.text(st.characters()) | st.binary() | st.recursive(st.none() | st.text(), st.lists))
def test_a_result_is_always_text_that_can_be_sent_and_stays_the_same_from_then_on(value: Any) -> None:
    told = result_text(value)
    assert len(told.encode("utf-8")) <= MAX_RESULT and result_text(told) == told
    assert json.loads(json.dumps(told)) == told


def test_a_result_of_256_kib_is_kept_whole() -> None:
    assert result_text("x" * MAX_RESULT) == "x" * MAX_RESULT
    assert result_text("ñ" * (MAX_RESULT // 2)) == "ñ" * (MAX_RESULT // 2)


@pytest.mark.parametrize("letter", ["x", "ñ", "€", "😀"])
def test_a_longer_result_keeps_head_and_tail_and_says_its_length(letter: str) -> None:
    whole = "cabeza" + letter * (5_000_000 // len(letter.encode())) + "cola"
    told = result_text(whole)
    assert MAX_RESULT - 1000 < len(told.encode("utf-8")) <= MAX_RESULT
    assert told.startswith("cabeza" + letter) and told.endswith(letter + "cola")
    assert f" {len(whole.encode('utf-8'))} bytes" in told and "\ufffd" not in told
    assert result_text(told) == told


def test_one_byte_too_many_is_already_cut() -> None:
    assert f" {MAX_RESULT + 1} bytes" in result_text("x" * (MAX_RESULT + 1))


RETURNS = [
    b"\xff",
    datetime.datetime(2026, 1, 2),
    decimal.Decimal("1.1"),
    {"a"},
    {"a": {"b"}},
    float("nan"),
    "a\udcf1",
    "x" * 5_000_000,
    endless(),
    Mute(),
    None,
    0,
    False,
    "",
]


@pytest.mark.parametrize("value", RETURNS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("read_only", [True, False])
def test_whatever_a_tool_returns_the_run_ends_with_b_saved_and_no_temporary(
    folder: Path, value: Any, read_only: bool
) -> None:
    client = Replies(answer(call("t1", "put")), end())
    tools = {"put": tool(lambda: value, read_only=read_only)}
    assert run_agent(client, TASK, tools, folder) == "Listo."
    told = client.requests[1]["messages"][-1]["content"]
    assert told == [{"type": "tool_result", "tool_use_id": "t1", "content": result_text(value)}]
    assert load_checkpoint(folder)["messages"][2]["content"] == told
    assert load_effects(folder)["t1"]["result"] == result_text(value)
    assert sorted(snapshot(folder)) == [".lock", "checkpoint.json", "effects.json", "sales-notes.txt"]


def test_a_tool_gets_its_schemas_own_properties_and_no_other() -> None:
    seen: list[Any] = []
    run_tool(call("t1", "put", a=1, b=2, folder="/"), {"put": tool(lambda **given: seen.append(given), "a", "b")})
    assert seen == [{"a": 1, "b": 2}]


def test_what_is_not_required_may_be_missing() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    put = Tool(lambda a, b="por omisión": b, description="", input_schema=schema)
    assert run_tool(call("t1", "put", a=1), {"put": put}) == tool_result("t1", "por omisión")


def test_a_tool_whose_schema_names_nothing_gets_nothing() -> None:
    put = Tool(lambda **given: given, description="", input_schema={"type": "object"})
    assert run_tool(call("t1", "put", a=1), {"put": put}) == tool_result("t1", "{}")


@pytest.mark.parametrize("read_only", [True, False])
def test_an_input_without_what_is_required_is_refused_before_the_tool_runs(read_only: bool) -> None:
    ran: list[Any] = []
    tools = {"put": tool(lambda **given: ran.append(given), "a", "falta", read_only=read_only)}
    told = run_tool(call("t1", "put", a=1), tools)
    assert told["is_error"] is True and REFUSED in told["content"] and "falta" in told["content"] and ran == []


def test_a_tool_that_does_not_exist_is_told_as_nothing_done() -> None:
    told = run_tool(call("t1", "otra"), {"put": tool(print)})
    assert told["is_error"] is True and REFUSED in told["content"] and "otra" in told["content"]


def raises(error: BaseException) -> Any:
    def run(**given: Any) -> None:
        raise error

    return run


ERRORS = [
    ValueError("valor\nraro"),
    OSError(28, "lleno"),
    RecursionError(),
    MemoryError("mucho"),
    ValueError("a\udcf1"),
]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_a_side_effect_that_raises_has_failed_and_is_possibly_done(error: Exception) -> None:
    told = run_tool(call("t1", "put"), {"put": tool(raises(error))})
    assert told["is_error"] is True and MAYBE in told["content"] and type(error).__name__ in told["content"]
    assert REFUSED not in told["content"]
    json.dumps(told, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_a_read_only_tool_that_raises_has_failed_and_did_nothing(error: Exception) -> None:
    told = run_tool(call("t1", "get"), {"get": tool(raises(error), read_only=True)})
    assert told["is_error"] is True and MAYBE not in told["content"] and type(error).__name__ in told["content"]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_tool_that_refuses_did_nothing(read_only: bool) -> None:
    told = run_tool(call("t1", "put"), {"put": tool(raises(ToolRefused("ese no")), read_only=read_only)})
    assert told["is_error"] is True and REFUSED in told["content"] and "ese no" in told["content"]
    assert MAYBE not in told["content"]


def test_a_type_error_inside_a_tool_is_no_proof_that_nothing_was_done() -> None:
    told = run_tool(call("t1", "put"), {"put": tool(raises(TypeError("x")))})
    assert MAYBE in told["content"]


def test_an_error_without_text_is_told_all_the_same() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    told = run_tool(call("t1", "put"), {"put": tool(raises(MuteError()))})
    assert told["is_error"] is True and "MuteError" in told["content"]


def test_an_interrupt_goes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_tool(call("t1", "put"), {"put": tool(raises(KeyboardInterrupt()))})


@pytest.mark.parametrize(("read_only", "told"), [(True, "falló:"), (False, MAYBE)])
def test_a_tool_that_wants_to_end_the_process_has_failed(read_only: bool, told: str) -> None:
    result = run_tool(call("t1", "put"), {"put": tool(raises(SystemExit(2)), read_only=read_only)})
    assert result["is_error"] is True and told in result["content"]


ran: list[str] = []


async def coroutine() -> str:
    ran.append("coroutine")
    return "hecho"


def generator() -> Iterator[str]:
    ran.append("generator")
    yield "hecho"


async def async_generator() -> Any:
    ran.append("async generator")
    yield "hecho"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("run", [coroutine, generator, async_generator])
def test_a_function_whose_body_never_ran_is_never_told_as_done(folder: Path, run: Any) -> None:
    client = Replies(answer(call("t1", "put")), end())
    run_agent(client, TASK, {"put": tool(run)}, folder)
    told = client.requests[1]["messages"][-1]["content"][0]
    assert told["is_error"] is True and REFUSED in told["content"] and ran == [] and load_effects(folder) == {}


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("lazy", [coroutine, generator, async_generator])
def test_what_a_tool_leaves_to_be_run_later_is_told_as_possibly_done(lazy: Any) -> None:
    done: list[str] = []
    told = run_tool(call("t1", "put"), {"put": tool(lambda: (done.append("hecho"), lazy())[1])})
    assert done == ["hecho"] and told["is_error"] is True and MAYBE in told["content"]


def test_what_a_tool_does_to_its_input_never_reaches_the_disk(folder: Path) -> None:
    asked = call("t1", "put", items=[1])
    client = Replies(answer(asked), end())
    run_agent(client, TASK, {"put": tool(lambda items: items.append(2), "items")}, folder)
    assert load_effects(folder)["t1"]["input"] == {"items": [1]}
    assert load_checkpoint(folder)["messages"][1]["content"] == [call("t1", "put", items=[1])]


def test_the_tools_are_described_as_the_api_wants_them() -> None:
    put = tool(print, "a")
    assert describe({"put": put}) == [{"name": "put", "description": put.description, "input_schema": put.input_schema}]


def test_a_good_result_carries_no_is_error_and_a_bad_one_does() -> None:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": ""}
    assert tool_result("t1", "") == block and tool_result("t1", "", is_error=True) == {**block, "is_error": True}
