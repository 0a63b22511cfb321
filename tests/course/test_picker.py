"""The crash picker: what it shows is what a scene really left; the reader chooses a branch before the end is run."""

import html
import json
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from lesson_code.course.death import die, told
from lesson_code.course.html import bare
from lesson_code.course.picker import CrashPicker
from lesson_code.harness import run_agent
from lesson_code.lab import without_ledger
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.deaths import Bench
from lesson_code.lab.scene import Outcome, new_folder, new_place, play, play_for_real
from lesson_code.words import say
from tests.course.shown import no_place_to_work, said, tables
from tests.notebooks.guards import Markup, words_of

pytestmark = pytest.mark.usefixtures("no_sync")
DEATHS = [(ledger, moment, turn) for ledger in (True, False) for turn in (1, 2, 3) for moment in "①②★③"]
DEATHS = [death for death in DEATHS if death[0] or death[1] != "★"]
every_death = pytest.mark.parametrize("ledger, moment, turn", DEATHS)
either = pytest.mark.parametrize("ledger", [True, False])
BRANCHES = {branch: bare(say(f"death_{branch}")) for branch in ("reuse", "again", "unknown", "nothing")}
BEFORE_A = "el instante anterior, antes de guardar A"
HEADS = ["muere en", "pendingToolUse", "¿anotada?", "reportes escritos al morir", "rama", "reportes escritos al final"]
READ = say("death_told")
WAITS, TROUBLE = "Corriendo un proceso de verdad…", "Algo falló (FileNotFoundError: "


@cache
def runs(ledger: bool, moment: str, turn: int) -> tuple[Outcome, Outcome]:
    """The death and its resume, played by the laboratory's `play`."""
    harness = run_agent if ledger else without_ledger.run_agent
    dead = play(new_folder(), f"{MOMENTS[moment]}:{turn}", harness=harness)
    return dead, play(dead.folder, resume=True, harness=harness)


@cache
def picker(ledger: bool) -> CrashPicker:
    """One for many tests, as one is for many clicks."""
    return CrashPicker(ledger=ledger)


def branch_of(moment: str, turn: int) -> str:
    """What the protocol says of a call that was open."""
    if moment in "①②":
        return "unknown" if turn == 3 else "again"
    return "reuse" if moment == "★" else "nothing"


def timeless(effects: Any) -> Any:
    return effects and {key: {**entry, "at": 0} for key, entry in effects.items()}


def folded_files(markup: str) -> dict[str, Any]:
    """The files that are folded below a table, but for the time of the entries."""
    folds = re.findall(r"<summary>(\S+), tal como está en disco</summary><pre>(.*?)</pre>", markup, re.DOTALL)
    found = {name: json.loads(html.unescape(raw)) for name, raw in folds}
    return {name: timeless(value) if name == "effects.json" else value for name, value in found.items()}


def on_disk(outcome: Outcome) -> dict[str, Any]:
    """The files that are there, but for the time of the entries."""
    found = {"checkpoint.json": outcome.checkpoint, "effects.json": timeless(outcome.effects)}
    return {name: value for name, value in found.items() if value is not None}


def holds(outcome: Outcome, *, ledger: bool) -> list[str]:
    """What the column «qué hay» must say, read from the files and the world."""
    found, pending = outcome.checkpoint, outcome.checkpoint["pendingToolUse"]
    call = f"{pending['name']} ({pending['id']})" if pending else "null"
    counters = f"turns {found['turns']} · tokensUsed {found['tokensUsed']} · messages {len(found['messages'])}"
    noted = " · ".join(f"{key} {entry['name']}" for key, entry in (outcome.effects or {}).items())
    done = " · ".join(f"{effect['name']} → {effect['about']}" for effect in outcome.world.effects())
    rows = [f"{counters} · pendingToolUse {call}", *([noted or "el archivo no existe"] if ledger else [])]
    return [*rows, done or "nada"]


def read_of(dead: Outcome, end: Outcome) -> str:
    """What the model read of the call that was pending, from the conversation that was saved."""
    pending = dead.checkpoint["pendingToolUse"]
    blocks = [block for message in end.checkpoint["messages"] for block in message["content"] if pending]
    (block,) = [block for block in blocks if isinstance(block, dict) and block.get("tool_use_id") == pending["id"]]
    return ("con is_error: " if block.get("is_error") else "") + block["content"]


def made(action: Callable[[], Any]) -> int:
    """How many folders the laboratory makes meanwhile: each run makes some."""
    before = len(list(new_place().parent.iterdir()))
    action()
    return len(list(new_place().parent.iterdir())) - before - 1


@either
def test_it_opens_on_the_second_moment_with_its_disk_no_branch_chosen_and_no_end(ledger: bool) -> None:
    opened = CrashPicker(ledger=ledger)
    assert (opened.moment, opened.turn, opened.real, opened.branch) == ("②", 3, False, None)
    assert folded_files(opened.disk.value) == on_disk(runs(ledger, "②", 3)[0])
    assert opened.end.value == "" and opened.trouble.value == "" and opened.state()["end"] is None
    offered = [[value for _, value in control.options] for control in (opened.moments, opened.turns, opened.branches)]
    assert offered == [[*("①②★③" if ledger else "①②③")], [1, 2, 3], [*BRANCHES][0 if ledger else 1 :]]


@every_death
def test_the_disk_and_the_world_are_those_that_a_scene_really_left(ledger: bool, moment: str, turn: int) -> None:
    mine, (dead, _) = picker(ledger), runs(ledger, moment, turn)
    mine.moment, mine.turn = moment, turn
    state, (table,) = mine.state(), tables(mine.disk.value)
    assert (state["moment"], state["turn"], state["real"]) == (moment, turn, False)
    assert (state["checkpoint"], timeless(state["effects"])) == (dead.checkpoint, timeless(dead.effects))
    assert (state["world"], state["log"], state["exit_code"]) == (dead.world.effects(), dead.log, 137)
    assert folded_files(mine.disk.value) == on_disk(dead)
    assert [row[1] for row in table[1:]] == holds(dead, ledger=ledger)
    assert [row[0] for row in table[1:]] == ["checkpoint.json", *(["effects.json"] if ledger else []), "el mundo"]
    before = {"①": BEFORE_A, "②": "①", "★": "②", "③": "★" if ledger else "②"}[moment]
    assert table[0] == ["dónde", "qué hay", f"comparado con {before}"]


@either
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_the_first_two_moments_have_the_same_files_and_only_the_world_tells_them_apart(ledger: bool, turn: int) -> None:
    mine = picker(ledger)
    mine.moment, mine.turn = "①", turn
    files, world = folded_files(mine.disk.value), mine.state()["world"]
    mine.moment = "②"
    (table,) = tables(mine.disk.value)
    assert folded_files(mine.disk.value) == files
    happened = "≠ distintoocurrió: write_report → report.txt" if turn == 3 else "= igual"
    assert [row[2] for row in table[1:]] == [*["= igual"] * (1 + ledger), happened]
    assert (world == mine.state()["world"]) == (turn != 3)


def test_a_click_and_code_do_the_same() -> None:
    clicked, coded = CrashPicker(), CrashPicker()
    clicked.moments.value, clicked.turns.value, clicked.branches.value = "★", 2, "again"
    clicked.button.click()
    coded.moment, coded.turn, coded.branch = "★", 2, "again"
    coded.resume()
    assert clicked.state() == coded.state() and clicked.state()["branch"] == "again"
    assert (clicked.disk.value, clicked.end.value) == (coded.disk.value, coded.end.value)
    coded.turn, coded.moment = 3, "②"
    assert (coded.disk.value, coded.end.value) == (CrashPicker().disk.value, "")


@either
def test_to_resume_without_a_branch_says_so_and_runs_nothing(ledger: bool) -> None:
    mine = CrashPicker(ledger=ledger)
    assert made(mine.button.click) == 0
    assert said(mine.end.value) == "Elige primero una rama; después, Reanudar."
    assert mine.state()["end"] is None


@every_death
def test_the_end_is_what_both_processes_said_and_left_beside_the_branch_that_was_chosen(
    ledger: bool, moment: str, turn: int
) -> None:
    mine, (dead, end), took = picker(ledger), runs(ledger, moment, turn), branch_of(moment, turn)
    mine.moment, mine.turn = moment, turn
    for _, chosen in mine.branches.options:
        mine.branch = chosen
        mine.button.click()
        fits, mark = ("coincide", "arrived") if chosen == took else ("no coincide", "changed")
        beside = f"Elegiste {BRANCHES[chosen]}. {fits} El arnés hizo esto: {BRANCHES[took]}."
        assert said(mine.end.value).startswith(beside) and f'curso-{mark}">{fits}<' in mine.end.value
        assert mine.state()["branch"] == chosen
    times = bare(say("death_times", name="write_report", times=end.world.times("write_report")))
    assert times in said(mine.end.value) and "terminó con código 0" in said(mine.end.value)
    assert f"<pre>{html.escape(chr(10).join([*dead.log, *end.log]))}</pre>" in mine.end.value
    if moment != "③":
        assert f"{READ}{read_of(dead, end)}" in said(mine.end.value)
    assert (READ in said(mine.end.value)) == (moment != "③")
    (table,) = tables(mine.end.value)
    assert [row[1] for row in table[1:]] == holds(end, ledger=ledger) and table[0][2] == f"comparado con {moment}"
    assert folded_files(mine.end.value) == on_disk(end)
    state = mine.state()["end"]
    assert (state["branch"], state["times"], state["log"]) == (took, end.world.times("write_report"), end.log)
    assert (state["checkpoint"], timeless(state["effects"])) == (end.checkpoint, timeless(end.effects))
    assert state["world"] == end.world.effects()


@pytest.mark.parametrize(
    "name, value, branch", [("moment", "①", None), ("turn", 1, None), ("branch", "again", "again")]
)
def test_another_death_or_another_branch_takes_the_end_away(name: str, value: Any, branch: str | None) -> None:
    mine = CrashPicker()
    mine.branch = "unknown"
    mine.resume()
    assert mine.end.value and mine.state()["end"]
    setattr(mine, name, value)
    assert (mine.branch, mine.end.value, mine.state()["end"]) == (branch, "", None)


def test_until_a_real_run_has_died_nothing_can_be_chosen_or_resumed() -> None:
    mine, seen = CrashPicker(), []
    mine.real = True
    mine.disk.observe(lambda _: seen.append((mine.branches.disabled, mine.button.disabled)), "value")
    mine.moment = "①"
    assert seen == [(True, True), (True, True)] and (mine.branches.disabled, mine.button.disabled) == (False, False)
    with no_place_to_work(), pytest.raises(FileNotFoundError):
        mine.moment = "③"
    assert (mine.branches.disabled, mine.button.disabled) == (True, True)


def test_after_a_pick_that_failed_there_is_nothing_to_see_or_to_resume() -> None:
    mine = CrashPicker()
    with no_place_to_work(), pytest.raises(FileNotFoundError):
        mine.turn = 1
    picked = {"moment": "②", "turn": 1, "real": False, "branch": None}
    assert (mine.disk.value, mine.state()) == ("", {**picked, "end": None})
    assert "no existe" in mine.trouble.value and new_place().parent.name not in mine.trouble.value
    mine.branch = "again"
    mine.resume()
    assert "no hay nada que reanudar" in mine.end.value
    mine.moment = "①"
    assert mine.state()["checkpoint"]["turns"] == 1 and not mine.button.disabled


def test_a_resume_that_is_refused_shows_why() -> None:
    mine = CrashPicker()
    path = mine._death.left.folder / "checkpoint.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 1', '"version": 2'), encoding="utf-8")
    mine.branch = "unknown"
    mine.resume()
    assert mine.state()["end"]["exit_code"] == 1 and "solo conoce version=1" in mine.end.value


WRONG = [("moment", "④"), ("moment", ""), ("moment", None), ("turn", 0), ("turn", 4), ("turn", "3"), ("turn", [3])]
WRONG += [("branch", "nada"), ("branch", None), ("real", "sí"), ("real", None)]
WRONG = [(True, *wrong) for wrong in WRONG] + [(False, "moment", "★"), (False, "branch", "reuse")]


@pytest.mark.parametrize("ledger, name, value", WRONG)
def test_a_value_that_is_no_option_is_refused_in_spanish_and_changes_nothing(
    ledger: bool, name: str, value: Any
) -> None:
    mine = CrashPicker(ledger=ledger)
    before = mine.state(), mine.disk.value, mine.end.value, mine.trouble.value
    with pytest.raises(ValueError) as raised:
        setattr(mine, name, value)
    assert re.fullmatch(r".* no es una de las opciones\. Son: .+\.", str(raised.value))
    assert (mine.state(), mine.disk.value, mine.end.value, mine.trouble.value) == before


def test_a_run_that_cannot_be_made_says_so_and_the_next_good_one_takes_that_away(
    caplog: pytest.LogCaptureFixture,
) -> None:
    mine = CrashPicker()
    with no_place_to_work(), pytest.raises(FileNotFoundError):
        mine.moment = "①"
    assert said(mine.trouble.value).startswith(TROUBLE)
    mine.moment = "★"
    assert mine.trouble.value == "" and mine.state()["effects"].keys() == {"toolu_01", "toolu_02", "toolu_03"}
    mine.branch = "reuse"
    with no_place_to_work():
        mine.button.click()  # ipywidgets logs what a click raises; in a kernel it is an error of the cell
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [FileNotFoundError]
    assert said(mine.trouble.value).startswith(TROUBLE) and mine.state()["end"] is None
    mine.button.click()
    assert mine.trouble.value == "" and mine.state()["end"]["branch"] == "reuse"


def test_a_cell_that_runs_twice_leaves_one_handler_and_a_click_acts_once() -> None:
    first = CrashPicker()
    second, old = CrashPicker(), first.disk.value
    once = made(lambda: told(die(Bench(), "★", 3)))
    assert made(lambda: setattr(second.moments, "value", "★")) == once > 0
    second.branch = "reuse"
    assert made(second.button.click) == 1  # a resume plays in one copy
    assert (first.moment, first.branch, first.disk.value, first.end.value) == ("②", None, old, "")


# A real process


@pytest.mark.parametrize("ledger, moment, turn", [(True, "★", 3), (False, "②", 3)])
def test_a_real_process_really_dies_and_leaves_the_same_but_for_the_clock(ledger: bool, moment: str, turn: int) -> None:
    mine, shown = CrashPicker(ledger=ledger), []
    mine.moment, mine.turn = moment, turn
    simulated, table, command = mine.state(), tables(mine.disk.value), "agent" if ledger else "lab.without_ledger"
    for place in (mine.disk, mine.end):
        place.observe(lambda change: shown.append(said(change["new"])), "value")
    mine.real = True
    real = play_for_real(new_folder(), f"{MOMENTS[moment]}:{turn}", command=f"lesson_code.{command}")
    end = play_for_real(real.folder, resume=True, command=f"lesson_code.{command}")
    state = mine.state()
    assert (state["exit_code"], state["log"]) == (real.exit_code, real.log) == (137, simulated["log"])
    assert folded_files(mine.disk.value) == on_disk(real) and tables(mine.disk.value) == table
    assert state["world"] == real.world.effects() == simulated["world"]
    assert all(abs(entry["at"] - time.time() * 1000) < 60_000 for entry in (state["effects"] or {}).values())
    mine.branch = branch_of(moment, turn)
    mine.button.click()
    assert [shown[0], shown[2]] == [WAITS, WAITS] and len(shown) == 4  # each is shown before it is run
    assert mine.state()["end"]["log"] == end.log and mine.state()["end"]["branch"] == mine.branch
    assert folded_files(mine.end.value) == on_disk(end)
    mine.real = False
    assert (mine.state(), mine.end.value) == (simulated, "")


def test_a_process_that_cannot_be_started_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = CrashPicker()
    monkeypatch.setattr(sys, "executable", "no-hay-ningún-python-aquí")
    with pytest.raises(FileNotFoundError):
        mine.ways.value = True
    assert said(mine.trouble.value).startswith(TROUBLE)
    mine.ways.value = False
    assert mine.trouble.value == ""


# Without a kernel


def row_of(ledger: bool, moment: str, turn: int) -> list[str]:
    """A row of the table of every moment, read from the two runs."""
    dead, end = runs(ledger, moment, turn)
    pending = dead.checkpoint["pendingToolUse"]
    times = [str(outcome.world.times("write_report")) for outcome in (dead, end)]
    noted = ["sí" if f"toolu_0{turn}" in (dead.effects or {}) else "no"] if ledger else []
    where = [f"turno {turn}, {moment}", pending["name"] if pending else "null"]
    return [*where, *noted, times[0], BRANCHES[branch_of(moment, turn)], times[1]]


@either
def test_without_a_kernel_it_shows_how_it_opens_its_end_and_every_moment_of_every_turn(ledger: bool) -> None:
    mine, (dead, end) = CrashPicker(ledger=ledger), runs(ledger, "②", 3)
    static, disk = mine.static(), mine.disk.value
    mine.branch = "unknown"
    mine.resume()
    every = [row_of(*death) for death in DEATHS if death[0] == ledger]
    every.insert(0, [head for head in HEADS if ledger or head != "¿anotada?"])
    assert tables(static) == [*tables(disk), *tables(mine.end.value), every]
    assert folded_files(static[: static.index("La rama y el final")]) == on_disk(dead)
    assert folded_files(static) == on_disk(end)  # the later of each name
    assert f"<pre>{html.escape(chr(10).join([*dead.log, *end.log]))}</pre>" in static
    assert "<code>null</code>" in static and "Elegiste" not in static  # nobody has chosen there
    assert mine.plain().split("\n")[-len(every) :] == [" · ".join(row) for row in every]


@either
def test_what_stands_without_a_kernel_says_all_that_the_text_says_and_is_the_same_every_day(ledger: bool) -> None:
    one, other = CrashPicker(ledger=ledger), CrashPicker(ledger=ledger)
    other.moment, other.branch = "③", "again"
    other.resume()
    static, plain = one.static(), one.plain()
    assert (static, plain) == (other.static(), other.plain()) == (one.static(), one.plain())
    kept = " ".join(Markup(static).words)
    parts = [" ".join(words_of(part)) for part in re.split(r"[:·\n]", plain)]
    assert [part for part in parts if part not in kept] == [] and not Markup(static).lost
    assert new_place().parent.name not in static + plain
    for sentence in ("El proceso murió en ② del turno 3, con código 137.", "No ve si el efecto ocurrió.", "is_error"):
        assert sentence in plain
    dead, end = runs(ledger, "②", 3)
    assert f"{READ}\n{read_of(dead, end)}" in plain
    assert "\n".join(end.log) in plain and not re.search(r"[`*<>]", plain)
