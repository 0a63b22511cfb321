"""The nine checkpoints: what they are, and that an action is seen, not believed."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab.mail import mail_task
from lesson_code.lab.strategies import STRATEGIES
from lesson_code.lab.tools import TASK
from lesson_code.lab.zoo import Case, action_of, look, make_zoo

LETTERS = "abcdefghi"
RIGHT = {
    "a": "ejecutar",
    "b": "rechazar",
    "c": "avisar",
    "d": "responder",
    "e": "rechazar",
    "f": "preguntar",
    "g": "rechazar",
    "h": "rechazar",
    "i": "rechazar",
}
Harness = Callable[..., str]


def without_ledger(*arguments: Any, **options: Any) -> str:
    """The harness of lesson 3, near enough: no ledger is there when it resumes."""
    (arguments[3] / "effects.json").unlink(missing_ok=True)
    return run_agent(*arguments, **options)


@pytest.fixture(scope="module")
def zoo() -> dict[str, Case]:
    return make_zoo(STRATEGIES["always_unknown"])


def test_there_are_nine_each_in_its_folder(zoo: dict[str, Case]) -> None:
    assert "".join(zoo) == LETTERS
    assert len({case.folder for case in zoo.values()}) == 9
    assert {letter for letter, case in zoo.items() if case.task == mail_task()} == {"c"}
    assert {case.task for case in zoo.values()} == {TASK, mail_task()}


@pytest.mark.parametrize("letter", LETTERS.replace("d", "").replace("g", ""))
def test_each_gets_its_action_from_a_harness_that_reconciles(zoo: dict[str, Case], letter: str) -> None:
    assert action_of(zoo[letter], without_ledger) == RIGHT[letter]


def test_each_of_the_nine_gets_its_action_when_the_same_harness_made_them() -> None:
    zoo = make_zoo(without_ledger)
    assert {letter: action_of(case, without_ledger) for letter, case in zoo.items()} == RIGHT


@pytest.mark.parametrize(
    "strategy, letter, action",
    [
        ("blind", "c", "ejecutar"),
        ("always_unknown", "a", "avisar"),
        ("naive", "a", "preguntó y no pudo seguir"),
        ("naive", "b", "preguntó y no pudo seguir"),
        ("naive", "f", "preguntar"),
        ("naive", "g", "preguntó y no pudo seguir"),
    ],
)
def test_what_a_worse_harness_does_is_told_as_it_is(strategy: str, letter: str, action: str) -> None:
    zoo = make_zoo(without_ledger)
    assert action_of(zoo[letter], STRATEGIES[strategy]) == action


def test_looking_for_the_action_leaves_the_folder_as_it_was(zoo: dict[str, Case]) -> None:
    for case in zoo.values():
        before = {path.name: path.read_bytes() for path in case.folder.iterdir() if path.is_file()}
        for _ in range(2):
            action_of(case, without_ledger)
        assert {path.name: path.read_bytes() for path in case.folder.iterdir() if path.is_file()} == before


def test_what_it_shows_tells_true_from_one_and_what_is_missing() -> None:
    shown = {letter: look(case) for letter, case in make_zoo(without_ledger).items()}
    assert "version=true" in shown["b"] and "version=2" in shown["i"] and "version=1 " in shown["f"]
    assert "tokensUsed=falta" in shown["e"] and "JSON" in shown["h"]
    assert [letter for letter in LETTERS if "pendingToolUse=null" in shown[letter]] == list("bdefgi")
    assert "pendingToolUse=read_notes" in shown["a"] and "pendingToolUse=send_email" in shown["c"]
    assert "último: assistant, text" in shown["d"] and shown["g"].startswith("Avisa")


def test_the_field_that_is_missing_is_one_alone(zoo: dict[str, Case]) -> None:
    fields = json.loads((zoo["e"].folder / "checkpoint.json").read_text(encoding="utf-8"))
    assert len(fields) == 5 and fields["version"] == 1
