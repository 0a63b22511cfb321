"""Faults of the disk, on real file systems: full, read-only, not ours, another one, a link in the way, a torn file.

What happens on a small disk is a function of this module, called in a child: nobody else sees that disk.
"""

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from lesson_code.agent import command
from lesson_code.harness import CheckpointUnreadable, LedgerError, load_checkpoint, load_effects, run_agent
from lesson_code.lab.model import history
from lesson_code.lab.scene import play
from lesson_code.lab.tools import NOTES, REPORT
from lesson_code.lab.world import World
from lesson_code.words import reason, say
from tests.support import (
    DROP_RIGHTS,
    TASK,
    Events,
    Replies,
    answer,
    call,
    child,
    end,
    need_small_disks,
    scene_a,
    snapshot,
    tool,
    write_json,
)
from tests.test_agent import RESUMED, WHOLE, agent

posix = pytest.mark.skipif(os.name == "nt", reason="links, modes and users as on POSIX")

PAGE = 4096
NO_ROOM, READ_ONLY, NO_RIGHT = (say(f"errno_{code}") for code in ("ENOSPC", "EROFS", "EACCES"))


class SmallDisk:
    """A disk of 128 KB at `place`, for this process and its children alone: see `on_a_small_disk`."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.tell("mount", "-t", "tmpfs", "-o", "size=128k", "none", place)

    def tell(self, *words: str | Path) -> None:
        subprocess.run(words, check=True)

    def fill(self, but: int = 0) -> None:
        """Leave room for `but` pages of 4 KiB and no more."""
        with open(self.place / "relleno", "wb") as ballast:
            ballast.write(b"x" * (os.statvfs(self.place).f_bavail - but) * PAGE)

    def empty(self) -> None:
        """There is room again."""
        (self.place / "relleno").unlink()

    def forbid(self) -> None:
        """Cover it with a view that may only be read: whoever holds the lock keeps it, and can write no more."""
        self.tell("mount", "--bind", self.place, self.place)
        self.tell("mount", "-o", "remount,ro,bind", self.place)

    def allow(self) -> None:
        """It may be written again."""
        self.tell("umount", self.place)

    def bring(self, folder: Path) -> Path:
        """Put a copy of `folder` on it, in place of the last one."""
        shutil.rmtree(self.place / "tarea", ignore_errors=True)
        return Path(shutil.copytree(folder, self.place / "tarea"))


def on_a_small_disk(scene: Callable[..., Any], place: Path, *given: Any) -> Any:
    """What `scene(disk, *given)` gives, called in a child for which the new folder `place` is a small disk."""
    place.mkdir()
    need_small_disks(place)
    return told_by(child(f"{ENTER}{PLAY!r}, *sys.argv[1:]])", scene.__name__, place, *given))


ENTER = "import os, sys; os.execvp('unshare', ['unshare', '-rm', sys.executable, '-c', "
PLAY = """
import json, sys
from pathlib import Path
from tests.harness import test_disk_faults as here
scene, place, *given = sys.argv[1:]
print(json.dumps(getattr(here, scene)(here.SmallDisk(Path(place)), *given)))
"""


def told_by(ended: "subprocess.CompletedProcess[str]") -> Any:
    """What a child printed in its last line."""
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a small disk is to be."""
    return tmp_path / "disco con ñ"


def assert_one_report_and_the_truth(folder: Path) -> None:
    """The task has ended with one report, which is right, and the model was told nothing about it that is false."""
    notes = (folder / NOTES).read_text(encoding="utf-8")
    report = say("model_report", words=len(notes.split()), lines=len(notes.splitlines())) + "\n"
    assert (folder / REPORT).read_text(encoding="utf-8") == report
    scene, noted = load_checkpoint(folder), load_effects(folder)
    assert scene["pendingToolUse"] is None and scene["messages"][-1]["content"][0]["text"] == say("model_done")
    done = Counter(effect["done"] for effect in World(folder).effects())
    assert set(done.values()) <= {1}, done
    for asked, result in history(scene["messages"]):
        if asked["name"] == "write_report":
            assert asked["id"] not in noted if result.get("is_error") else done[asked["id"]] == 1, (asked, result)


# A fault at each place where the harness writes, which then passes

DONE = {"type": "tool_result", "tool_use_id": "t1", "content": "hecho"}
PUT = answer(call("t1", "put"))
MOMENTS = {
    "A": "after-answer:1",
    "ledger": "after-tool:1",  # and the fault passes as soon as it has been said
    "ledger and B": "after-tool:1",
    "B": "after-effect-write:1",
}


def struck(folder: Path, moment: str, strike: Callable[[], Any], mend: Callable[[], Any]) -> dict[str, Any]:
    """Run a task of one effect that `strike` befalls at `moment`, `mend`, and resume it: what was told and left."""
    world = World(folder.parent.parent / moment)
    world.path.parent.mkdir()

    def put() -> str:
        world.do("put", "")
        return "hecho"

    def emit(event: str, **fields: Any) -> None:
        events(event, **fields)
        if event.startswith("warning") and moment == "ledger":
            mend()

    client, events, stopped = Replies(PUT, end()), Events(), ""
    points = {"emit": emit, "crash_point": lambda label: strike() if label == MOMENTS[moment] else None}
    try:
        run_agent(client, TASK, {"put": tool(put)}, folder, **points)
    except OSError as error:
        stopped = reason(error)
    scene, names = load_checkpoint(folder), sorted(snapshot(folder))
    if stopped:
        mend()
    again = Replies(*([PUT] if scene["turns"] == 0 else []), end())
    assert run_agent(again, TASK, {"put": tool(put)}, folder, resume=True) == "Listo."
    return {
        "stopped": stopped,
        "said": [fields.get("reason", event) for event, fields in events],
        "left": [scene["turns"], scene["pendingToolUse"] and scene["pendingToolUse"]["id"], names],
        "told": [request["messages"][-1]["content"] for request in client.requests],
        "told_later": [request["messages"][-1]["content"] for request in again.requests],
        "effects": world.times("put"),
    }


def struck_full(disk: SmallDisk) -> dict[str, Any]:
    return {moment: struck(disk.place / moment, moment, disk.fill, disk.empty) for moment in MOMENTS}


def struck_read_only(disk: SmallDisk) -> dict[str, Any]:
    return {moment: struck(disk.place / moment, moment, disk.forbid, disk.allow) for moment in MOMENTS}


def struck_by_its_owner(place: str) -> dict[str, Any]:
    """As above, in a process that is not root's, where what is forbidden is to write in the folder."""

    def run(moment: str) -> dict[str, Any]:
        folder = Path(place) / "disco" / moment
        return struck(folder, moment, lambda: folder.chmod(0o555), lambda: folder.chmod(0o755))

    return {moment: run(moment) for moment in MOMENTS}


AS_ANOTHER = f"""
import json, sys
from tests.harness.test_disk_faults import struck_by_its_owner
"".encode("utf-16-le")  # the codec is loaded while the library can be read
{DROP_RIGHTS}
print(json.dumps(struck_by_its_owner(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def open_place() -> Iterator[Path]:
    """A folder in which anybody may write; where no private folder stands on the way."""
    found = Path(tempfile.mkdtemp(prefix="curso-"))
    found.chmod(0o777)
    yield found
    shutil.rmtree(found)


@pytest.fixture(scope="module", params=[NO_ROOM, READ_ONLY, NO_RIGHT])
def fault(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """How the disk fails, and what that leads to at each moment."""
    if request.param != NO_RIGHT:
        scene = struck_full if request.param == NO_ROOM else struck_read_only
        return request.param, on_a_small_disk(scene, tmp_path_factory.mktemp("fallo") / "disco")
    if os.name == "nt":
        pytest.skip("Windows has no mode that keeps its owner from writing in a folder.")
    return request.param, told_by(child(AS_ANOTHER, request.getfixturevalue("open_place")))


def test_a_fault_at_save_a_runs_no_tool_and_the_resume_asks_again(fault: tuple[str, Any]) -> None:
    words, found = fault[0], fault[1]["A"]
    assert (found["stopped"], found["said"], found["told"]) == (words, [], [TASK])
    assert found["left"] == [0, None, [".lock", "checkpoint.json"]]
    assert (found["told_later"], found["effects"]) == ([TASK, [DONE]], 1)


def test_a_fault_at_the_ledger_is_a_warning_and_the_model_is_told_what_the_tool_said(fault: tuple[str, Any]) -> None:
    words, found = fault[0], fault[1]["ledger"]
    assert (found["stopped"], found["said"]) == ("", ["save_a", words, "save_b"])
    assert found["told"] == [TASK, [DONE]] and found["left"] == [1, None, [".lock", "checkpoint.json"]]
    assert (found["told_later"], found["effects"]) == ([], 1)


def test_a_fault_at_the_ledger_and_at_save_b_leaves_a_call_that_is_told_as_unknown(fault: tuple[str, Any]) -> None:
    words, found = fault[0], fault[1]["ledger and B"]
    assert (found["stopped"], found["said"], found["told"]) == (words, ["save_a", words], [TASK])
    assert found["left"] == [1, "t1", [".lock", "checkpoint.json"]]
    unknown = {**DONE, "content": say("result_unknown", name="put"), "is_error": True}
    assert (found["told_later"], found["effects"]) == ([[unknown]], 1)


def test_a_fault_at_save_b_leaves_a_noted_call_whose_result_is_reused(fault: tuple[str, Any]) -> None:
    words, found = fault[0], fault[1]["B"]
    assert (found["stopped"], found["said"], found["told"]) == (words, ["save_a"], [TASK])
    assert found["left"] == [1, "t1", [".lock", "checkpoint.json", "effects.json"]]
    assert (found["told_later"], found["effects"]) == ([[DONE]], 1)


# The command on a small disk


def shown(*arguments: Any) -> list[Any]:
    """How the command ends in a child of its own, and what it says."""
    ended = agent("--workdir", *arguments)
    return [ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8")]


def full_for_the_command(disk: SmallDisk, dead: str) -> dict[str, Any]:
    folder = disk.bring(Path(dead))
    before = state_of(folder)
    disk.fill()
    stopped = [shown(folder, *options) for options in ([], ["--resume"])]
    kept = state_of(folder) == before and list(folder.rglob("*.json.*.tmp")) == [] and World(folder).effects() == []
    disk.empty()
    ended = shown(folder, "--resume")
    assert_one_report_and_the_truth(folder)
    return {"stopped": stopped, "kept": kept, "ended": ended}


def state_of(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("checkpoint.json", "effects.json", NOTES)]


def test_a_full_disk_is_one_line_and_changes_nothing_and_once_there_is_room_the_task_ends(
    folder: Path, place: Path
) -> None:
    found = on_a_small_disk(full_for_the_command, place, play(folder, "after-save-b:2").folder)
    assert found["kept"]
    for (code, out, error), said in zip(found["stopped"], ["", "[resume] leído turn=2 pending=null\n"], strict=True):
        assert (code, out, error.count("\n")) == (1, said, 1) and NO_ROOM in error
    assert found["ended"] == [0, said + AFTER_TURN_2, ""]


AFTER_TURN_2 = "".join(WHOLE.decode("utf-8").splitlines(keepends=True)[4:])


def no_room_for_the_ledger(disk: SmallDisk, dead: str) -> dict[str, Any]:
    folder = disk.bring(Path(dead))
    old = {"toolu_00": {"name": "read_notes", "input": {}, "result": "x" * 5 * PAGE, "at": 1}}
    ledger = write_json(folder / "effects.json", {**old, **load_effects(folder)})
    disk.fill(but=3)  # enough for a checkpoint and the report
    ended = shown(folder, "--resume")
    assert_one_report_and_the_truth(folder)
    return {"ended": ended, "kept": (folder / "effects.json").read_bytes() == ledger, "left": sorted(snapshot(folder))}


def test_a_ledger_for_which_there_is_no_room_is_a_warning_and_the_command_ends_well(folder: Path, place: Path) -> None:
    found = on_a_small_disk(no_room_for_the_ledger, place, play(folder, "after-save-b:2").folder)
    code, out, error = found["ended"]
    assert (code, out) == (0, "[resume] leído turn=2 pending=null\n" + AFTER_TURN_2)
    assert error.count("\n") == 1 and all(word in error for word in ("write_report", "toolu_03", NO_ROOM))
    assert found["kept"] and found["left"] == sorted(
        [".lock", "checkpoint.json", "effects.json", "origin.json", NOTES, REPORT, "world.jsonl"]
    )


def read_only_for_the_command(disk: SmallDisk, dead: str) -> dict[str, Any]:
    folder = disk.bring(Path(dead))
    before = snapshot(folder)
    disk.forbid()
    stopped = [shown(folder, *options) for options in ([], ["--resume"])]
    kept = snapshot(folder) == before
    disk.allow()
    ended = shown(folder, "--resume")
    assert_one_report_and_the_truth(folder)
    return {"stopped": stopped, "kept": kept, "ended": ended}


def test_a_read_only_disk_is_one_line_and_changes_nothing_and_once_it_can_be_written_the_task_ends(
    folder: Path, place: Path
) -> None:
    found = on_a_small_disk(read_only_for_the_command, place, play(folder, "after-effect-write:3").folder)
    assert found["kept"] and found["ended"] == [0, RESUMED.decode("utf-8"), ""]
    for code, out, error in found["stopped"]:
        assert (code, out, error.count("\n")) == (1, "", 1) and READ_ONLY in error


B2, UNKNOWN, NOTED = [2, None, False], [3, "write_report", False], [3, "write_report", True]
STATES = {
    "a new folder": ("", [], [None, [0, None, False], UNKNOWN, NOTED]),
    "over an earlier run": ("after-save-b:2", [], [B2, UNKNOWN, NOTED]),
    "at B": ("after-save-b:2", ["--resume"], [B2, UNKNOWN, NOTED]),
    "at A, noted": ("after-effect-write:3", ["--resume"], [NOTED]),
    "at A, not noted": ("after-tool:3", ["--resume"], [UNKNOWN]),
}
"""Where a run begins, with which options, and where it must have been seen to stop."""


def any_amount_of_room(disk: SmallDisk, start: str, *options: str) -> list[Any]:
    """Run on a disk with room for 0, 1, 2… pages until it ends well, and each time end it with all the room there is.

    Where it stopped: see `place_of`; None if that was before save 0.
    """
    first = [path.read_bytes() for path in Path(start).glob("*.json")]
    stops: list[Any] = []
    for room in range(31):
        folder = disk.bring(Path(start))
        disk.fill(but=room)
        code, said = quietly("--workdir", str(folder), *options)
        disk.empty()
        errors = [line for line in said.splitlines() if not line.startswith("aviso:")]
        assert code == len(errors) <= 1 and "inesperado" not in said, (room, code, said)
        assert list(folder.rglob("*.json.*.tmp")) == [], room
        assert options or all(data in snapshot(folder).values() for data in first), room
        if code == 0 and NO_ROOM not in said:
            return stops
        again = ["--resume"] if (folder / "checkpoint.json").exists() else []
        stops.append(place_of(folder) if again else None)
        assert quietly("--workdir", str(folder), *again)[0] == 0, room
        assert_one_report_and_the_truth(folder)
    raise AssertionError(f"it never ends: {stops}")


def place_of(folder: Path) -> list[Any]:
    """Where a run is: its turn, the name of its pending call, and whether the ledger has it."""
    scene = load_checkpoint(folder)
    pending = scene["pendingToolUse"] or {"name": None, "id": None}
    return [scene["turns"], pending["name"], pending["id"] in load_effects(folder)]


def quietly(*arguments: str) -> tuple[int, str]:
    """The command in this process: its exit code, and what it says on standard error."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        code = command(list(arguments))
    return code, said.getvalue()


@pytest.mark.parametrize("state", STATES)
def test_with_any_amount_of_room_a_run_ends_or_stops_and_then_ends_and_nothing_is_lost_or_told_falsely(
    folder: Path, place: Path, state: str
) -> None:
    label, options, seen = STATES[state]
    (folder / NOTES).write_text("enero: 10\n" * 300, encoding="utf-8")  # files of several pages
    start = play(folder, label).folder if label else folder
    stops = on_a_small_disk(any_amount_of_room, place, start, *options)
    assert all(where in stops for where in seen), stops


def elsewhere_full(disk: SmallDisk, folder: str) -> list[int]:
    """A run, a resume, a fork, a rewind and a fresh start whose folder for temporary files is this disk, full."""
    assert os.stat(disk.place).st_dev != os.stat(folder).st_dev
    disk.fill()
    elsewhere = {name: str(disk.place) for name in ("TMPDIR", "TEMP", "TMP")}
    runs = [
        agent("--workdir", folder, "--history", crash="after-effect-write:3", **elsewhere),
        agent("--workdir", folder, "--resume", **elsewhere),
        agent("--workdir", folder, "--fork", 2, "otra", **elsewhere),
        agent("--workdir", folder, "--rewind", 1, **elsewhere),
        agent("--workdir", folder, **elsewhere),
    ]
    assert [path.name for path in disk.place.iterdir()] == ["relleno"]
    return [run.returncode for run in runs]


def test_the_folder_for_temporary_files_may_be_on_another_disk_and_that_one_full(folder: Path, place: Path) -> None:
    assert on_a_small_disk(elsewhere_full, place, folder) == [137, 0, 0, 0, 0]


# Links and permissions


@posix
@pytest.mark.parametrize("target", [b"de otro", None], ids=["link", "broken link"])
@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
def test_a_link_put_in_the_place_of_a_state_file_while_a_tool_runs_is_never_written_through(
    folder: Path, name: str, target: bytes | None
) -> None:
    outside, client, events = folder.parent / "fuera", Replies(PUT, end()), Events()
    if target is not None:
        outside.write_bytes(target)

    def put() -> str:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside)
        return "hecho"

    def run() -> None:
        run_agent(client, TASK, {"put": tool(put)}, folder, emit=events)

    if name == "effects.json":
        run()
        assert events.names == ["save_a", "warning_not_noted", "save_b"]
        assert client.requests[1]["messages"][-1]["content"] == [DONE]
    else:
        with pytest.raises(OSError, match="checkpoint.json.*enlace"):
            run()
        assert load_effects(folder)["t1"]["result"] == "hecho"
    assert (folder / name).is_symlink() and list(folder.glob("*.tmp")) == []
    assert outside.read_bytes() == target if target is not None else not outside.exists()


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_what_its_owner_let_others_do_with_the_state_files_is_kept_to_the_end(folder: Path, mode: int) -> None:
    dead = play(folder, "after-effect-write:1").folder
    files = [dead / "checkpoint.json", dead / "effects.json"]
    before = [file.read_bytes() for file in files]
    for file in files:
        file.chmod(mode)
    assert agent("--workdir", dead, "--resume").returncode == 0
    assert all(file.read_bytes() != data for file, data in zip(files, before, strict=True))
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [mode, mode]


# A file that was torn, as by a power cut where the writing was not atomic


def torn(whole: bytes) -> Iterator[bytes]:
    """What may be left of `whole`: each beginning of it, alone and with zeros in the place of the rest."""
    for size in range(len(whole)):
        yield whole[:size]
        yield whole[:size] + b"\0" * (len(whole) - size)


def assert_refused_however_torn(folder: Path, name: str, whole: bytes) -> None:
    """A resume names the file, runs nothing and leaves it as it is, wherever it is torn."""
    ran: list[Any] = []
    client, path = Replies(end()), folder / name
    tools = {called: tool(lambda **given: ran.append(given), read_only=True) for called in ("read", "write")}
    for left in torn(whole):
        path.write_bytes(left)
        with pytest.raises((CheckpointUnreadable, LedgerError), match=name):
            run_agent(client, TASK, tools, folder, resume=True)
        assert path.read_bytes() == left and client.requests == ran == []
    path.write_bytes(whole)
    assert set(os.listdir(folder)) <= {".lock", "checkpoint.json", "effects.json", NOTES}


def test_a_checkpoint_torn_at_any_byte_is_refused_by_name_and_the_whole_one_is_resumed(folder: Path) -> None:
    whole = write_json(folder / "checkpoint.json", scene_a(text="ñ € 😀"))
    assert_refused_however_torn(folder, "checkpoint.json", whole)
    assert run_agent(Replies(end()), TASK, {}, folder, resume=True) == "Listo."


def test_a_ledger_torn_at_any_byte_is_refused_by_name_and_the_whole_one_is_used(folder: Path) -> None:
    scene = write_json(folder / "checkpoint.json", scene_a())
    entries = {name: {"name": "write", "input": {}, "result": "ñ € 😀", "at": 7} for name in ("t2", "t9")}
    assert_refused_however_torn(folder, "effects.json", write_json(folder / "effects.json", entries))
    assert (folder / "checkpoint.json").read_bytes() == scene
    client = Replies(end())
    assert run_agent(client, TASK, {}, folder, resume=True) == "Listo."
    assert client.requests[0]["messages"][-1]["content"][0]["content"] == "ñ € 😀"
