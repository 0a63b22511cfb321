"""The command, as a learner runs it: what it prints, to the byte, how it ends, and what it leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from lesson_code.lab.scene import play
from tests.support import DROP_RIGHTS, ROOT, snapshot

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and users as on POSIX")

KILLED = b"""\
[turn 1][save A] pending=read_notes
[turn 1][save B]
[turn 2][save A] pending=count_words
[turn 2][save B]
[turn 3][save A] pending=write_report
[kill] ca\xc3\xadda simulada en after-effect-write:3
"""
RESUMED = """\
[resume] leído turn=3 pending=write_report
[resume][reconcile] tool_use_id=toolu_03 name=write_report acierto en el registro, reutilizando resultado, \
sin volver a ejecutar
[turn 3][save B] rellenado el resultado de herramienta de este turno tras reanudar
[done] Reporte escrito en report.txt, tarea completa.
""".encode()
WHOLE = KILLED.replace(
    b"[kill] ca\xc3\xadda simulada en after-effect-write:3",
    b"[turn 3][save B]\n[done] Reporte escrito en report.txt, tarea completa.",
)


def environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "CRASH_AFTER"}
    return {**kept, **changes}


def agent(
    *arguments: Any, crash: str = "", python: tuple[str, ...] = (), cwd: Path = ROOT, **changes: str
) -> "subprocess.CompletedProcess[bytes]":
    if crash:
        changes["CRASH_AFTER"] = crash
    command = [sys.executable, *python, "-m", "lesson_code.agent", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment(**changes), capture_output=True, timeout=60)


def one_line(ended: "subprocess.CompletedProcess[bytes]") -> str:
    """The one Spanish line of an error, with exit code 1 and nothing else said."""
    assert (ended.returncode, ended.stdout) == (1, b""), ended
    line = ended.stderr.decode("utf-8")
    assert line.endswith("\n") and line.count("\n") == 1 and line[:-1].isprintable(), line
    assert "Traceback" not in line and "Error inesperado" not in line, line
    return line


# The seed's demonstration


def test_the_seed_s_two_transcripts_come_out_byte_for_byte(folder: Path) -> None:
    dead = agent("--workdir", folder, crash="after-effect-write:3")
    assert (dead.stdout, dead.stderr, dead.returncode) == (KILLED, b"", 137)
    end = agent("--workdir", folder, "--resume")
    assert (end.stdout, end.stderr, end.returncode) == (RESUMED, b"", 0)


def test_a_whole_run_prints_its_turns_and_its_answer(folder: Path) -> None:
    end = agent("--workdir", folder)
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)


def test_a_call_that_was_read_only_is_run_again(folder: Path) -> None:
    agent("--workdir", folder, crash="after-tool:1")
    end = agent("--workdir", folder, "--resume")
    assert end.stdout.decode().splitlines()[:3] == [
        "[resume] leído turn=1 pending=read_notes",
        "[resume][reconcile] tool_use_id=toolu_01 name=read_notes fallo en el registro, "
        "herramienta de solo lectura, volviendo a ejecutar",
        "[turn 1][save B] rellenado el resultado de herramienta de este turno tras reanudar",
    ]
    assert (end.stderr, end.returncode) == (b"", 0)


def test_a_call_with_side_effects_that_is_not_noted_is_told_as_unknown(folder: Path) -> None:
    agent("--workdir", folder, crash="after-tool:3")
    end = agent("--workdir", folder, "--resume")
    assert end.stdout.decode().splitlines() == [
        "[resume] leído turn=3 pending=write_report",
        "[resume][reconcile] tool_use_id=toolu_03 name=write_report fallo en el registro "
        "con efectos secundarios, no resoluble, agregando is_error",
        "[turn 3][save B] rellenado el resultado de herramienta de este turno tras reanudar",
        "[turn 4][save A] pending=read_notes",
        "[turn 4][save B]",
        "[done] Reporte escrito en report.txt, tarea completa.",
    ]
    assert (end.stderr, end.returncode) == (b"", 0)


def test_by_default_it_works_in_agent_run_with_sample_notes_of_its_own(tmp_path: Path) -> None:
    end = agent(cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["agent-run"]
    notes = (tmp_path / "agent-run" / "sales-notes.txt").read_bytes()
    assert notes.endswith(b"\n") and b"\r" not in notes and len(notes.splitlines()) > 2


def test_notes_that_are_there_stay(folder: Path) -> None:
    before = (folder / "sales-notes.txt").read_bytes()
    agent("--workdir", folder)
    assert (folder / "sales-notes.txt").read_bytes() == before


def test_a_finished_run_gives_its_answer_again_as_often_as_it_is_asked(folder: Path) -> None:
    agent("--workdir", folder)
    before = snapshot(folder)
    for _ in range(2):
        end = agent("--workdir", folder, "--resume")
        assert end.stdout.decode() == (
            "[resume] leído turn=3 pending=null\n[done] Reporte escrito en report.txt, tarea completa.\n"
        )
        assert (end.stderr, end.returncode, snapshot(folder)) == (b"", 0, before)


# Arguments and CRASH_AFTER


@pytest.mark.parametrize(
    "wrong",
    [
        ["--nada"],
        ["--workdir"],
        ["--res"],
        ["--resume=1"],
        ["sobra"],
        ["--resume", "sobra"],
        ["-r"],
        ["--work", "x"],
        ["x\n[done] listo"],
        ["\x1b[2J\u202e"],
        ["--workdir="],
    ],
    ids=ascii,
)
def test_arguments_that_are_not_understood_are_one_line_and_touch_nothing(tmp_path: Path, wrong: list[str]) -> None:
    line = one_line(agent(*wrong, cwd=tmp_path, PYTHONPATH=str(ROOT)))
    assert "--help" in line
    assert list(tmp_path.iterdir()) == []


def test_help_is_spanish_and_touches_nothing(tmp_path: Path) -> None:
    shown = agent("--help", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert (shown.returncode, shown.stderr, list(tmp_path.iterdir())) == (0, b"", [])
    for word in ("--resume", "--workdir", "CRASH_AFTER", "137", "código"):
        assert word in shown.stdout.decode("utf-8")


@pytest.mark.parametrize("label", ["after-tool:0", "nada", " ", "after-tool:1\n", "x\n[done] listo"], ids=ascii)
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["fresh", "resume"])
def test_an_unknown_crash_after_lists_the_labels_and_touches_no_file(
    tmp_path: Path, label: str, resume: list[str]
) -> None:
    line = one_line(agent("--workdir", tmp_path / "nueva", *resume, crash=label))
    for known in ("after-answer:N", "after-save-a:N", "after-save-end", "resume-after-reconcile"):
        assert known in line
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_crash_after_leaves_a_pending_run_as_it_was(folder: Path) -> None:
    dead = play(folder, "after-tool:3")
    before = snapshot(dead.folder)
    one_line(agent("--workdir", dead.folder, crash="after-tool:0"))
    one_line(agent("--workdir", dead.folder, "--resume", crash="after-tool:0"))
    assert snapshot(dead.folder) == before


def test_an_empty_crash_after_is_unset(folder: Path) -> None:
    end = agent("--workdir", folder, CRASH_AFTER="")
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)


@pytest.mark.parametrize("label", ["after-tool:9", "resume-after-tool"])
def test_a_label_that_never_happens_is_said_on_standard_error(folder: Path, label: str) -> None:
    end = agent("--workdir", folder, crash=label)
    assert (end.stdout, end.returncode) == (WHOLE, 0)
    assert end.stderr.count(b"\n") == 1 and f"CRASH_AFTER={label}" in end.stderr.decode("utf-8")


# Where there is nothing to resume, or nothing that can be


def test_resume_in_an_empty_folder_is_one_sentence_and_creates_nothing(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "no existe"):
        line = one_line(agent("--workdir", place, "--resume"))
        assert str(place) in line and "--resume" in line
    assert list(tmp_path.iterdir()) == []


def checkpoint_with(**changes: Any) -> bytes:
    messages = [{"role": "user", "content": "t"}]
    fine = {"version": 1, "task": "t", "turns": 0, "tokensUsed": 0, "messages": messages, "pendingToolUse": None}
    return json.dumps({**fine, **changes}).encode()


BROKEN = {
    "empty": b"",
    "truncated": b'{"version": 1, "turns": 3, "pendingT',
    "BOM": b"\xef\xbb\xbf{}",
    "Latin-1": '{"task": "ñ"}'.encode("latin-1"),
    "repeated key": b'{"a": 1, "a": 1}',
    "infinity": b'{"a": 1e999}',
    "200,000 lists": b"[" * 200_000,
    "a list": b"[]",
    "null": b"null",
    "42": b"42",
}
BROKEN_CHECKPOINTS = {
    **BROKEN,
    "version true": checkpoint_with(version=True),
    "version 2": checkpoint_with(version=2),
    "an unknown field": checkpoint_with(**{"x\n[done] listo\x1b[2J": 1}),
    "a forged version": checkpoint_with(version="1\n[done] listo"),
    "another task": checkpoint_with(task="otra\n[done] listo\u202e"),
    "a forged tool": checkpoint_with(pendingToolUse={"id": "a", "name": "x\n[done] listo", "input": {}}),
    "an unanswered call": checkpoint_with(
        messages=[{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "n", "input": {}}]}]
    ),
}


@pytest.mark.parametrize("kind", BROKEN_CHECKPOINTS)
def test_a_checkpoint_that_cannot_be_resumed_is_one_line_and_stays_as_it_is(folder: Path, kind: str) -> None:
    (folder / "checkpoint.json").write_bytes(BROKEN_CHECKPOINTS[kind])
    before = snapshot(folder)
    one_line(agent("--workdir", folder, "--resume"))
    assert snapshot(folder) == before


@pytest.mark.parametrize("label, pending", [("after-effect-write:3", "write_report"), ("after-save-b:1", "null")])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_ledger_that_cannot_be_read_is_one_line_and_nothing_is_run(
    folder: Path, kind: str, label: str, pending: str
) -> None:
    dead = play(folder, label)
    (dead.folder / "effects.json").write_bytes(BROKEN[kind])
    before = snapshot(dead.folder)
    ended = agent("--workdir", dead.folder, "--resume")
    assert ended.stdout.decode() == f"[resume] leído turn={label[-1]} pending={pending}\n"
    ended.stdout = b""
    assert "effects.json" in one_line(ended)
    after = snapshot(dead.folder)
    after.pop(".lock")  # a resume takes it, and the scene's copy had none
    assert after == before


def test_a_broken_checkpoint_and_ledger_do_not_stop_a_fresh_start_which_archives_them(folder: Path) -> None:
    for name in ("checkpoint.json", "effects.json"):
        (folder / name).write_bytes(b"{roto")
    end = agent("--workdir", folder)
    assert (end.stdout, end.returncode) == (WHOLE, 0)
    assert end.stderr.count(b"\n") == 1 and b"previous/001" in end.stderr
    for name in ("checkpoint.json", "effects.json"):
        assert (folder / "previous" / "001" / name).read_bytes() == b"{roto"


@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["fresh", "resume"])
def test_a_folder_in_the_place_of_a_state_file_is_one_line(folder: Path, name: str, resume: list[str]) -> None:
    dead = play(folder, "after-save-b:1")
    (dead.folder / name).unlink()
    (dead.folder / name).mkdir()
    ended = agent("--workdir", dead.folder, *resume)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (1, 1)
    assert b"Traceback" not in ended.stderr and b"[turn" not in ended.stdout
    assert (dead.folder / name).is_dir()


@posix_only
@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
def test_a_link_in_the_place_of_a_state_file_is_refused(folder: Path, name: str) -> None:
    dead = play(folder, "after-save-b:1")
    (dead.folder / name).rename(folder.parent / "fuera")
    (dead.folder / name).symlink_to(folder.parent / "fuera")
    before = (folder.parent / "fuera").read_bytes()
    for resume in ([], ["--resume"]):
        ended = agent("--workdir", dead.folder, *resume)
        assert (ended.returncode, ended.stderr.count(b"\n")) == (1, 1)
        assert "enlace" in ended.stderr.decode("utf-8")
    assert (dead.folder / name).is_symlink() and (folder.parent / "fuera").read_bytes() == before


@posix_only
def test_a_pipe_in_the_place_of_the_checkpoint_is_refused_without_waiting(folder: Path) -> None:
    os.mkfifo(folder / "checkpoint.json")
    one_line(agent("--workdir", folder, "--resume"))


def test_a_workdir_that_is_a_file_is_one_line_and_the_file_stays(tmp_path: Path) -> None:
    place = tmp_path / "archivo"
    place.write_bytes(b"mio")
    for resume in ([], ["--resume"]):
        one_line(agent("--workdir", place, *resume))
        one_line(agent("--workdir", place / "sub", *resume))
    assert snapshot(tmp_path) == {"archivo": b"mio"}


def test_a_workdir_with_a_name_too_long_is_one_line(tmp_path: Path) -> None:
    for resume in ([], ["--resume"]):
        one_line(agent("--workdir", tmp_path / ("x" * 300), *resume))
    assert list(tmp_path.iterdir()) == []


def test_a_tool_s_own_trouble_is_no_traceback(folder: Path) -> None:
    (folder / "sales-notes.txt").unlink()
    (folder / "sales-notes.txt").mkdir()
    end = agent("--workdir", folder)
    assert (end.stderr, end.returncode) == (b"", 0)
    assert end.stdout.decode().splitlines()[-1] == "[done] No puedo terminar la tarea: una herramienta falló."


# A fresh start over an earlier run


def test_a_fresh_start_over_a_pending_call_archives_it_and_names_it_on_standard_error(folder: Path) -> None:
    agent("--workdir", folder, crash="after-tool:3")
    before = snapshot(folder)
    end = agent("--workdir", folder)
    assert (end.stdout, end.returncode) == (WHOLE, 0)
    line = end.stderr.decode("utf-8")
    assert line.count("\n") == 1
    for word in ("previous/001", "write_report", "toolu_03"):
        assert word in line
    for name in ("checkpoint.json", "effects.json"):
        assert (folder / "previous" / "001" / name).read_bytes() == before[name]


def test_each_fresh_start_has_an_archive_of_its_own(folder: Path) -> None:
    for number in range(3):
        end = agent("--workdir", folder)
        assert end.stderr.count(b"\n") == (1 if number else 0)
    assert sorted(path.name for path in (folder / "previous").iterdir()) == ["001", "002"]


# Two at once, Ctrl+C, a reader that leaves


@contextmanager
def stuck(folder: Path) -> Iterator[tuple["subprocess.Popen[bytes]", Any]]:
    """A real run that waits, holding the folder, to print its first line; and the function that lets it go on."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    try:
        while True:
            os.write(write_end, b"\n" * 4096)
    except BlockingIOError:
        os.set_blocking(write_end, True)

    def listen() -> bytes:
        with open(read_end, "rb", closefd=False) as pipe:
            return pipe.read().lstrip(b"\n")

    command = [sys.executable, "-m", "lesson_code.agent", "--workdir", str(folder)]
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(),
        stdout=write_end,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(write_end)
    try:
        until = time.monotonic() + 30
        while b'"turns": 1' not in _bytes(folder / "checkpoint.json"):
            assert time.monotonic() < until and child.poll() is None
            time.sleep(0.01)
        time.sleep(0.05)  # from save A to the line about it
        yield child, listen
    finally:
        child.kill()
        child.communicate()
        os.close(read_end)


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


@posix_only
def test_ctrl_c_is_130_with_one_line_and_the_run_can_be_resumed(folder: Path) -> None:
    with stuck(folder) as (child, listen):
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        listen()
        _, said = child.communicate(timeout=30)
    assert child.returncode == 130
    assert said.decode("utf-8") == "Interrumpido con Ctrl+C. Continúa con --resume.\n"
    end = agent("--workdir", folder, "--resume")
    assert (end.returncode, end.stdout.splitlines()[-1]) == (0, WHOLE.splitlines()[-1])


@posix_only
def test_a_second_process_on_the_folder_is_refused_and_the_first_one_ends_well(folder: Path) -> None:
    with stuck(folder) as (child, listen):
        before = snapshot(folder)
        for resume in ([], ["--resume"]):
            line = one_line(agent("--workdir", folder, *resume))
            assert "Otro proceso" in line
        assert snapshot(folder) == before
        assert listen() == WHOLE
        assert child.wait(30) == 0


@posix_only
def test_a_sigkill_frees_the_folder(folder: Path) -> None:
    with stuck(folder) as (child, _):
        child.kill()
        child.wait(30)
    assert agent("--workdir", folder, "--resume").returncode == 0


def test_a_folder_in_use_is_left_as_it_is(folder: Path) -> None:
    (folder / "sales-notes.txt").unlink()
    (folder / "report.txt.0123abcd.tmp").write_bytes(b"a medias")
    with FileLock(folder / ".lock"):
        before = snapshot(folder)
        assert str(folder) in one_line(agent("--workdir", folder))
        assert snapshot(folder) == before


@posix_only
@pytest.mark.parametrize("crash, code", [("", 1), ("after-answer:1", 137)])
def test_a_reader_that_has_left_is_no_traceback(folder: Path, crash: str, code: int) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "lesson_code.agent", "--workdir", str(folder)]
    changes = {"CRASH_AFTER": crash} if crash else {}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment(**changes), stdout=write_end, stderr=subprocess.PIPE, timeout=60
    )
    os.close(write_end)
    assert ended.returncode == code
    assert not any(english in ended.stderr for english in (b"Traceback", b"Exception ignored", b"Broken pipe"))
    assert ended.stderr.count(b"\n") <= 1
    assert agent("--workdir", folder, "--resume").returncode == 0


# A folder that is not ours


@pytest.fixture
def not_ours() -> Iterator[Path]:
    """A folder that its user may read and not write; where no private folder stands on the way."""
    place = Path(tempfile.mkdtemp(prefix="curso-"))
    place.chmod(0o755)
    yield place
    place.chmod(0o755)  # an ordinary user can't empty what may not be written
    shutil.rmtree(place)


def as_another(*arguments: Any) -> "subprocess.CompletedProcess[bytes]":
    """The command in a process that has given up root's rights."""
    start = "import locale, sys, traceback\nfrom lesson_code.agent import command"
    code = f"{start}\n{DROP_RIGHTS}\nsys.exit(command(sys.argv[1:]))"
    changes = environment(PYTHONIOENCODING="utf-8")
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=changes, capture_output=True, timeout=60)


@posix_only
def test_a_folder_that_cannot_be_written_is_one_line_and_stays_as_it_is(not_ours: Path) -> None:
    (not_ours / "sales-notes.txt").write_bytes(b"enero: 10\n")
    not_ours.chmod(0o555)
    before = snapshot(not_ours)
    for place in (not_ours, not_ours / "nueva"):
        assert "no hay permiso" in one_line(as_another("--workdir", place))
    assert snapshot(not_ours) == before


@posix_only
@pytest.mark.parametrize("name", ["checkpoint.json", "effects.json"])
def test_a_state_file_that_cannot_be_read_is_one_line_and_stays_as_it_is(not_ours: Path, name: str) -> None:
    (not_ours / "sales-notes.txt").write_bytes(b"enero: 10\n")
    assert agent("--workdir", not_ours, crash="after-tool:3").returncode == 137
    not_ours.chmod(0o777)
    for path in not_ours.iterdir():
        path.chmod(0o666)
    (not_ours / name).chmod(0)
    before = snapshot(not_ours) if os.geteuid() == 0 else {}
    ended = as_another("--workdir", not_ours, "--resume")
    ended.stdout = ended.stdout.replace("[resume] leído turn=3 pending=write_report\n".encode(), b"")
    line = one_line(ended)
    assert name in line and "no hay permiso" in line
    (not_ours / name).chmod(0o600)
    assert not before or snapshot(not_ours) == before


# Other machines


def test_every_line_ends_with_a_line_feed_and_nothing_else(folder: Path) -> None:
    for arguments in (
        ["--workdir", folder],
        ["--workdir", folder, "--resume"],
        ["--workdir", folder],
        ["--nada"],
        ["--help"],
    ):
        ended = agent(*arguments)
        said = ended.stdout + ended.stderr
        assert said.endswith(b"\n") and b"\r" not in said
    for path in (folder / "checkpoint.json", folder / "effects.json", folder / "report.txt", folder / "world.jsonl"):
        assert b"\r" not in path.read_bytes()


@pytest.mark.parametrize(
    "changes",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "utf-16"},
        {"PYTHONIOENCODING": "utf-8:strict"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "1"},
        {"PYTHONUNBUFFERED": "1"},
        {"TZ": "Asia/Kathmandu", "LANG": "ar_EG.UTF-8"},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_another_locale_changes_no_byte(tmp_path: Path, changes: dict[str, str]) -> None:
    place = tmp_path / "con espacios y ñ"
    dead = agent("--workdir", place, crash="after-effect-write:3", **changes)
    assert (dead.stdout, dead.stderr, dead.returncode) == (KILLED, b"", 137)
    end = agent("--workdir", place, "--resume", **changes)
    assert (end.stdout, end.stderr, end.returncode) == (RESUMED, b"", 0)
    again = agent("--workdir", place, **changes)
    assert "había una tarea anterior en la carpeta" in again.stderr.decode("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == [place.name]


@pytest.mark.parametrize(
    "python",
    [
        ("-X", "warn_default_encoding", "-W", "error::EncodingWarning"),
        ("-W", "error"),
        ("-O",),
        ("-OO",),
        ("-X", "dev", "-W", "error::ResourceWarning"),
        ("-bb",),
    ],
    ids=" ".join,
)
def test_other_switches_of_python_change_nothing(folder: Path, python: tuple[str, ...]) -> None:
    dead = agent("--workdir", folder, crash="after-effect-write:3", python=python)
    assert (dead.stdout, dead.stderr, dead.returncode) == (KILLED, b"", 137)
    end = agent("--workdir", folder, "--resume", python=python)
    assert (end.stdout, end.stderr, end.returncode) == (RESUMED, b"", 0)
    fresh = agent("--workdir", folder, python=python)
    assert (fresh.stdout, fresh.returncode, fresh.stderr.count(b"\n")) == (WHOLE, 0, 1)


def test_it_runs_from_another_folder_and_from_a_path_with_spaces_and_ñ(tmp_path: Path) -> None:
    home = tmp_path / "mi cursó de años"
    shutil.copytree(ROOT / "lesson_code", home / "lesson_code", ignore=shutil.ignore_patterns("__pycache__"))
    end = agent("--workdir", "aquí mismo", cwd=home)
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)
    assert (home / "aquí mismo" / "report.txt").exists()


# Lines that nobody can forge


def test_a_stored_answer_cannot_forge_a_line(folder: Path) -> None:
    agent("--workdir", folder)
    scene = json.loads((folder / "checkpoint.json").read_bytes())
    forged = "listo\n[kill] caída\r\n[resume] x\r[turn 9]\x1b[2J\u202e\u2028[done]\x00\x85fin\n"
    scene["messages"][-1]["content"][0]["text"] = forged
    (folder / "checkpoint.json").write_text(json.dumps(scene), encoding="utf-8")
    end = agent("--workdir", folder, "--resume")
    lines = end.stdout.decode("utf-8").split("\n")
    assert lines == [
        "[resume] leído turn=3 pending=null",
        "[done] listo",
        "  [kill] caída",
        r"  [resume] x\r[turn 9]\x1b[2J\u202e\u2028[done]\x00\x85fin",
        "  ",
        "",
    ]
    assert (end.stderr, end.returncode) == (b"", 0)


@posix_only
def test_the_name_of_a_folder_cannot_forge_a_line(tmp_path: Path) -> None:
    place = tmp_path / "x\n[done] listo\x1b[2J\u202e"
    assert r"x\n[done] listo\x1b[2J\u202e" in one_line(agent("--workdir", place, "--resume"))
    end = agent("--workdir", place)
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)


@posix_only
def test_a_folder_whose_name_is_not_utf_8_works(tmp_path: Path) -> None:
    place = os.fsencode(tmp_path) + b"/a\xf1o"
    try:
        os.mkdir(place)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    line = one_line(agent("--workdir", os.fsdecode(place), "--resume"))
    assert r"a\udcf1o" in line
    end = agent("--workdir", os.fsdecode(place))
    assert (end.stdout, end.stderr, end.returncode) == (WHOLE, b"", 0)
