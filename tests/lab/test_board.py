"""The board, whole: each of its rows is a run that died and was resumed."""

from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import load_checkpoint, run_agent, save_checkpoint
from lesson_code.lab.board import TURN, Row, moments_of, rows, run_cell, told_the_truth
from lesson_code.lab.crash import MOMENTS
from lesson_code.lab.model import ScriptedModel, history, write_a_report
from lesson_code.lab.scene import NothingHappened, new_folder, play
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.world import World
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


# A row, with the runs that it was read from


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_moments_of_a_strategy_are_those_that_a_run_passes_in_their_order(strategy: str) -> None:
    reached: list[str] = []
    folder = new_folder()
    world = World(folder)
    client = ScriptedModel(world=world)
    STRATEGIES[strategy](client, TASK, make_tools(folder, world), folder, crash_point=reached.append)
    signs = {label: moment for moment, label in MOMENTS.items()}
    third = [label.removesuffix(":3") for label in reached if label.endswith(":3")]
    assert moments_of(strategy) == "".join(signs[label] for label in third if label in signs)


@pytest.mark.parametrize("strategy", ["scratch", "b_only", "naive", "blind", "always_unknown"])
def test_at_a_moment_that_a_strategy_does_not_have_there_is_no_cell(strategy: str) -> None:
    with pytest.raises(NothingHappened, match="after-effect-write:3"):
        run_cell(strategy, "★")


TOLD = (True, UNKNOWN)
WROTE = (False, DONE)
READ: dict[tuple[str, str, bool], list[tuple[bool, str]]] = {
    ("scratch", "②", False): [WROTE],
    ("b_only", "②", False): [WROTE],
    ("naive", "①", False): [],
    ("naive", "②", False): [],
    ("blind", "②", False): [WROTE],
    ("always_unknown", "①", False): [TOLD, WROTE],
    ("always_unknown", "②", False): [TOLD],
    ("always_unknown", "②", True): [TOLD, WROTE],
    ("ledger_first", "★", False): [(False, "")],
    ("ledger_first", "②", False): [(False, "")],
    ("lesson", "①", False): [TOLD, WROTE],
    ("lesson", "②", False): [TOLD],
    ("lesson", "②", True): [TOLD, WROTE],
    ("lesson", "★", False): [WROTE],
    ("lesson", "③", False): [WROTE],
}


@pytest.mark.parametrize("strategy, moment, hasty", READ)
def test_a_cell_has_its_two_runs_and_what_the_model_read_of_the_report(strategy: str, moment: str, hasty: bool) -> None:
    cell = run_cell(strategy, moment, hasty=hasty)
    assert cell.row == Row(strategy, moment, *BOARD[strategy][moment][-1 if hasty else 0])
    assert (cell.dead.exit_code, cell.dead.log[-1]) == (137, f"[kill] caída simulada en {MOMENTS[moment]}:{TURN}")
    assert (cell.end.exit_code == 0) == cell.row.accepted
    assert cell.end.world.times("write_report") == cell.row.written
    assert [(failed, text) for _, failed, text in cell.read] == READ[strategy, moment, hasty]
    asked = [call["asked"] for call in cell.end.world.calls() if call["name"] == "write_report"]
    heard = [call_id for call_id, _, _ in cell.read]
    assert heard == asked[len(asked) - len(heard) :] and len(set(asked)) == len(asked)


def test_asked_again_the_model_of_the_board_gives_a_new_id_as_the_api_does() -> None:
    effects = run_cell("b_only", "②").end.world.effects()
    assert len(effects) == len({effect["done"] for effect in effects}) == 2


def test_a_strategy_that_does_not_exist_has_no_cell() -> None:
    with pytest.raises(KeyError):
        run_cell("nada", "②")
    with pytest.raises(KeyError):
        run_cell("lesson", "④")
