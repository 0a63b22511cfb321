"""The board, whole: each of its rows is a run that died and was resumed."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint, run_agent, save_checkpoint
from lesson_code.lab.board import Row, rows, told_the_truth
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.model import ScriptedModel, history, write_a_report
from lesson_code.lab.scene import play
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.words import say
from tests.lab.settles import settles

pytestmark = pytest.mark.usefixtures("no_sync")

# strategy: moment → written, accepted, truthful, extra; where the hasty model differs, its row follows
STUCK = (False, None, None)
BOARD: dict[str, dict[str, Any]] = {
    "scratch": {"①": [(1, True, True, 3)], "②": [(2, True, False, 3)], "③": [(2, True, False, 3)]},
    "b_only": {"①": [(1, True, True, 1)], "②": [(2, True, False, 1)], "③": [(1, True, True, 0)]},
    "naive": {"①": [(0, *STUCK)], "②": [(1, *STUCK)], "③": [(1, True, True, 0)]},
    "blind": {"①": [(1, True, True, 0)], "②": [(2, True, False, 0)], "③": [(1, True, True, 0)]},
    "always_unknown": {
        "①": [(1, True, True, 2), (1, True, True, 1)],
        "②": [(1, True, True, 1), (2, True, True, 1)],
        "③": [(1, True, True, 0)],
    },
    "ledger_first": {
        "①": [(1, True, True, 2), (1, True, True, 1)],
        "★": [(0, True, False, 0)],
        "②": [(1, True, False, 0)],
        "③": [(1, True, True, 0)],
    },
    "lesson": {
        "①": [(1, True, True, 2), (1, True, True, 1)],
        "②": [(1, True, True, 1), (2, True, True, 1)],
        "★": [(1, True, True, 0)],
        "③": [(1, True, True, 0)],
    },
}


@pytest.mark.parametrize("hasty", [False, True], ids=["careful", "hasty"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_board_is_this(strategy: str, hasty: bool) -> None:
    pinned = [Row(strategy, moment, *found[-1 if hasty else 0]) for moment, found in BOARD[strategy].items()]
    assert list(rows(strategy, hasty=hasty)) == pinned


def test_the_board_has_no_other_strategy() -> None:
    assert BOARD.keys() == STRATEGIES.keys()


# Whoever lies is found out


def judged(folder: Path, moment: str, harness: Any, **model: Any) -> bool:
    """Whether `harness`, dead in the turn of the report and resumed, told the truth of it."""
    client = ScriptedModel(**{"fresh_ids": True, **model})
    dead = play(folder, f"{MOMENTS[moment]}:3", harness=harness, model=client)
    end = play(dead.folder, resume=True, harness=harness, model=client)
    assert end.exit_code == 0, end
    return told_the_truth(dead, end, client.requests[-1])


DONE = say("report_written", path="report.txt")
UNKNOWN = say("result_unknown", name="write_report")
AGAIN = {"path": "report.txt", "content": "otra vez"}


def test_who_says_what_happened_tells_the_truth(folder: Path) -> None:
    assert judged(folder, "②", settles(DONE))
    assert judged(folder, "①", settles(DONE, runs=1))
    for moment in "①②":
        assert judged(folder, moment, settles(UNKNOWN, error=True))


def test_a_success_that_never_was_is_a_lie(folder: Path) -> None:
    assert not judged(folder, "①", settles(DONE))


def test_a_success_in_other_words_than_the_tool_s_is_a_lie(folder: Path) -> None:
    for told in ("", "Listo.", DONE + " ", say("report_written", path="otro.txt")):
        assert not judged(folder, "②", settles(told))


def test_a_success_that_happened_twice_under_one_id_is_a_lie(folder: Path) -> None:
    assert not judged(folder, "②", settles(DONE, runs=1))
    assert not judged(folder, "①", settles(DONE, runs=2))


@pytest.mark.parametrize("moment, runs", [("②", 1), ("①", 2)])
def test_an_unknown_that_happened_twice_under_one_id_is_a_lie(folder: Path, moment: str, runs: int) -> None:
    assert not judged(folder, moment, settles(UNKNOWN, error=True, runs=runs))


def test_an_effect_that_is_told_as_a_failure_is_a_lie(folder: Path) -> None:
    assert not judged(folder, "②", settles("No se ejecutó y nada cambió.", error=True))


def without_ledger(*arguments: Any, resume: bool = False, **points: Any) -> str:
    """The lesson's harness, which forgets its ledger before it resumes."""
    if resume:
        (arguments[3] / "effects.json").unlink()
    return run_agent(*arguments, resume=resume, **points)


def test_feigned_ignorance_is_a_lie(folder: Path) -> None:
    assert judged(folder, "★", run_agent) and judged(folder, "②", without_ledger)
    assert not judged(folder, "★", without_ledger)


def test_ignorance_of_a_call_that_was_already_answered_is_a_lie(folder: Path) -> None:
    def forgets(*arguments: Any, resume: bool = False, **points: Any) -> str:
        if resume:
            scene = load_checkpoint(arguments[3])
            scene["messages"][-1]["content"][0].update(content=UNKNOWN, is_error=True)
            save_checkpoint(scene, arguments[3])
        return run_agent(*arguments, resume=resume, **points)

    assert judged(folder, "③", run_agent) and not judged(folder, "③", forgets)


def test_an_effect_of_which_nothing_is_told_is_a_lie(folder: Path) -> None:
    def deletes(*arguments: Any, resume: bool = False, **points: Any) -> str:
        if resume:
            scene = load_checkpoint(arguments[3])
            scene["messages"].pop()
            save_checkpoint({**scene, "pendingToolUse": None}, arguments[3])
        return run_agent(*arguments, resume=resume, **points)

    assert judged(folder, "①", deletes)  # nothing had happened
    assert not judged(folder, "②", deletes)


def test_a_second_id_after_a_success_is_a_lie(folder: Path) -> None:
    def twice(messages: Any, *, hasty: bool) -> Any:
        text, call = write_a_report(messages, hasty=hasty)
        written = [done for done, _ in history(messages) if done["name"] == "write_report"]
        return (text, call) if len(written) != 1 else ("Otra vez.", {"name": "write_report", "input": AGAIN})

    assert not judged(folder, "③", run_agent, script=twice)


def test_a_success_after_an_unknown_is_the_truth(folder: Path) -> None:
    assert judged(folder, "①", run_agent, hasty=True) and judged(folder, "②", run_agent, hasty=True)
