"""A learner's program as its child loads it: annotations are left unread, and it can be had again without a memory."""

import pytest

from lesson_code.course.exercises.judging import anew, load

PROGRAM = "SEEN = []\ndef remember(what: Missing) -> Nowhere:\n    SEEN.append(what)\n    return len(SEEN)\n"


def test_an_annotation_may_name_what_the_child_has_not() -> None:
    assert load(PROGRAM)["remember"]("a") == 1


def test_a_function_had_anew_has_forgotten_what_its_globals_held() -> None:
    remember = load(PROGRAM)["remember"]
    assert [remember("a"), remember("b"), anew(remember)("c"), remember("d")] == [1, 2, 1, 3]


def test_a_program_that_raises_is_not_loaded() -> None:
    with pytest.raises(NameError):
        load("print(missing)")
