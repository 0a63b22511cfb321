"""The four ways to go on with a task: what each really leaves of a task that was killed, and of one that was misled."""

import pytest

from lesson_code.lab.ways import WAYS, Left, killed, misled, taken
from tests.support import snapshot

ONE_EACH = {"ana": [10], "luis": [10], "eva": [10], "raul": [10], "sol": [10]}
GOOD, BAD = [10] * 5, [10, 10, 10, 50, 50]
AGAIN = {"raul": [50, 10], "sol": [50, 10]}

KILLED = {
    "resume": Left([GOOD], ONE_EACH, restored=False),
    "rewind": Left([GOOD], {**ONE_EACH, "raul": [10, 10]}, restored=False),
    "fork": Left([GOOD[:4], GOOD], {**ONE_EACH, "raul": [10, 10]}, restored=False),
    "git": Left([GOOD[:4]], {**ONE_EACH, "sol": []}, restored=True),
}
MISLED = {
    "resume": Left([BAD], {**ONE_EACH, "raul": [50], "sol": [50]}, restored=False),
    "rewind": Left([GOOD], {**ONE_EACH, **AGAIN}, restored=False),
    "fork": Left([BAD, GOOD], {**ONE_EACH, **AGAIN}, restored=False),
    "git": Left([BAD], {**ONE_EACH, "raul": [50], "sol": [50]}, restored=True),
}


@pytest.mark.parametrize("way", WAYS)
def test_of_a_task_that_was_killed_each_way_leaves_its_own(way: str, no_sync: None) -> None:
    assert taken(way, killed()) == KILLED[way]


@pytest.mark.parametrize("way", WAYS)
def test_of_a_task_that_was_misled_each_way_leaves_its_own(way: str, no_sync: None) -> None:
    assert taken(way, misled()) == MISLED[way]


def test_what_was_begun_stays_as_it_was(no_sync: None) -> None:
    begun = misled()
    before = snapshot(begun.parent)
    for way in WAYS:
        taken(way, begun)
    assert snapshot(begun.parent) == before
