"""Every moment of death, in this process and in a real child; then the resume, and a second death during it."""

import json
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab import without_ledger
from lesson_code.lab.api_rules import validate
from lesson_code.lab.crash import UnknownLabel
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import NothingHappened, Outcome, play, play_for_real
from lesson_code.lab.tools import TASK
from tests.support import snapshot

IN_TURN = ("after-answer", "after-save-a", "after-tool", "after-effect-write", "after-save-b")
LABELS = [f"{name}:{turn}" for turn in (1, 2, 3) for name in IN_TURN] + ["after-answer:4", "after-save-end"]
IN_RESUME = ("resume-after-tool", "resume-after-effect-write", "resume-after-reconcile", "resume-after-save-b")
TOLD_UNKNOWN = {"after-save-a:3": (5, 2220), "after-tool:3": (4, 1600)}  # turns and tokens at the end
NAMES = ["read_notes", "count_words", "write_report"]
PAID = [0, 120, 340, 660, 1080]  # tokens of the first N answers
REPORT = "Reporte de ventas: 2 líneas de notas, 4 palabras.\n"
DONE = "[done] Reporte escrito en report.txt, tarea completa."


def split(label: str) -> tuple[str, int]:
    name, _, turn = label.partition(":")
    return name, int(turn or 4)


def without_time(effects: Any) -> Any:
    return {call_id: {**entry, "at": 0} for call_id, entry in (effects or {}).items()}


def files(end: Outcome) -> dict[str, Any]:
    """What is in the folder, but for the lock and the origin, which is the command's; the ledger without its times."""
    found = {name: data for name, data in snapshot(end.folder).items() if name not in (".lock", "origin.json")}
    return {**found, "effects.json": without_time(end.effects)} if end.effects else found


@pytest.fixture
def whole(folder: Path) -> Outcome:
    """A run that never crashed."""
    return play(folder)


def checkpoint_at(label: str, whole: Outcome) -> dict[str, Any]:
    """What the protocol says is in checkpoint.json after a death at `label`."""
    name, turn = split(label)
    messages = whole.checkpoint["messages"]
    if name == "after-save-end":
        return dict(whole.checkpoint)
    is_a = name in ("after-save-a", "after-tool", "after-effect-write")
    closed = turn if name == "after-save-b" else turn - 1
    kept = messages[: 1 + 2 * closed + is_a]
    pending = {key: kept[-1]["content"][-1][key] for key in ("id", "name", "input")} if is_a else None
    turns = closed + is_a
    return {**whole.checkpoint, "turns": turns, "tokensUsed": PAID[turns], "messages": kept, "pendingToolUse": pending}


def noted_at(label: str) -> int:
    """How many entries the ledger has after a death at `label`."""
    name, turn = split(label)
    return min(3, turn if name in ("after-effect-write", "after-save-b") else turn - 1)


def can_fire(second: str, first: str) -> bool:
    """Whether a resume after `first` passes by `second`."""
    name, turn = split(first)
    if name not in ("after-save-a", "after-tool", "after-effect-write"):
        return False  # nothing is pending
    runs_again = name != "after-effect-write" and turn < 3
    return runs_again or second in ("resume-after-reconcile", "resume-after-save-b")


def assert_same_end(end: Outcome, label: str, whole: Outcome) -> None:
    """One report and, unless the model was told `is_error`, every field of a run that never crashed."""
    assert (end.exit_code, end.log[-1], end.warnings) == (0, DONE, [])
    assert end.world.times("write_report") == 1
    assert (end.folder / "report.txt").read_text(encoding="utf-8") == REPORT
    if label in TOLD_UNKNOWN:
        assert (end.checkpoint["turns"], end.checkpoint["tokensUsed"]) == TOLD_UNKNOWN[label]
        assert end.checkpoint["pendingToolUse"] is None
        assert end.checkpoint["messages"][:6] == whole.checkpoint["messages"][:6]
        assert end.checkpoint["messages"][6]["content"][0]["is_error"] is True
        assert end.checkpoint["messages"][-1] == whole.checkpoint["messages"][-1]
    else:
        assert end.checkpoint == whole.checkpoint
        assert without_time(end.effects) == without_time(whole.effects)


def test_a_run_that_never_crashes_is_what_the_rest_is_compared_with(whole: Outcome) -> None:
    turns = [
        line
        for turn, name in enumerate(NAMES, 1)
        for line in (f"[turn {turn}][save A] pending={name}", f"[turn {turn}][save B]")
    ]
    assert (whole.log, whole.warnings, whole.exit_code) == ([*turns, DONE], [], 0)
    assert [*whole.checkpoint] == ["version", "task", "turns", "tokensUsed", "messages", "pendingToolUse"]
    assert {**whole.checkpoint, "messages": len(whole.checkpoint["messages"])} == {
        "version": 1,
        "task": TASK,
        "turns": 3,
        "tokensUsed": PAID[4],
        "messages": 8,
        "pendingToolUse": None,
    }
    assert [(call_id, entry["name"]) for call_id, entry in whole.effects.items()] == [
        ("toolu_01", "read_notes"),
        ("toolu_02", "count_words"),
        ("toolu_03", "write_report"),
    ]
    assert [entry["result"] for entry in whole.effects.values()] == [
        "enero: 10\nfebrero: 12\n",
        "4",
        "Reporte escrito en report.txt.",
    ]
    assert whole.world.times("write_report") == 1
    assert (whole.folder / "report.txt").read_text(encoding="utf-8") == REPORT


@pytest.mark.parametrize("label", LABELS)
def test_a_death_leaves_what_the_table_says_and_its_resume_ends_with_one_report(
    folder: Path, whole: Outcome, label: str
) -> None:
    first, second = ScriptedModel(), ScriptedModel()
    dead = play(folder, label, model=first)
    name, turn = split(label)
    assert dead.exit_code == 137
    assert dead.log == [*whole.log[: len(dead.log) - 1], f"[kill] caída simulada en {label}"]
    assert dead.checkpoint == checkpoint_at(label, whole)
    assert [*(dead.effects or {})] == [*whole.effects][: noted_at(label)]
    happened = turn > 3 or (turn == 3 and name not in ("after-answer", "after-save-a"))
    assert dead.world.times("write_report") == happened
    assert (dead.folder / "report.txt").exists() == happened

    end = play(dead.folder, resume=True, model=second)
    assert_same_end(end, label, whole)
    for request in first.requests + second.requests:
        validate(request, [])


@pytest.mark.parametrize("label", LABELS)
def test_this_process_and_a_real_child_leave_the_same_files_and_the_same_log(
    folder: Path, whole: Outcome, label: str
) -> None:
    here, real = play(folder, label), play_for_real(folder, label)
    for resumed in (False, True):
        if resumed:
            here, real = play(here.folder, resume=True), play_for_real(real.folder, resume=True)
        assert files(here) == files(real)
        assert (here.log, here.warnings, here.exit_code) == (real.log, real.warnings, real.exit_code)
    assert_same_end(real, label, whole)


@pytest.mark.parametrize("second", IN_RESUME)
@pytest.mark.parametrize("label", LABELS)
def test_a_second_death_during_the_resume_comes_to_the_same_end(
    folder: Path, whole: Outcome, label: str, second: str
) -> None:
    dead = play(folder, label)
    if not can_fire(second, label):
        with pytest.raises(NothingHappened, match=second):
            play(dead.folder, second, resume=True)
        return
    again = play(dead.folder, second, resume=True)
    assert (again.exit_code, again.log[-1]) == (137, f"[kill] caída simulada en {second}")
    still_pending = second != "resume-after-save-b"
    assert bool(again.checkpoint["pendingToolUse"]) == still_pending
    assert_same_end(play(again.folder, resume=True), label, whole)


@pytest.mark.parametrize(
    "label, second",
    [
        ("after-tool:1", "resume-after-tool"),
        ("after-save-a:2", "resume-after-effect-write"),
        ("after-tool:3", "resume-after-reconcile"),
        ("after-effect-write:3", "resume-after-save-b"),
    ],
)
def test_a_real_child_that_dies_again_during_the_resume_comes_to_the_same_end(
    folder: Path, whole: Outcome, label: str, second: str
) -> None:
    dead = play_for_real(folder, label)
    again = play_for_real(dead.folder, second, resume=True)
    assert (dead.exit_code, again.exit_code) == (137, 137)
    assert_same_end(play_for_real(again.folder, resume=True), label, whole)


@pytest.mark.parametrize("label", ["after-save-a:3", "after-tool:3"])
@pytest.mark.parametrize("second", [f"{name}:{turn}" for turn in (4, 5) for name in IN_TURN])
def test_a_second_death_while_the_model_looks_and_writes_again_ends_with_one_report(
    folder: Path, label: str, second: str
) -> None:
    dead = play(folder, label)
    reads_nothing = second == "after-effect-write:4" and label == "after-save-a:3"  # there is no report to read
    has_finished = second.endswith(":5") and second != "after-answer:5" and label == "after-tool:3"
    if reads_nothing or has_finished:
        with pytest.raises(NothingHappened):
            play(dead.folder, second, resume=True)
        return
    again = play(dead.folder, second, resume=True)
    end = play(again.folder, resume=True)
    assert (again.exit_code, end.exit_code) == (137, 0)
    assert end.world.times("write_report") == 1
    assert (end.folder / "report.txt").read_text(encoding="utf-8") == REPORT


@pytest.mark.parametrize("name", IN_TURN)
def test_a_death_in_every_turn_loses_nothing(folder: Path, name: str) -> None:
    end = play(folder, f"{name}:1")
    for turn in range(2, 8):
        try:
            end = play(end.folder, f"{name}:{turn}", resume=True)
        except NothingHappened:
            break
    end = play(end.folder, resume=True)
    assert (end.exit_code, end.log[-1]) == (0, DONE)
    assert end.world.times("write_report") == 1


@pytest.mark.parametrize("label", ["after-tool:9", "after-answer:5", *IN_RESUME])
def test_a_label_that_never_fires_is_an_error(folder: Path, label: str) -> None:
    for run in (play, play_for_real):
        with pytest.raises(NothingHappened, match=label):
            run(folder, label)


def test_a_label_that_never_fires_because_the_run_was_refused_is_an_error_too(folder: Path) -> None:
    for run in (play, play_for_real):
        with pytest.raises(NothingHappened):
            run(folder, "after-tool:1", resume=True)


def test_an_unknown_label_is_refused(folder: Path) -> None:
    for run in (play, play_for_real):
        with pytest.raises(UnknownLabel):
            run(folder, "after-tool:0")


@pytest.mark.parametrize("label", ["", "after-tool:3"])
def test_the_folder_that_is_given_stays_as_it_was_so_that_it_can_be_resumed_again(folder: Path, label: str) -> None:
    dead = play(folder, "after-effect-write:1")
    before = snapshot(dead.folder)
    ends = [run(dead.folder, label, resume=True) for run in (play, play_for_real, play)]
    assert snapshot(dead.folder) == before
    assert len({dead.folder, *(end.folder for end in ends)}) == 4
    assert files(ends[0]) == files(ends[1]) == files(ends[2])


def test_crash_after_left_set_in_the_environment_changes_nothing(
    folder: Path, whole: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRASH_AFTER", "after-save-a:1")
    assert play(folder).log == whole.log
    assert play_for_real(folder).log == whole.log
    assert play_for_real(folder, "after-save-b:1").log == [*whole.log[:2], "[kill] caída simulada en after-save-b:1"]


def test_what_a_finally_does_after_the_death_is_not_in_the_scene(folder: Path) -> None:
    tidied: list[Path] = []

    def tidy(client: Any, task: str, tools: Any, place: Path, **points: Any) -> str:
        try:
            return run_agent(client, task, tools, place, **points)
        finally:
            (place / "checkpoint.json").unlink()
            tidied.append(place)

    dead = play(folder, "after-save-a:1", harness=tidy)
    assert dead.checkpoint["pendingToolUse"]["name"] == "read_notes"
    assert tidied and dead.folder not in tidied


def test_a_run_that_is_refused_ends_with_1_and_its_sentence(folder: Path) -> None:
    here, real = play(folder, resume=True), play_for_real(folder, resume=True)
    assert (here.exit_code, here.log, len(here.warnings)) == (1, [], 1)
    assert (real.exit_code, real.log, len(real.warnings)) == (1, [], 1)
    for end in (here, real):
        assert end.warnings[0].startswith(f"No hay ningún punto de control en {end.folder}:")
        assert snapshot(end.folder) == snapshot(folder)


def test_a_finished_run_gives_its_answer_again_without_model_tool_or_ledger(whole: Outcome) -> None:
    (whole.folder / "effects.json").write_bytes(b"{roto")
    before = snapshot(whole.folder)
    for _ in range(2):
        model = ScriptedModel()
        end = play(whole.folder, resume=True, model=model)
        assert end.log == ["[resume] leído turn=3 pending=null", DONE]
        assert model.requests == []
        assert snapshot(whole.folder) == before


def test_an_outcome_gives_back_what_is_on_disk(whole: Outcome) -> None:
    assert whole.checkpoint == json.loads((whole.folder / "checkpoint.json").read_bytes())
    assert whole.effects == json.loads((whole.folder / "effects.json").read_bytes())
    (whole.folder / "effects.json").unlink()
    assert whole.effects is None


def test_a_harness_that_survives_its_death_is_found_out(folder: Path) -> None:
    def immortal(client: Any, task: str, tools: Any, place: Path, **points: Any) -> str:
        try:
            return run_agent(client, task, tools, place, **points)
        except BaseException:
            return "sigo aquí"

    with pytest.raises(NothingHappened, match="la capturó"):
        play(folder, "after-save-a:1", harness=immortal)


def test_a_harness_without_the_arguments_of_the_laboratory_can_play_but_not_die(folder: Path) -> None:
    def plain(client: Any, task: str, tools: Any, place: Path, *, resume: bool) -> str:
        return run_agent(client, task, tools, place, resume=resume)

    assert play(folder, harness=plain).world.times("write_report") == 1
    with pytest.raises(NothingHappened, match="sin pasar por"):
        play(folder, "after-save-a:1", harness=plain)


def test_a_scene_leaves_nothing_beside_its_folder(folder: Path) -> None:
    play(play(folder, "after-tool:3").folder, resume=True)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


# Another command


WITHOUT_LEDGER = "lesson_code.lab.without_ledger"


@pytest.mark.parametrize("label", ["after-save-a:2", "after-tool:3"])
def test_another_command_dies_and_is_resumed_as_its_harness_is_in_this_process(folder: Path, label: str) -> None:
    here, real = (
        play(folder, label, harness=without_ledger.run_agent),
        play_for_real(folder, label, command=WITHOUT_LEDGER),
    )
    for resumed in (False, True):
        if resumed:
            here = play(here.folder, resume=True, harness=without_ledger.run_agent)
            real = play_for_real(real.folder, resume=True, command=WITHOUT_LEDGER)
        assert files(here) == files(real) and "effects.json" not in files(real)
        assert (here.log, here.warnings, here.exit_code) == (real.log, real.warnings, real.exit_code)
    assert (real.exit_code, real.log[-1]) == (0, DONE)
    assert real.log != play_for_real(play_for_real(folder, label).folder, resume=True).log


def test_another_command_must_die_where_it_is_told_to(folder: Path) -> None:
    with pytest.raises(NothingHappened, match="after-effect-write:1"):
        play_for_real(folder, "after-effect-write:1", command=WITHOUT_LEDGER)
    with pytest.raises(NothingHappened, match="after-tool:1"):
        play_for_real(folder, "after-tool:1", command="lesson_code.nobody")
    with pytest.raises(UnknownLabel):
        play_for_real(folder, "after-lunch:1", command=WITHOUT_LEDGER)


def test_a_command_that_is_not_there_did_nothing_and_says_so(folder: Path) -> None:
    end = play_for_real(folder, command="lesson_code.nobody")
    assert end.exit_code == 1 and end.log == [] and "lesson_code.nobody" in end.warnings[-1]
    assert files(end) == snapshot(folder)
