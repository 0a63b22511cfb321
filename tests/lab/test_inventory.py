"""The twelve things: a process that had them was killed, and what is left of each."""

from lesson_code.lab.inventory import FILES, THINGS, places

LEFT = {**FILES, "mail": "world.jsonl"}


def test_what_had_left_the_process_is_found_and_nothing_else() -> None:
    assert places() == {thing: LEFT.get(thing, "") for thing in THINGS}


def test_they_are_twelve() -> None:
    assert len(set(THINGS)) == 12
