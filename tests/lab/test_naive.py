"""A resume that makes up what is missing: what it believes, and which limit it passes."""

import pytest

from lesson_code.harness.checkpoint import FIELDS
from lesson_code.lab.naive import MADE_UP, resume_naive
from lesson_code.lab.scene import new_folder, play

LIMITS: dict[str, dict[str, int]] = {"turns": {"max_turns": 2}, "tokensUsed": {"budget": 600}}


def test_of_a_whole_checkpoint_it_believes_all_and_keeps_both_limits() -> None:
    dead = play(new_folder(), "after-save-b:2")
    for limit in ({}, *LIMITS.values()):
        found = resume_naive(dead, FIELDS, **limit)
        assert (found.believes, found.past_turns, found.past_budget, found.refused) == (dead.checkpoint, *[False] * 3)


@pytest.mark.parametrize("field", LIMITS)
def test_without_a_counter_it_passes_the_limit_of_that_counter_and_no_other(field: str) -> None:
    dead = play(new_folder(), "after-save-b:2")
    fields = [each for each in FIELDS if each != field]
    found = {limit: resume_naive(dead, fields, **given) for limit, given in LIMITS.items()}
    assert [found["turns"].past_turns, found["turns"].past_budget] == [field == "turns", False]
    assert [found["tokensUsed"].past_turns, found["tokensUsed"].past_budget] == [False, field == "tokensUsed"]


def test_what_was_not_saved_is_made_up() -> None:
    dead = play(new_folder(), "after-save-b:2")
    assert resume_naive(dead, ["messages"]).believes == {**MADE_UP, "messages": dead.checkpoint["messages"]}


def test_a_pending_call_ends_it_whatever_it_believes_and_what_died_stays_as_it_is() -> None:
    dead = play(new_folder(), "after-save-a:3")
    before = dead.checkpoint
    for fields in (FIELDS, ["messages"]):
        found = resume_naive(dead, fields)
        assert found.refused and bool(found.believes["pendingToolUse"]) == ("pendingToolUse" in fields)
    assert dead.checkpoint == before and dead.world.times("write_report") == 0
