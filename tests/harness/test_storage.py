import errno
import json
import os
import re
import secrets
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import storage, write_atomic
from lesson_code.harness.storage import TEMPORARY, read_state
from tests.support import DROP_RIGHTS, ROOT, child, need_small_disks, snapshot

posix = pytest.mark.skipif(os.name == "nt", reason="modes, pipes and folder syncs are POSIX")

Synced = list[tuple[str, list[str]]]


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Synced:
    """Each fsync: what was synced, and what the folder held at that moment."""
    calls: Synced = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        node = os.fstat(descriptor).st_ino
        places = [tmp_path, *tmp_path.rglob("*")]
        name = next(p.relative_to(tmp_path).as_posix() for p in places if p.stat().st_ino == node)
        calls.append((re.sub(r"\.[0-9a-f]{8}\.", ".X.", name), sorted(snapshot(tmp_path))))
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    return calls


def fails(error: BaseException) -> Any:
    def function(*arguments: Any, **options: Any) -> None:
        raise error

    return function


def test_a_file_is_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a.json", b"\0\xffdos\r\n")
    assert snapshot(tmp_path) == {"a.json": b"\0\xffdos\r\n"}


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    write_atomic(str(tmp_path / "a.json"), b"")
    assert snapshot(tmp_path) == {"a.json": b""}


def test_the_old_version_is_replaced_whole(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a.json", b"larga y vieja")
    write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == {"a.json": b"nueva"}


def test_a_relative_path_is_written_where_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomic("a.json", b"1")
    write_atomic(Path("nueva/b.json"), b"2")
    assert snapshot(tmp_path) == {"a.json": b"1", "nueva": None, "nueva/b.json": b"2"}


@posix
def test_the_file_is_synced_before_it_takes_the_name_and_the_folder_after(tmp_path: Path, synced: Synced) -> None:
    (tmp_path / "a.json").write_bytes(b"vieja")
    write_atomic(tmp_path / "a.json", b"nueva")
    assert [name for name, _ in synced] == ["a.json.X.tmp", "."]
    assert len(synced[0][1]) == 2 and synced[1][1] == ["a.json"]


@posix
def test_the_bytes_are_in_the_file_when_it_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))
    write_atomic(tmp_path / "a.json", b"nueva")
    assert sizes[0] == len(b"nueva")


@posix
def test_every_folder_that_is_made_is_synced_in_its_parent(tmp_path: Path, synced: Synced) -> None:
    write_atomic(tmp_path / "uno" / "dos" / "a.json", b"1")
    assert {"uno", ".", "uno/dos"} <= {name for name, _ in synced}
    assert snapshot(tmp_path)["uno/dos/a.json"] == b"1"


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o666])
def test_the_mode_of_the_old_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"vieja")
    path.chmod(mode)
    write_atomic(path, b"nueva")
    assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_bytes() == b"nueva"


@posix
def test_a_private_file_is_private_also_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, modes = tmp_path / "a.json", []
    path.write_bytes(b"vieja")
    path.chmod(0o600)
    monkeypatch.setattr(os, "fsync", lambda fd: modes.append(stat.S_IMODE(os.fstat(fd).st_mode)))
    write_atomic(path, b"nueva")
    assert modes[0] == 0o600


FAILURES = [OSError(errno.EIO, "disco"), PermissionError(errno.EACCES, "no"), KeyboardInterrupt()]


@pytest.mark.parametrize("function", ["replace", "fsync"])
@pytest.mark.parametrize("error", FAILURES, ids=repr)
@pytest.mark.parametrize("old", [b"vieja", None])
def test_a_failure_before_the_replace_leaves_the_old_file_and_no_temporary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, error: BaseException, old: bytes | None
) -> None:
    if old is not None:
        (tmp_path / "a.json").write_bytes(old)
    before = snapshot(tmp_path)
    with monkeypatch.context() as system:
        system.setattr(os, function, fails(error))
        with pytest.raises(type(error)):
            write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == before


@posix
def test_a_failure_after_the_replace_leaves_the_new_file_and_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "disco")
        really(descriptor)

    (tmp_path / "a.json").write_bytes(b"vieja")
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="disco"):
        write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == {"a.json": b"nueva"}


def test_a_folder_in_the_place_of_the_file_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    (tmp_path / "a.json" / "dentro").write_bytes(b"1")
    before = snapshot(tmp_path)
    with pytest.raises(OSError):
        write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == before


def test_a_file_in_the_place_of_the_folder_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / "carpeta").write_bytes(b"1")
    with pytest.raises(OSError):
        write_atomic(tmp_path / "carpeta" / "a.json", b"nueva")
    assert snapshot(tmp_path) == {"carpeta": b"1"}


@posix
@pytest.mark.parametrize("target", ["otro.txt", "nada.txt", "."])
def test_a_link_in_the_place_of_the_file_is_refused_by_name(tmp_path: Path, target: str) -> None:
    (tmp_path / "otro.txt").write_bytes(b"1")
    (tmp_path / "a.json").symlink_to(target)
    before = snapshot(tmp_path)
    with pytest.raises(OSError, match="a.json.*enlace"):
        write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_a_stale_tmp_with_a_fixed_name_is_not_in_the_way(tmp_path: Path, kind: str) -> None:
    if kind == "link" and os.name == "nt":
        pytest.skip("links need a privilege on Windows")
    stale = tmp_path / "checkpoint.json.tmp"
    (tmp_path / "otro.txt").write_bytes(b"de otro")
    {
        "file": lambda: stale.write_bytes(b"a medias"),
        "folder": stale.mkdir,
        "link": lambda: stale.symlink_to(tmp_path / "otro.txt"),
    }[kind]()
    before = snapshot(tmp_path)
    write_atomic(tmp_path / "checkpoint.json", b"nueva")
    assert snapshot(tmp_path) == {**before, "checkpoint.json": b"nueva"}


def test_a_temporary_that_is_already_there_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda size: "0123abcd")
    (tmp_path / "a.json.0123abcd.tmp").write_bytes(b"de otro")
    with pytest.raises(FileExistsError):
        write_atomic(tmp_path / "a.json", b"nueva")
    assert snapshot(tmp_path) == {"a.json.0123abcd.tmp": b"de otro"}


def test_the_temporary_is_beside_its_target_under_a_name_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[Path] = []
    really = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (names.append(Path(a)), really(a, b))[1])
    for _ in range(3):
        write_atomic(tmp_path / "a.json", b"1")
    assert len(set(names)) == 3 and {name.parent for name in names} == {tmp_path}
    assert all(re.fullmatch(r"a\.json\.[0-9a-f]{8}\.tmp", name.name) for name in names)


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("checkpoint.json.0123abcd.tmp", True),
        ("informe.txt.00000000.tmp", True),
        ("checkpoint.json.tmp", False),
        ("checkpoint.json.0123ABCD.tmp", False),
        ("checkpoint.json.0123abc.tmp", False),
        ("checkpoint.json.0123abcde.tmp", False),
        ("checkpoint.json.0123abcd.tmp.bak", False),
        ("checkpoint.json.0123abcd.tmp\n", False),
        (".0123abcd.tmp", False),
        ("checkpoint.json", False),
    ],
)
def test_a_temporary_is_known_by_its_name_exactly(name: str, matches: bool) -> None:
    assert bool(TEMPORARY.fullmatch(name)) is matches


def test_two_writers_at_once_never_mix_their_bytes(tmp_path: Path) -> None:
    versions = [letter * 20_000 for letter in (b"a", b"b", b"c")]
    path = tmp_path / "a.json"
    write_atomic(path, versions[0])
    threads = [threading.Thread(target=lambda v=v: [write_atomic(path, v) for _ in range(15)]) for v in versions]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert path.read_bytes() in versions
    assert os.listdir(tmp_path) == ["a.json"]


WRITE_FOREVER = """
import sys
from lesson_code.harness import write_atomic
print("listo", flush=True)
while True:
    for letter in (b"a", b"b"):
        write_atomic(sys.argv[1], letter * 1_000_000)
"""


@pytest.mark.parametrize("wait", [0.02, 0.05, 0.11])
def test_a_writer_killed_at_any_instant_leaves_one_version_whole(tmp_path: Path, wait: float) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"a" * 1_000_000)
    writer = subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, path], cwd=ROOT, stdout=subprocess.PIPE)
    assert writer.stdout and writer.stdout.readline()
    time.sleep(wait)
    writer.kill()
    writer.communicate()
    assert path.read_bytes() in (b"a" * 1_000_000, b"b" * 1_000_000)
    assert all(TEMPORARY.fullmatch(name) for name in os.listdir(tmp_path) if name != "a.json")


def test_on_windows_a_target_that_is_held_for_an_instant_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target, tries = tmp_path / "a", tmp_path / "b", []
    source.write_bytes(b"1")
    really = os.replace

    def replace(a: Path, b: Path) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise PermissionError(errno.EACCES, "en uso")
        really(a, b)

    with monkeypatch.context() as windows:
        windows.setattr(os, "replace", replace)
        windows.setattr(os, "name", "nt")
        storage.replace(source, target)
    assert len(tries) == 3 and target.read_bytes() == b"1"


def test_on_windows_a_target_that_stays_held_is_given_up_after_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target, clock = tmp_path / "a", tmp_path / "b", iter(range(10))
    with monkeypatch.context() as windows:
        windows.setattr(os, "replace", fails(PermissionError(errno.EACCES, "en uso")))
        windows.setattr(time, "monotonic", lambda: next(clock))
        windows.setattr(time, "sleep", lambda seconds: None)
        windows.setattr(os, "name", "nt")
        with pytest.raises(PermissionError):
            storage.replace(source, target)
    assert next(clock) < 5


@posix
def test_elsewhere_a_replace_that_is_not_permitted_is_raised_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", fails(AssertionError("slept")))
    monkeypatch.setattr(os, "replace", fails(PermissionError(errno.EPERM, "no")))
    with pytest.raises(PermissionError):
        write_atomic(tmp_path / "a.json", b"1")


NO_WRITING = """
import sys
from lesson_code.harness import write_atomic
try:
    write_atomic("a.json", b"nueva")
except PermissionError:
    print("no hay permiso")
"""


@posix
def test_a_folder_that_may_not_be_written_keeps_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"vieja")
    (tmp_path / "a.json").chmod(0o666)
    tmp_path.chmod(0o555)
    code = NO_WRITING.replace("try:", DROP_RIGHTS + "try:", 1)
    try:
        assert child(code, cwd=tmp_path).stdout == "no hay permiso\n"
    finally:
        tmp_path.chmod(0o755)
    assert snapshot(tmp_path) == {"a.json": b"vieja"}


@pytest.mark.parametrize("kind", ["folder", "link", "broken link", "pipe"])
def test_a_state_file_that_is_no_regular_file_is_not_read(tmp_path: Path, kind: str) -> None:
    if kind != "folder" and os.name == "nt":
        pytest.skip("links need a privilege on Windows, and there are no pipes with a path")
    (tmp_path / "otro.txt").write_bytes(b"{}")
    path = tmp_path / "a.json"
    {
        "folder": path.mkdir,
        "link": lambda: path.symlink_to("otro.txt"),
        "broken link": lambda: path.symlink_to("nada.txt"),
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    with pytest.raises(OSError, match="a.json") as caught:
        read_state(path)
    assert not isinstance(caught.value, FileNotFoundError)


def test_a_state_file_that_is_missing_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_state(tmp_path / "a.json")


ON_A_SMALL_DISK = """
import errno, json, os, subprocess, sys
from pathlib import Path
from lesson_code.harness import run_agent, save_checkpoint, write_atomic, AgentStopped
from tests.support import Events, Replies, TASK, answer, call, end, scene_b, snapshot, tool
disk = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk], check=True)
"""

FULL = """
write_atomic(disk / "a.json", b"vieja")
before = snapshot(disk)
try:
    write_atomic(disk / "a.json", b"x" * 1_000_000)
    print("written")
except OSError as error:
    print(errno.errorcode[error.errno], snapshot(disk) == before)
"""

FULL_AT_A = """
seen = []
reply = answer(call("t1", "put", text="x" * 300_000))
try:
    run_agent(Replies(reply), TASK, {"put": tool(lambda text: seen.append(text), "text")}, disk)
except OSError as error:
    kept = json.loads((disk / "checkpoint.json").read_bytes())
    print(errno.errorcode[error.errno], seen, kept["turns"], sorted(os.listdir(disk)))
"""

FULL_AT_THE_LEDGER = """
def run():
    (disk / "relleno").write_bytes(b"")
    with open(disk / "relleno", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 1024)
        except OSError:
            pass
    return "hecho"

def free(event, **fields):
    events(event, **fields)
    if event == "warning_not_noted":
        (disk / "relleno").unlink()

events = Events()
client = Replies(answer(call("t1", "put")), end())
print(run_agent(client, TASK, {"put": tool(run)}, disk, emit=free))
print(events.names, client.requests[1]["messages"][-1]["content"], sorted(os.listdir(disk)))
"""

READ_ONLY = """
write_atomic(disk / "a.json", b"vieja")
if subprocess.run(["mount", "-o", "remount,ro", disk], capture_output=True).returncode:
    print("no se deja")
    sys.exit()
try:
    write_atomic(disk / "a.json", b"nueva")
except OSError as error:
    print(errno.errorcode[error.errno], snapshot(disk))
"""


def on_a_small_disk(code: str, disk: Path) -> str:
    """What `code` prints, run as a child that sees a disk of 256 KB at `disk`."""
    need_small_disks(disk)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = ["unshare", "-rm", sys.executable, "-c", ON_A_SMALL_DISK + code, str(disk)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_disk_that_fills_up_keeps_the_old_file_and_no_temporary(tmp_path: Path) -> None:
    assert on_a_small_disk(FULL, tmp_path) == "ENOSPC True\n"


def test_a_disk_that_fills_up_at_save_a_runs_no_tool_and_keeps_save_0(tmp_path: Path) -> None:
    assert on_a_small_disk(FULL_AT_A, tmp_path) == "ENOSPC [] 0 ['.lock', 'checkpoint.json']\n"


def test_a_disk_that_fills_up_at_the_ledger_still_tells_the_model_the_truth(tmp_path: Path) -> None:
    first, rest = on_a_small_disk(FULL_AT_THE_LEDGER, tmp_path).splitlines()
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "hecho"}
    assert first == "Listo."
    assert rest == f"['save_a', 'warning_not_noted', 'save_b'] {[result]} ['.lock', 'checkpoint.json']"


def test_a_disk_that_may_only_be_read_keeps_the_old_file(tmp_path: Path) -> None:
    printed = on_a_small_disk(READ_ONLY, tmp_path)
    if printed == "no se deja\n":
        pytest.skip("this system lets only root make a disk read-only")
    assert printed == "EROFS {'a.json': b'vieja'}\n"


def test_json_on_disk_is_what_any_reader_understands(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a.json", json.dumps({"ñ": 1}).encode())
    assert json.loads(read_state(tmp_path / "a.json")) == {"ñ": 1}
