import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lesson_code.harness import AgentStopped, Tool, load_checkpoint, load_effects, run_agent
from lesson_code.harness.conversation import find_fault
from lesson_code.lab.api_rules import validate
from lesson_code.lab.model import Block, Response
from tests.support import (
    TASK,
    Died,
    Events,
    Replies,
    answer,
    call,
    child,
    die_at,
    dies_at_step,
    end,
    scene_b,
    snapshot,
    text,
    tool,
    write_json,
)

posix = pytest.mark.skipif(os.name == "nt", reason="fork is POSIX")


class Reporter:
    """A model that reads, writes and ends; told that the write is unknown, it says so."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    @property
    def messages(self) -> "Reporter":
        return self

    def create(self, *, messages: list[Any], tools: list[Any], **settings: Any) -> Any:
        validate(messages, tools)
        self.requests.append(json.loads(json.dumps(messages)))
        last = messages[-1]["content"]
        told = last[0] if isinstance(last, list) else {"tool_use_id": ""}
        if told["tool_use_id"] == "":
            return answer(text("Leo."), call("t1", "read"), tokens=(10, 1))
        if told["tool_use_id"] == "t1":
            return answer(text("Escribo."), call("t2", "write", line=told["content"]), tokens=(20, 2))
        return answer(text("No sé." if told.get("is_error") else "Hecho."), stop_reason="end_turn", tokens=(30, 3))


def world(folder: Path) -> list[str]:
    """What really happened, in a file that no start moves."""
    path = folder / "mundo.log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def tools_for(folder: Path) -> dict[str, Tool]:
    def write(line: str) -> str:
        descriptor = os.open(folder / "mundo.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)
        return "escrito"

    return {"read": tool(lambda: "enero", read_only=True), "write": tool(write, "line")}


def run(folder: Path, **options: Any) -> str:
    return run_agent(Reporter(), TASK, tools_for(folder), folder, clock=lambda: 7, **options)


LABELS = [
    "after-answer:1",
    "after-save-a:1",
    "after-tool:1",
    "after-effect-write:1",
    "after-save-b:1",
    "after-answer:2",
    "after-save-a:2",
    "after-tool:2",
    "after-effect-write:2",
    "after-save-b:2",
    "after-answer:3",
    "after-save-end",
]
NOBODY_KNOWS = ["after-save-a:2", "after-tool:2"]


def test_a_run_passes_its_moments_in_this_order_and_says_only_its_saves(folder: Path) -> None:
    labels, events = [], Events()
    assert run(folder, crash_point=labels.append, emit=events) == "Hecho."
    assert labels == LABELS and world(folder) == ["enero"]
    assert events == [
        ("save_a", {"turn": 1, "name": "read"}),
        ("save_b", {"turn": 1}),
        ("save_a", {"turn": 2, "name": "write"}),
        ("save_b", {"turn": 2}),
    ]


def test_each_moment_has_the_disk_that_is_written_for_it(folder: Path) -> None:
    seen: dict[str, Any] = {}

    def look(label: str) -> None:
        scene = load_checkpoint(folder)
        pending = scene["pendingToolUse"] and scene["pendingToolUse"]["id"]
        seen[label] = (scene["turns"], scene["tokensUsed"], len(scene["messages"]), pending, list(load_effects(folder)))

    run(folder, crash_point=look)
    assert seen == {
        "after-answer:1": (0, 0, 1, None, []),
        "after-save-a:1": (1, 11, 2, "t1", []),
        "after-tool:1": (1, 11, 2, "t1", []),
        "after-effect-write:1": (1, 11, 2, "t1", ["t1"]),
        "after-save-b:1": (1, 11, 3, None, ["t1"]),
        "after-answer:2": (1, 11, 3, None, ["t1"]),
        "after-save-a:2": (2, 33, 4, "t2", ["t1"]),
        "after-tool:2": (2, 33, 4, "t2", ["t1"]),
        "after-effect-write:2": (2, 33, 4, "t2", ["t1", "t2"]),
        "after-save-b:2": (2, 33, 5, None, ["t1", "t2"]),
        "after-answer:3": (2, 33, 5, None, ["t1", "t2"]),
        "after-save-end": (2, 66, 6, None, ["t1", "t2"]),
    }


def test_every_save_is_valid_and_has_what_is_pending_as_its_last_call(folder: Path) -> None:
    def look(label: str) -> None:
        scene = load_checkpoint(folder)
        assert find_fault(scene["messages"]) is None
        if scene["pendingToolUse"]:
            assert {"type": "tool_use", **scene["pendingToolUse"]} in scene["messages"][-1]["content"]

    run(folder, crash_point=look)


def test_a_is_durable_before_the_tool_begins(folder: Path) -> None:
    seen: list[Any] = []
    put = tool(lambda: seen.append(load_checkpoint(folder)))
    run_agent(Replies(answer(text("Voy."), call("t1", "put")), end()), TASK, {"put": put}, folder)
    assert seen[0]["pendingToolUse"] == {"id": "t1", "name": "put", "input": {}}
    assert seen[0]["messages"][-1] == {"role": "assistant", "content": [text("Voy."), call("t1", "put")]}


def test_the_scene_is_saved_before_the_first_request_and_b_before_each_other(folder: Path) -> None:
    class Looks(Reporter):
        def create(self, *, messages: list[Any], **request: Any) -> Any:
            scene = load_checkpoint(folder)
            assert scene["messages"] == messages and scene["pendingToolUse"] is None
            return super().create(messages=messages, **request)

    client = Looks()
    run_agent(client, TASK, tools_for(folder), folder)
    assert len(client.requests) == 3


def test_save_0_is_the_task_and_prints_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = Events()
    with pytest.raises(AgentStopped):
        run_agent(Replies(ConnectionError()), TASK, {}, folder, emit=events)
    messages = [{"role": "user", "content": TASK}]
    assert load_checkpoint(folder) == {**scene_b(), "turns": 0, "tokensUsed": 0, "messages": messages}
    assert events == [] and capsys.readouterr() == ("", "")


def test_a_folder_that_does_not_exist_is_made(tmp_path: Path) -> None:
    assert run_agent(Replies(end()), TASK, {}, tmp_path / "uno" / "dos") == "Listo."
    assert load_checkpoint(tmp_path / "uno" / "dos")["turns"] == 0


def test_a_folder_may_be_a_string(folder: Path) -> None:
    assert run_agent(Replies(end()), TASK, {}, str(folder)) == "Listo."
    assert run_agent(Replies(), TASK, {}, str(folder), resume=True) == "Listo."


def test_a_request_asks_for_one_call_a_turn_with_the_settings_it_was_given(folder: Path) -> None:
    client = Replies(end())
    run_agent(client, TASK, {"put": tool(print, "a")}, folder, model="claude-x", max_tokens=77)
    request = client.requests[0]
    assert set(request) == {"model", "max_tokens", "tools", "tool_choice", "messages"}
    assert (request["model"], request["max_tokens"]) == ("claude-x", 77)
    assert request["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert [described["name"] for described in request["tools"]] == ["put"]


def test_where_there_are_no_tools_none_are_offered_and_no_choice_of_one(folder: Path) -> None:
    """The API refuses a choice without tools."""
    client = Replies(end())
    run_agent(client, TASK, {}, folder)
    assert set(client.requests[0]) == {"model", "max_tokens", "messages"}


def test_with_no_tokens_to_spend_nothing_is_asked(folder: Path) -> None:
    client = Replies(end())
    with pytest.raises(AgentStopped):
        run_agent(client, TASK, {}, folder, max_tokens_total=0)
    assert client.requests == []


def test_nothing_is_printed_where_nobody_listens(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_agent(Replies(answer(call("t1", "put")), end()), TASK, {"put": tool(list)}, folder)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("label", LABELS)
def test_after_a_death_anywhere_the_world_has_the_effect_once_and_the_model_knows_the_truth(
    folder: Path, label: str
) -> None:
    with pytest.raises(Died):
        run(folder, crash_point=die_at(label))
    told = run(folder, resume=True)
    unknown = label in NOBODY_KNOWS
    assert told == ("No sé." if unknown else "Hecho.")
    assert world(folder) == ([] if label == "after-save-a:2" else ["enero"])
    assert run(folder, resume=True) == told


@pytest.mark.parametrize("label", [label for label in LABELS if label not in NOBODY_KNOWS])
def test_where_the_model_is_told_nothing_new_the_end_is_that_of_a_run_that_never_died(
    folder: Path, tmp_path: Path, label: str
) -> None:
    run(tmp_path / "sin caída")
    with pytest.raises(Died):
        run(folder, crash_point=die_at(label))
    run(folder, resume=True)
    for name in ("checkpoint.json", "effects.json"):
        assert (folder / name).read_bytes() == (tmp_path / "sin caída" / name).read_bytes()


@pytest.mark.parametrize("label", NOBODY_KNOWS)
def test_where_nobody_knows_the_counters_are_the_sum_of_what_happened(folder: Path, label: str) -> None:
    with pytest.raises(Died):
        run(folder, crash_point=die_at(label))
    run(folder, resume=True)
    saved = load_checkpoint(folder)
    assert (saved["turns"], saved["tokensUsed"]) == (2, 66)


READ_ONLY, ANY = ["after-save-a:1", "after-tool:1"], ["after-effect-write:1", *NOBODY_KNOWS, "after-effect-write:2"]
RERUN, ALWAYS = ["resume-after-tool", "resume-after-effect-write"], ["resume-after-reconcile", "resume-after-save-b"]
TWO_DEATHS = [(a, b) for a in READ_ONLY for b in RERUN + ALWAYS] + [(a, b) for a in ANY for b in ALWAYS]


@pytest.mark.parametrize(("first", "second"), TWO_DEATHS)
def test_a_death_during_the_resume_and_a_second_resume_come_to_the_same_end(
    folder: Path, tmp_path: Path, first: str, second: str
) -> None:
    with pytest.raises(Died):
        run(folder, crash_point=die_at(first))
    shutil.copytree(folder, tmp_path / "una caída")
    expected = run(tmp_path / "una caída", resume=True)
    with pytest.raises(Died):
        run(folder, resume=True, crash_point=die_at(second))
    assert run(folder, resume=True) == expected and world(folder) == world(tmp_path / "una caída")
    assert load_checkpoint(folder) == load_checkpoint(tmp_path / "una caída")


@pytest.mark.parametrize("first", ["after-save-a:1", "after-save-a:2", "after-effect-write:2"])
def test_each_moment_of_a_resume_has_the_disk_that_is_written_for_it(folder: Path, first: str) -> None:
    with pytest.raises(Died):
        run(folder, crash_point=die_at(first))
    at_a, seen = load_checkpoint(folder), {}
    run(folder, resume=True, crash_point=lambda label: seen.update({label: load_checkpoint(folder)}))
    rerun = RERUN if first.endswith(":1") else []
    assert list(seen)[: len(rerun) + 2] == [*rerun, *ALWAYS]
    assert all(seen[label] == at_a for label in [*rerun, "resume-after-reconcile"])
    at_b = seen["resume-after-save-b"]
    assert at_b["pendingToolUse"] is None and at_b["messages"][:-1] == at_a["messages"]
    assert at_b["messages"][-1]["content"][0]["tool_use_id"] == at_a["pendingToolUse"]["id"]
    assert (at_b["turns"], at_b["tokensUsed"]) == (at_a["turns"], at_a["tokensUsed"])


@posix
@pytest.mark.usefixtures("no_sync")
def test_a_death_at_any_change_of_the_folder_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    ends = set()
    for step in range(1, 500):
        folder = tmp_path / str(step)
        if not dies_at_step(step, lambda f=folder: run(f), folder):
            break
        try:
            told = run(folder, resume=True)
        except Exception:
            assert not (folder / "checkpoint.json").exists()
            told = run(folder)
        ends.add((told, *world(folder)))
        assert run(folder, resume=True) == told
        assert not list(folder.glob("*.tmp"))
    assert ends == {("Hecho.", "enero"), ("No sé.", "enero"), ("No sé.",)} and step > 40


@posix
@pytest.mark.usefixtures("no_sync")
@pytest.mark.parametrize("first", ["after-save-a:1", "after-save-a:2", "after-tool:2", "after-effect-write:2"])
def test_a_death_at_any_change_of_the_folder_while_resuming_comes_to_the_same_end(tmp_path: Path, first: str) -> None:
    start = tmp_path / "caída"
    with pytest.raises(Died):
        run(start, crash_point=die_at(first))
    for step in range(1, 500):
        folder = tmp_path / str(step)
        shutil.copytree(start, folder)
        if not dies_at_step(step, lambda f=folder: run(f, resume=True), folder):
            break
        told = run(folder, resume=True)
        if first.endswith(":2"):
            assert told == ("Hecho." if "effect" in first else "No sé.")
            assert world(folder) == ([] if "save-a" in first else ["enero"])
        else:
            assert (told == "Hecho.") <= (world(folder) == ["enero"]) and len(world(folder)) <= 1
    assert step > 8


DIES_FOR_REAL = """
import os, sys
from tests.harness.test_loop import run, Path
def die(label):
    if label == sys.argv[2]:
        os._exit(137)
print(run(Path(sys.argv[1]), resume=sys.argv[3] == "resume", crash_point=die))
"""


@pytest.mark.parametrize("label", ["after-save-a:2", "after-effect-write:2", "after-save-b:2"])
def test_a_process_that_really_dies_is_resumed_by_another(folder: Path, label: str) -> None:
    assert child(DIES_FOR_REAL, folder, label, "").returncode == 137
    done = child(DIES_FOR_REAL, folder, "nunca", "resume")
    assert done.stdout == ("No sé.\n" if label == "after-save-a:2" else "Hecho.\n"), done.stderr


def many(number: int) -> list[Any]:
    return [answer(call(f"t{n}", "put", n=n)) for n in range(1, number + 1)]


def test_max_turns_runs_as_many_calls_and_not_one_more(folder: Path) -> None:
    ran: list[int] = []
    tools = {"put": tool(lambda n: ran.append(n), "n")}
    with pytest.raises(AgentStopped, match="máximo"):
        run_agent(Replies(*many(3)), TASK, tools, folder, max_turns=2)
    saved = load_checkpoint(folder)
    assert ran == [1, 2] and (saved["turns"], saved["tokensUsed"]) == (2, 45) and saved["pendingToolUse"] is None
    assert len(saved["messages"]) == 5


def test_max_turns_counts_the_whole_task_resumes_included(folder: Path) -> None:
    ran: list[int] = []
    tools = {"put": tool(lambda n: ran.append(n), "n")}
    with pytest.raises(AgentStopped):
        run_agent(Replies(*many(3)), TASK, tools, folder, max_turns=2)
    with pytest.raises(AgentStopped, match="máximo"):
        run_agent(Replies(many(3)[2]), TASK, tools, folder, resume=True, max_turns=2)
    assert ran == [1, 2] and load_checkpoint(folder)["tokensUsed"] == 60
    assert run_agent(Replies(many(3)[2], end()), TASK, tools, folder, resume=True, max_turns=3) == "Listo."
    assert ran == [1, 2, 3] and load_checkpoint(folder)["turns"] == 3


def test_max_tokens_total_is_looked_at_before_each_question_and_counts_the_whole_task(folder: Path) -> None:
    ran: list[int] = []
    tools, limit = {"put": tool(lambda n: ran.append(n), "n")}, {"max_tokens_total": 30}
    client = Replies(*many(3))
    with pytest.raises(AgentStopped, match="ya gastó 30 tokens y su tope es 30"):
        run_agent(client, TASK, tools, folder, **limit)
    assert ran == [1, 2] and len(client.requests) == 2 and load_checkpoint(folder)["tokensUsed"] == 30
    before = snapshot(folder)
    with pytest.raises(AgentStopped, match="--max-tokens-total"):
        run_agent(client, TASK, tools, folder, resume=True, **limit)
    assert len(client.requests) == 2 and snapshot(folder) == before
    assert run_agent(Replies(end()), TASK, tools, folder, resume=True, max_tokens_total=31) == "Listo."
    assert run_agent(Replies(), TASK, tools, folder, resume=True, **limit) == "Listo."


def test_a_call_pending_over_the_limit_of_tokens_is_reconciled_before_it_stops(folder: Path) -> None:
    tools = {"put": tool(lambda n: n, "n", read_only=True)}
    with pytest.raises(Died):
        run_agent(Replies(*many(1)), TASK, tools, folder, crash_point=die_at("after-save-a:1"))
    with pytest.raises(AgentStopped, match="su tope es 1"):
        run_agent(Replies(), TASK, tools, folder, resume=True, max_tokens_total=1)
    assert load_checkpoint(folder)["pendingToolUse"] is None and list(load_effects(folder)) == ["t1"]


def test_a_system_text_is_sent_where_there_is_one(folder: Path) -> None:
    client = Replies(end(), end())
    run_agent(client, TASK, {}, folder, system="Sé breve.")
    run_agent(client, TASK, {}, folder)
    assert [request.get("system") for request in client.requests] == ["Sé breve.", None]


def test_a_call_pending_at_the_last_turn_is_reconciled_and_the_model_may_end(folder: Path) -> None:
    tools = {"put": tool(lambda n: n, "n", read_only=True)}
    with pytest.raises(Died):
        run_agent(Replies(*many(1)), TASK, tools, folder, max_turns=1, crash_point=die_at("after-save-a:1"))
    assert run_agent(Replies(end()), TASK, tools, folder, resume=True, max_turns=1) == "Listo."


def test_the_model_may_end_at_the_last_turn(folder: Path) -> None:
    tools = {"put": tool(lambda n: n, "n")}
    assert run_agent(Replies(*many(2), end()), TASK, tools, folder, max_turns=2) == "Listo."


def test_forty_turns_are_what_a_task_may_take(folder: Path) -> None:
    ran: list[int] = []
    with pytest.raises(AgentStopped, match="máximo"):
        run_agent(Replies(*many(41)), TASK, {"put": tool(lambda n: ran.append(n), "n")}, folder)
    assert ran == list(range(1, 41))


def test_a_tool_called_twice_with_the_same_input_happens_twice(folder: Path) -> None:
    ran: list[int] = []
    client = Replies(answer(call("t1", "put", n=1)), answer(call("t2", "put", n=1)), end())
    run_agent(client, TASK, {"put": tool(lambda n: ran.append(n), "n")}, folder)
    assert ran == [1, 1] and list(load_effects(folder)) == ["t1", "t2"]


@pytest.mark.usefixtures("no_sync")
def test_results_of_six_megabytes_over_ten_turns_come_to_an_end(folder: Path) -> None:
    tools = {"put": tool(lambda n: "1\n" * 3_000_000, "n", read_only=True)}
    replies = iter([*many(10), end()])
    client = SimpleNamespace(messages=SimpleNamespace(create=lambda **request: next(replies)))
    assert run_agent(client, TASK, tools, folder) == "Listo."
    assert load_checkpoint(folder)["turns"] == 10 and (folder / "checkpoint.json").stat().st_size < 5_000_000


@pytest.mark.parametrize("read_only", [True, False])
def test_ctrl_c_inside_a_tool_goes_through_and_leaves_the_call_for_the_resume(folder: Path, read_only: bool) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    client = Replies(answer(call("t1", "put")))
    with pytest.raises(KeyboardInterrupt):
        run_agent(client, TASK, {"put": tool(interrupted, read_only=read_only)}, folder)
    assert load_checkpoint(folder)["pendingToolUse"]["id"] == "t1" and load_effects(folder) == {}

    client, ran = Replies(end()), []
    run_agent(client, TASK, {"put": tool(lambda: ran.append(1), read_only=read_only)}, folder, resume=True)
    told = client.requests[0]["messages"][-1]["content"][0]
    assert (ran, "is_error" in told) == (([1], False) if read_only else ([], True))


def test_a_tool_that_fails_is_told_and_the_run_goes_on(folder: Path) -> None:
    client = Replies(answer(call("t1", "put")), end())
    assert run_agent(client, TASK, {"put": tool(lambda: 1 / 0)}, folder) == "Listo."
    told = client.requests[1]["messages"][-1]["content"][0]
    assert told["is_error"] is True and "ZeroDivisionError" in told["content"]
    validate(client.requests[1]["messages"], [])


def test_a_ledger_that_cannot_be_written_does_not_keep_b_from_being_saved(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, client, events = os.replace, Replies(answer(call("t1", "put")), end()), Events()

    def replace(source: Any, target: Any) -> None:
        if Path(target).name == "effects.json":
            raise OSError(28, "lleno")
        really(source, target)

    monkeypatch.setattr(os, "replace", replace)
    assert run_agent(client, TASK, {"put": tool(lambda: "hecho")}, folder, emit=events) == "Listo."
    assert events.names == ["save_a", "warning_not_noted", "save_b"]
    told = {"type": "tool_result", "tool_use_id": "t1", "content": "hecho"}
    assert client.requests[1]["messages"][-1]["content"] == [told]
    assert sorted(snapshot(folder)) == [".lock", "checkpoint.json", "sales-notes.txt"]


@pytest.mark.parametrize(("save", "ran"), [(1, []), (2, []), (3, ["put"])])
def test_a_save_that_fails_stops_the_run_where_it_is_and_it_can_be_resumed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, save: int, ran: list[str]
) -> None:
    really, happened, saves = os.replace, [], []

    def replace(source: Any, target: Any) -> None:
        saves.append(target) if Path(target).name == "checkpoint.json" else None
        if len(saves) == save:
            raise OSError(5, "disco")
        really(source, target)

    tools = {"put": tool(lambda: happened.append("put"))}
    with monkeypatch.context() as system:
        system.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="disco"):
            run_agent(Replies(answer(call("t1", "put"))), TASK, tools, folder)
    assert happened == ran and not list(folder.glob("*.tmp"))
    if save > 1:
        reply = [] if save == 3 else [answer(call("t1", "put"))]
        assert run_agent(Replies(*reply, end()), TASK, tools, folder, resume=True) == "Listo."
        assert happened == ["put"]


def test_the_real_clock_and_a_relative_folder_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    run_agent(Replies(answer(call("t1", "put")), end()), TASK, {"put": tool(list)}, "tarea")
    assert load_effects("tarea")["t1"]["at"] > 1_700_000_000_000


def test_a_resume_asks_with_the_tools_it_is_given(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_b())
    client = Replies(end())
    run_agent(client, TASK, {"otra": tool(print)}, folder, resume=True)
    assert [described["name"] for described in client.requests[0]["tools"]] == ["otra"]


def test_a_tool_that_changes_the_working_directory_does_not_split_the_task(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "otra").mkdir()
    monkeypatch.chdir(folder)
    replies = Replies(answer(call("t1", "go")), end())
    assert run_agent(replies, TASK, {"go": tool(lambda: os.chdir("otra"))}, "tarea") == "Listo."
    assert load_checkpoint(folder / "tarea")["pendingToolUse"] is None and not (folder / "otra" / "tarea").exists()


@pytest.mark.parametrize("clock", [lambda: 1.5, lambda: 10**18])
def test_a_clock_of_any_number_leaves_a_ledger_that_can_be_read(folder: Path, clock: Any) -> None:
    run_agent(Replies(answer(call("t1", "go")), end()), TASK, {"go": tool(list)}, folder, clock=clock)
    assert type(load_effects(folder)["t1"]["at"]) is int


@pytest.mark.parametrize("usage", [None, object()])
def test_an_answer_without_its_cost_stops_and_says_that_the_client_is_to_be_looked_at(folder: Path, usage: Any) -> None:
    odd = Response([Block(call("t1", "go"))], "tool_use", usage)
    ran: list[int] = []
    with pytest.raises(AgentStopped, match="no tiene la forma de la API"):
        run_agent(Replies(odd), TASK, {"go": tool(lambda: ran.append(1))}, folder)
    assert ran == [] and load_checkpoint(folder)["turns"] == 0


def test_an_error_of_any_length_is_told_in_a_sentence(folder: Path) -> None:
    with pytest.raises(AgentStopped) as stopped:
        run_agent(Replies(RuntimeError("x\n" * 100_000)), TASK, {}, folder)
    assert len(str(stopped.value)) < 1500 and "\n" not in str(stopped.value)


def test_a_programmers_mistake_in_the_tools_is_not_blamed_on_the_model(folder: Path) -> None:
    with pytest.raises(AttributeError):
        run_agent(Replies(end()), TASK, None, folder)  # type: ignore[arg-type]
