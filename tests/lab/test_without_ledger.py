"""Lesson 3's harness: A, B and the nature of the tool. It dies at each of its moments, for real, and is resumed."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from lesson_code.harness import CheckpointMissing, CheckpointRejected, FolderInUse, load_checkpoint
from lesson_code.lab.child import run_child
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import NothingHappened, Outcome, new_folder, play, play_for_real
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.without_ledger import run_agent
from lesson_code.lab.world import World
from lesson_code.words import say
from tests.support import snapshot

pytestmark = pytest.mark.usefixtures("no_sync")
COMMAND = "lesson_code.lab.without_ledger"
LABELS = [
    f"{name}:{turn}" for turn in (1, 2, 3) for name in ("after-answer", "after-save-a", "after-tool", "after-save-b")
]
LABELS.append("after-answer:4")
NAMES = {1: "read_notes", 2: "count_words", 3: "write_report"}
TURNS = {"after-save-a:3": 5, "after-tool:3": 4}  # at the end, where the model was told that nobody knows
DONE = "[done] Reporte escrito en report.txt, tarea completa."


def files(outcome: Outcome) -> dict[str, Any]:
    """All that is in the folder, but for the lock."""
    found = snapshot(outcome.folder)
    found.pop(".lock", None)
    return found


def settled(label: str) -> list[str]:
    """The lines with which a resume says what it did of the call that a death left open."""
    name, turn = label.split(":")
    if name not in ("after-save-a", "after-tool"):
        return []
    call = {"id": f"toolu_0{turn}", "name": NAMES[int(turn)]}
    event = "bare_unknown" if turn == "3" else "bare_rerun"
    return [say(event, **call), say("filled", turn=turn)]


def read_back(label: str) -> str:
    name, turn = label.split(":")
    if name in ("after-save-a", "after-tool"):
        return say("resume", turn=turn, name=NAMES[int(turn)])
    return say("resume", turn=turn if name == "after-save-b" else int(turn) - 1, name="null")


@pytest.mark.parametrize("label", LABELS)
def test_a_real_death_leaves_what_one_in_this_process_leaves_and_its_resume_too(folder: Path, label: str) -> None:
    here, real = play(folder, label, harness=run_agent), play_for_real(folder, label, command=COMMAND)
    assert (real.exit_code, real.log[-1]) == (137, f"[kill] caída simulada en {label}")
    for resumed in (False, True):
        if resumed:
            here = play(here.folder, resume=True, harness=run_agent)
            real = play_for_real(real.folder, resume=True, command=COMMAND)
        assert files(here) == files(real)
        assert (here.log, here.warnings, here.exit_code) == (real.log, real.warnings, real.exit_code)
    assert (real.exit_code, real.log[0], real.log[-1], real.effects) == (0, read_back(label), DONE, None)
    assert [line for line in real.log if "[reconcile]" in line or "rellenado" in line] == settled(label)


@pytest.mark.parametrize("label", LABELS)
def test_what_it_saves_is_what_the_lesson_s_harness_saves_but_for_the_ledger(folder: Path, label: str) -> None:
    mine, lesson = play(folder, label, harness=run_agent), play(folder, label)
    expected = files(lesson)
    expected.pop("effects.json", None)
    assert files(mine) == expected and mine.log == lesson.log


@pytest.mark.parametrize("label", LABELS)
def test_it_comes_to_one_report_and_where_the_model_is_told_nothing_new_to_the_same_end(
    folder: Path, label: str
) -> None:
    whole = play(folder, harness=run_agent)
    end = play(play(folder, label, harness=run_agent).folder, resume=True, harness=run_agent)
    assert end.world.times("write_report") == 1
    if label in TURNS:
        assert end.checkpoint["turns"] == TURNS[label]
        result = end.checkpoint["messages"][6]["content"][0]
        unknown = say("result_unsaved", name="write_report")
        assert (result["tool_use_id"], result["content"], result["is_error"]) == ("toolu_03", unknown, True)
    else:
        assert end.checkpoint == whole.checkpoint


def test_what_was_read_only_is_run_again_with_the_result_that_it_would_have_had(folder: Path) -> None:
    dead = play(folder, "after-tool:1", harness=run_agent)
    (dead.folder / "sales-notes.txt").write_text("marzo: 7\n", encoding="utf-8")
    end = play(dead.folder, resume=True, harness=run_agent)
    assert end.checkpoint["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "toolu_01", "content": "marzo: 7\n"}
    ]


@pytest.mark.parametrize("label", ["after-effect-write:3", "after-save-end", "resume-after-tool", "after-tool:4"])
def test_a_moment_that_it_does_not_have_is_an_error(folder: Path, label: str) -> None:
    with pytest.raises(NothingHappened, match=label):
        play(folder, label, harness=run_agent)
    with pytest.raises(NothingHappened, match=label):
        play_for_real(folder, label, command=COMMAND)


def test_a_label_that_does_not_exist_is_refused_before_anything_is_touched(folder: Path) -> None:
    before = snapshot(folder)
    child = run_child("-m", COMMAND, "--workdir", str(folder), CRASH_AFTER="after-lunch:1")
    assert child.returncode == 1 and child.stdout == ""
    assert say("label_unknown", label="after-lunch:1", labels="")[:50] in child.stderr
    assert snapshot(folder) == before


def test_without_a_checkpoint_nothing_is_resumed(folder: Path) -> None:
    end = play(folder, resume=True, harness=run_agent)
    assert (end.exit_code, end.log) == (1, []) and end.warnings[0].startswith("No hay ningún punto de control en ")
    real = play_for_real(folder, resume=True, command=COMMAND)
    assert (real.exit_code, real.log) == (1, [])
    assert files(end) == files(real) == snapshot(folder)


def agent(folder: Path, task: str = TASK, **options: Any) -> tuple[str, ScriptedModel]:
    world = World(folder)
    client = ScriptedModel(world=world)
    return run_agent(client, task, make_tools(folder, world), folder, **options), client


def test_it_refuses_what_is_not_its_own(folder: Path) -> None:
    with pytest.raises(CheckpointMissing):
        agent(folder, resume=True)
    agent(folder)
    before = snapshot(folder)
    with pytest.raises(CheckpointRejected, match="otra tarea"):
        agent(folder, "otra", resume=True)
    with FileLock(folder / ".lock"), pytest.raises(FolderInUse):
        agent(folder)
    assert snapshot(folder) == before


def test_a_task_that_is_finished_gives_its_answer_again_and_asks_nobody(folder: Path) -> None:
    answer, client = agent(folder)
    assert answer == "Reporte escrito en report.txt, tarea completa." and len(client.requests) == 4
    before = snapshot(folder)
    again, client = agent(folder, resume=True)
    assert (again, client.requests) == (answer, []) and snapshot(folder) == before


def test_it_says_that_it_saved_when_it_has_and_not_before(folder: Path) -> None:
    seen: list[tuple[str, Any]] = []

    def emit(event: str, **fields: Any) -> None:
        pending = load_checkpoint(folder)["pendingToolUse"]
        seen.append((event, pending and pending["name"]))

    agent(folder, emit=emit)
    assert seen == [pair for name in NAMES.values() for pair in (("save_a", name), ("save_b", None))]


def test_when_nobody_listens_it_says_nothing_and_a_fresh_start_archives_what_was_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(folder)
    assert capsys.readouterr() == ("", "")
    agent(folder)
    assert capsys.readouterr().err.startswith("aviso: había una tarea anterior")
    assert (folder / "previous" / "001" / "checkpoint.json").exists()


def test_as_a_command_a_warning_goes_to_standard_error_and_the_log_to_standard_output(folder: Path) -> None:
    agent(folder)
    shutil.rmtree(folder / "previous", ignore_errors=True)
    child = run_child("-m", COMMAND, "--workdir", str(folder))
    whole = play(folder, harness=run_agent)
    assert (child.returncode, child.stdout.splitlines()) == (0, whole.log)
    pending = say("pending_none")
    assert child.stderr == say("warning_archived", place="previous/001", pending=pending) + "\n"


def test_the_log_is_there_when_it_dies_although_nobody_closed_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is flushed: `os._exit` loses what is only in a buffer."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    assert play_for_real(folder, "after-save-b:1", command=COMMAND).log == [
        "[turn 1][save A] pending=read_notes",
        "[turn 1][save B]",
        "[kill] caída simulada en after-save-b:1",
    ]


@pytest.mark.parametrize("options, crash", [(["--resume"], ""), ([], "nada")])
def test_what_is_refused_is_told_in_a_line_and_makes_nothing(tmp_path: Path, options: list[str], crash: str) -> None:
    place = tmp_path / "nueva"
    child = run_child("-m", "lesson_code.lab.without_ledger", "--workdir", str(place), *options, CRASH_AFTER=crash)
    assert (child.returncode, child.stdout, child.stderr.count("\n")) == (1, "", 1) and not place.exists()
    assert ("No hay ningún punto de control" if options else "no es un momento de caída") in child.stderr


def test_a_tool_that_is_gone_is_unknown() -> None:
    dead = play(new_folder(), "after-tool:1", harness=run_agent)
    end = play(dead.folder, resume=True, harness=run_agent, tools=lambda folder, world: {})
    assert say("bare_unknown", id="toolu_01", name="read_notes") in end.log
