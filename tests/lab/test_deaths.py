"""A death at each moment of each turn: what it leaves, here and in a real child, and which branch its resume takes."""

import json
from functools import cache
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab import without_ledger
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.deaths import AGAIN, AT, CALLS, NOTHING, REUSE, UNKNOWN, Bench, branch_of, is_read_only, look
from lesson_code.lab.scene import NothingHappened, Outcome, new_folder, play, play_for_real
from lesson_code.lab.tools import TASK
from tests.support import snapshot

pytestmark = pytest.mark.usefixtures("no_sync")
HARNESS = {True: run_agent, False: without_ledger.run_agent}
COMMAND = {True: "lesson_code.agent", False: "lesson_code.lab.without_ledger"}
DEATHS = [(ledger, moment, turn) for ledger in (True, False) for moment in "①②★③" for turn in (1, 2, 3)]
DEATHS = [death for death in DEATHS if death[0] or death[1] != "★"]
every_death = pytest.mark.parametrize("ledger, moment, turn", DEATHS)
SOME = [(True, "②", 3), (True, "★", 3), (False, "①", 1), (False, "②", 3), (False, "③", 2)]
BEFORE = {True: {"②": "①", "★": "②", "③": "★"}, False: {"②": "①", "③": "②"}}


@cache
def scene(ledger: bool, label: str) -> Outcome:
    """The same task, played by the laboratory's own `play`."""
    return play(new_folder(), label, harness=HARNESS[ledger])


def files(outcome: Outcome) -> dict[str, Any]:
    """All that is in the folder, but for the lock and the command's origin; the ledger without its times."""
    found = {name: data for name, data in snapshot(outcome.folder).items() if name not in (".lock", "origin.json")}
    if "effects.json" in found:
        effects = json.loads(found["effects.json"])
        found["effects.json"] = {key: {**entry, "at": 0} for key, entry in effects.items()}
    return found


def same(one: Outcome, other: Outcome) -> bool:
    told = [(outcome.log, outcome.warnings, outcome.exit_code) for outcome in (one, other)]
    return files(one) == files(other) and told[0] == told[1]


def test_a_bench_with_a_ledger_has_one_moment_more() -> None:
    assert (Bench().moments, Bench(ledger=False).moments) == (["①", "②", "★", "③"], ["①", "②", "③"])


@pytest.mark.parametrize("turn", CALLS)
def test_the_turns_of_the_task_are_those_that_its_run_really_has(turn: int) -> None:
    assert scene(True, "").world.calls()[turn - 1]["name"] == CALLS[turn]
    assert [*CALLS] == [1, 2, 3] and scene(True, "").checkpoint["turns"] == 3


@every_death
def test_a_death_leaves_what_a_scene_leaves(ledger: bool, moment: str, turn: int) -> None:
    dead = Bench(ledger).die(moment, turn)
    assert dead.exit_code == 137
    assert same(dead, scene(ledger, f"{MOMENTS[moment]}:{turn}"))
    assert dead.log[-1] == f"[kill] caída simulada en {MOMENTS[moment]}:{turn}"


@every_death
def test_the_moment_before_is_the_one_before_in_the_same_turn(ledger: bool, moment: str, turn: int) -> None:
    before = Bench(ledger).before(moment, turn)
    label = MOMENTS[BEFORE[ledger][moment]] if moment != "①" else "after-answer"
    assert same(before, scene(ledger, f"{label}:{turn}"))


@every_death
def test_a_resume_comes_to_the_end_of_a_scene_and_leaves_the_death_as_it_was(
    ledger: bool, moment: str, turn: int
) -> None:
    dead = Bench(ledger).die(moment, turn)
    before = snapshot(dead.folder)
    end = Bench(ledger).resume(dead)
    played = play(scene(ledger, f"{MOMENTS[moment]}:{turn}").folder, resume=True, harness=HARNESS[ledger])
    assert same(end, played) and end.exit_code == 0 and end.folder != dead.folder
    assert snapshot(dead.folder) == before
    assert end.world.times("write_report") == 1


@pytest.mark.parametrize("ledger", [True, False])
def test_a_simulated_death_is_the_same_to_the_byte_every_day(ledger: bool) -> None:
    bench = Bench(ledger)
    one, other = bench.die("③", 3), bench.die("③", 3)
    assert one.folder != other.folder and snapshot(one.folder) == snapshot(other.folder)
    assert snapshot(bench.resume(one).folder) == snapshot(bench.resume(other).folder)
    if ledger:
        assert {entry["at"] for entry in one.effects.values()} == {AT}
        assert {entry["at"] for entry in bench.resume(bench.die("①", 1)).effects.values()} == {AT}


@pytest.mark.parametrize("ledger, moment, turn", SOME)
def test_a_real_process_really_dies_and_leaves_the_same(ledger: bool, moment: str, turn: int) -> None:
    bench = Bench(ledger, real=True)
    dead = bench.die(moment, turn)
    label = f"{MOMENTS[moment]}:{turn}"
    assert dead.exit_code == 137
    assert same(dead, play_for_real(new_folder(), label, command=COMMAND[ledger]))
    assert same(dead, scene(ledger, label))
    assert AT not in {entry["at"] for entry in (dead.effects or {}).values()}  # its clock is the real one
    end = bench.resume(dead)
    assert same(end, Bench(ledger).resume(scene(ledger, label)))
    assert branch_of(dead, end) == expected(moment, turn)


@pytest.mark.parametrize("ledger, real", [(True, False), (True, True), (False, False), (False, True)])
def test_what_cannot_happen_is_an_error(ledger: bool, real: bool) -> None:
    bench = Bench(ledger, real)
    with pytest.raises(KeyError):
        bench.die("④", 3)
    with pytest.raises(NothingHappened, match="after-tool:4"):
        bench.die("②", 4)
    if not ledger:
        with pytest.raises(NothingHappened, match="after-effect-write:3"):
            bench.die("★", 3)


def test_what_is_seen_is_what_the_files_and_the_world_hold() -> None:
    for dead in (scene(True, "after-tool:3"), scene(True, "after-answer:1"), scene(False, "after-save-b:3")):
        seen = look(dead)
        effects = dead.folder / "effects.json"
        assert seen.checkpoint == json.loads((dead.folder / "checkpoint.json").read_bytes())
        assert seen.effects == (json.loads(effects.read_bytes()) if effects.exists() else None)
        lines = (dead.folder / "world.jsonl").read_text(encoding="utf-8").splitlines()
        assert seen.world == [line for line in map(json.loads, lines) if "done" in line]
    assert look(scene(True, "after-answer:1")).effects is None
    assert [effect["about"] for effect in look(scene(True, "after-tool:3")).world] == ["report.txt"]
    assert look(scene(True, "after-save-a:3")).world == []


def expected(moment: str, turn: int) -> str:
    """What the protocol says of a call that was open."""
    if moment in "①②":
        return UNKNOWN if turn == 3 else AGAIN
    return REUSE if moment == "★" else NOTHING


@every_death
def test_the_branch_is_the_one_that_the_resume_took(ledger: bool, moment: str, turn: int) -> None:
    dead = scene(ledger, f"{MOMENTS[moment]}:{turn}")
    assert branch_of(dead, Bench(ledger).resume(dead)) == expected(moment, turn)


def test_the_branch_of_another_call_is_none_of_this_one() -> None:
    end = Bench().resume(scene(True, "after-save-a:3"))
    assert branch_of(scene(True, "after-save-a:3"), end) == UNKNOWN
    assert branch_of(scene(True, "after-save-a:1"), end) == NOTHING
    assert branch_of(scene(True, "after-save-b:3"), end) == NOTHING


def test_a_branch_is_told_also_of_a_resume_that_died_in_its_turn() -> None:
    dead = scene(True, "after-tool:1")
    assert branch_of(dead, play(dead.folder, "resume-after-tool", resume=True)) == AGAIN


def test_a_resume_that_was_refused_took_no_branch_whatever_an_earlier_one_had_taken() -> None:
    again = play(scene(True, "after-tool:1").folder, "resume-after-tool", resume=True)
    (again.folder / "effects.json").write_bytes(b"{roto")
    end = Bench().resume(again)
    assert end.exit_code == 1 and branch_of(again, end) == NOTHING


def test_only_the_tool_of_the_third_turn_has_effects() -> None:
    assert [is_read_only(name) for name in CALLS.values()] == [True, True, False]
    assert scene(True, "").checkpoint["task"] == TASK
    assert not is_read_only("nada")
