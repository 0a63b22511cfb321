"""The verdict: a table that fits on a screen, the smallest case of each fault, and what to read."""

import json
import re
from itertools import permutations
from typing import Any

import pytest

from lesson_code.lab.attempt import Case, Setting
from lesson_code.lab.broken import a_before_push, b_only
from lesson_code.lab.crash import AT_END, IN_RESUME, IN_TURN
from lesson_code.lab.judge import LIES, Fault, Row
from lesson_code.lab.orders import KINDS
from lesson_code.lab.simulated import explore
from lesson_code.lab.strategy import Strategy
from lesson_code.lab.verdict import (
    MOMENTS,
    ONLY_INSIDE,
    READING,
    Verdict,
    line_of,
    moment_of,
    reading,
    said,
    sentence,
    size_of,
)
from lesson_code.words import say
from tests.support import ROOT

NAME = "mi.modulo:arnes"


def row(case: str, *faults: str, **more: Any) -> Row:
    """A row of this case, with faults that are `key` or `key detail`."""
    found = tuple(Fault(*fault.split(" ", 1)) for fault in faults)
    fields = {"effects": 3, "accepted": True, "truthful": True, "turns": 3, "tokens": 1080, "answer": "fin", "left": ()}
    return Row(case=Case.parse(case), faults=found, **{**fields, **more})


def verdict(*rows: Row, passed: str = "") -> Verdict:
    return Verdict(NAME, list(rows), set(passed.split()))


def cells(of: Verdict) -> dict[str, list[str]]:
    """The table: the cells of each line."""
    found = {}
    for moment, line in zip(MOMENTS, of.table()[1:], strict=False):
        words = say(f"moment_{moment}")
        assert line.startswith(words + "  ")
        found[moment] = re.split(r" {2,}", line.removeprefix(words).strip())
    return found


GOLDEN = """\
el proceso muere                                  corridas      fallan
no muere                                                 1           0
con la respuesta, antes de guardar A            no avisado
en ①, al entrar en la herramienta                        1           0
en ②, con el efecto hecho                                3           2
en ★, anotado y sin guardar B                            1           0
en ③, al preguntar otra vez al modelo           no medible
con la tarea terminada                          no medible
mientras escribe un archivo                     sin probar
dos veces: otra al reanudar                     sin probar
no avisado: el arnés no llama a crash_point en ese momento
no medible: desde fuera no se ve
sin probar: este ataque no lo incluye

Con una herramienta que agrega una línea y un modelo que mira antes de repetir, si el proceso muere en ②, con el \
efecto hecho (tool-done:2), el pedido p02 se entrega más de una vez y nadie le dijo al modelo que eso podía pasar.
  Para repetirlo: python -m lesson_code.lab.attack mi.modulo:arnes --case appending/tool-done:2
  Qué leer: lección 4, «1. Al menos una vez».

No se sostiene: de 6 corridas fallan 2."""


def test_the_table_and_the_sentences_are_these() -> None:
    found = verdict(
        row("appending"),
        row("appending/tool-entered:2"),
        row("appending/tool-done:3", "doubled p03"),
        row("appending/tool-done:2", "doubled p02", "untold toolu_02"),
        row("appending/after-tool:1"),
        row("appending/after-effect-write:2"),
        passed="tool-entered tool-done after-effect-write write",
    )
    assert str(found) == GOLDEN
    assert not found.holds


def test_the_columns_of_the_table_are_straight_and_nothing_trails() -> None:
    text = str(verdict(row("appending"), row("appending/tool-done:2", "lost p02"), passed="write"))
    table = text.splitlines()[: len(MOMENTS) + 1]
    assert {len(line) for line in table} == {70, 58} and all(line == line.rstrip() for line in text.splitlines())
    assert all(line[:47].rstrip() == line[:46].rstrip() for line in table)


def test_what_holds_says_so_and_nothing_else() -> None:
    found = verdict(row("appending"), row("appending/tool-done:2"))
    assert found.holds and found.sentences() == [] and list(found.smallest()) == []
    assert str(found).splitlines()[-2:] == ["", "Se sostiene: no falla ninguna de las 2 corridas."]


def test_one_row_that_falls_is_enough() -> None:
    assert not verdict(row("appending"), row("appending/tool-done:2", "lost p02"), row("raising")).holds


# The lines


def test_every_row_is_in_one_line() -> None:
    names = {
        "never": ["appending"],
        "answer": ["appending/after-answer:3"],
        "entered": ["appending/tool-entered:3", "appending/after-save-a:3", "twice/hasty/kill/tool-entered:1"],
        "done": ["appending/tool-done:3", "appending/after-tool:3"],
        "noted": ["appending/after-effect-write:3"],
        "next": ["appending/next-request:3", "appending/after-save-b:3"],
        "ended": ["appending/after-save-end", "appending/returned"],
        "write": ["appending/write:3.1"],
        "twice": ["appending/tool-done:3/tool-done:3", "appending/tool-done:1/write:1.1/write:1.1"],
    }
    for moment, cases in names.items():
        assert [moment_of(Case.parse(case)) for case in cases] == [moment] * len(cases)
    rows = [row(case, *(["lost"] if "3" in case else [])) for cases in names.values() for case in cases]
    lines = verdict(*rows).lines
    assert [line.moment for line in lines] == list(names) == list(MOMENTS)
    assert [[str(row.case) for row in line.rows] for line in lines] == list(names.values())
    assert [[str(row.case) for row in line.falls] for line in lines] == [
        [case for case in cases if "3" in case] for cases in names.values()
    ]


def test_every_moment_has_a_line_and_those_of_a_resume_are_in_the_last() -> None:
    inside = [*(f"{name}:1" for name in IN_TURN), AT_END]
    outside = ["tool-entered:1", "tool-done:1", "next-request:1", "returned", "write:1.1"]
    assert "twice" not in map(line_of, [*inside, *outside]) and "never" not in map(line_of, [*inside, *outside])
    assert {line_of(label) for label in IN_RESUME} == {"twice"}
    assert set(map(line_of, [*inside, *outside])) == set(MOMENTS) - {"never", "twice"}


UNMEASURED, ABSENT, UNTRIED = ["no medible"], ["no avisado"], ["sin probar"]


def test_a_moment_that_only_the_harness_knows_is_not_measurable_when_it_names_none() -> None:
    found = cells(
        verdict(row("appending"), row("appending/tool-done:2"), passed="tool-entered tool-done next-request returned")
    )
    assert found == {
        "never": ["1", "0"],
        "answer": UNMEASURED,
        "entered": UNTRIED,
        "done": ["1", "0"],
        "noted": UNMEASURED,
        "next": UNTRIED,
        "ended": UNTRIED,
        "write": UNMEASURED,
        "twice": UNTRIED,
    }


@pytest.mark.parametrize("named", ["after-answer", "after-effect-write"])
def test_a_moment_that_a_harness_which_names_its_own_never_passes_does_not_exist(named: str) -> None:
    found = cells(verdict(row("appending"), passed=f"tool-entered tool-done next-request {named}"))
    for moment in ONLY_INSIDE:
        assert found[moment] == (UNTRIED if named in MOMENTS[moment] else ABSENT)
    assert found["write"] == UNMEASURED


def test_a_harness_that_names_only_what_is_seen_from_outside_too_could_have_named_the_rest() -> None:
    found = cells(verdict(row("appending"), passed="after-save-a after-tool after-save-b"))
    assert [found[moment] for moment in ONLY_INSIDE] == [ABSENT] * 2
    assert [found[moment] for moment in ("entered", "done", "next")] == [UNTRIED] * 3


def test_a_moment_that_was_passed_and_not_tried_says_so() -> None:
    found = cells(verdict(row("appending"), passed="write tool-done"))
    assert (found["write"], found["done"], found["entered"]) == (UNTRIED, UNTRIED, UNMEASURED)
    assert [found[moment] for moment in ONLY_INSIDE] == [UNMEASURED] * 2


def test_an_attack_that_did_not_include_the_run_without_deaths_says_so() -> None:
    found = cells(verdict(row("appending/tool-done:2"), passed="tool-done"))
    assert (found["never"], found["twice"], found["done"]) == (UNTRIED, UNTRIED, ["1", "0"])


def test_simulated_nobody_dies_while_writing() -> None:
    for simulated, told in ((True, UNTRIED), (False, UNMEASURED)):
        found = cells(Verdict(NAME, [row("appending")], set(), simulated=simulated))
        assert (found["write"], found["entered"]) == (told, UNMEASURED)


def test_only_the_words_that_the_table_uses_are_explained() -> None:
    def legend(of: Verdict) -> list[str]:
        return [line.split(":")[0] for line in of.table()[len(MOMENTS) + 1 : -1]]

    assert legend(verdict(row("appending"), passed="write")) == ["no medible", "sin probar"]
    assert legend(verdict(row("appending"), passed="write after-answer")) == ["sin probar", "no medible", "no avisado"]
    full = [
        row(f"appending/{label}") for label in ("after-answer:1", "tool-entered:1", "tool-done:1", "next-request:1")
    ]
    more = [
        row(f"appending/{label}") for label in ("after-effect-write:1", "returned", "write:1.1", "returned/returned")
    ]
    assert legend(verdict(row("appending"), *full, *more)) == []


def test_of_one_case_there_is_no_table() -> None:
    assert str(verdict(row("appending/tool-done:2"))) == "Este caso se sostiene."
    fallen = verdict(row("appending/tool-done:2", "lost p02"))
    assert str(fallen) == f"{fallen.sentences()[0]}\n\nEste caso falla."


def test_a_notebook_shows_the_same_text() -> None:
    found = verdict(row("appending"), row("appending/tool-done:2", "lost p02"))
    assert repr(found) == str(found)


# The smallest case


def chosen(*rows: Row) -> list[str]:
    return [str(row.case) for row in verdict(*rows).smallest()]


SIZES = [
    "appending",
    "twice",
    "twice/same-ids",
    "appending/hasty",
    "read_only/tool-done:3",
    "appending/after-tool:1",
    "appending/tool-done:1",
    "appending/tool-done:2",
    "appending/tool-done:10",
    "overwriting/tool-entered:1",
    "overwriting/tool-entered:2",
    "overwriting/tool-done:1",
    "overwriting/after-effect-write:1",
    "overwriting/after-save-b:1",
    "overwriting/next-request:1",
    "overwriting/same-ids/tool-entered:1",
    "unserialisable/tool-done:1",
    "read_only/kill/tool-done:1",
    "read_only/hasty/tool-done:1",
    "read_only/hasty/kill/tool-done:1",
    "read_only/tool-done:1/tool-done:1",
    "read_only/tool-done:1/tool-done:2",
    "read_only/tool-done:2/tool-done:1",
    "read_only/tool-done:1/tool-done:1/tool-done:1",
]


def test_the_smallest_has_fewest_deaths_a_careful_model_a_plain_tool_and_an_early_moment() -> None:
    rows = [row(case, "lost p01") for case in SIZES]
    backwards = rows[::-1]
    assert [str(each.case) for each in sorted(backwards, key=size_of)] == SIZES
    for start in range(len(rows)):
        assert chosen(*rows[:start:-1], rows[start]) == [SIZES[start]]


def test_the_order_in_which_rows_come_does_not_matter() -> None:
    rows = [row(case, "lost p01") for case in SIZES[4:8]]
    assert {tuple(chosen(*some)) for some in permutations(rows)} == {(SIZES[4],)}


def test_each_fault_is_shown_once_the_plainest_first() -> None:
    rows = [
        row("appending/tool-done:2/tool-done:2", "hangs"),
        row("appending/tool-done:3", "doubled p03"),
        row("appending/tool-done:2", "doubled p02", "lost p09"),
        row("appending/tool-entered:2", "refused"),
        row("appending/hasty/tool-done:1", "doubled p01"),
        row("appending/tool-done:1"),
    ]
    assert chosen(*rows) == [
        "appending/tool-entered:2",
        "appending/tool-done:2",
        "appending/tool-done:2/tool-done:2",
    ]
    assert len(verdict(*rows).sentences()) == 3


def test_a_harness_that_falls_in_many_rows_is_told_in_the_plainest(no_sync: None) -> None:
    rows = explore(b_only.run_agent, [Setting(), Setting(hasty=True)], lambda case: len(case.deaths) < 2)
    found = Verdict(NAME, list(rows), set())
    assert sum(bool(row.faults) for row in found.rows) > 10
    assert [str(row.case) for row in found.smallest()] == ["appending/after-tool:1"]


# In words


def test_a_sentence_says_what_died_where_what_is_wrong_how_to_repeat_it_and_what_to_read() -> None:
    case = "twice/hasty/same-ids/kill/tool-done:3/resume-after-reconcile"
    assert sentence(row(case, "untold toolu_03", "lost p02"), NAME) == (
        "Con una herramienta llamada dos veces con la misma entrada y un modelo que repite sin mirar, si el proceso "
        "muere en ②, con el efecto hecho (tool-done:3) y después al reanudar "
        "(resume-after-reconcile), la llamada toolu_03 tuvo su efecto y al modelo no se le cuenta nunca.\n"
        f"  Para repetirlo: python -m lesson_code.lab.attack {NAME} --case {case}\n"
        "  Qué leer: lección 4, «1. Al menos una vez»."
    )
    alive = sentence(row("read_only", "answer no sé"), NAME)
    assert ", aunque el proceso no muera, la respuesta final no es la de una corrida sin caídas (no sé).\n" in alive


def test_a_function_of_a_notebook_is_attacked_again_where_it_is() -> None:
    told = sentence(row("appending/tool-done:2", "lost p02"), "__main__:mi_arnes")
    assert '\n  Para repetirlo: attack(mi_arnes, case="appending/tool-done:2")\n' in told


@pytest.mark.parametrize("case", SIZES)
def test_the_command_of_a_sentence_names_the_case_that_falls(case: str) -> None:
    told = sentence(row(case, "lost p01"), NAME)
    command = re.search(r"python -m lesson_code\.lab\.attack (\S+) --case (\S+)\n", told)
    assert command and command[1] == NAME and Case.parse(command[2]) == row(case).case


def test_what_a_harness_said_stays_on_one_line_and_is_cut() -> None:
    told = sentence(row("appending/tool-done:2", "raised E: a\nQué leer: nada\u2028" + "x" * 5000), NAME)
    assert len(told.splitlines()) == 3 and "E: a\\nQué leer: nada\\u2028xxx" in told and len(told) < 1600


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_every_fault_has_its_words(kind: str) -> None:
    for key in READING:
        told = sentence(row(f"{kind}/tool-done:2", f"{key} ¡esto!"), NAME)
        assert say(f"kind_{kind}") in told and ("¡esto!" in told) == (key != "hangs")


def test_all_that_a_judge_finds_has_something_to_read() -> None:
    found = LIES | {"lost", "refused", "raised", "hangs", "counters", "answer"}
    assert set(READING) == found
    assert len({said(Fault(key, "x")) for key in READING}) == len(READING)


def test_a_run_that_stops_after_a_death_while_writing_is_about_writing() -> None:
    assert reading(row("appending/write:2.1", "raised x")) == "write"
    assert reading(row("appending/tool-done:2", "raised x")) == "loader"
    assert reading(row("appending/write:2.1", "lost x")) == "noting"
    assert reading(row("appending/tool-done:2", "failure_hidden x")) == "failed"
    assert reading(row("appending/write:2.1/write:1.1", "raised x")) == "loader"
    assert "lección 2, «3. Cómo se guarda: nunca encima»" in sentence(row("appending/write:2.1", "raised x"), NAME)


def test_a_result_without_its_call_is_about_the_order_and_a_call_without_its_result_about_what_dangles() -> None:
    dangling = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: t1."
    orphan = "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1."
    assert reading(row("appending/tool-done:2", f"refused {dangling}")) == "dangling"
    assert reading(row("appending/tool-done:2", f"refused {orphan}")) == "order"
    assert reading(row("appending/tool-done:2", f"raised {orphan}")) == "loader"


@pytest.mark.parametrize("harness, key", [(a_before_push.run_agent, "order"), (Strategy(), "dangling")])
def test_the_two_refusals_of_the_api_are_told_apart(harness: Any, key: str, no_sync: None) -> None:
    rows = list(explore(harness, [Setting()], lambda case: case.deaths in ((), ("tool-entered:2",))))
    assert (rows[-1].faults[0].key, reading(rows[-1])) == ("refused", key)


def headings(lesson: str) -> list[str]:
    """The headings of that lesson's notebook."""
    (path,) = (ROOT / "notebooks").glob(f"{int(lesson):02d}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return [line.lstrip("#").strip() for text in texts for line in text.splitlines() if re.match(r"#{2,4} ", line)]


@pytest.mark.parametrize("key", sorted({*READING.values(), "write", "order"}))
def test_what_to_read_is_a_section_that_exists(key: str) -> None:
    place = re.fullmatch(r"lección ([1-6]), «(.+)»", say(f"read_{key}"))
    assert place and place[2] in headings(place[1])


# For a machine


def test_as_json_is_the_same_table() -> None:
    found = verdict(
        row("appending"),
        row(
            "twice/hasty/tool-done:3", "raised E: ñ\n", "lost p02", truthful=None, turns=None, tokens=None, answer=None
        ),
        row("appending/write:2.1", left=("a.tmp", "b.tmp"), accepted=False, effects=4),
    )
    plain = {"effects": 3, "accepted": True, "truthful": True, "turns": 3, "tokens": 1080, "answer": "fin", "left": []}
    stuck = {**plain, "truthful": None, "turns": None, "tokens": None, "answer": None}
    told = json.loads(json.dumps(found.as_json()))
    assert list(told) == ["target", "holds", "simulated", "empty", "rows"]
    assert {key: value for key, value in told.items() if key != "empty"} == {
        "target": NAME,
        "holds": False,
        "simulated": False,
        "rows": [
            {"case": "appending", **plain, "faults": []},
            {"case": "twice/hasty/tool-done:3", **stuck, "faults": [["raised", "E: ñ\n"], ["lost", "p02"]]},
            {"case": "appending/write:2.1", **plain, "effects": 4, "accepted": False, "left": ["a.tmp", "b.tmp"]}
            | {"faults": []},
        ],
    }


def test_as_json_of_what_holds_says_so() -> None:
    found = verdict(row("appending"), passed="after-answer").as_json()
    assert (found["holds"], found["simulated"]) == (True, False)
    assert Verdict(NAME, [], set(), simulated=True).as_json()["simulated"] is True


def test_as_json_says_why_a_moment_has_no_row() -> None:
    empty = verdict(row("appending"), row("appending/tool-done:2"), passed="write after-answer").as_json()["empty"]
    unmeasured = dict.fromkeys(("entered", "next", "ended"), "unmeasured")
    assert empty == {"answer": "untried", "noted": "absent", "write": "untried", "twice": "untried", **unmeasured}
