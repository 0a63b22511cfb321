"""Each kind of widget: a cell that shows one, how it is worked, and what is then read.

To add a kind, add it to `KINDS`: its name is looked for in the cells of the lessons.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lesson_code.course.death import MOMENTS, call_named
from lesson_code.course.exercises.kinds import Task
from lesson_code.course.exercises.tasks import tasks
from lesson_code.course.html import bare
from lesson_code.words import exercise, gate, say

ANY = "¤"  # in the place of a field that a test does not know
Words = str | re.Pattern[str]


@dataclass(frozen=True)
class Deed:
    """What is done to a control: its role, its name as it is read, and all that the widget must then show.

    `within` is the title of its group, where several controls have the same name; `types` is what is written there.
    """

    role: str
    name: Words
    shows: tuple[Words, ...] = ()
    within: str = ""
    types: str = ""


Deeds = tuple[Deed, ...]


@dataclass(frozen=True)
class Kind:
    """`example` is the source of a cell; `deeds` makes, from such a source and its widget, what is to be done there.

    The last deed of each of `rounds` is timed, again and again in turn: each must show what the others do not.
    """

    example: str
    deeds: Callable[[str, Any], Deeds]
    rounds: tuple[Deeds, ...] = ()


def said(key: str, **fields: object) -> Words:
    """A sentence as it is read, or a pattern of it, where a field may be ANY."""
    words = bare(say(key, **fields))
    return re.compile(".*?".join(map(re.escape, words.split(ANY)))) if ANY in words else words


def radio(key: str, *shows: Words, within: str = "") -> Deed:
    return Deed("radio", bare(say(key)), shows, within)


def button(key: str, *shows: Words) -> Deed:
    return Deed("button", say(key), shows)


def bet(source: str, _: Any, chosen: int = -1) -> Deeds:
    """Choose an option and reveal: every option has its reason, and the chosen one its mark."""
    key = re.search(r'Gate\("(\w+)"\)', source)
    assert key, f"no gate in: {source}"
    _, options = gate(key[1])
    reasons = [f"{bare(option)} {bare(why)}" for option, why in options]
    reasons[chosen] += f" {say('gate_chosen')}"
    return Deed("radio", bare(options[chosen][0])), button("gate_reveal", *reasons)


def dies(moment: str, turn: int = 3, picked: str = "") -> Deed:
    """Pick the moment or, where another control is `picked`, that one: the run then died there."""
    caption = said("death_caption", moment=moment, turn=turn, code=137)
    return Deed("radio", picked or bare(say(MOMENTS[moment])), (caption,))


def die_and_resume(source: str, _: Any) -> Deeds:
    """Another moment, another turn; then a real process, whose branch is chosen before it is resumed."""
    reads, writes = (bare(call_named(turn)) for turn in (1, 3))
    picks = dies("③"), dies("③", 1, reads), dies("①", 1), dies("①", 3, writes), radio("picker_real"), dies("②")
    end = said("death_it", branch=say("death_unknown")), said("death_log"), say("death_fits")
    return *picks, radio("death_unknown"), button("picker_resume", *end)


def predict_and_run(source: str, box: Any) -> Deeds:
    """Predict each moment of the row that is asked for, run it, and read the story of its first cell."""
    guess = re.compile(say("tablero_guess", moment=".+"))
    box.locator(".curso-question", has_text=guess).first.wait_for()  # the front end draws one control after the other
    titles = box.locator(".curso-question").all_inner_texts()
    asked = [title for title in titles if guess.fullmatch(title)]
    guesses, ran = (radio("tablero_once", within=title) for title in asked), said("tablero_dies", moment=ANY)
    return *guesses, button("tablero_run", ran), Deed("radio", ran, (said("tablero_world", times=ANY),))


def die_in_a_turn(source: str, box: Any) -> Deeds:
    """Each moment in turn, but for those that this harness does not have."""
    moments = [moment for moment, key in MOMENTS.items() if box.get_by_role("radio", name=say(key)).count()]
    return tuple(radio(MOMENTS[moment], f"{moment} {said('turn_dead', code=137)}") for moment in moments)


def step_through(source: str, _: Any) -> Deeds:
    """A step on, a step back, and one by its name."""
    steps = [said("writes_step", step=number, of=ANY) for number in (1, 2, 3)]
    third = Deed("radio", said("writes_after", number=3, step=ANY), (steps[2],))
    return button("writes_next", steps[1]), button("writes_previous", steps[0]), third


def rewind_and_fork(source: str, _: Any) -> Deeds:
    """Rewind, having read what that does not undo; fork, go on there, and start over."""
    return (
        Deed("radio", said("lines_node", turn=2, call=ANY)),
        button("lines_rewind", said("lines_asks", turn=2)),
        button("lines_accept", said("lines_rewound", name=ANY, turn=2)),
        button("lines_do_fork", said("lines_forked", name=ANY, turn=2, parent=ANY)),
        Deed("button", said("lines_go_on", name=ANY, turn=ANY), (said("lines_went_on", name=ANY),)),
        button("lines_start_over", said("lines_started_over", name=ANY)),
    )


def fill_in(source: str, _: Any) -> Deeds:
    """Choose an option of the first question, and have the form checked: once, and again to see what the run says."""
    task, words = task_of(source)
    first, *others = task.form or {}
    option = (task.form or {})[first][0]
    accepted = task.measure()[first] if task.measure else ()
    run, mark = (option, "ex_same") if option in accepted else (accepted[0], "ex_other")
    asked, chosen, says = (bare(words[kind][name]) for kind, name in _named(first, option, run))
    left = f"{say('ex_unanswered')}: {bare(words['fields'][others[0]])}"
    check = button("ex_do_check", say("ex_compared"), left)
    return Deed("radio", chosen, within=asked), check, button("ex_do_check", f"{asked}{chosen}{says}{say(mark)}")


def _named(field: str, *options: str) -> list[tuple[str, str]]:
    return [("fields", field), *(("options", option) for option in options)]


def write_and_tick(source: str, _: Any) -> Deeds:
    """Write, compare with the model answer, tick, and take the tick back; nothing where all is checked by running."""
    task, words = task_of(source)
    own = next((each.id for each in task.criteria if each.is_own), None)
    if own is None:
        return ()
    asked = bare(words["criteria"][own])
    model = f"{say('ex_model')} {bare(words['model'][own])}"
    ticks = (Deed("checkbox", say("ex_tick"), (f"{say(mark)} · {asked}",), asked) for mark in ("ex_ticked", "ex_own"))
    return (
        Deed("textbox", say("ex_yours"), within=asked, types="Porque A ya estaba en disco."),
        Deed("button", say("ex_compare"), (model,), asked),
        *ticks,
    )


def task_of(source: str) -> tuple[Task, dict[str, Any]]:
    """The exercise of a cell with this source, and its words."""
    number = re.search(r'exercise\("(\d\.\d)"\)', source)
    assert number, f"no exercise in: {source}"
    return tasks()[number[1]], exercise(number[1])


GATE = 'from lesson_code.course.gate import Gate\nGate("who_runs_the_tool")'
PICKER = "from lesson_code.course.picker import CrashPicker\nCrashPicker()"
BOARD = 'from lesson_code.course.tablero import Tablero\nTablero("naive", "lesson")'
TURN = "from lesson_code.course.turn import TurnTimeline\nTurnTimeline()"
WRITES = """from lesson_code.course.writes import WriteExplorer
from lesson_code.lab.disk import example, explore
WriteExplorer(explore(old=example(1), new=example(2)))"""
LINES = """from lesson_code.course.lines import TimelineTree
from lesson_code.lab.offers import outside, work
from lesson_code.lab.scene import new_folder
offers = new_folder()
work(offers, 10)
TimelineTree(offers, outside(offers), lambda place: work(place, 10, resume=True))"""

FORM = 'from lesson_code.course.exercises import exercise\nexercise("3.1").form()'
CRITERIA = 'from lesson_code.course.exercises import exercise\nexercise("3.2").criteria()'

KINDS = {
    "Gate": Kind(GATE, bet, rounds=(bet(GATE, None, 0), bet(GATE, None, 1))),
    "CrashPicker": Kind(PICKER, die_and_resume, rounds=((dies("①"),), (dies("②"),), (dies("③"),))),
    "Tablero": Kind(BOARD, predict_and_run),
    "TurnTimeline": Kind(TURN, die_in_a_turn),
    "WriteExplorer": Kind(WRITES, step_through),
    "TimelineTree": Kind(LINES, rewind_and_fork),
    "form": Kind(FORM, fill_in),
    "criteria": Kind(CRITERIA, write_and_tick),
}


def kind_of(source: str) -> Kind:
    """The kind of the widget that a cell with this source shows."""
    names = [name for name in KINDS if re.search(rf"\b{name}\(", source)]
    assert len(names) == 1, f"tests/browser/kinds.py does not say how this is worked: {source}"
    return KINDS[names[0]]
