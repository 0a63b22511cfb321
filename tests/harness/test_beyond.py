from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    CheckpointError,
    LedgerError,
    load_checkpoint,
    load_effects,
    load_latest,
    rewind_to,
    run_agent,
)
from lesson_code.harness.beyond import Effect, beyond, named
from lesson_code.harness.snapshots import keeping, load_turn
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.world import World
from tests.harness.past import FIVE, go, line, sent, silent
from tests.support import TASK as TASK_OF_TESTS
from tests.support import Replies, answer, call, snapshot, tool

pytestmark = pytest.mark.usefixtures("no_sync")


def sure(*ids: str) -> list[Effect]:
    return [Effect(name, "send", True) for name in ids]


def maybe(*ids: str) -> list[Effect]:
    return [Effect(name, "send", False) for name in ids]


def test_what_the_ledger_notes_after_the_turn_is_beyond_it_in_the_order_in_which_it_happened(folder: Path) -> None:
    go(folder, *FIVE)
    before = snapshot(folder)
    for turn in range(1, 6):
        assert beyond(load_turn(turn, folder), folder) == sure(*FIVE[turn:])
    assert snapshot(folder) == before


def test_a_call_that_was_asked_and_not_noted_is_a_maybe(folder: Path) -> None:
    go(folder, "t1", "t2", "t3", crash="after-tool:3")
    assert beyond(load_turn(1, folder), folder) == sure("t2") + maybe("t3")


def test_a_call_whose_tool_failed_is_a_maybe(folder: Path) -> None:
    def fails() -> str:
        raise TimeoutError

    client = Replies(answer(call("t1", "send")), answer(call("t2", "send")), KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run_agent(client, TASK_OF_TESTS, {"send": tool(fails)}, folder, emit=keeping(folder, silent))
    assert beyond(load_turn(1, folder), folder) == maybe("t2")


def test_what_a_rewind_left_aside_is_still_beyond(folder: Path) -> None:
    go(folder, *FIVE)
    rewind_to(3, folder, accept=True)
    go(folder, *FIVE[:3], "u4", resume=True)
    assert beyond(load_turn(2, folder), folder) == sure("t3", "t4", "t5", "u4")
    rewind_to(2, folder, accept=True)
    assert beyond(load_checkpoint(folder), folder) == sure("t3", "t4", "t5", "u4") and sent(folder) == [*FIVE, "u4"]


def test_a_maybe_that_a_rewind_left_aside_is_still_a_maybe(folder: Path) -> None:
    go(folder, "t1", "t2", "t3", crash="after-tool:3")
    rewind_to(2, folder, accept=True)
    assert sent(folder) == ["t1", "t2", "t3"]
    assert beyond(load_turn(1, folder), folder) == sure("t2") + maybe("t3")
    go(folder, "t1", "t2", "u3", resume=True)
    assert beyond(load_turn(1, folder), folder) == sure("t2", "u3") + maybe("t3")


@pytest.mark.parametrize("data", [None, b"{roto"])
def test_where_the_checkpoint_cannot_be_used_the_sequence_says_what_was_asked(folder: Path, data: bytes | None) -> None:
    go(folder, "t1", "t2", "t3", crash="after-tool:3")
    (folder / "checkpoint.json").unlink()
    if data is not None:
        (folder / "checkpoint.json").write_bytes(data)
    assert beyond(load_turn(1, folder), folder) == sure("t2") + maybe("t3")


def test_where_nobody_can_say_what_was_asked_nothing_is_guessed(folder: Path) -> None:
    go(folder, "t1", "t2", "t3", crash="after-tool:3")
    first = load_turn(1, folder)
    for name in ("checkpoint.json", "checkpoints/turn-003-A.json"):
        (folder / name).write_bytes(b"{roto")
    with pytest.raises(CheckpointError, match="turn-003-A.json"):
        beyond(first, folder)
    (folder / "effects.json").write_bytes(b"{roto")
    with pytest.raises(LedgerError):
        beyond(first, folder)


def test_effects_are_named_in_one_line_and_nobody_forges_another() -> None:
    assert named(sure("t4") + maybe("t5")) == "send (t4), quizá send (t5)" and named([]) == ""
    assert named([Effect("x\n[done] listo", "a\x1b[2J", True)]).isprintable()


def test_with_fresh_ids_the_same_request_after_a_rewind_is_another_call(folder: Path) -> None:
    world = World(folder)
    model = ScriptedModel(fresh_ids=True, world=world)

    def run(resume: bool) -> dict[str, Any]:
        tools = make_tools(folder, world)
        run_agent(model, TASK, tools, folder, resume=resume, emit=keeping(folder, silent))
        return load_latest(folder)

    first = line(run(resume=False))
    rewind_to(2, folder, accept=True)
    again = line(run(resume=True))
    assert again[:2] == first[:2] and again[2] not in first and world.times("write_report") == 2
    assert list(load_effects(folder)) == [*first, again[2]]
    assert [effect["done"] for effect in world.effects()] == [first[2], again[2]]
