"""The comparison: two moments of the world, and what differs between them."""

from pathlib import Path

from lesson_code.lab.twice import changes, contents, run_twice
from lesson_code.lab.world import World


def test_the_contents_hold_every_file_and_every_effect(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "ñ.txt").write_text("€", encoding="utf-8")
    World(folder).ask("toolu_01", "send_email")
    World(folder).do("send_email", "ana")
    World(folder).do("send_email", "ana")
    assert contents(folder) == {
        "sales-notes.txt": "enero: 10\nfebrero: 12\n",
        "sub/ñ.txt": "€",
        "#1 send_email": "ana",
        "#2 send_email": "ana",
    }


def test_asking_is_no_change_of_the_world(folder: Path) -> None:
    before = contents(folder)
    World(folder).ask("toolu_01", "send_email")
    assert contents(folder) == before


def test_a_change_says_what_came_what_went_and_what_differs() -> None:
    assert changes({"a": "1", "b": "1", "c": "1"}, {"b": "2", "c": "1", "d": ""}) == ["- a: 1", "~ b: 1 → 2", "+ d: "]
    assert changes({}, {}) == []


def test_a_long_value_is_cut_and_lines_are_joined() -> None:
    (line,) = changes({}, {"a": "uno\ndos\n" + "x" * 99})
    assert line.startswith("+ a: uno / dos / xx") and line.endswith("…") and len(line) < 40


def test_what_happens_in_between_is_part_of_the_first_world() -> None:
    trial = run_twice("read_file", lambda folder: (folder / "new").write_text("x"))
    assert trial.once["new"] == "x" and trial.same_world
