import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    load_checkpoint,
    run_agent,
    save_checkpoint,
)
from tests.support import (
    CASES,
    DROP_RIGHTS,
    NOT_STRICT,
    TASK,
    Events,
    Replies,
    call,
    case,
    child,
    end,
    scene_a,
    scene_b,
    snapshot,
    text,
    tool,
    write_json,
)

FIELDS = ["version", "task", "turns", "tokensUsed", "messages", "pendingToolUse"]


def refused(folder: Path, error: type[CheckpointError]) -> str:
    """Load and resume: both refuse with `error`, ask no model, and touch and create nothing. What they say."""
    before, client = snapshot(folder), Replies(end())
    with pytest.raises(CheckpointError) as loading:
        load_checkpoint(folder)
    with pytest.raises(CheckpointError) as resuming:
        run_agent(client, TASK, {}, folder, resume=True)
    assert type(loading.value) is type(resuming.value) is error
    assert client.requests == [] and snapshot(folder) == before
    said = str(loading.value)
    assert said == str(resuming.value) and said and "\n" not in said
    assert "effects.json" not in said and "registro" not in said
    return said


def test_a_checkpoint_is_six_fields_in_order_in_utf8_with_two_spaces(folder: Path) -> None:
    scene = scene_a(text="ñ 😀 \u2028")
    save_checkpoint(dict(reversed(scene.items())), folder)
    data = (folder / "checkpoint.json").read_bytes()
    assert data == json.dumps(scene, ensure_ascii=False, indent=2).encode("utf-8")
    assert list(json.loads(data)) == FIELDS and "ñ 😀 \u2028".encode() in data
    assert data.startswith(b'{\n  "version": 1,\n  "task": "Convierte')


def test_saving_changes_nothing_in_what_it_is_given(folder: Path) -> None:
    scene = scene_a()
    save_checkpoint(scene, folder)
    assert scene == scene_a()


def test_what_was_saved_is_what_is_loaded(folder: Path) -> None:
    for scene in (scene_b(), scene_a(text="ñ", n=1.5, deep={"a": [None, True]})):
        save_checkpoint(scene, folder)
        assert load_checkpoint(folder) == scene


def test_saving_makes_the_folder_that_does_not_exist(tmp_path: Path) -> None:
    save_checkpoint(scene_b(), tmp_path / "uno" / "dos")
    assert load_checkpoint(tmp_path / "uno" / "dos") == scene_b()


def test_a_folder_may_be_a_string(folder: Path) -> None:
    save_checkpoint(scene_b(), str(folder))
    assert load_checkpoint(str(folder)) == scene_b()


@pytest.mark.parametrize("field", FIELDS)
def test_a_checkpoint_without_one_of_its_fields_is_not_saved(folder: Path, field: str) -> None:
    save_checkpoint(scene_b(), folder)
    before, scene = snapshot(folder), scene_a()
    del scene[field]
    with pytest.raises(CheckpointRejected):
        save_checkpoint(scene, folder)
    assert snapshot(folder) == before


def test_a_checkpoint_with_a_seventh_field_is_not_saved(folder: Path) -> None:
    before = snapshot(folder)
    with pytest.raises(CheckpointRejected):
        save_checkpoint({**scene_b(), "model": "x"}, folder)
    assert snapshot(folder) == before


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    "value",
    [b"a", {"a"}, object(), float("nan"), float("inf"), "a\udcf1", ENDLESS],
    ids=["bytes", "set", "object", "NaN", "infinity", "lone surrogate", "endless"],
)
def test_what_json_cannot_hold_is_refused_before_anything_is_written(folder: Path, value: Any) -> None:
    save_checkpoint(scene_b(), folder)
    before = snapshot(folder)
    with pytest.raises(CheckpointRejected):
        save_checkpoint(scene_a(value=value), folder)
    assert snapshot(folder) == before


def test_a_disk_that_refuses_is_told_as_it_is_and_the_old_checkpoint_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_checkpoint(scene_b(), folder)
    before = snapshot(folder)

    def full(*arguments: Any) -> None:
        raise OSError(28, "lleno")

    with monkeypatch.context() as system:
        system.setattr(os, "replace", full)
        with pytest.raises(OSError, match="lleno"):
            save_checkpoint(scene_a(), folder)
    assert snapshot(folder) == before


def test_where_nothing_was_run_there_is_nothing_to_resume(folder: Path) -> None:
    assert str(folder) in refused(folder, CheckpointMissing)


def test_a_folder_that_does_not_exist_is_not_made_by_a_resume(tmp_path: Path) -> None:
    for error in (lambda f: load_checkpoint(f), lambda f: run_agent(Replies(), TASK, {}, f, resume=True)):
        with pytest.raises(CheckpointMissing):
            error(tmp_path / "no existe")
    assert snapshot(tmp_path) == {}


def test_a_ledger_alone_is_no_checkpoint(folder: Path) -> None:
    (folder / "effects.json").write_bytes(b"{}")
    refused(folder, CheckpointMissing)


@pytest.mark.parametrize("kind", NOT_STRICT)
def test_a_file_that_is_not_strict_json_is_unreadable(folder: Path, kind: str) -> None:
    (folder / "checkpoint.json").write_bytes(NOT_STRICT[kind])
    refused(folder, CheckpointUnreadable)


def test_a_checkpoint_that_is_cut_anywhere_is_refused(folder: Path) -> None:
    whole = json.dumps(scene_a(), indent=2).encode()
    for size in range(0, len(whole), 17):
        (folder / "checkpoint.json").write_bytes(whole[:size])
        with pytest.raises(CheckpointUnreadable):
            load_checkpoint(folder)


@pytest.mark.parametrize("kind", ["folder", "link", "broken link", "pipe"])
def test_what_is_no_file_in_the_place_of_the_checkpoint_is_unreadable(folder: Path, kind: str) -> None:
    if kind != "folder" and os.name == "nt":
        pytest.skip("links need a privilege on Windows, and there are no pipes with a path")
    path = folder / "checkpoint.json"
    write_json(folder / "otro.json", scene_b())
    {
        "folder": path.mkdir,
        "link": lambda: path.symlink_to("otro.json"),
        "broken link": lambda: path.symlink_to("nada.json"),
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    refused(folder, CheckpointUnreadable)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    with pytest.raises(CheckpointError):
        load_checkpoint(tmp_path / "a")
    assert snapshot(tmp_path) == {"a": b"1"}


NO_RIGHTS = """
from lesson_code.harness import *
from tests.support import *
try:
    client = Replies(end())
    run_agent(client, TASK, {}, ".", resume=True)
except CheckpointUnreadable as error:
    print(error, client.requests)
"""


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_a_checkpoint_that_may_not_be_read_is_unreadable(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_b())
    (folder / "checkpoint.json").chmod(0)
    before = os.listdir(folder)
    done = child(NO_RIGHTS.replace("try:", DROP_RIGHTS + "try:", 1), cwd=folder)
    assert "no hay permiso" in done.stdout and done.stdout.endswith(" []\n"), done.stderr
    assert os.listdir(folder) == before


@pytest.mark.parametrize("value", [[], None, 42, True, "checkpoint", 1.5, {}, [{}]], ids=repr)
def test_what_is_no_object_with_the_six_fields_is_rejected(folder: Path, value: Any) -> None:
    write_json(folder / "checkpoint.json", value)
    refused(folder, CheckpointRejected)


@pytest.mark.parametrize("version", [True, 1.0, "1", 2, 0, -1, None, [1], {"v": 1}, "2\n[done]"], ids=repr)
def test_a_version_that_is_not_the_number_1_is_rejected_by_name(folder: Path, version: Any) -> None:
    write_json(folder / "checkpoint.json", {**scene_b(), "version": version})
    assert "version" in refused(folder, CheckpointRejected)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("make", [scene_a, scene_b])
def test_a_missing_field_is_rejected_by_name(folder: Path, field: str, make: Any) -> None:
    scene = make()
    del scene[field]
    write_json(folder / "checkpoint.json", scene)
    assert field in refused(folder, CheckpointRejected)


@pytest.mark.parametrize("field", ["model", "Version", "", "x" * 5000, "a\n[done]"])
def test_an_unknown_field_is_rejected_by_name(folder: Path, field: str) -> None:
    write_json(folder / "checkpoint.json", {**scene_b(), field: 1})
    said = refused(folder, CheckpointRejected)
    assert field[:7].split("\n")[0] in said and len(said) < 400


WRONG = {
    "task": [None, 1, True, [], {}, "", "  \n", ["tarea"]],
    "turns": [None, "1", 1.0, 1.5, True, False, -1, [], {}],
    "tokensUsed": [None, "1", 1.0, True, -1, [], {}],
    "messages": [None, "x", 1, True, {}, "[]"],
    "pendingToolUse": [
        False,
        "t2",
        1,
        [],
        {},
        {"id": "t2", "name": "write"},
        {"id": "t2", "name": "write", "input": []},
        {"id": "t2", "name": "write", "input": None},
        {"id": 2, "name": "write", "input": {}},
        {"id": "t2\n", "name": "write", "input": {}},
        {"id": "", "name": "write", "input": {}},
        {"id": "t2", "name": "wri te", "input": {}},
        {"id": "t2", "name": "x" * 129, "input": {}},
        {"id": "t2", "name": "write", "input": {}, "type": "tool_use"},
        [{"id": "t2", "name": "write", "input": {}}],
    ],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in WRONG for value in WRONG[field]])
def test_a_field_of_the_wrong_type_is_rejected_by_name(folder: Path, field: str, value: Any) -> None:
    write_json(folder / "checkpoint.json", {**scene_a(), field: value})
    assert field in refused(folder, CheckpointRejected)


def test_zero_is_a_counter(folder: Path) -> None:
    write_json(folder / "checkpoint.json", {**scene_b(), "turns": 0, "tokensUsed": 0})
    assert load_checkpoint(folder)["turns"] == 0


@pytest.mark.parametrize(
    "message",
    [None, {}, {"role": "system", "content": "x"}, {"role": "user", "content": 1}, {"role": "user", "content": [1]}],
)
def test_a_message_without_the_shape_of_one_is_rejected_by_its_index(folder: Path, message: Any) -> None:
    scene = scene_b()
    scene["messages"].append(message)
    write_json(folder / "checkpoint.json", scene)
    assert "messages[3]" in refused(folder, CheckpointRejected)


@pytest.mark.parametrize(("name", "place"), [("poisoned.json", "messages[5]"), ("orphan_midway.json", "messages[1]")])
def test_a_conversation_that_the_api_would_refuse_is_rejected_by_its_index(folder: Path, name: str, place: str) -> None:
    write_json(folder / "checkpoint.json", case(name))
    assert place in refused(folder, CheckpointRejected)


def test_a_version_that_is_there_twice_is_unreadable(folder: Path) -> None:
    shutil.copy(CASES / "duplicate_keys.json", folder / "checkpoint.json")
    assert "version" in refused(folder, CheckpointUnreadable)


def test_a_result_that_is_there_twice_is_rejected(folder: Path) -> None:
    scene = scene_b()
    scene["messages"][-1]["content"] *= 2
    write_json(folder / "checkpoint.json", scene)
    assert "t1" in refused(folder, CheckpointRejected)


def test_an_id_that_was_used_before_is_rejected(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_a(tool_use_id="t1"))
    assert "t1" in refused(folder, CheckpointRejected)


@pytest.mark.parametrize(
    "pending",
    [
        {"id": "t9", "name": "write", "input": {"n": 1}},
        {"id": "t2", "name": "read", "input": {"n": 1}},
        {"id": "t2", "name": "write", "input": {"n": 2}},
        {"id": "t2", "name": "write", "input": {"n": True}},
        {"id": "t2", "name": "write", "input": {"n": "1"}},
        {"id": "t2", "name": "write", "input": {}},
        {"id": "t1", "name": "read", "input": {"path": "sales-notes.txt"}},
    ],
)
def test_a_pending_call_that_is_not_the_last_messages_is_rejected(folder: Path, pending: Any) -> None:
    write_json(folder / "checkpoint.json", {**scene_a(n=1), "pendingToolUse": pending})
    refused(folder, CheckpointRejected)


def test_a_pending_call_with_more_than_its_three_fields_is_rejected_also_in_the_order_of_lesson_6(folder: Path) -> None:
    scene = case("lesson6_order.json")
    scene["pendingToolUse"]["caller"] = None
    write_json(folder / "checkpoint.json", scene)
    assert "pendingToolUse" in refused(folder, CheckpointRejected)


def test_one_and_one_point_zero_are_the_same_pending_call(folder: Path) -> None:
    scene = scene_a(n=1)
    scene["pendingToolUse"]["input"] = {"n": 1.0}
    write_json(folder / "checkpoint.json", scene)
    assert load_checkpoint(folder) == scene


def test_a_pending_call_that_was_already_answered_is_rejected(folder: Path) -> None:
    pending = {"id": "t1", "name": "read", "input": {"path": "sales-notes.txt"}}
    write_json(folder / "checkpoint.json", {**scene_b(), "pendingToolUse": pending})
    assert "t1" in refused(folder, CheckpointRejected)


def test_a_call_that_nothing_answers_with_nothing_pending_is_rejected(folder: Path) -> None:
    write_json(folder / "checkpoint.json", {**scene_a(), "pendingToolUse": None})
    assert "t2" in refused(folder, CheckpointRejected)


def test_two_open_calls_of_which_one_is_pending_are_rejected(folder: Path) -> None:
    scene = scene_a()
    scene["messages"][-1]["content"].append(call("t3", "read"))
    write_json(folder / "checkpoint.json", scene)
    refused(folder, CheckpointRejected)


def test_a_pending_call_that_is_nowhere_in_messages_is_taken_also_after_the_models_words(folder: Path) -> None:
    scene = scene_b()
    scene["messages"].append({"role": "assistant", "content": [text("Listo.")]})
    pending = {"id": "t2", "name": "write", "input": {}}
    write_json(folder / "checkpoint.json", {**scene, "pendingToolUse": pending})
    client = Replies(end())
    assert run_agent(client, TASK, {}, folder, resume=True) == "Listo."
    asked = client.requests[0]["messages"]
    assert asked[-2]["content"] == [{"type": "tool_use", **pending}] and asked[-1]["content"][0]["is_error"] is True


def test_a_checkpoint_that_could_never_be_saved_again_is_refused_before_the_model_is_asked(folder: Path) -> None:
    scene = scene_b()
    scene["messages"][-1]["content"][0]["content"] = "a\udcf1"
    (folder / "checkpoint.json").write_text(json.dumps(scene), encoding="ascii")
    before, client = snapshot(folder), Replies(end())
    with pytest.raises(CheckpointError):
        run_agent(client, TASK, {}, folder, resume=True)
    assert client.requests == [] and snapshot(folder) == before


def test_another_tasks_checkpoint_is_rejected_by_name(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_a())
    before, client = snapshot(folder), Replies(end())
    with pytest.raises(CheckpointRejected, match="Convierte sales-notes.txt.*Otra tarea"):
        run_agent(client, "Otra tarea", {}, folder, resume=True)
    assert client.requests == [] and snapshot(folder) == before


@pytest.mark.parametrize("make", [scene_a, scene_b, lambda: case("lesson6_order.json")])
def test_loading_touches_nothing_and_gives_back_what_is_on_disk(folder: Path, make: Any) -> None:
    write_json(folder / "checkpoint.json", make())
    before = snapshot(folder)
    assert load_checkpoint(folder) == make()
    assert snapshot(folder) == before


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")

NODE_READS = """
const fs = require("fs");
const raw = fs.readFileSync(process.argv[1]);
const again = Buffer.from(JSON.stringify(JSON.parse(raw.toString("utf8")), null, 2), "utf8");
console.log(again.equals(raw));
"""

NODE_WRITES = """
const fs = require("fs");
const [folder, task, withTask] = process.argv.slice(1);
process.chdir(folder);
const put = (file, value) => {
  fs.writeFileSync(file + ".tmp", JSON.stringify(value, null, 2));
  fs.renameSync(file + ".tmp", file);
};
const messages = withTask ? [{ role: "user", content: task }] : [];
const effects = {};
let tokensUsed = 0;
const queue = [["toolu_01", "read", { path: "sales-notes.txt" }, "enero: 10\\n"], ["toolu_02", "write", { text: "ñ", n: 1.0 }]];
queue.forEach(([id, name, input, output], index) => {
  const turns = index + 1;
  tokensUsed += 220;
  put("checkpoint.json", { version: 1, task, turns, tokensUsed, messages, pendingToolUse: { id, name, input } });
  if (output === undefined) return;
  messages.push({ role: "assistant", content: [{ type: "text", text: "Sigo." }, { type: "tool_use", id, name, input }] });
  effects[id] = { name, result: output, at: Date.now() };
  put("effects.json", effects);
  messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] });
  put("checkpoint.json", { version: 1, task, turns, tokensUsed, messages, pendingToolUse: null });
});
if (process.argv[4] === "noted") {
  effects.toolu_02 = { name: "write", result: "hecho en Node", at: Date.now() };
  put("effects.json", effects);
}
"""  # noqa: E501


def node(code: str, *arguments: str) -> str:
    done = subprocess.run(["node", "-e", code, *arguments], capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_node
def test_node_reads_our_checkpoint_and_would_write_the_same_bytes(folder: Path) -> None:
    awkward = 'ñ 😀 \u2028\u2029 \x00\x1f\x7f "\\/ \t\r\n\b\f'
    save_checkpoint(scene_a(text=awkward, n=[1, -7, 1.5, None, True, {}, [], {"a": []}]), folder)
    assert node(NODE_READS, str(folder / "checkpoint.json")) == "true\n"


@needs_node
@pytest.mark.parametrize("with_task", ["", "with"])
@pytest.mark.parametrize(("noted", "told"), [("noted", "hecho en Node"), ("", "No se sabe")])
def test_a_run_that_node_left_half_done_is_resumed_here(folder: Path, with_task: str, noted: str, told: str) -> None:
    node(NODE_WRITES, str(folder), TASK, with_task, noted)
    ran: list[Any] = []
    tools = {"write": tool(lambda text, n: ran.append(text), "text", "n"), "read": tool(ran.append, "path")}
    events, client = Events(), Replies(end())
    assert run_agent(client, TASK, tools, folder, resume=True, emit=events) == "Listo."
    sent = client.requests[0]["messages"]
    assert sent[0] == {"role": "user", "content": TASK}
    assert sent[-2]["content"] == [call("toolu_02", "write", text="ñ", n=1)]
    assert sent[-1]["content"][0]["content"].startswith(told) and ran == []
    assert "warning_rebuilt" in events.names and ("warning_task_first" in events.names) is not bool(with_task)
    assert load_checkpoint(folder)["turns"] == 2 and load_checkpoint(folder)["tokensUsed"] == 455


@pytest.mark.parametrize(
    "odd",
    [None, {}, {"version": 2}, {"turns": -1}, {"tokensUsed": True}, {"task": None}, {"pendingToolUse": {}}],
    ids=repr,
)
def test_what_could_not_be_resumed_is_not_saved_over_what_can(folder: Path, odd: Any) -> None:
    save_checkpoint(scene_b(), folder)
    before = (folder / "checkpoint.json").read_bytes()
    with pytest.raises(CheckpointRejected, match="sigue igual"):
        save_checkpoint({**scene_b(), **odd} if odd else odd, folder)
    assert (folder / "checkpoint.json").read_bytes() == before
