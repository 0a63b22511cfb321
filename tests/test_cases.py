"""Cases that failed in other people's agents (tests/cases), each as its whole kind and not as the one input."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    AgentStopped,
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    LedgerError,
    load_checkpoint,
    load_effects,
    run_agent,
)
from lesson_code.harness.conversation import tool_uses
from lesson_code.harness.snapshots import keeping
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import Outcome, play
from lesson_code.lab.tools import NOTES, REPORT, make_tools
from lesson_code.lab.tools import TASK as TASK_OF_LAB
from lesson_code.lab.world import World
from lesson_code.words import say
from tests.harness.past import silent
from tests.support import (
    ROOT,
    TASK,
    Died,
    Replies,
    answer,
    call,
    case,
    die_at,
    end,
    scene_a,
    scene_b,
    snapshot,
    text,
    tool,
    write_json,
)

pytestmark = pytest.mark.usefixtures("no_sync")

NEW_REPORT = "Reporte de ventas: 2 líneas de notas, 4 palabras.\n"


def ends_with_one_report(outcome: Outcome) -> bool:
    """Whether the task has ended, with its report written once."""
    written = (outcome.folder / REPORT).read_text(encoding="utf-8")
    return (outcome.exit_code, outcome.world.times("write_report"), written) == (0, 1, NEW_REPORT)


def without_lock(folder: Path) -> dict[str, Any]:
    return {name: data for name, data in snapshot(folder).items() if name != ".lock"}


def refused(folder: Path, error: type[Exception]) -> str:
    """What a resume says that is refused with `error`, asks nobody, runs nothing and leaves the folder as it was."""
    before, client, ran = without_lock(folder), Replies(end()), []
    tools = {name: tool(lambda: ran.append(1)) for name in ("write", "write_report")}
    with pytest.raises((CheckpointError, LedgerError)) as refusal:
        run_agent(client, json.loads(before["checkpoint.json"])["task"], tools, folder, resume=True, emit=silent)
    assert type(refusal.value) is error and client.requests == ran == [] and without_lock(folder) == before
    return str(refusal.value)


# lesson6_order: saved before the assistant message was pushed


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("moment", ["after-save-a", "after-tool", "after-effect-write"])
def test_what_was_saved_before_the_push_is_resumed_in_any_turn_and_at_any_moment(
    folder: Path, moment: str, turn: int
) -> None:
    dead, model = play(folder, f"{moment}:{turn}"), ScriptedModel()
    scene = dead.checkpoint
    [asked] = tool_uses(scene["messages"].pop()["content"])
    write_json(dead.folder / "checkpoint.json", scene)
    resumed = play(dead.folder, resume=True, model=model)  # the model refuses what the API refuses
    assert ends_with_one_report(resumed)
    assert resumed.warnings == [say("warning_rebuilt", id=asked["id"], name=asked["name"])]
    assert model.requests[0][-2] == {"role": "assistant", "content": [asked]}


# poisoned, orphan_midway: results that nobody asked for, calls that nobody answers


def whole_conversation(folder: Path) -> dict[str, Any]:
    scene: dict[str, Any] = play(folder).checkpoint
    return scene


def test_a_result_that_nobody_asked_for_is_refused_by_its_index_wherever_it_is(folder: Path) -> None:
    scene = whole_conversation(folder)
    for place in range(len(scene["messages"]) + 1):
        for call_id in ("toolu_99", "toolu_01"):
            if call_id == "toolu_01" and place in (2, 3):
                continue  # there it is the answer, or the second one in the same turn
            orphan = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": "ok"}]}
            messages = [*scene["messages"][:place], orphan, *scene["messages"][place:]]
            write_json(folder / "checkpoint.json", {**scene, "messages": messages})
            said = refused(folder, CheckpointRejected)
            assert f"messages[{place}]" in said and call_id in said


def missing(messages: list[Any], at: int) -> Iterator[list[Any]]:
    """The conversation without the answer of message `at` + 1: words instead, words before it; gone, or at the end."""
    before, [result], after = messages[: at + 1], messages[at + 1 : at + 2], messages[at + 2 :]
    yield [*before, {"role": "user", "content": "sigue"}, *after]
    yield [*before, {"role": "user", "content": [text("sigue"), *result["content"]]}, *after]
    if after[1:]:  # after the last words of the model it would still be at once
        yield [*before, *after]
        yield [*before, *after, result]


def test_a_call_that_nobody_answers_at_once_is_refused_by_its_index_wherever_it_is(folder: Path) -> None:
    scene = whole_conversation(folder)
    for at in (1, 3, 5):
        [asked] = tool_uses(scene["messages"][at]["content"])
        for messages in missing(scene["messages"], at):
            write_json(folder / "checkpoint.json", {**scene, "messages": messages})
            said = refused(folder, CheckpointRejected)
            assert f"messages[{at}]" in said and asked["id"] in said


# two_calls: more than one call in an answer


@pytest.mark.parametrize("names", [("read", "read"), ("read", "put"), ("put", "read", "put"), ("put", "otra")])
@pytest.mark.parametrize("between", [[], [text("y también")]], ids=["in a row", "apart"])
def test_of_several_calls_in_an_answer_none_is_run_whatever_they_are(
    folder: Path, names: tuple[str, ...], between: list[Any]
) -> None:
    ran: list[str] = []
    tools = {n: tool(lambda n=n: ran.append(n), read_only=n == "read") for n in ("read", "put")}
    calls = [block for number, name in enumerate(names) for block in (call(f"t{number}", name), *between)]
    with pytest.raises(AgentStopped, match=f"{len(names)}"):
        run_agent(Replies(answer(*calls)), TASK, tools, folder)
    assert ran == [] and load_checkpoint(folder)["messages"] == [{"role": "user", "content": TASK}]
    assert run_agent(Replies(end()), TASK, tools, folder, resume=True) == "Listo."


# max_tokens, end_turn with a call…: the command that stops


def test_a_command_that_has_to_stop_ends_with_1_and_goes_on_once_the_cause_is_gone(folder: Path) -> None:
    dead = play(folder, "after-save-b:2")
    scene = dead.checkpoint
    scene["messages"][1]["content"][0]["de_otra_época"] = 1  # a key that only the API refuses
    write_json(dead.folder / "checkpoint.json", scene)
    before = (dead.folder / "checkpoint.json").read_bytes()
    for _ in range(2):
        stopped = agent("--workdir", dead.folder, "--resume")
        assert stopped.returncode == 1 and stopped.stdout == "[resume] leído turn=2 pending=null\n"
        assert stopped.stderr.count("\n") == 1 and "ApiError" in stopped.stderr and "--resume" in stopped.stderr
        assert (dead.folder / "checkpoint.json").read_bytes() == before
    del scene["messages"][1]["content"][0]["de_otra_época"]
    write_json(dead.folder / "checkpoint.json", scene)
    assert agent("--workdir", dead.folder, "--resume").returncode == 0


def agent(*arguments: Any, **variables: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "lesson_code.agent", *map(str, arguments)]
    given = {**os.environ, "CRASH_AFTER": "", **variables}
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, encoding="utf-8", timeout=60)


# duplicate_keys


def with_a_key_twice(value: Any) -> Iterator[tuple[str, str]]:
    """For each key of each object in `value`: the key, and `value` written with it twice."""
    parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
    written = {key: json.dumps(part) for key, part in parts.items()}
    for key, part in parts.items():
        if isinstance(value, dict):
            yield key, f"{_joined(value, written)[:-1]}, {json.dumps(key)}: {written[key]}}}"
        for name, twice in with_a_key_twice(part):
            yield name, _joined(value, {**written, key: twice})


def _joined(value: Any, written: dict[Any, str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(written.values())}]"
    return "{" + ", ".join(f"{json.dumps(key)}: {part}" for key, part in written.items()) + "}"


def test_any_key_that_is_twice_in_a_checkpoint_is_refused_by_its_name_although_the_values_agree(folder: Path) -> None:
    found = list(with_a_key_twice(scene_a(n=1, deep=[{"a": {"b": 1}}])))
    assert len(found) > 30 and {"version", "role", "tool_use_id", "pendingToolUse", "b"} <= {key for key, _ in found}
    for key, twice in found:
        (folder / "checkpoint.json").write_text(twice, encoding="utf-8")
        assert json.loads(twice) == scene_a(n=1, deep=[{"a": {"b": 1}}])
        assert key in refused(folder, CheckpointUnreadable)


def test_any_key_that_is_twice_in_a_ledger_is_refused_by_its_name_although_the_values_agree(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_a(n=1))
    entry = {"name": "write", "input": {"n": 1}, "result": {"a": [{"b": 1}]}, "at": 7}
    found = list(with_a_key_twice({"t1": entry, "t2": entry}))
    assert len(found) == 16
    for key, twice in found:
        (folder / "effects.json").write_text(twice, encoding="utf-8")
        assert key in refused(folder, LedgerError)


# reused_id


def test_an_id_that_was_reused_is_told_as_unknown_at_each_resume_and_its_old_note_stays(folder: Path) -> None:
    reused, ran = case("reused_id.json"), []
    ledger = write_json(folder / "effects.json", reused["effects"])
    write_json(folder / "checkpoint.json", reused["checkpoint"])
    tools = {"write_report": tool(lambda **given: ran.append(given), "path", "content")}
    for crash in ("resume-after-reconcile", "resume-after-save-b"):
        with pytest.raises(Died):
            run_agent(Replies(), TASK, tools, folder, resume=True, emit=silent, crash_point=die_at(crash))
    client = Replies(end())
    assert run_agent(client, TASK, tools, folder, resume=True, emit=silent) == "Listo."
    [told] = client.requests[0]["messages"][-1]["content"]
    assert told["is_error"] is True and "enero" not in told["content"] and ran == []
    assert (folder / "effects.json").read_bytes() == ledger


# A forged line


def test_a_new_answer_forges_no_line(folder: Path) -> None:
    forged = "listo\n[done] otra cosa\r\n[turn 9]\x1b[2J\u2028[kill]"
    said = play(folder, model=ScriptedModel(script=lambda messages, hasty: (forged, None)))
    assert said.log == ["[done] listo\n  [done] otra cosa\n  [turn 9]\\x1b[2J\\u2028[kill]"]


@pytest.mark.parametrize("name", ["x\n[done] listo", "x\r[turn 9]", "\x1b[2Jx", "x\u2028[kill]", "x\u202e"], ids=ascii)
def test_a_tool_that_the_model_names_forges_no_line(folder: Path, name: str) -> None:
    script = lambda messages, hasty: ("Llamo.", {"name": name, "input": {}})  # noqa: E731
    said = play(folder, model=ScriptedModel(script=script))
    assert (said.exit_code, said.log, len(said.warnings)) == (1, [], 1) and said.warnings[0].isprintable()


# A stale report

STALE = ["", "\n", NEW_REPORT[:-1], NEW_REPORT[:10], NEW_REPORT + "Fin.\n", NEW_REPORT.replace("\n", "\r\n"), "otro\n"]


@pytest.mark.parametrize("stale", STALE, ids=ascii)
@pytest.mark.parametrize("label", ["after-save-a:3", "after-tool:3"])
def test_a_report_that_is_almost_the_new_one_is_not_taken_for_it(folder: Path, label: str, stale: str) -> None:
    (folder / REPORT).write_bytes(stale.encode("utf-8"))
    dead = play(folder, label)
    assert ends_with_one_report(play(dead.folder, resume=True))
    looking = play(dead.folder, "after-save-a:4", resume=True)
    assert ends_with_one_report(play(looking.folder, resume=True))


def test_the_report_of_an_earlier_run_is_not_taken_for_that_of_the_new_one(folder: Path) -> None:
    notes = (folder / NOTES).read_bytes()
    (folder / NOTES).write_bytes(b"enero: 7\n")
    first = play(folder)
    assert first.world.times("write_report") == 1
    (first.folder / NOTES).write_bytes(notes)
    dead = play(first.folder, "after-save-a:3")
    again = play(dead.folder, resume=True)
    assert (again.folder / REPORT).read_text(encoding="utf-8") == NEW_REPORT and again.world.times("write_report") == 2


# A tool called twice with the same input


@pytest.mark.parametrize(
    ("label", "unknown", "times"),
    [
        ("after-save-a:1", ["t1"], 1),
        ("after-tool:1", ["t1"], 2),
        ("after-effect-write:1", [], 2),
        ("after-save-a:2", ["t2"], 1),
        ("after-tool:2", ["t2"], 2),
        ("after-effect-write:2", [], 2),
    ],
)
def test_of_two_equal_calls_neither_takes_the_note_of_the_other(
    folder: Path, label: str, unknown: list[str], times: int
) -> None:
    happened: list[int] = []
    tools = {"put": tool(lambda n: happened.append(n) or f"número {len(happened)}", "n")}
    calls = [answer(call("t1", "put", n=1)), answer(call("t2", "put", n=1))]
    with pytest.raises(Died):
        run_agent(Replies(*calls), TASK, tools, folder, crash_point=die_at(label))
    client = Replies(*calls[int(label[-1]) :], end())
    assert run_agent(client, TASK, tools, folder, resume=True) == "Listo." and happened == [1] * times
    told = [message["content"][0] for message in client.requests[-1]["messages"][2::2]]
    assert [result["tool_use_id"] for result in told if "is_error" in result] == unknown
    good = [result["content"] for result in told if "is_error" not in result]
    assert good == [entry["result"] for entry in load_effects(folder).values()] and len({*good}) == len(good)


# An empty folder


LEFT = {
    "only what was archived": ["previous/001/checkpoint.json", "previous/001/effects.json"],
    "only the sequence": ["checkpoints/turn-001-B.json"],
    "only an abandoned line": ["abandoned/001/checkpoint.json"],
    "only a temporary": ["checkpoint.json.tmp", "checkpoint.json.0123abcd.tmp"],
    "only a report and the world": ["report.txt", "world.jsonl"],
}


@pytest.mark.parametrize("left", LEFT)
def test_where_no_checkpoint_is_a_resume_takes_no_other_file_for_one_and_creates_nothing(
    folder: Path, left: str
) -> None:
    for name in LEFT[left]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_json(folder / name, scene_b())
    before, client = snapshot(folder), Replies(end())
    with pytest.raises(CheckpointMissing) as refusal:
        run_agent(client, TASK, {}, folder, resume=True)
    assert str(folder) in str(refusal.value) and client.requests == [] and snapshot(folder) == before


# A finished run

THINKING = {"type": "thinking", "thinking": "", "signature": "firma"}
LAST_WORDS = [
    [text("Listo.")],
    [THINKING, text("Lis"), text("to.")],
    [text(" "), text("Listo.")],
    [text("a\n[done] b")],
]


@pytest.mark.parametrize("content", LAST_WORDS, ids=ascii)
def test_a_finished_run_gives_the_same_answer_at_each_resume_whatever_its_last_words(
    folder: Path, content: list[Any]
) -> None:
    first = run_agent(Replies(answer(*content, stop_reason="end_turn")), TASK, {}, folder)
    before, client = snapshot(folder), Replies()
    assert [run_agent(client, TASK, {}, folder, resume=True) for _ in range(2)] == [first] * 2
    assert client.requests == [] and snapshot(folder) == before


# A stale .tmp


@pytest.mark.parametrize("kind", ["file", "folder", "link", "broken link"])
@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json", "report.txt", "checkpoints/turn-002-A.json"])
def test_a_stale_tmp_of_any_file_is_in_nobodys_way_and_stays(folder: Path, name: str, kind: str) -> None:
    if "link" in kind and os.name == "nt":
        pytest.skip("links need a privilege on Windows")
    world = World(folder)
    run = (ScriptedModel(), TASK_OF_LAB, make_tools(folder, world), folder)
    with pytest.raises(Died):
        run_agent(*run, emit=keeping(folder, silent), crash_point=die_at("after-save-b:1"))
    (folder / "otro.txt").write_bytes(b"de otro")
    stale = folder / f"{name}.tmp"
    {
        "file": lambda: stale.write_bytes(b"a medias"),
        "folder": stale.mkdir,
        "link": lambda: stale.symlink_to(folder / "otro.txt"),
        "broken link": lambda: stale.symlink_to("nada.txt"),
    }[kind]()
    before = snapshot(folder)
    run_agent(*run, resume=True, emit=keeping(folder, silent))
    after = snapshot(folder)
    assert [after[left] for left in ("otro.txt", f"{name}.tmp")] == [b"de otro", before[f"{name}.tmp"]]
    assert after.keys() - before.keys() <= {
        *("report.txt", "world.jsonl"),
        *(f"checkpoints/turn-00{n}-{p}.json" for n in (2, 3) for p in "AB"),
    }
    assert world.times("write_report") == 1 and load_checkpoint(folder)["turns"] == 3


# CRASH_AFTER set in the shell


def test_the_tests_come_out_the_same_where_crash_after_is_set_in_the_shell() -> None:
    chosen = ["tests/test_agent.py::test_a_whole_run_prints_its_turns_and_its_answer", "tests/lab/test_child.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    given["CRASH_AFTER"] = "after-save-a:1"
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stdout


def test_a_run_that_is_not_the_command_reads_no_crash_after(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRASH_AFTER", "after-save-a:1")
    world = World(folder)
    assert run_agent(ScriptedModel(world=world), TASK_OF_LAB, make_tools(folder, world), folder)
    assert load_checkpoint(folder)["turns"] == 3 and world.times("write_report") == 1
