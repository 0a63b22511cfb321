"""The orders: tools that do what their kind says, and a model that makes sure."""

import json
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import Tool
from lesson_code.harness.tools import run_tool
from lesson_code.lab.orders import KINDS, Receipt, attend, delivered, items_of, make_order_tools, orders_task
from lesson_code.lab.witness import Witness

pytestmark = pytest.mark.usefixtures("no_sync")

UNKNOWN = ("no se sabe", True)
FAILED = ("ConnectionError", True)


class Desk:
    """Some tools at work, and the moments that they passed."""

    def __init__(self, kind: str, place: Path) -> None:
        self.witness = Witness(place)
        self.passed: list[str] = []
        self.tools: dict[str, Tool] = make_order_tools(kind, self.witness, self.passed.append)

    def use(self, name: str, item: str, tool_use_id: str) -> dict[str, Any]:
        """What the harness would tell of this call."""
        self.witness.ask(tool_use_id, name)
        return run_tool({"id": tool_use_id, "name": name, "input": {"item": item}}, self.tools)


# The tools


def test_the_kinds_are_these() -> None:
    assert KINDS == ("read_only", "appending", "overwriting", "twice", "raising", "unserialisable")


@pytest.mark.parametrize("kind", KINDS)
def test_each_order_is_another_but_twice_ends_with_the_same_one_twice(kind: str) -> None:
    last = "p03" if kind == "twice" else "p04"
    assert items_of(kind, 4) == ["p01", "p02", "p03", last]
    assert items_of(kind, 12)[9] == "p10"


def test_the_task_says_how_many() -> None:
    assert "3" in orders_task(3) and "12" in orders_task(12)


def test_what_only_reads_has_no_effect_and_says_so(tmp_path: Path) -> None:
    desk = Desk("read_only", tmp_path)
    assert [(name, tool.read_only) for name, tool in desk.tools.items()] == [("consult", True)]
    assert desk.use("consult", "p01", "t1")["content"] == "p01: ok"
    assert desk.witness.effects() == [] and desk.witness.lines("returned") == [{"returned": "t1", "text": "p01: ok"}]


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_delivers_has_side_effects_and_what_looks_has_none(tmp_path: Path, kind: str) -> None:
    desk = Desk(kind, tmp_path)
    assert [(name, tool.read_only) for name, tool in desk.tools.items()] == [("deliver", False), ("look", True)]
    assert desk.use("look", "p01", "t1")["content"] == "p01: 0"
    desk.use("deliver", "p01", "t2")
    desk.use("deliver", "p02", "t3")
    assert [desk.use("look", item, f"look{item}")["content"] for item in ("p01", "p02", "p03")] == [
        "p01: 1",
        "p02: 1",
        "p03: 0",
    ]
    assert [(effect["done"], effect["about"]) for effect in desk.witness.effects()] == [("t2", "p01"), ("t3", "p02")]
    assert (delivered(desk.witness, "p01"), delivered(desk.witness, "p03")) == (1, 0)


@pytest.mark.parametrize("kind", ["appending", "overwriting", "twice"])
def test_a_delivery_answers_with_its_order(tmp_path: Path, kind: str) -> None:
    desk = Desk(kind, tmp_path)
    assert desk.use("deliver", "p02", "t1") == {"type": "tool_result", "tool_use_id": "t1", "content": "p02: ok"}
    assert desk.witness.lines("returned") == [{"returned": "t1", "text": "p02: ok"}]
    assert desk.witness.lines("raised") == []


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_overwrites_leaves_a_file_and_a_second_time_the_same_one(tmp_path: Path, kind: str) -> None:
    desk = Desk(kind, tmp_path)
    for number in range(2):
        desk.use("consult" if kind == "read_only" else "deliver", "p01", f"t{number}")
    found = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.txt")}
    assert found == ({"out/p01.txt": b"p01"} if kind == "overwriting" else {})


def test_what_raises_fails_after_the_first_effect_of_each_order(tmp_path: Path) -> None:
    desk = Desk("raising", tmp_path)
    told = [
        desk.use("deliver", item, tool_use_id) for item, tool_use_id in [("p01", "t1"), ("p01", "t2"), ("p02", "t3")]
    ]
    assert ["is_error" in result for result in told] == [True, False, True]
    assert "ConnectionError: no route to p01" in told[0]["content"]
    assert [line["raised"] for line in desk.witness.lines("raised")] == ["t1", "t3"]
    assert [line["returned"] for line in desk.witness.lines("returned")] == ["t2"]
    assert (delivered(desk.witness, "p01"), delivered(desk.witness, "p02")) == (2, 1)


def test_what_returns_no_json_returns_what_json_refuses(tmp_path: Path) -> None:
    desk = Desk("unserialisable", tmp_path)
    desk.witness.ask("t1", "deliver")
    value = desk.tools["deliver"].run(item="p01")
    assert value == {"receipt": Receipt("R-p01")}
    with pytest.raises(TypeError):
        json.dumps(value)
    assert desk.witness.lines("returned") == [{"returned": "t1", "text": "R-p01"}]


@pytest.mark.parametrize("kind", KINDS)
def test_each_call_passes_two_moments_with_its_number_also_when_it_raises(tmp_path: Path, kind: str) -> None:
    desk = Desk(kind, tmp_path)
    for number in range(1, 4):
        desk.use(list(desk.tools)[-1 if number == 2 else 0], f"p0{number}", f"t{number}")
    assert desk.passed == [f"tool-{moment}:{number}" for number in (1, 2, 3) for moment in ("entered", "done")]


def test_at_the_first_moment_nothing_has_happened_and_at_the_second_all_has(tmp_path: Path) -> None:
    for kind in KINDS[1:]:
        place = tmp_path / kind
        place.mkdir()
        witness, seen = Witness(place), []

        def reach(label: str, witness: Witness = witness, seen: list[tuple[str, int]] = seen) -> None:
            seen.append((label, len(witness.effects()) + len(witness.lines("returned")) + len(witness.lines("raised"))))

        tools = make_order_tools(kind, witness, reach)
        witness.ask("t1", "deliver")
        run_tool({"id": "t1", "name": "deliver", "input": {"item": "p01"}}, tools)
        assert seen == [("tool-entered:1", 0), ("tool-done:1", 2)]


def test_what_a_harness_runs_without_being_asked_is_noted_as_that_and_is_no_moment(tmp_path: Path) -> None:
    desk = Desk("appending", tmp_path)
    assert desk.tools["look"].run(item="p01") == "p01: 0"
    desk.use("deliver", "p01", "t1")
    before = list(desk.passed)
    assert desk.tools["look"].run(item="p01") == "p01: 1"
    assert desk.witness.lines("probed") == [{"probed": "look", "about": "p01"}] * 2
    assert desk.passed == before and [line["returned"] for line in desk.witness.lines("returned")] == ["t1"]
    desk.use("look", "p01", "t2")
    assert len(desk.witness.lines("probed")) == 2 and desk.passed != before


def test_a_delivery_that_nobody_asked_for_is_in_the_world_all_the_same(tmp_path: Path) -> None:
    desk = Desk("appending", tmp_path)
    desk.use("look", "p01", "t1")
    desk.tools["deliver"].run(item="p01")
    assert desk.witness.effects() == [{"done": None, "name": "deliver", "about": "p01"}]
    assert desk.witness.lines("probed") == [{"probed": "deliver", "about": "p01"}]


# The model


def told(*steps: tuple[str, str, tuple[str, bool]]) -> list[dict[str, Any]]:
    """A conversation of calls `(name, item, (text, is_error))`."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Entrega."}]
    for number, (name, item, (text, is_error)) in enumerate(steps):
        use = {"type": "tool_use", "id": f"t{number}", "name": name, "input": {"item": item}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text}
        messages.append({"role": "assistant", "content": [use]})
        messages.append({"role": "user", "content": [{**result, "is_error": True} if is_error else result]})
    return messages


def deliver(item: str, answer: tuple[str, bool] = ("ok", False)) -> tuple[str, str, tuple[str, bool]]:
    return "deliver", item, answer


def look(item: str, answer: Any) -> tuple[str, str, tuple[str, bool]]:
    return "look", item, answer if isinstance(answer, tuple) else (f"{item}: {answer}", False)


def next_step(*steps: Any, kind: str = "appending", hasty: bool = False, number: int = 3) -> Any:
    """The next call as `name item`, or the model's last words."""
    words, call = attend(kind, number)(told(*steps), hasty=hasty)
    return f"{call['name']} {call['input']['item']}" if call else words


DONE = "Los 3 pedidos están entregados."


@pytest.mark.parametrize("hasty", [False, True], ids=["careful", "hasty"])
def test_where_nothing_goes_wrong_it_makes_the_orders_in_their_turn_and_ends(hasty: bool) -> None:
    steps: list[Any] = []
    for item in ("p01", "p02", "p03"):
        assert next_step(*steps, hasty=hasty) == f"deliver {item}"
        steps.append(deliver(item))
    assert next_step(*steps, hasty=hasty) == DONE


def test_of_the_kind_twice_the_last_order_is_made_again() -> None:
    assert next_step(deliver("p01"), kind="twice") == "deliver p02"
    assert next_step(deliver("p01"), deliver("p02"), kind="twice") == "deliver p02"
    assert next_step(deliver("p01"), deliver("p02"), deliver("p02"), kind="twice") == DONE


def test_told_is_error_a_careful_model_looks_and_a_hasty_one_repeats() -> None:
    for error in (UNKNOWN, FAILED):
        assert next_step(deliver("p01"), deliver("p02", error)) == "look p02"
        assert next_step(deliver("p01"), deliver("p02", error), hasty=True) == "deliver p02"


@pytest.mark.parametrize("seen, then", [("0", "deliver p01"), ("1", "deliver p02"), ("2", "deliver p02")])
def test_it_repeats_only_if_the_order_is_not_there(seen: str, then: str) -> None:
    assert next_step(deliver("p01", UNKNOWN), look("p01", seen)) == then


@pytest.mark.parametrize("seen, then", [("1", "deliver p02"), ("2", DONE), ("3", DONE), ("10", DONE)])
def test_of_the_kind_twice_the_last_one_is_there_when_it_is_there_twice(seen: str, then: str) -> None:
    assert next_step(deliver("p01"), deliver("p02"), deliver("p02", UNKNOWN), look("p02", seen), kind="twice") == then


def test_of_the_kind_twice_the_first_of_the_two_is_there_when_it_is_there_once() -> None:
    assert next_step(deliver("p01"), deliver("p02", UNKNOWN), look("p02", 1), kind="twice") == "deliver p02"
    assert next_step(deliver("p01"), deliver("p02", UNKNOWN), look("p02", 1), deliver("p02"), kind="twice") == DONE


def test_a_look_that_fails_is_made_again_and_one_that_says_no_number_is_no_proof() -> None:
    assert next_step(deliver("p01", UNKNOWN), look("p01", UNKNOWN)) == "look p01"
    assert next_step(deliver("p01", UNKNOWN), look("p01", ("nada", False))) == "deliver p01"


def test_a_look_at_another_order_is_no_proof() -> None:
    assert next_step(deliver("p01"), deliver("p02", UNKNOWN), look("p02", ("p01: 1", False))) == "deliver p02"
    assert next_step(deliver("p01"), deliver("p02", UNKNOWN), look("p02", ("p01: 1, p02: 1", False))) == "deliver p03"


def test_after_a_look_it_trusts_the_next_delivery_and_no_earlier_error() -> None:
    start = [deliver("p01", UNKNOWN), look("p01", 0)]
    assert next_step(*start, deliver("p01")) == "deliver p02"
    assert next_step(*start, deliver("p01", UNKNOWN)) == "look p01"
    assert next_step(deliver("p01", UNKNOWN), deliver("p01")) == "deliver p02"
    assert next_step(*start, deliver("p01", UNKNOWN), look("p01", 1)) == "deliver p02"


@pytest.mark.parametrize("hasty", [False, True], ids=["careful", "hasty"])
def test_what_only_reads_is_asked_again_at_once(hasty: bool) -> None:
    once = ("consult", "p01", UNKNOWN)
    assert next_step(kind="read_only", hasty=hasty) == "consult p01"
    assert next_step(once, kind="read_only", hasty=hasty) == "consult p01"
    assert next_step(once, ("consult", "p01", ("p01: ok", False)), kind="read_only", hasty=hasty) == "consult p02"


def test_a_look_when_all_is_done_changes_nothing() -> None:
    done = [deliver("p01"), deliver("p02"), deliver("p03")]
    assert next_step(*done, look("p03", 0)) == DONE


@pytest.mark.parametrize("number", [1, 3])
def test_it_gives_up_after_six_calls_for_each_order(number: int) -> None:
    steps = [deliver("p01", UNKNOWN)] * (6 * number)
    assert next_step(*steps, number=number, hasty=True) == "No consigo entregar el pedido p01."
    assert next_step(*steps[:-1], number=number, hasty=True) == "deliver p01"


def test_it_does_not_give_up_when_the_last_call_did_it() -> None:
    steps = [deliver("p01", UNKNOWN)] * 15 + [deliver("p01"), deliver("p02"), deliver("p03")]
    assert len(steps) == 18 and next_step(*steps, hasty=True) == DONE


def test_it_depends_on_the_messages_alone() -> None:
    script = attend("appending", 3)
    messages = told(deliver("p01"), deliver("p02", UNKNOWN))
    first = script(messages, hasty=False)
    script(told(deliver("p01"), deliver("p02"), deliver("p03")), hasty=True)
    assert (
        script(messages, hasty=False) == attend("appending", 3)(json.loads(json.dumps(messages)), hasty=False) == first
    )


def test_it_says_which_order_comes_next() -> None:
    words, call = attend("appending", 3)(told(deliver("p01")), hasty=False)
    assert words == "Sigo con el pedido p02." and call == {"name": "deliver", "input": {"item": "p02"}}
