from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import LedgerError, ToolRefused, load_effects, reconcile, save_effect
from tests.support import Events, case, scene_a, scene_b, snapshot, tool, write_json

OK = {"type": "tool_result", "tool_use_id": "t2", "content": "hecho"}
ASKED = {"id": "t2", "name": "write"}


def noted(**changes: Any) -> dict[str, Any]:
    return {"name": "write", "input": {}, "result": "hecho", "at": 7, **changes}


def never(**given: Any) -> None:
    raise AssertionError("ran")


def test_where_nothing_is_pending_there_is_nothing_to_reconcile(folder: Path) -> None:
    events = Events()
    assert reconcile(scene_b(), {}, folder, emit=events) is None and events == []


@pytest.mark.parametrize("read_only", [True, False])
def test_a_call_that_is_noted_is_answered_with_its_stored_result(folder: Path, read_only: bool) -> None:
    save_effect("t2", noted(), folder)
    before, events = snapshot(folder), Events()
    assert reconcile(scene_a(), {"write": tool(never, read_only=read_only)}, folder, emit=events) == OK
    assert events == [("hit", ASKED)] and snapshot(folder) == before


@pytest.mark.parametrize(
    ("result", "told"),
    [("", ""), (0, "0"), (False, "false"), (None, ""), ([], "[]"), ({}, "{}"), ([1], "[1]"), (4, "4")],
)
def test_a_stored_result_is_final_also_when_it_is_falsy(folder: Path, result: Any, told: str) -> None:
    write_json(folder / "effects.json", {"t2": noted(result=result)})
    assert reconcile(scene_a(), {"write": tool(never)}, folder) == {**OK, "content": told}


def test_an_entry_from_elsewhere_without_input_is_a_hit(folder: Path) -> None:
    write_json(folder / "effects.json", {"t2": {"name": "write", "result": "hecho", "at": 1}})
    assert reconcile(scene_a(n=1), {"write": tool(never)}, folder) == OK


def test_a_noted_call_is_a_hit_although_its_tool_has_gone(folder: Path) -> None:
    save_effect("t2", noted(), folder)
    assert reconcile(scene_a(), {}, folder) == OK


def test_a_read_only_call_that_is_not_noted_is_run_again_and_noted(folder: Path) -> None:
    ran, events = [], Events()
    tools = {"write": tool(lambda n: ran.append(n) or "hecho", "n", read_only=True)}
    assert reconcile(scene_a(n=1), tools, folder, emit=events, clock=lambda: 7) == OK
    assert ran == [1] and events == [("rerun", ASKED)] and load_effects(folder) == {"t2": noted(input={"n": 1})}


def test_a_read_only_call_dies_at_the_moments_of_a_resume(folder: Path) -> None:
    labels: list[str] = []
    reconcile(scene_a(), {"write": tool(list, read_only=True)}, folder, crash_point=labels.append)
    assert labels == ["resume-after-tool", "resume-after-effect-write"]


@pytest.mark.parametrize("error", [ValueError("roto"), ToolRefused("ese no")])
def test_a_read_only_call_that_raises_is_an_error_as_in_the_loop(folder: Path, error: Exception) -> None:
    def broken() -> None:
        raise error

    told = reconcile(scene_a(), {"write": tool(broken, read_only=True)}, folder)
    assert told and told["is_error"] is True and str(error) in told["content"] and load_effects(folder) == {}


@pytest.mark.parametrize("tools", [{"write": tool(never)}, {}, {"read": tool(never, read_only=True)}])
def test_any_other_call_that_is_not_noted_is_unknown_and_is_not_run(folder: Path, tools: Any) -> None:
    before, events = snapshot(folder), Events()
    told = reconcile(scene_a(), tools, folder, emit=events)
    assert told and told["is_error"] is True and told["tool_use_id"] == "t2"
    assert "No se sabe" in told["content"] and "write" in told["content"]
    assert events == [("unknown", ASKED)] and snapshot(folder) == before


def test_undeclared_is_not_read_only(folder: Path) -> None:
    told = reconcile(scene_a(), {"write": tool(never)}, folder)
    assert told and told["is_error"] is True


OTHERS = [
    ({"name": "read"}, {}),
    ({"input": {"n": True}}, {"n": 1}),
    ({"input": {"n": 1}}, {"n": True}),
    ({"input": {"n": 2}}, {"n": 1}),
    ({"input": {}}, {"n": 1}),
]


@pytest.mark.parametrize(("entry", "given"), OTHERS)
def test_another_calls_entry_is_as_none_for_a_side_effect(
    folder: Path, entry: dict[str, Any], given: dict[str, Any]
) -> None:
    save_effect("t2", noted(result="de otra", **entry), folder)
    before, events = snapshot(folder), Events()
    told = reconcile(scene_a(**given), {"write": tool(never, "n")}, folder, emit=events)
    assert told and told["is_error"] is True and "de otra" not in told["content"]
    assert events.names == ["warning_other_call", "unknown"] and snapshot(folder) == before


@pytest.mark.parametrize(("entry", "given"), OTHERS)
def test_another_calls_entry_is_as_none_for_a_read_only_call_and_is_kept(
    folder: Path, entry: dict[str, Any], given: dict[str, Any]
) -> None:
    save_effect("t2", noted(result="de otra", **entry), folder)
    before, events = snapshot(folder), Events()
    tools = {"write": tool(lambda **n: "hecho", *given, read_only=True)}
    assert reconcile(scene_a(**given), tools, folder, emit=events) == OK
    assert events.names[:2] == ["rerun", "warning_other_call"] and snapshot(folder) == before


def test_one_and_one_point_zero_are_the_same_call(folder: Path) -> None:
    save_effect("t2", noted(input={"n": 1.0}), folder)
    assert reconcile(scene_a(n=1), {"write": tool(never, "n")}, folder) == OK


def test_an_id_that_was_reused_for_another_tool_never_gives_the_others_text(folder: Path) -> None:
    reused = case("reused_id.json")
    write_json(folder / "effects.json", reused["effects"])
    before = snapshot(folder)
    told = reconcile(reused["checkpoint"], {"write_report": tool(never, "path", "content")}, folder)
    assert told and told["is_error"] is True and "enero" not in told["content"] and snapshot(folder) == before


@pytest.mark.parametrize("read_only", [True, False])
def test_a_ledger_that_cannot_be_read_is_refused_before_anything_runs(folder: Path, read_only: bool) -> None:
    (folder / "effects.json").write_bytes(b"")
    events = Events()
    with pytest.raises(LedgerError):
        reconcile(scene_a(), {"write": tool(never, read_only=read_only)}, folder, emit=events)
    assert events == [] and (folder / "effects.json").read_bytes() == b""


def test_reconciling_changes_nothing_in_the_checkpoint(folder: Path) -> None:
    scene = scene_a()
    reconcile(scene, {"write": tool(list, read_only=True)}, folder)
    assert scene == scene_a() and "checkpoint.json" not in snapshot(folder)


def test_only_warnings_are_said_where_nobody_listens(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_effect("t2", noted(name="read"), folder)
    reconcile(scene_a(), {}, folder)
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err.startswith("aviso: ")
