"""The steps of a turn: each is looked for in the files and in the world that a death really left."""

import html
import os
import re
from functools import cache
from typing import Any

import pytest

from lesson_code.course.turn import TurnTimeline
from lesson_code.harness import run_agent
from lesson_code.lab import without_ledger
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.deaths import Bench
from lesson_code.lab.scene import Outcome, new_folder, new_place, play
from lesson_code.words import say
from tests.notebooks.guards import Markup, words_of

pytestmark = pytest.mark.usefixtures("no_sync")
LABELS = {"answer": "after-answer", **MOMENTS}
DEATHS = [(ledger, moment) for ledger in (True, False) for moment in ("answer", *"①②★③") if ledger or moment != "★"]
each_death = pytest.mark.parametrize("ledger, moment", DEATHS)
either = pytest.mark.parametrize("ledger", [True, False])
STEPS = {
    "answer": ("el modelo pide la llamada", say("turn_asks_where")),
    "①": ("guardar A: messages con la llamada, y la llamada en pendingToolUse", "checkpoint.json"),
    "②": ("la herramienta corre", "en el mundo"),
    "★": ("anotar la llamada y su resultado en el registro", "effects.json"),
    "③": ("guardar B: messages con el resultado, y pendingToolUse en null", "checkpoint.json"),
}
PLACES = {
    "answer": "con la respuesta del modelo recién llegada",
    "①": "① A guardado y la herramienta sin empezar",
    "②": "② la herramienta terminó y no hay nada más escrito",
    "★": "★ anotada en el registro y B sin guardar",
    "③": "③ B guardado",
}


@cache
def scene(ledger: bool, moment: str) -> Outcome:
    """The death in the third turn, played by the laboratory's `play`."""
    harness = run_agent if ledger else without_ledger.run_agent
    return play(new_folder(), f"{LABELS[moment]}:3", harness=harness)


@cache
def timeline(ledger: bool) -> TurnTimeline:
    return TurnTimeline(ledger=ledger)


def arrived(ledger: bool, moment: str) -> dict[str, bool]:
    """For each step, whether what it does is there after the death: read from the files."""
    dead = scene(ledger, moment)
    messages, pending = dead.checkpoint["messages"], dead.checkpoint["pendingToolUse"]
    calls = [block["id"] for message in messages for block in message["content"] if block_is(block, "tool_use")]
    results = [block["tool_use_id"] for m in messages for block in m["content"] if block_is(block, "tool_result")]
    found = {
        "answer": "toolu_03" in calls,
        "①": "toolu_03" in calls,
        "②": (dead.folder / "report.txt").exists(),
        "★": "toolu_03" in (dead.effects or {}),
        "③": "toolu_03" in results and pending is None,
    }
    return {step: there for step, there in found.items() if ledger or step != "★"}


def block_is(block: Any, kind: str) -> bool:
    return isinstance(block, dict) and block["type"] == kind


def word(step: str, arrives: bool) -> str:
    if arrives:
        return "llegó"
    return "se perdió" if step == "answer" else "no llegó"  # the answer did come, and nobody has it any more


def said(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def rows(markup: str) -> list[list[str]]:
    """The cells of each row of its table."""
    found = re.findall(r"<tr>.*?</tr>", markup)
    return [[said(cell).strip() for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row)] for row in found]


def made(action: Any) -> int:
    """How many folders the laboratory makes meanwhile: each run makes some."""
    before = len(list(new_place().parent.iterdir()))
    action()
    return len(list(new_place().parent.iterdir())) - before - 1


@each_death
def test_a_step_arrived_if_it_is_on_disk_or_in_the_world(ledger: bool, moment: str) -> None:
    mine, there = timeline(ledger), arrived(ledger, moment)
    mine.moment = moment
    state = mine.state()
    assert (state["moment"], state["exit_code"]) == (moment, scene(ledger, moment).exit_code) == (moment, 137)
    assert {step.moment: step.arrived for step in state["steps"]} == there
    assert [step.arrived for step in state["steps"]] == sorted(there.values(), reverse=True)  # and in this order
    died = [step.moment for step in state["steps"] if step.arrived][-1:] or ["answer"]
    assert died == [moment]


@each_death
def test_each_step_says_what_where_and_whether_and_the_death_stands_after_the_last_that_arrived(
    ledger: bool, moment: str
) -> None:
    mine, there = timeline(ledger), arrived(ledger, moment)
    mine.moment = moment
    head, *lines = rows(mine.line.value)
    assert head == ["paso", "¿llegó?", "dónde se ve", "después"]
    expected = []
    for step, arrives in there.items():
        after = ["" if step == "answer" else step, "aquí murió, con código 137" if step == moment else ""]
        expected.append([STEPS[step][0], word(step, arrives), STEPS[step][1], " ".join(after).strip()])
    assert lines == expected
    classes = re.findall(r'curso-(arrived|lost)">(?:llegó|no llegó|se perdió)<', mine.line.value)
    assert classes == ["arrived" if arrives else "lost" for arrives in there.values()]
    assert "El turno 3, paso a paso, con la llamada a write_report" in said(mine.line.value)
    assert said(mine.line.value).endswith("Lo que está solo en la memoria del proceso se pierde con él.")


@either
def test_it_opens_after_a_and_a_click_and_code_do_the_same(ledger: bool) -> None:
    clicked, coded = TurnTimeline(ledger=ledger), TurnTimeline(ledger=ledger)
    assert clicked.moment == "①" and clicked.line.value and clicked.trouble.value == ""
    options = dict(clicked.moments.options)
    assert options == {PLACES[moment]: moment for moment in PLACES if ledger or moment != "★"}
    clicked.moments.value = "②"
    coded.moment = "②"
    assert (clicked.state(), clicked.line.value) == (coded.state(), coded.line.value)
    assert clicked.line.value != TurnTimeline(ledger=ledger).line.value


@pytest.mark.parametrize("ledger, value", [(True, "④"), (True, None), (True, ""), (False, "★"), (True, 3)])
def test_a_moment_that_it_does_not_have_is_refused_in_spanish_and_changes_nothing(ledger: bool, value: Any) -> None:
    mine = TurnTimeline(ledger=ledger)
    before = mine.state(), mine.line.value
    with pytest.raises(ValueError, match=r"no es una de las opciones\. Son: answer, ①, ②"):
        mine.moment = value
    assert (mine.state(), mine.line.value, mine.trouble.value) == (*before, "")


def test_a_run_that_cannot_be_made_says_so_and_the_next_good_one_takes_that_away() -> None:
    mine, root = TurnTimeline(), new_place().parent
    os.rename(root, f"{root}-gone")
    try:
        with pytest.raises(FileNotFoundError):
            mine.moments.value = "③"
    finally:
        os.rename(f"{root}-gone", root)
    assert said(mine.trouble.value).startswith("Algo falló (FileNotFoundError: ")
    mine.moment = "★"
    assert mine.trouble.value == "" and mine.state()["steps"][3].arrived


def test_a_cell_that_runs_twice_leaves_one_handler_and_a_click_acts_once() -> None:
    first, second = TurnTimeline(), TurnTimeline()
    old, once = first.line.value, made(lambda: Bench().die("★", 3))
    assert made(lambda: setattr(second.moments, "value", "★")) == once > 0
    assert (first.moment, first.line.value) == ("①", old)


@either
def test_without_a_kernel_it_shows_every_step_in_every_death(ledger: bool) -> None:
    head, *lines = rows(TurnTimeline(ledger=ledger).static())
    moments = [moment for with_ledger, moment in DEATHS if with_ledger == ledger]
    assert head == ["paso", "dónde se ve", *(PLACES[moment] for moment in moments)]
    assert lines == [
        [*STEPS[step][:2], *(word(step, arrived(ledger, moment)[step]) for moment in moments)] for step in moments
    ]


@either
def test_as_text_it_says_every_step_in_every_death(ledger: bool) -> None:
    expected = ["El turno 3, paso a paso, con la llamada a write_report"]
    for moment in [moment for with_ledger, moment in DEATHS if with_ledger == ledger]:
        expected.append(f"{PLACES[moment]}:")
        for step, arrives in arrived(ledger, moment).items():
            expected.append(f"    {word(step, arrives)}: {STEPS[step][0]} ({STEPS[step][1]})")
    expected.append("Lo que está solo en la memoria del proceso se pierde con él.")
    assert TurnTimeline(ledger=ledger).plain().split("\n") == expected


@either
def test_what_stands_without_a_kernel_says_all_that_the_text_says_and_is_the_same_every_day(ledger: bool) -> None:
    one, other = TurnTimeline(ledger=ledger), TurnTimeline(ledger=ledger)
    other.moment = "③"
    static, plain = one.static(), one.plain()
    assert (static, plain) == (other.static(), other.plain()) == (one.static(), one.plain())
    kept = Markup(static)
    parts = [" ".join(words_of(part)) for part in re.split(r"[:()\n]", plain)]
    assert [part for part in parts if part not in " ".join(kept.words)] == [] and not kept.lost
    assert {*kept.words} == {*words_of(plain), "paso", "dónde", "ve"}
    assert new_place().parent.name not in static + plain
