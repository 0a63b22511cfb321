"""The judge: whoever does one thing wrong falls for that and for nothing else, and its honest neighbour holds."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint, reconcile, run_agent, save_checkpoint
from lesson_code.harness.tools import tool_result
from lesson_code.lab.attempt import Case, Place, Setting
from lesson_code.lab.broken import b_only, blind, ledger_first
from lesson_code.lab.judge import LIES, End, Fault, Remains, Row, cost, counters_after, judge, remains_of
from lesson_code.lab.orders import KINDS
from lesson_code.lab.simulated import explore
from lesson_code.lab.strategy import Strategy, call_it_unknown
from lesson_code.words import say
from tests.lab.settles import settles

pytestmark = pytest.mark.usefixtures("no_sync")

ENTERED, DONE, NEXT, STAR = "tool-entered:2", "tool-done:2", "next-request:2", "after-effect-write:2"  # ① ② ③ ★
Harness = Callable[..., Any]


def row_of(harness: Harness, *deaths: str, **setting: Any) -> Row:
    """The row of these deaths. Whatever is wrong with a harness, it shows only when it dies."""
    rows = list(explore(harness, [Setting(**setting)], lambda case: case.deaths == deaths[: len(case.deaths)]))
    assert not (deaths and rows[0].faults), rows[0].faults
    assert rows[-1].case.deaths == deaths, "it never passed there"
    return rows[-1]


def falls(harness: Harness, *deaths: str, **setting: Any) -> list[str]:
    """For what it falls there."""
    return [fault.key for fault in row_of(harness, *deaths, **setting).faults]


def details(harness: Harness, *deaths: str, **setting: Any) -> list[tuple[str, str]]:
    return [tuple(fault) for fault in row_of(harness, *deaths, **setting).faults]


# Harnesses


OK = "p02: ok"
UNKNOWN = say("result_unknown", name="deliver")


def resumes_with(change: Callable[[dict[str, Any]], Any], harness: Harness = run_agent) -> Harness:
    """A harness that changes what it saved before it goes on from there."""

    def changed(*given: Any, resume: bool, crash_point: Any) -> Any:
        if resume:
            scene = load_checkpoint(given[3])
            change(scene)
            save_checkpoint(scene, given[3])
        return harness(*given, resume=resume, crash_point=crash_point)

    return changed


def without_counters(harness: Harness) -> Harness:
    """The same harness, whose file is at the end not of the course's form."""

    def changed(*given: Any, resume: bool, crash_point: Any) -> Any:
        answer = harness(*given, resume=resume, crash_point=crash_point)
        (given[3] / "checkpoint.json").unlink()
        return answer

    return changed


def without_ledger(*given: Any, resume: bool, crash_point: Any) -> str:
    """The lesson's harness, which forgets its ledger before it resumes."""
    if resume:
        (given[3] / "effects.json").unlink(missing_ok=True)
    return run_agent(*given, resume=resume, crash_point=crash_point)


def drops_the_last_turn(scene: dict[str, Any]) -> None:
    del scene["messages"][-2:]


def takes_it_for_done(*given: Any, resume: bool, crash_point: Any) -> str:
    """It takes a task of which three turns have begun for finished."""
    if resume and load_checkpoint(given[3])["turns"] == 3:
        return say("orders_done", number=3)
    return run_agent(*given, resume=resume, crash_point=crash_point)


# The lesson's harness, everywhere


@pytest.mark.parametrize("hasty", [False, True], ids=["careful", "hasty"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_lesson_s_harness_holds(kind: str, hasty: bool) -> None:
    for death in (ENTERED, DONE, NEXT, "after-answer:2", "after-tool:2"):
        row = row_of(run_agent, death, kind=kind, hasty=hasty)
        assert (row.faults, row.left, row.accepted, row.truthful) == ((), (), True, True)


# doubled: never twice under one id; a second id for the same business only after unknown or failed


def test_twice_under_one_id_is_doubled() -> None:
    assert details(settles(OK, runs=1), DONE) == [("doubled", "p02")]
    assert details(settles(OK, runs=2), ENTERED) == [("doubled", "p02")]
    assert falls(settles(OK, runs=1), ENTERED) == falls(settles(OK), DONE) == []
    assert falls(blind.run_agent, DONE) == ["doubled"] and falls(blind.run_agent, DONE, kind="read_only") == []


def test_twice_under_one_id_is_doubled_even_if_it_is_told_as_unknown() -> None:
    assert falls(settles(UNKNOWN, error=True, runs=1), DONE) == ["doubled"]
    assert falls(settles(UNKNOWN, error=True, runs=2), ENTERED) == ["doubled"]
    assert falls(settles(UNKNOWN, error=True, runs=1), ENTERED) == []


def test_a_second_id_after_a_success_is_doubled() -> None:
    """The model had been told of the second order; the harness goes back to before it, and it is made again."""
    harness = without_counters(resumes_with(drops_the_last_turn))
    row = row_of(harness, "after-answer:3")
    assert [tuple(fault) for fault in row.faults] == [("doubled", "p02")]
    assert (row.effects, row.truthful) == (4, False)
    assert falls(harness, "after-answer:3", kind="read_only") == []


def test_a_second_id_after_unknown_is_not() -> None:
    row = row_of(run_agent, DONE, hasty=True)
    assert (row.effects, row.faults) == (4, ())
    row = row_of(run_agent, DONE, "tool-done:3", hasty=True)
    assert (row.effects, row.faults) == (5, ())


def test_a_second_id_after_a_failure_is_not() -> None:
    row = row_of(run_agent, kind="raising", hasty=True)
    assert (row.effects, row.faults) == (6, ())


def test_a_second_id_after_nothing_was_told_is_doubled_and_untold() -> None:
    assert details(b_only.run_agent, DONE) == [("doubled", "p02"), ("untold", "toolu_02")]
    assert details(b_only.run_agent, DONE, fresh_ids=False) == [("doubled", "p02")]
    assert falls(b_only.run_agent, ENTERED) == falls(b_only.run_agent, NEXT) == []


def test_of_the_kind_twice_the_same_order_is_wanted_twice_and_no_more() -> None:
    harness = without_counters(resumes_with(drops_the_last_turn))
    assert row_of(run_agent, kind="twice").effects == 3 and falls(run_agent, "tool-done:3", kind="twice") == []
    assert details(harness, "after-answer:4", kind="twice") == [("doubled", "p02")]
    assert falls(b_only.run_agent, "tool-entered:3", kind="twice") == []
    assert falls(b_only.run_agent, "tool-done:3", kind="twice") == ["doubled", "untold"]


# untold, lost


def test_an_effect_of_which_the_model_is_not_told_is_untold() -> None:
    harness = without_counters(takes_it_for_done)
    assert details(harness, "tool-done:3") == [("untold", "toolu_03")]
    assert details(harness, "next-request:3") == [("untold", "toolu_03")]  # it stood in B, and nobody sent it
    assert row_of(harness, "tool-done:3").truthful is False
    assert falls(harness, "after-answer:4") == falls(harness, "tool-done:2") == []
    assert falls(harness, "tool-done:3", kind="read_only") == []


def test_an_effect_that_is_told_under_another_id_is_untold() -> None:
    def renames(scene: dict[str, Any]) -> None:
        for part in (scene["pendingToolUse"], scene["messages"][-1]["content"][-1]):
            part["id"] = "otra"

    assert details(resumes_with(renames, settles(OK)), DONE) == [("success_false", "otra"), ("untold", "toolu_02")]


def test_a_task_that_ends_without_an_effect_has_lost_it() -> None:
    row = row_of(without_counters(takes_it_for_done), "tool-entered:3")
    assert row.faults == (Fault("lost", "p03"),)
    assert (row.effects, row.truthful) == (2, True)  # nobody told the model that it was done
    assert falls(without_counters(takes_it_for_done), "tool-entered:3", kind="read_only") == []


def test_of_the_kind_twice_one_of_two_is_lost() -> None:
    assert details(without_counters(takes_it_for_done), "tool-entered:3", kind="twice") == [("lost", "p02")]


# Success: the world has it once, and the text is the tool's


def test_a_success_that_never_was_is_false() -> None:
    assert details(settles(OK), ENTERED) == [("success_false", "toolu_02"), ("lost", "p02")]
    assert details(ledger_first.run_agent, STAR) == [("success_false", "toolu_02"), ("lost", "p02")]
    assert falls(settles(OK), DONE) == falls(settles(OK, runs=1), ENTERED) == []


def test_a_success_is_false_even_if_somebody_does_it_later_behind_the_model_s_back() -> None:
    def settle(checkpoint: Any, tools: Any, folder: Path) -> Any:
        (folder / "later").touch()
        return tool_result(checkpoint["pendingToolUse"]["id"], OK)

    def makes_up_for_it(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        def deliver(item: str) -> Any:
            if (folder / "later").exists():
                (folder / "later").unlink()
                tools["deliver"].run(item="p02")
            return tools["deliver"].run(item=item)

        late = {**tools, "deliver": replace(tools["deliver"], run=deliver)}
        return Strategy(settle=settle)(client, task, late, folder, resume=resume)

    assert details(makes_up_for_it, ENTERED) == [("success_false", "toolu_02")]


@pytest.mark.parametrize("told", ["", "Listo.", "p02", "p03: ok"])
def test_a_success_in_other_words_than_the_tool_s_is_another_text(told: str) -> None:
    for kind in ("appending", "read_only"):
        assert details(settles(told), DONE, kind=kind) == [("text_other", "toolu_02")]
        assert falls(settles(OK), DONE, kind=kind) == []


def test_what_is_no_json_may_be_told_in_any_form_that_holds_its_number() -> None:
    for told in ("{'receipt': Receipt(number='R-p02')}", "R-p02", '{"receipt": {"number": "R-p02"}}'):
        assert falls(settles(told), DONE, kind="unserialisable") == []
    for told in ("{}", "p02", "{'receipt': Receipt(number='R-p01')}"):
        assert falls(settles(told), DONE, kind="unserialisable") == ["text_other"]


def test_the_text_of_what_only_reads_must_have_been_read() -> None:
    assert falls(settles(OK), ENTERED, kind="read_only") == ["success_false"]
    assert falls(settles(OK, runs=1), ENTERED, kind="read_only") == []
    assert falls(settles(OK, runs=2), DONE, kind="read_only") == []


def test_a_failure_told_as_a_success_is_hidden() -> None:
    def hides_errors(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        def deliver(item: str) -> Any:
            try:
                return tools["deliver"].run(item=item)
            except ConnectionError:
                return f"{item}: ok"

        quiet = {**tools, "deliver": replace(tools["deliver"], run=deliver)}
        return run_agent(client, task, quiet, folder, resume=resume)

    row = row_of(hides_errors, kind="raising")
    assert [tuple(fault) for fault in row.faults] == [("failure_hidden", f"toolu_0{number}") for number in (1, 2, 3)]
    assert falls(hides_errors, kind="appending") == []


# Unknown: a death came between A and the ledger, and the tool has side effects. Failed: it raised

ALWAYS_UNKNOWN = Strategy(settle=call_it_unknown)


@pytest.mark.parametrize("death", [ENTERED, DONE, "after-save-a:2", "after-tool:2"])
def test_between_a_and_the_ledger_unknown_is_the_truth_of_a_tool_with_side_effects(death: str) -> None:
    for kind in KINDS[1:]:
        assert falls(ALWAYS_UNKNOWN, death, kind=kind) == (
            ["unknown_feigned"] if kind == "raising" else []  # there the second call is a look, which only reads
        )
    assert details(ALWAYS_UNKNOWN, death, kind="read_only") == [("unknown_feigned", "toolu_02")]


def test_once_it_is_in_the_ledger_unknown_is_feigned() -> None:
    assert details(without_ledger, STAR) == [("unknown_feigned", "toolu_02")]
    assert falls(run_agent, STAR) == falls(without_ledger, "after-tool:2") == []


def test_once_it_is_in_b_unknown_is_feigned() -> None:
    def forgets(scene: dict[str, Any]) -> None:
        scene["messages"][-1]["content"][0].update(content=UNKNOWN, is_error=True)

    for death in (NEXT, "after-save-b:2"):
        assert falls(resumes_with(forgets), death) == ["unknown_feigned"]
        assert falls(resumes_with(lambda scene: None), death) == []


def test_a_second_death_does_not_make_the_first_one_known() -> None:
    for second in ("resume-after-reconcile", "resume-after-save-b"):
        assert falls(run_agent, DONE, second) == []
    assert falls(run_agent, DONE, "next-request:2") == []


def test_without_a_death_an_error_is_true_only_if_the_tool_raised() -> None:
    def fails(after: bool) -> Harness:
        def impatient(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
            def deliver(item: str) -> Any:
                value = tools["deliver"].run(item=item) if after or (folder / "once").exists() else None
                if not (folder / "once").exists():
                    (folder / "once").touch()
                    raise TimeoutError("me cansé")
                return value

            hurried = {**tools, "deliver": replace(tools["deliver"], run=deliver)}
            return run_agent(client, task, hurried, folder, resume=resume)

        return impatient

    assert details(fails(after=True)) == details(fails(after=False)) == [("unknown_feigned", "toolu_01")]
    assert falls(run_agent, kind="raising") == []


# refused, raised, hangs: the task is stuck


def test_a_conversation_that_the_api_refuses_is_refused_in_its_words() -> None:
    row = row_of(Strategy(), ENTERED)
    assert [fault.key for fault in row.faults] == ["refused"]
    assert "`tool_use` ids were found without `tool_result` blocks" in row.faults[0].detail
    assert (row.accepted, row.truthful, row.answer) == (False, None, None)
    assert falls(Strategy(), NEXT) == []


def test_a_refusal_that_the_harness_survives_is_still_one() -> None:
    def tries_twice(*given: Any, resume: bool, crash_point: Any) -> str:
        try:
            return str(Strategy()(*given, resume=resume, crash_point=crash_point))
        except Exception:
            scene = load_checkpoint(given[3])
            scene["messages"].pop()
            save_checkpoint({**scene, "pendingToolUse": None, "turns": 1}, given[3])
            return str(Strategy()(*given, resume=True, crash_point=crash_point))

    row = row_of(tries_twice, ENTERED)
    assert [fault.key for fault in row.faults] == ["refused"] and row.answer and not row.accepted


def test_a_run_that_stops_is_raised_with_what_it_said() -> None:
    def breaks(*given: Any, resume: bool) -> str:
        if resume:
            raise ZeroDivisionError("ay")
        return run_agent(*given)

    for death in (ENTERED, DONE, NEXT):
        row = row_of(breaks, death)
        assert row.faults == (Fault("raised", "ZeroDivisionError: ay"),)
        assert (row.accepted, row.truthful, row.answer) == (True, None, None)


def test_a_run_that_hangs_hangs(tmp_path: Path) -> None:
    place = left_by(tmp_path, {"asked": "t1", "name": "deliver"})
    row = judge(Case(Setting(orders=1), (DONE,)), place, End(hangs=True), NEVER)
    assert row.faults == (Fault("hangs"),)
    assert (row.accepted, row.truthful, row.answer) == (True, None, None)


def test_a_lie_before_it_stops_is_told_too_and_what_it_did_not_come_to_is_not() -> None:
    def lies_and_breaks(*given: Any, resume: bool, crash_point: Any) -> str:
        answer = settles(OK, runs=1)(*given, resume=resume, crash_point=crash_point)
        if resume:
            raise ZeroDivisionError("ay")
        return str(answer)

    row = row_of(lies_and_breaks, DONE)
    assert ([fault.key for fault in row.faults], row.truthful) == (["raised", "doubled"], False)


# counters


def resets(**counters: int) -> Harness:
    return resumes_with(lambda scene: scene.update(counters))


def test_counters_that_start_again_at_a_resume_fall() -> None:
    whole = row_of(run_agent)
    assert (whole.turns, whole.tokens) == (3, sum(map(cost, range(1, 5))))
    assert details(resets(turns=0, tokensUsed=0), NEXT) == [("counters", f"1/{cost(3) + cost(4)} ≠ 3/{whole.tokens}")]
    assert falls(resets(turns=0), NEXT) == falls(resets(tokensUsed=0), NEXT) == ["counters"]
    assert falls(resets(), NEXT) == []
    assert row_of(resets(turns=0), NEXT).truthful is True


def test_where_the_model_is_told_is_error_the_counters_are_the_sum_of_what_happened() -> None:
    asked = {ENTERED: 6, DONE: 5}  # it looks, and at ① it delivers again
    for death, answers in asked.items():
        row = row_of(run_agent, death)
        assert (row.turns, row.tokens, row.faults) == (answers - 1, sum(map(cost, range(1, answers + 1))), ())

    def as_if_nothing(*given: Any, resume: bool, crash_point: Any) -> str:
        answer = run_agent(*given, resume=resume, crash_point=crash_point)
        save_checkpoint({**load_checkpoint(given[3]), "turns": 3, "tokensUsed": sum(map(cost, range(1, 5)))}, given[3])
        return answer

    assert falls(as_if_nothing, DONE) == ["counters"] and falls(as_if_nothing, NEXT) == []


def test_a_harness_that_does_not_save_the_last_answer_is_compared_with_itself() -> None:
    for death, answers in {NEXT: 3, ENTERED: 5, DONE: 4}.items():
        row = row_of(ALWAYS_UNKNOWN, death)
        assert (row.turns, row.tokens, row.faults) == (answers, sum(map(cost, range(1, answers + 1))), ())


def test_counters_that_count_in_a_way_of_their_own_are_not_compared() -> None:
    def characters(*given: Any, resume: bool, crash_point: Any) -> str:
        answer = run_agent(*given, resume=resume, crash_point=crash_point)
        save_checkpoint({**load_checkpoint(given[3]), "tokensUsed": 9 + resume}, given[3])
        return answer

    row = row_of(characters, NEXT)
    assert (row.turns, row.tokens, row.faults) == (3, 10, ())


def test_a_file_of_another_form_has_no_counters_and_is_not_blamed_for_it() -> None:
    row = row_of(without_counters(run_agent), DONE)
    assert (row.turns, row.tokens, row.faults) == (None, None, ())


def never_of(told: int, turns: int | None, tokens: int | None) -> Remains:
    return Remains(turns, tokens, "", frozenset(), told)


def test_the_counters_of_a_longer_conversation() -> None:
    whole, without_last = sum(map(cost, range(1, 5))), sum(map(cost, range(1, 4)))
    assert [cost(1), cost(2)] == [120, 220]
    assert counters_after(3, never_of(3, 3, whole)) == (3, whole)
    assert counters_after(5, never_of(3, 3, whole)) == (5, sum(map(cost, range(1, 7))))
    assert counters_after(3, never_of(3, 3, without_last)) == (3, without_last)
    assert counters_after(5, never_of(3, 3, without_last)) == (5, sum(map(cost, range(1, 6))))
    assert counters_after(5, never_of(3, 0, whole)) == (2, sum(map(cost, range(1, 7))))
    assert counters_after(5, never_of(3, 3, 7)) == (None, None)  # it counts in some way of its own
    assert counters_after(5, never_of(3, None, 7)) == counters_after(5, never_of(3, 3, None)) == (None, None)


# answer, and what is left


def test_another_answer_than_without_a_death_falls() -> None:
    def apologises(*given: Any, resume: bool) -> str:
        return run_agent(*given, resume=resume) + (" Perdón." if resume else "")

    row = row_of(apologises, NEXT)
    assert row.faults == (Fault("answer", "Los 3 pedidos están entregados. Perdón."),) and row.truthful is True
    assert row.answer == row.faults[0].detail


def test_files_that_a_run_without_deaths_does_not_leave_are_named() -> None:
    def litters(*given: Any, resume: bool) -> str:
        given[3].joinpath("sub").mkdir(exist_ok=True)
        for name in ("z.tmp", "sub/a.tmp") if resume else ("siempre",):
            (given[3] / name).touch()
        return run_agent(*given, resume=resume)

    row = row_of(litters, NEXT)
    assert (row.left, row.faults) == (("sub/a.tmp", "z.tmp"), ())
    assert row_of(litters).left == ()


# By hand: the evidence, line by line

NEVER = Remains(1, cost(1) + cost(2), "fin", frozenset({"checkpoint.json"}), 1)


def left_by(place: Path, *lines: dict[str, Any], **counters: Any) -> Place:
    """A place with this evidence, and with a checkpoint if it has counters."""
    left = Place(place)
    left.folder.mkdir(exist_ok=True)
    left.witness.path.unlink(missing_ok=True)
    for line in lines:
        left.witness.note(**line)
    if counters:
        (left.folder / "checkpoint.json").write_text(json.dumps(counters), encoding="utf-8")
    return left


ASKED = {"asked": "t1", "name": "deliver"}
EFFECT = {"done": "t1", "name": "deliver", "about": "p01"}
BACK = {"returned": "t1", "text": "p01: ok"}
SUCCESS = {"told": "t1", "error": False, "text": "p01: ok"}
ERROR = {"told": "t1", "error": True, "text": "?"}


def keys(place: Path, *lines: dict[str, Any], kind: str = "appending") -> list[str]:
    """What a run of one order falls for that left these lines and ended well."""
    row = judge(Case(Setting(kind, orders=1)), left_by(place, *lines), End("fin"))
    return [fault.key for fault in row.faults]


@pytest.mark.parametrize(
    "label, known",
    [
        ("tool-entered:1", False),
        ("tool-done:1", False),
        ("after-save-a:1", False),
        ("after-tool:1", False),
        ("write:2.1", False),
        ("killed:1", False),
        ("after-answer:1", True),
        ("after-effect-write:1", True),
        ("after-save-b:1", True),
        ("after-save-end", True),
        ("next-request:1", True),
        ("resume-after-tool", True),
        ("resume-after-effect-write", True),
        ("resume-after-reconcile", True),
        ("resume-after-save-b", True),
    ],
)
def test_nobody_knows_only_after_these_deaths(tmp_path: Path, label: str, known: bool) -> None:
    lines = [ASKED, EFFECT, {"died": label}, ERROR]
    assert keys(tmp_path, *lines) == (["unknown_feigned"] if known else [])
    assert keys(tmp_path, ASKED, EFFECT, {"raised": "t1", "text": "no"}, {"died": label}, ERROR) == []


def test_an_unknown_told_before_any_death_or_after_the_truth_is_feigned(tmp_path: Path) -> None:
    died = {"died": "tool-done:1"}
    assert keys(tmp_path, died, ASKED, EFFECT, ERROR) == ["unknown_feigned"]
    assert keys(tmp_path, ASKED, EFFECT, BACK, SUCCESS, died, ERROR) == ["unknown_feigned"]
    assert keys(tmp_path, ASKED, EFFECT, BACK, died, SUCCESS) == []


def test_the_death_of_one_call_does_not_excuse_another(tmp_path: Path) -> None:
    second = {"asked": "t2", "name": "deliver"}
    assert keys(tmp_path, ASKED, EFFECT, second, {"died": "tool-entered:2"}, ERROR) == ["unknown_feigned"]
    assert keys(tmp_path, ASKED, {"raised": "t2", "text": "no"}, EFFECT, ERROR) == ["unknown_feigned"]


def test_an_unknown_excuses_the_order_that_it_is_about_and_one_repetition(tmp_path: Path) -> None:
    died = {"died": "tool-done:1"}
    second = [{"asked": "t2", "name": "deliver"}, {**EFFECT, "done": "t2"}, {**BACK, "returned": "t2"}]
    third = [{"asked": "t3", "name": "deliver"}, {**EFFECT, "done": "t3"}, {**BACK, "returned": "t3"}]
    told = [{**SUCCESS, "told": "t2"}, {**SUCCESS, "told": "t3"}]
    assert keys(tmp_path, ASKED, EFFECT, died, ERROR, *second, told[0]) == []
    assert keys(tmp_path, ASKED, EFFECT, died, ERROR, *second, told[0], *third, told[1]) == ["doubled"]
    elsewhere = [{"asked": "t0", "name": "deliver"}, {**EFFECT, "done": "t0", "about": "p02"}, died]
    assert "doubled" in keys(tmp_path, *elsewhere, {**ERROR, "told": "t0"}, ASKED, EFFECT, BACK, SUCCESS, *second)


def test_who_has_looked_may_tell_in_words_of_its_own_what_nobody_else_could_know(tmp_path: Path) -> None:
    died, probed, told = {"died": "tool-done:1"}, {"probed": "look", "about": "p01"}, {**SUCCESS, "text": "está"}
    assert keys(tmp_path, ASKED, EFFECT, died, probed, told) == []
    assert keys(tmp_path, ASKED, EFFECT, BACK, died, probed, told) == []
    assert keys(tmp_path, ASKED, EFFECT, died, told) == ["failure_hidden"]
    assert keys(tmp_path, ASKED, EFFECT, BACK, died, told) == ["text_other"]
    assert keys(tmp_path, ASKED, EFFECT, BACK, {"died": "next-request:1"}, probed, told) == ["text_other"]
    assert keys(tmp_path, ASKED, died, probed, told) == ["success_false", "lost"]


def test_an_effect_that_nobody_asked_for_is_untold(tmp_path: Path) -> None:
    row = judge(Case(Setting(orders=1)), left_by(tmp_path, {**EFFECT, "done": None}), End("fin"))
    assert row.faults == (Fault("untold", "None"),)


def test_the_faults_come_in_this_order_and_the_first_one_is_the_one_to_read_about(tmp_path: Path) -> None:
    place = left_by(tmp_path, ASKED, EFFECT, EFFECT, ERROR, {"refused": "a"}, {"refused": "b"}, turns=9, tokensUsed=9)
    row = judge(Case(Setting(orders=1)), place, End(raised="E: x", hangs=True), NEVER)
    assert row.faults == (Fault("refused", "b"), Fault("doubled", "p01"), Fault("unknown_feigned", "t1"))
    assert row.truthful is False and not row.accepted
    place = left_by(tmp_path, ASKED, {**EFFECT, "done": "t9", "about": "p07"}, turns=9, tokensUsed=8)
    row = judge(Case(Setting(orders=1)), place, End("otro"), NEVER)
    assert [fault.key for fault in row.faults] == ["doubled", "untold", "lost", "counters", "answer"]
    assert judge(Case(Setting(orders=1)), place, End(raised="E: x", hangs=True)).faults[0] == Fault("hangs")


def test_without_the_run_that_never_dies_nothing_is_compared(tmp_path: Path) -> None:
    place = left_by(tmp_path, ASKED, EFFECT, BACK, SUCCESS, turns=9, tokensUsed=9)
    row = judge(Case(Setting(orders=1)), place, End("otro"))
    assert (row.faults, row.left, row.turns, row.tokens, row.answer) == ((), (), 9, 9, "otro")


def test_every_fault_that_is_a_lie_makes_the_row_untruthful(tmp_path: Path) -> None:
    assert LIES == {
        "doubled",
        "untold",
        "success_false",
        "failure_hidden",
        "failure_lost",
        "text_other",
        "unknown_feigned",
    }


@pytest.mark.parametrize(
    "saved",
    [
        b"",
        b"[1]",
        b"{",
        b"\xff",
        b'{"turns": 1}',
        b'{"turns": true, "tokensUsed": 3}',
        b'{"turns": 1, "tokensUsed": 1.5}',
    ]
    + [b'{"turns": null, "tokensUsed": null}', b'"turns"'],
    ids=ascii,
)
def test_what_is_not_of_the_course_s_form_has_no_counters(tmp_path: Path, saved: bytes) -> None:
    place = left_by(tmp_path)
    (place.folder / "checkpoint.json").write_bytes(saved)
    assert remains_of(place, End("fin"))[:2] == (None, None)


def test_what_remains_is_counted_and_listed(tmp_path: Path) -> None:
    other = {**SUCCESS, "text": "otra cosa"}
    place = left_by(tmp_path, ASKED, SUCCESS, other, {**SUCCESS, "told": "t2"}, turns=4, tokensUsed=5, mio=1)
    (place.folder / "previous").mkdir()
    (place.folder / "previous" / "ñ.json").touch()
    remains = remains_of(place, End("fin"))
    assert remains == Remains(4, 5, "fin", frozenset({"checkpoint.json", "previous/ñ.json"}), 2)
    assert remains_of(left_by(tmp_path / "run"), End(raised="x")) == Remains(None, None, None, frozenset(), 0)


def without_b(*given: Any, resume: bool, **more: Any) -> str:
    """A and the ledger and no B: what a tool failed with is in nobody's file."""
    harness = Strategy(saves="A", ledger="after", settle=reconcile)
    return harness(*given, resume=resume, **more)


def test_an_error_that_the_harness_has_seen_and_lost_is_told_as_unknown_in_vain() -> None:
    assert details(without_b, "next-request:1", kind="raising") == [("failure_lost", "toolu_01")]
    assert falls(without_b, "tool-done:1", kind="raising") == falls(run_agent, "next-request:1", kind="raising") == []
