from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    AgentStopped,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    LedgerError,
    load_checkpoint,
    run_agent,
    save_effect,
)
from lesson_code.lab.api_rules import validate
from tests.support import (
    TASK,
    Events,
    Replies,
    call,
    case,
    end,
    scene_a,
    scene_b,
    snapshot,
    text,
    tool,
    write_json,
)

NOTED = {"name": "write", "input": {}, "result": "hecho", "at": 7}
OK = {"type": "tool_result", "tool_use_id": "t2", "content": "hecho"}


def finished() -> dict[str, Any]:
    scene = scene_b()
    scene["messages"].append({"role": "assistant", "content": [text("Reporte escrito.")]})
    return scene


class Resumed:
    """A resume of `scene` that gets one answer, the end: what was run, said, asked and saved."""

    def __init__(self, folder: Path, scene: Any, read_only: bool = False) -> None:
        self.before = write_json(folder / "checkpoint.json", scene)
        self.ran: list[Any] = []
        self.events = Events()
        self.client = Replies(end())

        def run(**given: Any) -> str:
            self.ran.append(given)
            return "hecho"

        tools = {"write": tool(run, read_only=read_only), "write_report": tool(run, "path", "content")}
        self.answer = run_agent(self.client, TASK, tools, folder, resume=True, emit=self.events)
        self.saved = load_checkpoint(folder)
        for request in self.client.requests:
            validate(request["messages"], request["tools"])

    @property
    def told(self) -> dict[str, Any]:
        """The result that the model was told of the pending call."""
        block: dict[str, Any] = self.client.requests[0]["messages"][-1]["content"][0]
        return block


ANY_LEDGER = [None, {}, {"t2": NOTED}]


@pytest.mark.parametrize("ledger", ANY_LEDGER, ids=str)
@pytest.mark.parametrize(
    ("checkpoint", "error"),
    [
        (None, CheckpointMissing),
        (b'{"version": 1,', CheckpointUnreadable),
        (b"{}", CheckpointRejected),
    ],
)
def test_without_a_checkpoint_that_is_understood_a_resume_refuses_and_creates_nothing(
    folder: Path, ledger: Any, checkpoint: bytes | None, error: type[Exception]
) -> None:
    if checkpoint is not None:
        (folder / "checkpoint.json").write_bytes(checkpoint)
    if ledger is not None:
        write_json(folder / "effects.json", ledger)
    before, client = snapshot(folder), Replies()
    with pytest.raises(error):
        run_agent(client, TASK, {}, folder, resume=True)
    assert client.requests == [] and snapshot(folder) == before


@pytest.mark.parametrize("noted", [False, True])
def test_at_a_without_its_entry_a_read_only_call_is_run(folder: Path, noted: bool) -> None:
    if noted:
        save_effect("t1", NOTED, folder)
    resumed = Resumed(folder, scene_a(), read_only=True)
    assert resumed.ran == [{}] and resumed.told == OK
    assert resumed.events.names == ["resume", "rerun", "filled"]


def test_at_a_without_its_entry_any_other_call_is_unknown(folder: Path) -> None:
    resumed = Resumed(folder, scene_a())
    assert resumed.ran == [] and resumed.told["is_error"] is True and "No se sabe" in resumed.told["content"]
    assert resumed.events == [
        ("resume", {"turn": 2, "name": "write"}),
        ("unknown", {"id": "t2", "name": "write"}),
        ("filled", {"turn": 2}),
    ]


def test_at_a_with_its_entry_the_result_is_reused(folder: Path) -> None:
    save_effect("t2", NOTED, folder)
    resumed = Resumed(folder, scene_a())
    assert resumed.ran == [] and resumed.told == OK and resumed.events.names == ["resume", "hit", "filled"]
    assert resumed.saved["messages"][-2] == {"role": "user", "content": [OK]}


@pytest.mark.parametrize("other", [{"name": "read"}, {"input": {"n": 1}}])
def test_at_a_with_the_entry_of_another_call_it_is_as_without(folder: Path, other: dict[str, Any]) -> None:
    save_effect("t2", {**NOTED, **other}, folder)
    before = (folder / "effects.json").read_bytes()
    resumed = Resumed(folder, scene_a())
    assert resumed.ran == [] and resumed.told["is_error"] is True
    assert "warning_other_call" in resumed.events.names and (folder / "effects.json").read_bytes() == before


@pytest.mark.parametrize("make", [scene_a, scene_b])
@pytest.mark.parametrize("read_only", [True, False])
def test_with_a_corrupt_ledger_a_resume_refuses_and_runs_nothing(folder: Path, make: Any, read_only: bool) -> None:
    (folder / "effects.json").write_bytes(b'{"t2": {')
    before = write_json(folder / "checkpoint.json", make())
    ran, client = [], Replies(end())
    tools = {"write": tool(lambda: ran.append(1), read_only=read_only)}
    with pytest.raises(LedgerError):
        run_agent(client, TASK, tools, folder, resume=True)
    assert ran == client.requests == [] and (folder / "effects.json").read_bytes() == b'{"t2": {'
    assert (folder / "checkpoint.json").read_bytes() == before


@pytest.mark.parametrize("make", [lambda: {**scene_a(), "pendingToolUse": None}, lambda: case("poisoned.json")])
def test_what_does_not_go_together_is_refused(folder: Path, make: Any) -> None:
    before = write_json(folder / "checkpoint.json", make())
    client = Replies(end())
    with pytest.raises(CheckpointRejected):
        run_agent(client, TASK, {}, folder, resume=True)
    assert client.requests == [] and (folder / "checkpoint.json").read_bytes() == before


@pytest.mark.parametrize("ledger", [None, {}, {"t1": {**NOTED, "name": "read"}}], ids=str)
def test_at_b_the_model_is_asked_whatever_the_ledger_holds(folder: Path, ledger: Any) -> None:
    if ledger is not None:
        write_json(folder / "effects.json", ledger)
    resumed = Resumed(folder, scene_b())
    assert resumed.ran == [] and resumed.events == [("resume", {"turn": 1, "name": "null"})]
    assert resumed.client.requests[0]["messages"] == scene_b()["messages"]


def test_at_save_0_the_model_is_asked_for_the_first_time(folder: Path) -> None:
    with pytest.raises(AgentStopped):
        run_agent(Replies(ConnectionError()), TASK, {}, folder)
    resumed = Resumed(folder, load_checkpoint(folder))
    assert resumed.client.requests[0]["messages"] == [{"role": "user", "content": TASK}]


@pytest.mark.parametrize("ledger", [None, b"{", b'{"t1": 1}'])
def test_a_finished_run_gives_its_answer_again_and_again_and_reads_no_ledger(
    folder: Path, ledger: bytes | None
) -> None:
    write_json(folder / "checkpoint.json", finished())
    if ledger is not None:
        (folder / "effects.json").write_bytes(ledger)
    before, client, events = snapshot(folder), Replies(), Events()
    for _ in range(3):
        assert run_agent(client, TASK, {}, folder, resume=True, emit=events) == "Reporte escrito."
    after = snapshot(folder)
    after.pop(".lock")
    assert client.requests == [] and after == before and set(events.names) == {"resume"}


def test_a_finished_run_stays_finished_at_its_last_turn(folder: Path) -> None:
    write_json(folder / "checkpoint.json", finished())
    assert run_agent(Replies(), TASK, {}, folder, resume=True, max_turns=1) == "Reporte escrito."


def test_the_order_of_lesson_6_is_rebuilt_and_said_aloud(folder: Path) -> None:
    resumed = Resumed(folder, case("lesson6_order.json"))
    sent = resumed.client.requests[0]["messages"]
    pending = case("lesson6_order.json")["pendingToolUse"]
    assert sent[-2] == {"role": "assistant", "content": [{"type": "tool_use", **pending}]}
    assert resumed.told["is_error"] is True and resumed.ran == []
    assert resumed.events.names == ["resume", "warning_rebuilt", "unknown", "filled"]
    assert (resumed.saved["turns"], resumed.saved["tokensUsed"]) == (3, 675)


def test_the_order_of_lesson_6_reuses_what_its_ledger_holds(folder: Path) -> None:
    entry = {"name": "write_report", "result": "escrito", "at": 1}
    write_json(folder / "effects.json", {"toolu_03": entry})
    resumed = Resumed(folder, case("lesson6_order.json"))
    assert resumed.told["content"] == "escrito" and "is_error" not in resumed.told and resumed.ran == []


def test_a_death_right_after_the_rebuilding_changes_nothing(folder: Path) -> None:
    before = write_json(folder / "checkpoint.json", case("lesson6_order.json"))

    def die(label: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_agent(Replies(), TASK, {}, folder, resume=True, crash_point=die)
    assert (folder / "checkpoint.json").read_bytes() == before
    assert Resumed(folder, case("lesson6_order.json")).answer == "Listo."


def test_the_order_of_lesson_6_in_its_first_turn_has_no_messages_at_all(folder: Path) -> None:
    pending = {"id": "t1", "name": "write", "input": {}}
    resumed = Resumed(folder, {**scene_b(), "messages": [], "pendingToolUse": pending})
    sent = resumed.client.requests[0]["messages"]
    assert sent[:2] == [{"role": "user", "content": TASK}, {"role": "assistant", "content": [call("t1", "write")]}]
    assert resumed.events.names == ["resume", "warning_rebuilt", "warning_task_first", "unknown", "filled"]


def test_a_conversation_that_does_not_start_with_the_task_gets_it_first_and_that_is_said(folder: Path) -> None:
    scene = scene_b()
    del scene["messages"][0]
    resumed = Resumed(folder, scene)
    assert resumed.client.requests[0]["messages"] == scene_b()["messages"] == resumed.saved["messages"][:-1]
    assert resumed.events.names == ["resume", "warning_task_first"]


def test_a_conversation_without_any_message_gets_the_task(folder: Path) -> None:
    resumed = Resumed(folder, {**scene_b(), "messages": []})
    assert resumed.client.requests[0]["messages"] == [{"role": "user", "content": TASK}]


@pytest.mark.parametrize("content", [TASK, [text(TASK)]])
def test_a_conversation_that_starts_with_the_task_is_left_as_it_is(folder: Path, content: Any) -> None:
    scene = scene_b()
    scene["messages"][0]["content"] = content
    resumed = Resumed(folder, scene)
    assert resumed.client.requests[0]["messages"] == scene["messages"] and resumed.events.names == ["resume"]


def test_lesson_2_counts_the_turn_at_b_and_its_count_is_taken_as_it_is(folder: Path) -> None:
    assert Resumed(folder, {**scene_a(), "turns": 1}).saved["turns"] == 1


@pytest.mark.parametrize("task", ["Otra", TASK + " ", TASK.lower(), ""])
def test_a_resume_for_another_task_is_refused(folder: Path, task: str) -> None:
    write_json(folder / "checkpoint.json", finished())
    before = snapshot(folder)
    with pytest.raises(CheckpointRejected):
        run_agent(Replies(), task, {}, folder, resume=True)
    assert snapshot(folder) == before


@pytest.mark.parametrize("task", ["", " \n\t"])
def test_a_blank_task_is_not_started_and_archives_nothing(folder: Path, task: str) -> None:
    write_json(folder / "checkpoint.json", finished())
    before, client = snapshot(folder), Replies(end())
    with pytest.raises(AgentStopped):
        run_agent(client, task, {}, folder)
    after = snapshot(folder)
    after.pop(".lock", None)
    assert client.requests == [] and after == before


def test_a_task_that_cannot_be_saved_is_not_started_and_archives_nothing(folder: Path) -> None:
    write_json(folder / "checkpoint.json", finished())
    before, client = snapshot(folder), Replies(end())
    with pytest.raises((AgentStopped, CheckpointRejected)):
        run_agent(client, "a\udcf1", {}, folder)
    after = snapshot(folder)
    after.pop(".lock", None)
    assert client.requests == [] and after == before


def test_a_resume_goes_on_with_the_counters_of_the_checkpoint(folder: Path) -> None:
    saved = Resumed(folder, {**scene_b(), "turns": 7, "tokensUsed": 700}).saved
    assert (saved["turns"], saved["tokensUsed"]) == (7, 715)
