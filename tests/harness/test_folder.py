import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    AgentStopped,
    CheckpointMissing,
    FolderInUse,
    load_checkpoint,
    load_effects,
    run_agent,
    save_effect,
)
from lesson_code.words import say
from tests.support import (
    DROP_RIGHTS,
    ROOT,
    TASK,
    Events,
    Replies,
    answer,
    call,
    child,
    dies_at_step,
    end,
    let_others_in,
    scene_a,
    scene_b,
    snapshot,
    tool,
    write_json,
)

posix = pytest.mark.skipif(os.name == "nt", reason="fork, modes and folder syncs are POSIX")

OWNS = """
import sys, time
from tests.support import *
from lesson_code.harness import run_agent
def wait():
    print("dentro", flush=True)
    time.sleep(60)
run_agent(Replies(answer(call("t1", "put"))), TASK, {"put": tool(wait)}, sys.argv[1])
"""


def owner(folder: Path) -> "subprocess.Popen[str]":
    """Another process, in the middle of a tool, in `folder`."""
    command = [sys.executable, "-c", OWNS, str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "dentro\n"
    return process


@pytest.mark.parametrize("resume", [True, False])
def test_a_second_process_runs_nothing_and_touches_nothing(folder: Path, resume: bool) -> None:
    first = owner(folder)
    try:
        (folder / "checkpoint.json.0123abcd.tmp").write_bytes(b"del otro")
        before, client, start = snapshot_without_lock(folder), Replies(end()), time.monotonic()
        with pytest.raises(FolderInUse, match=re.escape(str(folder))):
            run_agent(client, TASK, {}, folder, resume=resume)
        assert time.monotonic() - start < 5
        assert client.requests == [] and snapshot_without_lock(folder) == before
    finally:
        first.kill()
        first.communicate()


def snapshot_without_lock(folder: Path) -> dict[str, Any]:
    """All but the lock, which Windows lets nobody else read."""
    return {name: None if name == ".lock" else (folder / name).read_bytes() for name in os.listdir(folder)}


def test_a_second_process_that_resumes_where_nothing_is_says_that(tmp_path: Path) -> None:
    with pytest.raises(CheckpointMissing):
        run_agent(Replies(), TASK, {}, tmp_path, resume=True)


def test_a_kill_frees_the_folder_and_the_pending_call_is_reconciled(folder: Path) -> None:
    first = owner(folder)
    first.kill()
    first.communicate()
    client = Replies(end())
    assert run_agent(client, TASK, {"put": tool(print)}, folder, resume=True) == "Listo."
    assert client.requests[0]["messages"][-1]["content"][0]["is_error"] is True


def test_the_folder_is_owned_while_tools_run_and_the_model_thinks(folder: Path) -> None:
    refusals: list[Any] = []

    def try_it() -> str:
        for resume in (True, False):
            with pytest.raises(FolderInUse):
                run_agent(Replies(end()), TASK, {}, folder, resume=resume)
            refusals.append(resume)
        return "hecho"

    class Asks(Replies):
        def create(self, **request: Any) -> Any:
            try_it()
            return super().create(**request)

    run_agent(Asks(answer(call("t1", "put")), end()), TASK, {"put": tool(try_it)}, folder)
    assert refusals == [True, False] * 3


@pytest.mark.parametrize("error", [None, ConnectionError(), KeyboardInterrupt()], ids=repr)
def test_the_folder_is_free_however_a_run_ends_and_the_lock_file_stays(folder: Path, error: Any) -> None:
    try:
        run_agent(Replies(error or end()), TASK, {}, folder)
    except (AgentStopped, KeyboardInterrupt):
        pass
    assert (folder / ".lock").exists()
    node = (folder / ".lock").stat().st_ino
    run_agent(Replies(end()), TASK, {}, folder)
    assert (folder / ".lock").stat().st_ino == node


def test_two_folders_are_owned_apart(folder: Path, tmp_path: Path) -> None:
    inner = tool(lambda: run_agent(Replies(end("Dentro.")), TASK, {}, tmp_path / "otra"))
    client = Replies(answer(call("t1", "put")), end())
    run_agent(client, TASK, {"put": inner}, folder)
    assert client.requests[1]["messages"][-1]["content"][0]["content"] == "Dentro."


@pytest.mark.parametrize("resume", [True, False])
def test_a_start_removes_the_temporaries_that_a_death_left_and_only_those(folder: Path, resume: bool) -> None:
    left = ["checkpoint.json.0123abcd.tmp", "effects.json.ffffffff.tmp", "report.txt.00000000.tmp"]
    kept = ["checkpoint.json.tmp", "a.0123ABCD.tmp", "a.0123abc.tmp", "a.0123abcd.tmp.bak", "0123abcd.tmp", "a.tmp"]
    write_json(folder / "checkpoint.json", scene_b())
    for name in left + kept:
        (folder / name).write_bytes(b"a medias")
    (folder / "b.json.0123abcd.tmp").mkdir()
    run_agent(Replies(end()), TASK, {}, folder, resume=resume)
    names = set(os.listdir(folder))
    assert names.isdisjoint(left) and {*kept, "b.json.0123abcd.tmp", "sales-notes.txt"} <= names


@posix
def test_a_link_with_the_name_of_a_temporary_stays_and_so_does_its_target(folder: Path) -> None:
    (folder / "otro.txt").write_bytes(b"de otro")
    (folder / "checkpoint.json.0123abcd.tmp").symlink_to("otro.txt")
    run_agent(Replies(end()), TASK, {}, folder)
    after = snapshot(folder)
    assert after["checkpoint.json.0123abcd.tmp"] == "otro.txt" and after["otro.txt"] == b"de otro"


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_a_stale_tmp_from_elsewhere_is_in_nobodys_way(folder: Path, kind: str) -> None:
    if kind == "link" and os.name == "nt":
        pytest.skip("links need a privilege on Windows")
    stale = folder / "checkpoint.json.tmp"
    (folder / "otro.txt").write_bytes(b"de otro")
    {
        "file": lambda: stale.write_bytes(b"a medias"),
        "folder": stale.mkdir,
        "link": lambda: stale.symlink_to("otro.txt"),
    }[kind]()
    before = snapshot(folder)
    assert run_agent(Replies(answer(call("t1", "put")), end()), TASK, {"put": tool(list)}, folder) == "Listo."
    assert {name: snapshot(folder)[name] for name in before} == before


def old_run(folder: Path) -> tuple[bytes, bytes]:
    """A run that died with a call pending: the bytes of its checkpoint and of its ledger."""
    old = write_json(folder / "checkpoint.json", {**scene_a(), "task": "La vieja ñ"})
    save_effect("t1", {"name": "read", "input": {}, "result": "viejo", "at": 1}, folder)
    return old, (folder / "effects.json").read_bytes()


def test_a_fresh_start_in_a_fresh_folder_archives_nothing(folder: Path) -> None:
    events = Events()
    run_agent(Replies(end()), TASK, {}, folder, emit=events)
    assert events == [] and sorted(snapshot(folder)) == [".lock", "checkpoint.json", "sales-notes.txt"]


def test_a_fresh_start_keeps_what_was_there_byte_for_byte(folder: Path) -> None:
    checkpoint, ledger = old_run(folder)
    (folder / "report.txt").write_bytes(b"el reporte de antes")
    run_agent(Replies(end()), TASK, {}, folder)
    after = snapshot(folder)
    assert after["previous/001/checkpoint.json"] == checkpoint and after["previous/001/effects.json"] == ledger
    assert after["report.txt"] == b"el reporte de antes" and "effects.json" not in after
    assert sorted(name for name in after if "previous/" in name) == [
        "previous/001",
        "previous/001/checkpoint.json",
        "previous/001/effects.json",
    ]
    assert load_checkpoint(folder)["task"] == TASK and load_effects(folder) == {}


def test_each_fresh_start_archives_under_the_next_number(folder: Path) -> None:
    for _ in range(3):
        run_agent(Replies(end()), TASK, {}, folder)
    (folder / "previous" / "007").mkdir()
    (folder / "previous" / "notas").mkdir()
    run_agent(Replies(end()), TASK, {}, folder)
    assert sorted(os.listdir(folder / "previous")) == ["001", "002", "007", "008", "notas"]


def test_after_999_comes_1000(folder: Path) -> None:
    old_run(folder)
    (folder / "previous" / "999").mkdir(parents=True)
    run_agent(Replies(end()), TASK, {}, folder)
    assert (folder / "previous" / "1000" / "checkpoint.json").exists()
    run_agent(Replies(end()), TASK, {}, folder)
    assert (folder / "previous" / "1001" / "checkpoint.json").exists()


def test_a_ledger_alone_is_archived_too(folder: Path) -> None:
    _, ledger = old_run(folder)
    (folder / "checkpoint.json").unlink()
    events = Events()
    run_agent(Replies(end()), TASK, {}, folder, emit=events)
    after = snapshot(folder)
    assert after["previous/001/effects.json"] == ledger and "previous/001/checkpoint.json" not in after
    assert events.names == ["warning_archived"] and "effects.json" not in after


@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b"[" * 200_000])
def test_a_fresh_start_archives_a_file_whatever_it_holds(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    run_agent(Replies(end()), TASK, {}, folder)
    assert snapshot(folder)[f"previous/001/{name}"] == data


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (lambda: {**scene_a(), "task": "otra"}, ["write", "t2"]),
        (scene_b, ["sin llamada colgante"]),
        (lambda: {"version": 2}, ["no se pudo leer"]),
    ],
)
def test_an_archive_is_said_in_one_line_that_names_the_place_and_the_pending_call(
    folder: Path, scene: Any, said: list[str]
) -> None:
    write_json(folder / "checkpoint.json", scene())
    events = Events()
    run_agent(Replies(end()), TASK, {}, folder, emit=events)
    [(event, fields)] = events
    line = say(event, **fields)
    assert event == "warning_archived" and "previous/001" in line and "\n" not in line
    assert all(word in line for word in said)


def test_an_archive_is_said_on_stderr_where_nobody_listens(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old_run(folder)
    run_agent(Replies(end()), TASK, {}, folder)
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "write" in said.err


@posix
@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
def test_a_state_file_that_is_a_link_is_refused_by_a_fresh_start(folder: Path, name: str) -> None:
    (folder / "otro.json").write_bytes(b"de otro")
    (folder / name).symlink_to("otro.json")
    client = Replies(end())
    with pytest.raises(OSError, match=name):
        run_agent(client, TASK, {}, folder)
    after = snapshot(folder)
    assert client.requests == [] and after[name] == "otro.json" and after["otro.json"] == b"de otro"


@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
def test_a_folder_in_the_place_of_a_state_file_is_refused_by_a_fresh_start(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "dentro").write_bytes(b"1")
    client = Replies(end())
    with pytest.raises(OSError):
        run_agent(client, TASK, {}, folder)
    assert client.requests == [] and snapshot(folder)[f"{name}/dentro"] == b"1"


@posix
def test_the_archive_is_copied_synced_renamed_and_then_the_checkpoint_goes_and_then_the_ledger(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_run(folder)
    seen: list[tuple[str, set[str]]] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        node = os.fstat(descriptor).st_ino
        name = next(p.relative_to(folder).as_posix() for p in [folder, *folder.rglob("*")] if p.stat().st_ino == node)
        seen.append((re.sub(r"\.[0-9a-f]{8}\.tmp", "", name), set(snapshot(folder))))
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(AgentStopped):
        run_agent(Replies(ConnectionError()), TASK, {}, folder)

    names = [name for name, _ in seen]
    renamed = next(at for at, (_, files) in enumerate(seen) if "previous/001" in files)
    drafts = {"previous/001.tmp", "previous/001.tmp/checkpoint.json", "previous/001.tmp/effects.json"}
    assert drafts | {"previous", "."} <= set(names[:renamed])
    last_copy = max(at for at, name in enumerate(names) if name.startswith("previous/001.tmp/"))
    assert names.index("previous/001.tmp", last_copy) < renamed and names[renamed] == "previous"
    assert all({"checkpoint.json", "effects.json"} <= files for _, files in seen[: renamed + 1])
    state = [(name, "checkpoint.json" in files, "effects.json" in files) for name, files in seen[renamed + 1 :]]
    assert state == [(".", False, True), (".", False, False), ("checkpoint.json", False, False), (".", True, False)]


@posix
@pytest.mark.usefixtures("no_sync")
def test_a_death_at_any_change_of_a_fresh_start_loses_nothing(tmp_path: Path) -> None:
    for step in range(1, 500):
        folder = tmp_path / str(step)
        folder.mkdir()
        checkpoint, ledger = old_run(folder)
        started = run_from(folder)
        if not dies_at_step(step, started, folder):
            break
        dead = snapshot(folder)
        whole = {name: data for name, data in dead.items() if ".tmp" not in name}
        assert checkpoint in whole.values() and ledger in whole.values()
        if dead.get("checkpoint.json") == checkpoint:
            assert dead["effects.json"] == ledger
        started()
        kept = {n: d for n, d in snapshot(folder).items() if re.fullmatch(r"previous/\d{3}/\w+\.json", n)}
        assert checkpoint in kept.values() and ledger in kept.values()
        assert not [name for name in snapshot(folder) if name.endswith(".tmp")]
        assert load_checkpoint(folder)["task"] == TASK and load_effects(folder) == {}
    assert step > 20


def run_from(folder: Path) -> Any:
    return lambda: run_agent(Replies(end()), TASK, {}, folder, emit=Events())


@pytest.mark.parametrize("failing", ["replace", "fsync", "unlink"])
@pytest.mark.parametrize("at", range(1, 7))
def test_an_archive_that_fails_keeps_what_was_there_and_asks_no_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str, at: int
) -> None:
    checkpoint, ledger = old_run(folder)
    owner, name = (Path, "unlink") if failing == "unlink" else (os, failing)
    really, calls = getattr(owner, name), []

    def fails(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == at:
            raise OSError(5, "disco")
        return really(*arguments, **options)

    client = Replies(ConnectionError())
    with monkeypatch.context() as system:
        system.setattr(owner, name, fails)
        with pytest.raises((OSError, AgentStopped)) as caught:
            run_agent(client, TASK, {}, folder, emit=Events())
    assert ("disco" in str(caught.value)) is (client.requests == [])
    found = snapshot(folder).values()
    assert checkpoint in found and ledger in found
    run_agent(Replies(end()), TASK, {}, folder, emit=Events())
    found = [d for n, d in snapshot(folder).items() if re.fullmatch(r"previous/\d{3}/\w+\.json", n)]
    assert checkpoint in found and ledger in found


NO_WRITING = """
from lesson_code.harness import *
from tests.support import *
client = Replies(end())
for resume in (False, True):
    try:
        run_agent(client, TASK, {}, ".", resume=resume)
    except OSError as error:
        print(type(error).__name__, client.requests)
"""


@posix
def test_a_folder_that_may_not_be_written_is_refused_before_anything_runs(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_b())
    let_others_in(folder)
    folder.chmod(0o555)
    before = snapshot(folder)
    try:
        done = child(NO_WRITING.replace("for resume", DROP_RIGHTS + "for resume", 1), cwd=folder)
    finally:
        folder.chmod(0o755)
    assert done.stdout == "PermissionError []\n" * 2, done.stderr
    assert snapshot(folder) == before


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    client = Replies(end())
    with pytest.raises(OSError):
        run_agent(client, TASK, {}, tmp_path / "a")
    assert client.requests == [] and snapshot(tmp_path) == {"a": b"1"}


@posix
def test_what_was_private_is_private_in_the_archive(folder: Path) -> None:
    old_run(folder)
    (folder / "checkpoint.json").chmod(0o600)
    run_agent(Replies(end()), TASK, {}, folder)
    assert (folder / "previous" / "001" / "checkpoint.json").stat().st_mode & 0o777 == 0o600
