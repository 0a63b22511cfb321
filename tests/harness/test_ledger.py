import json
import os
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import LedgerError, load_effects, run_agent, save_effect
from lesson_code.harness.ledger import is_same_call
from tests.support import (
    DROP_RIGHTS,
    NOT_STRICT,
    TASK,
    Replies,
    child,
    end,
    scene_a,
    scene_b,
    snapshot,
    tool,
    write_json,
)

ENTRY = {"name": "write", "input": {"text": "ñ"}, "result": "hecho", "at": 1_700_000_000_000}


def refused(folder: Path) -> str:
    """Load, note and resume: all refuse, run nothing, ask nobody and keep the files. What they say."""
    ran: list[str] = []
    for scene in (scene_a("write"), scene_a("read"), scene_b()):
        write_json(folder / "checkpoint.json", scene)
        before, client = snapshot(folder), Replies(end())
        with pytest.raises(LedgerError) as loading:
            load_effects(folder)
        with pytest.raises(LedgerError):
            save_effect("t9", ENTRY, folder)
        tools = {"write": tool(lambda: ran.append("write")), "read": tool(lambda: ran.append("read"), read_only=True)}
        with pytest.raises(LedgerError) as resuming:
            run_agent(client, TASK, tools, folder, resume=True)
        after = snapshot(folder)
        after.pop(".lock", None)
        before.pop(".lock", None)
        assert client.requests == ran == [] and after == before
    said = str(loading.value)
    assert said == str(resuming.value) and said and "\n" not in said and "effects.json" in said
    assert not any(word in said.lower() for word in ("borra", "bórra", "elimin"))
    return said


def test_a_ledger_that_is_missing_is_an_empty_one(folder: Path) -> None:
    assert load_effects(folder) == load_effects(folder / "no existe") == {}
    assert list(snapshot(folder)) == ["sales-notes.txt"]


def test_an_empty_object_is_an_empty_ledger(folder: Path) -> None:
    (folder / "effects.json").write_bytes(b"{}")
    assert load_effects(folder) == {}


@pytest.mark.parametrize("kind", NOT_STRICT)
def test_a_ledger_that_cannot_be_parsed_is_never_taken_for_an_empty_one(folder: Path, kind: str) -> None:
    (folder / "effects.json").write_bytes(NOT_STRICT[kind])
    refused(folder)


@pytest.mark.parametrize("kind", ["folder", "link", "broken link", "pipe"])
def test_what_is_no_file_in_the_place_of_the_ledger_is_never_taken_for_an_empty_one(folder: Path, kind: str) -> None:
    if kind != "folder" and os.name == "nt":
        pytest.skip("links need a privilege on Windows, and there are no pipes with a path")
    path = folder / "effects.json"
    (folder / "otro.json").write_bytes(b"{}")
    {
        "folder": path.mkdir,
        "link": lambda: path.symlink_to("otro.json"),
        "broken link": lambda: path.symlink_to("nada.json"),
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    refused(folder)


NO_RIGHTS = """
from lesson_code.harness import *
try:
    print(load_effects("."))
except LedgerError as error:
    print(error)
"""


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_a_ledger_that_may_not_be_read_is_never_taken_for_an_empty_one(folder: Path) -> None:
    (folder / "effects.json").write_bytes(b"{}")
    (folder / "effects.json").chmod(0)
    done = child(NO_RIGHTS.replace("try:", DROP_RIGHTS + "try:", 1), cwd=folder)
    assert "no hay permiso" in done.stdout, done.stderr


@pytest.mark.parametrize("value", [[], None, 42, True, "x", [ENTRY]], ids=repr)
def test_a_ledger_that_is_no_object_is_never_taken_for_an_empty_one(folder: Path, value: Any) -> None:
    write_json(folder / "effects.json", value)
    refused(folder)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        "hecho",
        {},
        {"name": "write"},
        {"result": "hecho", "at": 1},
        {"name": "write", "at": 1},
        {**ENTRY, "name": None},
        {**ENTRY, "name": 1},
        {**ENTRY, "input": None},
        {**ENTRY, "input": []},
        {**ENTRY, "input": "{}"},
        {**ENTRY, "at": "1"},
        {**ENTRY, "at": 1.5},
        {**ENTRY, "at": True},
        {**ENTRY, "at": None},
        {**ENTRY, "extra": 1},
    ],
    ids=repr,
)
def test_an_entry_of_another_shape_is_refused_by_its_id(folder: Path, entry: Any) -> None:
    write_json(folder / "effects.json", {"t1": ENTRY, "toolu_x": entry})
    assert "toolu_x" in refused(folder)


def test_an_id_that_is_there_twice_is_refused_by_name(folder: Path) -> None:
    entry = json.dumps(ENTRY)
    (folder / "effects.json").write_text(f'{{"toolu_x": {entry}, "toolu_x": {entry}}}', encoding="utf-8")
    assert "toolu_x" in refused(folder)


@pytest.mark.parametrize("result", ["", "hecho", 0, False, None, [], {}, 1.5, {"a": 1}], ids=repr)
def test_a_ledger_from_elsewhere_is_read_without_input_and_with_any_result(folder: Path, result: Any) -> None:
    effects = {"t1": {"name": "write", "result": result, "at": 1}}
    write_json(folder / "effects.json", effects)
    assert load_effects(folder) == effects


def test_the_ledger_is_an_object_by_id_in_utf8_with_two_spaces(folder: Path) -> None:
    save_effect("t1", ENTRY, folder)
    save_effect("t2", {**ENTRY, "result": ""}, folder)
    effects = {"t1": ENTRY, "t2": {**ENTRY, "result": ""}}
    data = (folder / "effects.json").read_bytes()
    assert data == json.dumps(effects, ensure_ascii=False, indent=2).encode("utf-8")
    assert load_effects(folder) == effects and list(effects["t1"]) == ["name", "input", "result", "at"]


def test_noting_makes_the_folder_that_does_not_exist(tmp_path: Path) -> None:
    save_effect("t1", ENTRY, str(tmp_path / "uno" / "dos"))
    assert load_effects(tmp_path / "uno" / "dos") == {"t1": ENTRY}


def test_the_first_result_of_a_call_is_final(folder: Path) -> None:
    save_effect("t1", ENTRY, folder)
    before = snapshot(folder)
    save_effect("t1", {**ENTRY, "result": "otra cosa", "at": 2}, folder)
    assert snapshot(folder) == before


@pytest.mark.parametrize("change", [{"name": "read"}, {"input": {"text": "n"}}, {"input": {}}])
def test_an_entry_of_another_call_is_never_overwritten(folder: Path, change: dict[str, Any]) -> None:
    save_effect("t1", ENTRY, folder)
    before = snapshot(folder)
    with pytest.raises(LedgerError, match="t1"):
        save_effect("t1", {**ENTRY, **change}, folder)
    assert snapshot(folder) == before


@pytest.mark.parametrize(
    "value", [b"a", {"a"}, object(), float("nan"), "a\udcf1"], ids=["bytes", "set", "object", "NaN", "lone surrogate"]
)
def test_what_json_cannot_hold_is_refused_before_anything_is_written(folder: Path, value: Any) -> None:
    save_effect("t1", ENTRY, folder)
    before = snapshot(folder)
    with pytest.raises(LedgerError):
        save_effect("t2", {**ENTRY, "result": value}, folder)
    assert snapshot(folder) == before


def test_a_disk_that_refuses_is_told_as_it_is_and_the_old_ledger_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_effect("t1", ENTRY, folder)
    before = snapshot(folder)

    def full(*arguments: Any) -> None:
        raise OSError(28, "lleno")

    with monkeypatch.context() as system:
        system.setattr(os, "replace", full)
        with pytest.raises(OSError, match="lleno"):
            save_effect("t2", ENTRY, folder)
    assert snapshot(folder) == before


CALL = {"name": "write", "input": {"a": 1, "b": [1.5, None]}}


@pytest.mark.parametrize(
    ("noted", "same"),
    [
        ({}, True),
        ({"input": {"b": [1.5, None], "a": 1}}, True),
        ({"input": {"a": 1.0, "b": [1.5, None]}}, True),
        ({"input": {"a": True, "b": [1.5, None]}}, False),
        ({"input": {"a": "1", "b": [1.5, None]}}, False),
        ({"input": {"a": 1, "b": [None, 1.5]}}, False),
        ({"input": {"a": 1}}, False),
        ({"input": {}}, False),
        ({"name": "Write"}, False),
        ({"name": "read"}, False),
    ],
)
def test_an_entry_is_a_calls_own_by_name_and_canonical_input(noted: dict[str, Any], same: bool) -> None:
    assert is_same_call({**CALL, "result": "", "at": 1, **noted}, CALL) is same


def test_an_entry_without_input_matches_any_input_but_no_other_name() -> None:
    assert is_same_call({"name": "write", "result": "", "at": 1}, CALL)
    assert not is_same_call({"name": "read", "result": "", "at": 1}, CALL)


@pytest.mark.parametrize(
    "entry",
    [{"foo": 1}, {**ENTRY, "at": 1.5}, {**ENTRY, "result": float("nan")}, {**ENTRY, "result": "a\udcf1"}],
    ids=repr,
)
def test_what_could_not_be_read_again_is_not_written(folder: Path, entry: Any) -> None:
    before = write_json(folder / "effects.json", {"t1": ENTRY})
    with pytest.raises(LedgerError, match="toolu_x"):
        save_effect("toolu_x", entry, folder)
    assert (folder / "effects.json").read_bytes() == before
