"""The broken harnesses fall where theory says, and nowhere else; and each fall can be seen again by its command."""

import json
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from lesson_code.lab import broken
from lesson_code.lab.attack import attack, rows
from lesson_code.lab.attempt import Case
from lesson_code.lab.broken import b_only, blind, ledger_first
from lesson_code.lab.orders import KINDS
from lesson_code.lab.plan import PLAIN, is_quick
from lesson_code.lab.real import Target
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.lab.verdict import Verdict, line_of
from lesson_code.words import say
from tests.support import ROOT

pytestmark = pytest.mark.usefixtures("no_sync")

BROKEN = ["b_only", "blind", "ledger_first", "a_before_push", "in_place"]
BOTH = ("careful", "hasty")
READS = ["read_only"]
ONCE = ["appending", "overwriting", "twice", "unserialisable"]  # each order is one call
AGAIN = ["raising, again"]  # the second call of an order: careful it looks, which reads; hasty it delivers
DELIVERS = [*ONCE, "raising"]

Cell = tuple[str, str, str]
"""A moment of the table, a kind of tool, a model."""


def cells(
    moments: Iterable[str], kinds: Iterable[str], *faults: str, models: Iterable[str] = BOTH
) -> dict[Cell, set[str]]:
    return {(moment, kind, model): {*faults} for moment in moments for kind in kinds for model in models}


HASTY = ("hasty",)

EXPECTED: dict[str, dict[Cell, set[str]]] = {
    "b_only": {
        # The disk says that nothing was asked: the model is asked again, gives a new id, and the effect happens a
        # second time; of the first one nobody is told. What only reads may happen as often as it likes, and before
        # the effect (①) and after B (③) the disk says what is true.
        **cells(["done"], DELIVERS, "doubled", "untold"),
        **cells(["done"], AGAIN, "doubled", "untold", models=HASTY),
    },
    "blind": {
        # The call is run again under its own id: twice, and told as once. At ① it is run for the first time.
        **cells(["done"], DELIVERS, "doubled"),
        **cells(["done"], AGAIN, "doubled", models=HASTY),
    },
    "ledger_first": {
        # ① and ★: noted and not done. It is told as a success, so nobody delivers the order.
        **cells(["entered", "noted"], DELIVERS, "success_false", "lost"),
        # The order was already delivered by the call that failed: nothing is lost.
        **cells(["entered"], AGAIN, "success_false"),
        **cells(["noted"], AGAIN, "success_false", models=["careful"]),
        # What only reads did not happen either; at ② it was noted without what it read.
        **cells(["entered", "noted"], READS, "success_false"),
        **cells(["done"], READS, "text_other"),
        # ②: done, and noted without its result; or without the error that it ended with.
        **cells(["done"], ONCE, "text_other"),
        **cells(["done"], ["raising"], "failure_hidden"),
        **cells(["done"], AGAIN, "text_other"),
    },
    "a_before_push": {
        # Between A and B the call is not in `messages`: the result of a resume answers nothing, and the API refuses
        # it, whatever the tool is and whatever the result says.
        **cells(["entered", "done", "noted"], [*READS, *DELIVERS, *AGAIN], "refused"),
        # The delivery that raises is not noted, so that there is no ★.
        **cells(["noted"], ["raising"]),
    },
    # It is as good as the lesson's, except while it writes the checkpoint.
    "in_place": {},
}
HASTY_AT = ("entered", "done")  # an attack does not try the hasty model at the other moments

# Which file is being opened (`write:N.1`) in the plain task, by the order of the writings: with the ledger A1 L1 B1 A2,
# without it A1 B1 A2 B2, with B alone B1 B2 B3. To open the temporary of X is to die just before X.
WRITES = {
    "b_only": {"write:2.1": {"doubled", "untold"}, "write:3.1": {"doubled", "untold"}},  # B2 and B3: as ②
    "blind": {"write:2.1": {"doubled"}, "write:3.1": set(), "write:4.1": {"doubled"}},  # B1 as ②; A2 as ③; B2 as ②
    "ledger_first": {"write:2.1": set(), "write:3.1": {"text_other"}, "write:4.1": set()},  # no note yet; B1; A2
    "a_before_push": {"write:2.1": {"refused"}, "write:3.1": {"refused"}, "write:4.1": set()},  # L1, B1: as ②; A2 as ③
    # L1 is a temporary; B1 and A2 are the checkpoint itself, and to open it is to empty it.
    "in_place": {"write:2.1": set(), "write:3.1": {"raised"}, "write:4.1": {"raised"}},
}


def expected(harness: str, case: Case) -> set[str]:
    """The faults of a case: those of its deaths, all together."""
    model = "hasty" if case.setting.hasty else "careful"
    found: set[str] = set()
    for label in case.deaths:
        turn = label.partition(":")[2]
        again = case.setting.kind == "raising" and turn.isdecimal() and int(turn) % 2 == 0
        kind = "raising, again" if again else case.setting.kind
        if label.startswith("write:"):
            found |= WRITES[harness][label]
        else:
            found |= EXPECTED[harness].get((line_of(label), kind, model), set())
    return found


Rows = dict[str, set[str]]
"""The faults of each case."""


def rows_of(found: dict[str, Any]) -> Rows:
    return {row["case"]: {key for key, _ in row["faults"]} for row in found["rows"]}


def named(harness: str) -> str:
    return f"lesson_code.lab.broken.{harness}:run_agent"


def command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "lesson_code.lab.attack", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8"
    )


@cache
def simulated(harness: str) -> Verdict:
    return attack(named(harness), simulated=True)


@cache
def real(harness: str) -> dict[str, Any]:
    """Real deaths: of one a quick attack, by the command; of the others the plain task, whose files are watched."""
    if harness != "b_only":
        target = Target(named(harness))
        return Verdict(target.name, list(rows(target, [PLAIN], is_quick)), target.passed).as_json()
    ended = command(named(harness), "--quick", "--json")
    assert (ended.returncode, ended.stderr) == (1, "")
    return dict(json.loads(ended.stdout))


def test_these_are_all_and_the_lessons_compare_the_same_ones() -> None:
    assert sorted(module.name for module in pkgutil.iter_modules(broken.__path__)) == sorted(BROKEN)
    assert STRATEGIES["b_only"] is b_only.run_agent
    assert STRATEGIES["blind"] is blind.run_agent
    assert STRATEGIES["ledger_first"] is ledger_first.run_agent


@pytest.mark.parametrize("harness", BROKEN)
def test_with_simulated_deaths_it_falls_where_theory_says_and_in_no_other_row(harness: str) -> None:
    verdict = simulated(harness)
    found = rows_of(verdict.as_json())
    assert found == {case: expected(harness, Case.parse(case)) for case in found}
    assert verdict.holds == (harness == "in_place")


@pytest.mark.parametrize("harness", BROKEN)
def test_every_cell_of_the_table_has_been_tried(harness: str) -> None:
    tried = {
        (line_of(label), kind, "hasty" if row.case.setting.hasty else "careful")
        for row in simulated(harness).rows
        for label in row.case.deaths[:1]
        for kind in [row.case.setting.kind]
        if len(row.case.deaths) == 1
    }
    everywhere = {(moment, kind, model) for moment in ("entered", "done", "next") for kind in KINDS for model in BOTH}
    assert {cell for cell in everywhere if cell[2] == "careful" or cell[0] in HASTY_AT} <= tried
    wanted = {(moment, kind.split(",")[0], model) for moment, kind, model in EXPECTED[harness]}
    assert {cell for cell in wanted if cell[2] == "careful" or cell[0] in HASTY_AT} <= tried


@pytest.mark.parametrize("harness", BROKEN)
def test_with_real_deaths_it_falls_in_the_same_rows_and_while_it_writes(harness: str) -> None:
    found = rows_of(real(harness))
    assert found == {case: expected(harness, Case.parse(case)) for case in found}
    assert {case.removeprefix("appending/") for case in found if "/write:" in case} == {*WRITES[harness]}
    assert not real(harness)["holds"] and real(harness)["target"] == named(harness)
    assert {case for case in found if "/write:" not in case} <= {*rows_of(simulated(harness).as_json())}


def test_who_writes_in_place_falls_only_while_it_writes() -> None:
    assert [case for case, faults in rows_of(real("in_place")).items() if faults] == [
        "appending/write:3.1",
        "appending/write:4.1",
    ]


def test_the_json_of_the_command_has_every_field_of_every_row() -> None:
    """The faults that a real death shows are those of a simulated one, to the last field."""
    of_simulated = {row["case"]: row for row in json.loads(json.dumps(simulated("b_only").as_json()))["rows"]}
    of_real = [row for row in real("b_only")["rows"] if "/write:" not in row["case"]]
    assert len(of_real) == 25 and of_real == [of_simulated[row["case"]] for row in of_real]


SAID_FIRST = {
    "b_only": ["appending/tool-done:1"],
    "blind": ["appending/tool-done:1"],
    "ledger_first": ["read_only/tool-entered:1", "read_only/tool-done:1", "raising/tool-done:1"],
    "a_before_push": ["read_only/tool-entered:1"],
    "in_place": ["appending/write:3.1"],
}


@pytest.mark.parametrize("harness", BROKEN)
def test_the_command_that_a_sentence_prints_shows_the_same_fall_again(harness: str) -> None:
    if harness == "in_place":
        sentences = attack(named(harness), case=SAID_FIRST[harness][0]).sentences()
    else:
        sentences = simulated(harness).sentences()
    assert len(sentences) == len(SAID_FIRST[harness])
    for sentence, case in zip(sentences, SAID_FIRST[harness], strict=True):
        (again,) = re.findall(r"^  Para repetirlo: python -m lesson_code\.lab\.attack (.*)$", sentence, re.MULTILINE)
        assert shlex.split(again) == [named(harness), "--case", case]
        ended = command(*shlex.split(again))
        assert (ended.returncode, ended.stderr) == (1, "")
        assert f"{sentence}\n" in ended.stdout
        assert ended.stdout.endswith(say("attack_one_falls") + "\n")
