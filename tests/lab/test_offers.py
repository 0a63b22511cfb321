"""The task of five turns: what it sends, to one world for all its lines, and how it dies and goes on."""

from pathlib import Path

import pytest

from lesson_code.harness import fork_from, load_checkpoint, load_effects, rewind_to
from lesson_code.harness.snapshots import snapshots
from lesson_code.lab.offers import NAMES, copy_of, die_rewinding, offers_task, outside, received, work
from tests.support import snapshot


@pytest.fixture
def folder(tmp_path: Path, no_sync: None) -> Path:
    place = tmp_path / "tarea"
    place.mkdir()
    return place


def ids(folder: Path) -> list[str]:
    return list(load_effects(folder))


def test_the_task_names_every_customer() -> None:
    assert all(f"{name}@example.com" in offers_task() for name in NAMES)


def test_it_is_five_turns_with_one_effect_each_and_keeps_their_save_points(folder: Path) -> None:
    log = work(folder, 10, 10, 10, 50)
    assert received(outside(folder)) == {"ana": [10], "luis": [10], "eva": [10], "raul": [50], "sol": [50]}
    assert load_checkpoint(folder)["turns"] == 5
    assert list(snapshots(folder)) == [(turn, point) for turn in range(1, 6) for point in "AB"]
    assert log[-1] == "[done] Ofertas enviadas: 5. Tarea completa."


def test_a_death_and_a_resume_end_as_a_run_that_never_died(folder: Path) -> None:
    assert work(folder, 10, label="after-save-b:3")[-1] == "[kill] caída simulada en after-save-b:3"
    assert received(outside(folder))["raul"] == []
    work(folder, 10, resume=True)
    assert received(outside(folder)) == dict.fromkeys(NAMES, [10])
    assert ids(folder) == [f"toolu_0{turn}" for turn in range(1, 6)]


def test_what_a_death_left_unknown_stops_the_model_before_it_sends_again(folder: Path) -> None:
    work(folder, 10, label="after-tool:2")
    assert "luis@example.com" in work(folder, 10, resume=True)[-1]
    assert received(outside(folder))["luis"] == [10]


def test_a_second_line_gets_new_ids_and_sends_to_the_same_world(folder: Path) -> None:
    work(folder, 50)
    fork = fork_from(4, "otra", folder)
    rewind_to(4, folder, accept=True)
    for place, discount in ((folder, 10), (fork, 20)):
        work(place, discount, resume=True)
        assert ids(place)[-1].startswith("toolu_05_")
    assert received(outside(fork)) == received(outside(folder))
    assert received(outside(folder))["sol"] == [50, 10, 20]


def test_a_copy_is_changed_without_spoiling_the_first(folder: Path) -> None:
    work(folder, 10, label="after-save-b:2")
    before, copy = snapshot(folder.parent), copy_of(folder)
    assert snapshot(copy.parent) == {name: data for name, data in before.items() if not name.endswith(".lock")}
    work(copy, 10, resume=True)
    assert snapshot(folder.parent) == before


def test_a_child_that_rewinds_dies_where_it_is_told_or_gets_to_the_end(folder: Path) -> None:
    work(folder, 10)
    assert (die_rewinding(folder, 3, 2), load_checkpoint(folder)["turns"]) == (137, 5)
    assert (die_rewinding(folder, 3, 99), load_checkpoint(folder)["turns"]) == (0, 3)
