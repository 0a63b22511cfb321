"""The witness: what was asked, told, done and returned, and where the process died, in one order."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.lab.witness import Witness
from tests.support import call, text

pytestmark = pytest.mark.usefixtures("no_sync")


def result(tool_use_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **more}],
    }


def asks(tool_use_id: str, name: str = "deliver") -> dict[str, Any]:
    return {"role": "assistant", "content": [text("Sigo."), call(tool_use_id, name, item="p01")]}


TASK = {"role": "user", "content": "Entrega."}


def test_the_lines_keep_the_order_in_which_things_happened(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    witness.ask("t1", "deliver")
    witness.do("deliver", "p01")
    witness.note(returned="t1", text="p01: ok")
    witness.note(died="tool-done:1")
    witness.hear([TASK, asks("t1"), result("t1", "p01: ok")])
    witness.note(refused="messages.1: …")
    assert Witness(tmp_path).lines() == [
        {"asked": "t1", "name": "deliver"},
        {"done": "t1", "name": "deliver", "about": "p01"},
        {"returned": "t1", "text": "p01: ok"},
        {"died": "tool-done:1"},
        {"told": "t1", "error": False, "text": "p01: ok"},
        {"refused": "messages.1: …"},
    ]


def test_the_lines_of_a_kind_are_those_and_no_others(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    assert witness.lines() == witness.lines("died") == []
    witness.note(died="a")
    witness.note(raised="t1")
    witness.note(died="b")
    assert witness.lines("died") == [{"died": "a"}, {"died": "b"}]
    assert witness.lines("raised") == [{"raised": "t1"}]
    assert witness.lines("told") == []


def test_what_the_model_is_told_is_noted_once_however_often_it_is_sent(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    first = [TASK, asks("t1"), result("t1", "p01: ok")]
    witness.hear([TASK])
    witness.hear(first)
    witness.hear(first)
    Witness(tmp_path).hear([*first, asks("t2"), result("t2", "p02: ok")])
    assert [line["told"] for line in witness.lines("told")] == ["t1", "t2"]


def test_the_same_call_told_in_other_words_or_as_an_error_is_noted_again(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    for told in (result("t1", "a"), result("t1", "b"), result("t1", "b", is_error=True), result("t1", "b")):
        witness.hear([TASK, asks("t1"), told])
    assert [(line["error"], line["text"]) for line in witness.lines("told")] == [
        (False, "a"),
        (False, "b"),
        (True, "b"),
    ]


def test_a_result_in_blocks_or_without_content_is_heard_as_its_text(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    witness.hear([TASK, asks("t1"), result("t1", [text("p01"), text(": ok")], is_error=False)])
    bare = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2"}]}
    witness.hear([TASK, asks("t2"), bare])
    assert witness.lines() == [
        {"told": "t1", "error": False, "text": "p01: ok"},
        {"told": "t2", "error": False, "text": ""},
    ]


def test_a_call_is_in_flight_from_the_asking_until_the_model_is_told(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    witness.note(died="before")
    witness.ask("t1", "deliver")
    witness.note(died="first")
    witness.note(died="second")
    witness.note(told="t1", error=False, text="")
    witness.note(died="told")
    witness.ask("t2", "look")
    witness.note(died="third")
    assert list(witness.in_flight()) == [("first", "t1"), ("second", "t1"), ("third", "t2")]


def test_only_the_last_call_asked_is_in_flight(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    witness.ask("t1", "deliver")
    witness.ask("t2", "deliver")
    witness.note(told="t1", error=False, text="")
    witness.note(died="x")
    assert list(witness.in_flight()) == [("x", "t2")]


def test_a_witness_is_still_a_world(tmp_path: Path) -> None:
    witness = Witness(tmp_path)
    witness.note(died="x")
    witness.ask("t1", "deliver")
    witness.note(returned="t1", text="a\nb\u2028ñ")
    witness.do("deliver", "p01")
    witness.note(told="t1", error=True, text="")
    witness.do("deliver", "p02")
    assert witness.calls() == [{"asked": "t1", "name": "deliver"}]
    assert [(effect["done"], effect["about"]) for effect in witness.effects()] == [("t1", "p01"), ("t1", "p02")]
    assert (witness.times("deliver"), witness.times("look")) == (2, 0)
    assert witness.lines("returned") == [{"returned": "t1", "text": "a\nb\u2028ñ"}]
