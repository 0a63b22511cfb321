import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import LedgerError, load_effects, run_tool_uses, save_effect
from tests.support import Died, Events, call, die_at, snapshot, text, tool, write_json

OK = {"type": "tool_result", "tool_use_id": "t1", "content": "hecho"}


def noted(**changes: Any) -> dict[str, Any]:
    return {"name": "put", "input": {}, "result": "hecho", "at": 7, **changes}


def test_a_call_is_run_noted_and_answered(folder: Path) -> None:
    content = [text("Voy."), {"type": "thinking", "thinking": "", "signature": "f"}, call("t1", "put", a="ñ")]
    tools = {"put": tool(lambda a: "hecho", "a")}
    assert run_tool_uses(content, tools, folder, clock=lambda: 7) == [OK]
    assert load_effects(folder) == {"t1": noted(input={"a": "ñ"})}


def test_a_read_only_call_is_noted_too(folder: Path) -> None:
    run_tool_uses([call("t1", "put")], {"put": tool(lambda: "hecho", read_only=True)}, folder, clock=lambda: 7)
    assert load_effects(folder) == {"t1": noted()}


def test_the_clock_is_the_real_one_in_milliseconds_unless_another_is_given(folder: Path) -> None:
    run_tool_uses([call("t1", "put")], {"put": tool(lambda: "hecho")}, folder)
    at = load_effects(folder)["t1"]["at"]
    assert abs(at - (folder / "effects.json").stat().st_mtime * 1000) < 60_000


def test_content_without_calls_runs_nothing_and_writes_nothing(folder: Path) -> None:
    before = snapshot(folder)
    assert run_tool_uses([text("Listo.")], {}, folder) == [] and run_tool_uses([], {}, folder) == []
    assert snapshot(folder) == before


def test_several_calls_run_in_order_each_noted_before_the_next(folder: Path) -> None:
    seen: list[Any] = []
    tools = {"put": tool(lambda n: seen.append((n, list(load_effects(folder)))), "n")}
    results = run_tool_uses([call("t1", "put", n=1), call("t2", "put", n=2)], tools, folder)
    assert seen == [(1, []), (2, ["t1"])] and [result["tool_use_id"] for result in results] == ["t1", "t2"]


def test_the_ledger_is_durable_before_the_result_is_used(folder: Path) -> None:
    moments: list[Any] = []

    def look(label: str) -> None:
        moments.append((label, list(load_effects(folder))))

    run_tool_uses([call("t1", "put")], {"put": tool(lambda: "hecho")}, folder, turn=3, crash_point=look)
    assert moments == [("after-tool:3", []), ("after-effect-write:3", ["t1"])]


def test_nothing_is_emitted_between_the_tools_return_and_the_ledger(folder: Path) -> None:
    save_effect("t1", noted(name="otra"), folder)
    order: list[str] = []
    run_tool_uses(
        [call("t1", "put"), call("t2", "put")],
        {"put": tool(lambda: order.append("tool"))},
        folder,
        emit=lambda event, **fields: order.append(event),
        crash_point=lambda label: order.append(label),
    )
    assert order == [
        "warning_other_call",
        *("tool", "after-tool:0"),
        *("tool", "after-tool:0", "after-effect-write:0"),
    ]


@pytest.mark.parametrize("label", ["after-tool:1", "after-effect-write:1"])
def test_a_death_at_its_moment_leaves_the_ledger_of_that_moment(folder: Path, label: str) -> None:
    with pytest.raises(Died):
        run_tool_uses([call("t1", "put")], {"put": tool(list)}, folder, turn=1, crash_point=die_at(label))
    assert list(load_effects(folder)) == (["t1"] if "write" in label else [])


FALSY = [("", ""), (0, "0"), (False, "false"), (None, ""), ([], "[]"), ({}, "{}")]


@pytest.mark.parametrize(("result", "told"), [*FALSY, ("hecho", "hecho"), ({"a": 1}, '{"a": 1}')])
def test_a_call_that_is_noted_is_never_run_again_whatever_its_result(folder: Path, result: Any, told: Any) -> None:
    write_json(folder / "effects.json", {"t1": noted(result=result)})
    before, ran = snapshot(folder), []
    answered = run_tool_uses([call("t1", "put")], {"put": tool(lambda: ran.append(1))}, folder)
    assert answered == [{**OK, "content": told}]
    assert ran == [] and snapshot(folder) == before


def test_a_call_that_is_noted_needs_no_tool_any_more(folder: Path) -> None:
    save_effect("t1", noted(), folder)
    assert run_tool_uses([call("t1", "put")], {}, folder) == [OK]


OTHERS = [
    ({"name": "get"}, {}),
    ({"input": {"n": 2}}, {"n": 1}),
    ({"input": {"n": True}}, {"n": 1}),
    ({"input": {"n": 1}}, {"n": True}),
    ({"input": {"n": "1"}}, {"n": 1}),
    ({"name": "get", "input": {"n": 1}}, {"n": 1}),
]


@pytest.mark.parametrize(("entry", "given"), OTHERS)
def test_another_calls_entry_is_no_hit_is_said_aloud_and_is_never_overwritten(
    folder: Path, entry: dict[str, Any], given: dict[str, Any]
) -> None:
    save_effect("t1", noted(result="de otra", **entry), folder)
    before, events = snapshot(folder), Events()
    content = [call("t1", "put", **given)]
    answered = run_tool_uses(content, {"put": tool(lambda **n: "hecho", *given)}, folder, emit=events)
    assert answered == [OK] and snapshot(folder) == before
    assert events[0] == ("warning_other_call", {"id": "t1", "name": "put"})


def test_one_and_one_point_zero_are_the_same_input(folder: Path) -> None:
    save_effect("t1", noted(input={"n": 1.0}), folder)
    assert run_tool_uses([call("t1", "put", n=1)], {"put": tool(print, "n")}, folder) == [OK]


def test_a_ledger_that_cannot_be_read_is_refused_before_a_tool_runs(folder: Path) -> None:
    (folder / "effects.json").write_bytes(b'{"t1": {"na')
    before, ran = snapshot(folder), []
    with pytest.raises(LedgerError):
        run_tool_uses([call("t1", "put")], {"put": tool(lambda: ran.append(1))}, folder)
    assert ran == [] and snapshot(folder) == before


def fail_to_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "lleno")

    monkeypatch.setattr(os, "replace", full)


def test_a_ledger_that_cannot_be_written_never_turns_a_success_into_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, events = snapshot(folder), Events()
    with monkeypatch.context() as system:
        fail_to_replace(system)
        assert run_tool_uses([call("t1", "put")], {"put": tool(lambda: "hecho")}, folder, emit=events) == [OK]
    assert events.names == ["warning_not_noted"] and events[0][1]["id"] == "t1" and snapshot(folder) == before


def test_a_tool_that_spoils_the_ledger_is_still_told_as_done(folder: Path) -> None:
    events = Events()
    spoil = tool(lambda: (folder / "effects.json").write_bytes(b"{") and "hecho")
    assert run_tool_uses([call("t1", "put")], {"put": spoil}, folder, emit=events) == [OK]
    assert events.names == ["warning_not_noted"] and (folder / "effects.json").read_bytes() == b"{"


def test_a_warning_goes_to_stderr_where_nobody_listens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_to_replace(monkeypatch)
    run_tool_uses([call("t1", "put")], {"put": tool(lambda: "hecho")}, folder)
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "put (t1) sí se ejecutó" in said.err


def test_a_call_that_failed_is_not_noted(folder: Path) -> None:
    labels: list[str] = []
    tools = {"put": tool(lambda: 1 / 0)}
    [told] = run_tool_uses([call("t1", "put")], tools, folder, turn=2, crash_point=labels.append)
    assert told["is_error"] is True and load_effects(folder) == {} and labels == ["after-tool:2"]


def test_a_tool_called_twice_with_the_same_input_happens_twice(folder: Path) -> None:
    ran: list[int] = []
    tools = {"put": tool(lambda n: ran.append(n), "n")}
    run_tool_uses([call("t1", "put", n=1), call("t2", "put", n=1)], tools, folder)
    assert ran == [1, 1] and list(load_effects(folder)) == ["t1", "t2"]


def test_an_interrupt_inside_a_tool_goes_through_and_notes_nothing(folder: Path) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tool_uses([call("t1", "put")], {"put": tool(interrupted)}, folder)
    assert load_effects(folder) == {}


def test_an_interrupt_while_the_ledger_is_written_goes_through(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_tool_uses([call("t1", "put")], {"put": tool(list)}, folder, emit=Events())
