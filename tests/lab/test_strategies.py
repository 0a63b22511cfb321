"""The strategies that the lessons compare: what each leaves on disk, and what it does with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.scene import NothingHappened, Outcome, new_folder, play
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.words import say

pytestmark = pytest.mark.usefixtures("no_sync")
BY_HAND = [name for name in STRATEGIES if name != "lesson"]


def dead_at(strategy: str, moment: str, turn: int = 3) -> Outcome:
    return play(new_folder(), f"{MOMENTS[moment]}:{turn}", harness=STRATEGIES[strategy])


def resumed(strategy: str, moment: str, turn: int = 3) -> Outcome:
    return play(dead_at(strategy, moment, turn).folder, resume=True, harness=STRATEGIES[strategy])


def results(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for message in outcome.checkpoint["messages"]:
        yield from (block for block in message["content"] if isinstance(block, dict) and block["type"] == "tool_result")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_nothing_dies_they_all_write_one_report(strategy: str) -> None:
    end = play(new_folder(), harness=STRATEGIES[strategy])
    assert end.log[-1] == "[done] Reporte escrito en report.txt, tarea completa."
    assert (end.exit_code, end.world.times("write_report"), len(end.world.calls())) == (0, 1, 3)


def test_with_nothing_on_disk_there_is_nothing_to_resume_and_it_starts_over() -> None:
    dead = dead_at("scratch", "③")
    assert dead.checkpoint is None and dead.effects is None
    assert resumed("scratch", "③").world.times("write_report") == 2


@pytest.mark.parametrize("moment, turns", [("①", 2), ("②", 2), ("③", 3)])
def test_b_alone_is_always_at_the_end_of_a_turn(moment: str, turns: int) -> None:
    scene = load_checkpoint(dead_at("b_only", moment).folder)
    assert (scene["turns"], scene["pendingToolUse"]) == (turns, None)


@pytest.mark.parametrize("strategy", ["naive", "blind", "always_unknown", "ledger_first"])
@pytest.mark.parametrize("moment, pending", [("①", "write_report"), ("②", "write_report"), ("③", None)])
def test_with_a_and_b_a_call_that_has_begun_is_named(strategy: str, moment: str, pending: str | None) -> None:
    named = load_checkpoint(dead_at(strategy, moment).folder)["pendingToolUse"]
    assert (named and named["name"]) == pending


def test_to_go_on_as_if_nothing_were_pending_is_refused_by_the_api_in_its_own_words() -> None:
    for _ in range(2):
        end = resumed("naive", "②")
        assert end.exit_code == 1 and "`tool_use` ids were found without `tool_result` blocks" in end.warnings[-1]


def test_blind_repeats_whatever_it_is() -> None:
    assert [resumed("blind", moment).world.times("write_report") for moment in "①②③"] == [1, 2, 1]


def test_always_unknown_says_so_even_of_what_could_be_read_again() -> None:
    end = resumed("always_unknown", "①", turn=1)
    assert end.log[-1] == "[done] No puedo terminar la tarea: una herramienta falló."
    assert [result["content"] for result in results(dead_at("always_unknown", "③", turn=1))] != []


def test_who_notes_first_takes_the_note_of_what_never_ran_for_a_result() -> None:
    dead = dead_at("ledger_first", "★")
    assert dead.effects["toolu_03"]["result"] == "" and dead.world.times("write_report") == 0
    end = resumed("ledger_first", "★")
    assert list(results(end))[-1]["content"] == "" and end.world.times("write_report") == 0
    assert list(dead_at("ledger_first", "①").effects) == ["toolu_01", "toolu_02"]


@pytest.mark.parametrize("strategy", [name for name in BY_HAND if name != "ledger_first"])
def test_without_a_ledger_nobody_dies_after_writing_it(strategy: str) -> None:
    with pytest.raises(NothingHappened):
        dead_at(strategy, "★")
    assert dead_at(strategy, "③").effects is None


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_second_death_in_the_same_place_can_be_resumed_too(strategy: str) -> None:
    dead = play(dead_at(strategy, "③", turn=1).folder, "after-save-b:2", resume=True, harness=STRATEGIES[strategy])
    end = play(dead.folder, resume=True, harness=STRATEGIES[strategy])
    assert end.exit_code == 0 and end.world.times("write_report") == 1
    assert end.log[-1] == say("done") + "Reporte escrito en report.txt, tarea completa."


# What they say


def turn_lines(turn: int, name: str, saves: str) -> list[str]:
    said = {"A": say("save_a", turn=turn, name=name), "B": say("save_b", turn=turn)}
    return [said[save] for save in saves]


FIRST_TWO = {
    saves: turn_lines(1, "read_notes", saves) + turn_lines(2, "count_words", saves) for saves in ("", "B", "AB")
}
SAVES = {"scratch": "", "b_only": "B"}
CALL = {"id": "toolu_03", "name": "write_report"}
OF_RESUME: dict[tuple[str, str], list[str]] = {
    ("blind", "①"): [say("bare_rerun", **CALL)],
    ("blind", "②"): [say("bare_rerun", **CALL)],
    ("always_unknown", "①"): [say("bare_unknown", **CALL)],
    ("always_unknown", "②"): [say("bare_unknown", **CALL)],
    ("ledger_first", "①"): [say("unknown", **CALL)],
    ("ledger_first", "★"): [say("hit", **CALL)],
    ("ledger_first", "②"): [say("hit", **CALL)],
}


@pytest.mark.parametrize("moment", "①②③")
@pytest.mark.parametrize("strategy", BY_HAND)
def test_who_dies_has_said_every_save_that_was_made(strategy: str, moment: str) -> None:
    saves = SAVES.get(strategy, "AB")
    of_third = [save for save in saves if save == "A" or moment == "③"]
    dead = dead_at(strategy, moment)
    kill = say("kill", label=f"{MOMENTS[moment]}:3")
    assert dead.log == [*FIRST_TWO[saves], *turn_lines(3, "write_report", "".join(of_third)), kill]
    assert dead.warnings == []


@pytest.mark.parametrize("strategy, moment", OF_RESUME)
def test_who_settles_a_call_says_what_it_read_what_it_did_and_that_the_turn_is_filled(
    strategy: str, moment: str
) -> None:
    log = resumed(strategy, moment).log
    read = say("resume", turn=3, name="write_report")
    assert log[:3] == [read, *OF_RESUME[strategy, moment], say("filled", turn=3)]
    assert not [line for line in log[3:] if line.startswith("[resume]")]


@pytest.mark.parametrize("strategy", [name for name in BY_HAND if name != "scratch"])
def test_with_nothing_pending_it_says_so_and_goes_on(strategy: str) -> None:
    assert resumed(strategy, "③").log == [
        say("resume", turn=3, name="null"),
        say("done") + "Reporte escrito en report.txt, tarea completa.",
    ]


def test_who_settles_nothing_says_only_what_it_read() -> None:
    assert resumed("naive", "②").log == [say("resume", turn=3, name="write_report")]
    assert resumed("b_only", "②").log[:2] == [say("resume", turn=2, name="null"), say("save_b", turn=3)]
    assert resumed("scratch", "②").log == [say("done") + "Reporte escrito en report.txt, tarea completa."]


def test_when_nobody_listens_they_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    def alone(client: Any, task: str, tools: Any, folder: Any, *, resume: bool) -> str:
        return STRATEGIES["blind"](client, task, tools, folder, resume=resume)

    end = play(dead_at("blind", "②").folder, resume=True, harness=alone)
    assert end.world.times("write_report") == 2 and len(end.log) == 1
    assert capsys.readouterr() == ("", "")
