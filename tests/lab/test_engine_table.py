"""What is told of the engines is what was kept; and what has changed since is said."""

import copy

import pytest

from lesson_code.lab.engine_table import changes, engine_table, in_words, kept, move
from lesson_code.words import say


def cell(**counts: int) -> dict[str, object]:
    return {"engine": "dbos", "moment": "②", "runs": 4, "untold": 0, "unknown": 0, **counts}


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, "una vez"),
        ({"unknown": 4}, "avisa"),
        ({"untold": 4}, "calla 4/4"),
        ({"untold": 1, "unknown": 3}, "calla 1/4"),
    ],
)
def test_one_run_that_kept_silent_is_told(counts: dict[str, int], words: str) -> None:
    assert in_words(cell(**counts)) == words


def test_the_table_has_a_line_for_each_engine_and_tells_with_what_it_was_measured() -> None:
    lines = engine_table().splitlines()
    results = kept()
    engines = list(dict.fromkeys(found["engine"] for found in results["cells"]))
    assert lines[0].split() == ["motor", "①", "②", "★", "③"]
    for line, engine in zip(lines[1:], engines, strict=False):
        words = [in_words(found) for found in results["cells"] if found["engine"] == engine]
        assert line.startswith(say(f"engine_{engine}"))
        assert all(each in line for each in words)
    assert all(each in " ".join(lines[-2:]) for each in (results["date"], results["versions"]["dbos"]))
    assert max(map(len, lines[:8])) <= 100


def test_what_changed_is_said_and_a_count_that_moves_by_chance_is_not() -> None:
    old = kept()
    new = copy.deepcopy(old)
    assert list(changes(old, new)) == []
    chance = next(found for found in new["cells"] if found["runs"] == 20)
    chance["untold"] = 19 if chance["untold"] == 1 else 1
    assert list(changes(old, new)) == []
    new["versions"]["dbos"] = "9.9.9"
    mended = next(found for found in new["cells"] if found["engine"] == "dbos" and found["moment"] == "②")
    mended["untold"] = 0
    gone = new["cells"].pop()
    assert list(changes(old, new)) == [
        f"dbos: era {old['versions']['dbos']}, ahora es 9.9.9.",
        "DBOS, en ②: era «calla 4/4», ahora es «una vez».",
        say("engines_gone", name=say(f"engine_{gone['engine']}"), moment=gone["moment"]),
    ]


def test_the_move_to_an_engine_is_a_diff_of_some_dozen_lines() -> None:
    lines = move().splitlines()
    assert lines[:2] == ["--- by_hand.py", "+++ on_dbos.py"]
    changed = [line for line in lines[2:] if line[:1] in "+-"]
    assert 12 <= len([line for line in changed if line.startswith("+") and line.strip("+ ")]) <= 24
