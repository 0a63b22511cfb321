"""The tree of a task: what it reads from real folders that were rewound, forked, killed and pruned."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lesson_code.course.tree import drawn
from lesson_code.harness import CheckpointMissing, CheckpointUnreadable, LedgerError, fork_from, rewind_to
from lesson_code.harness.timeline import prune
from lesson_code.lab.offers import die_rewinding, outside, work
from lesson_code.lab.tree import FORK, LEFT, TASK, Line, Step, tree
from tests.support import snapshot


@pytest.fixture
def folder(tmp_path: Path, no_sync: None) -> Iterator[Path]:
    """A task that went wrong in turn 4, in a folder that exists."""
    place = tmp_path / "tarea con ñ"
    place.mkdir()
    work(place, 10, 10, 10, 50)
    yield place


def family(folder: Path) -> Line:
    return tree(folder, outside(folder))


def shape(line: Line) -> tuple[str, str, int, list[int], list[object]]:
    """The tree without what its turns are."""
    return (line.kind, line.name, line.after, [step.turn for step in line.steps], [shape(one) for one in line.lines])


def discounts(line: Line) -> list[str]:
    return [" ".join(step.effects or []).split("con ")[-1].split(" %")[0] for step in line.steps]


def step(line: Line, turn: int) -> Step:
    return next(step for step in line.steps if step.turn == turn)


def test_a_task_that_was_let_alone_is_one_line_with_both_save_points_of_each_turn(folder: Path) -> None:
    line = family(folder)
    assert shape(line) == (TASK, folder.name, 0, [1, 2, 3, 4, 5], [])
    assert [(one.kept, one.noted, one.pending) for one in line.steps] == [("AB", True, False)] * 5
    assert discounts(line) == ["10", "10", "10", "50", "50"]
    assert line.finished


def test_a_rewind_leaves_a_line_whose_effects_are_still_in_the_world_and_in_the_ledger(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True, label="after-save-b:4")
    line = family(folder)
    left = (LEFT, "001", 3, [4, 5], [])
    assert shape(line) == (TASK, folder.name, 0, [1, 2, 3, 4], [left])
    assert (discounts(line), discounts(line.lines[0])) == (["10"] * 4, ["50", "50"])
    assert [one.noted for one in line.lines[0].steps] == [True, True]
    assert (line.finished, line.lines[0].finished) == (False, True)


def test_a_fork_hangs_from_its_turn_and_shows_only_what_is_its_own(folder: Path) -> None:
    work(fork_from(2, "otra", folder), 20, resume=True)
    line = family(folder)
    fork = (FORK, f"{folder.name}-otra", 2, [3, 4, 5], [])
    assert shape(line) == (TASK, folder.name, 0, [1, 2, 3, 4, 5], [fork])
    assert (discounts(line), discounts(line.lines[0])) == (["10", "10", "10", "50", "50"], ["20"] * 3)


def test_a_line_abandoned_twice_over_hangs_from_the_one_that_it_left(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True)
    rewind_to(2, folder, accept=True)
    first = (LEFT, "001", 3, [4, 5], [])
    assert shape(family(folder)) == (TASK, folder.name, 0, [1, 2], [(LEFT, "002", 2, [3, 4, 5], [first])])


def test_a_fork_that_left_from_a_line_which_was_then_abandoned_hangs_from_that_line(folder: Path) -> None:
    fork_from(4, "tardia", folder)
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True)
    left = family(folder).lines[0]
    assert shape(left) == (LEFT, "001", 3, [4, 5], [(FORK, f"{folder.name}-tardia", 4, [], [])])


def test_a_fork_has_a_tree_of_its_own(folder: Path) -> None:
    fork = fork_from(2, "otra", folder)
    work(fork, 20, resume=True)
    rewind_to(3, fork, accept=True)
    fork_from(3, "nieta", fork)
    grandchild = (FORK, f"{fork.name}-nieta", 3, [], [])
    assert shape(family(folder).lines[0]) == (
        FORK,
        fork.name,
        2,
        [3],
        [(LEFT, "001", 3, [4, 5], []), grandchild],
    )
    assert [line.name for line in family(folder).every()] == [folder.name, fork.name, "001", f"{fork.name}-nieta"]


def test_a_call_that_a_death_left_open_is_pending_and_not_noted(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True, label="after-tool:4")
    last = step(family(folder), 4)
    assert (last.kept, last.noted, last.pending) == ("A", False, True)
    assert last.effects == ["raul@example.com: Renueva con 10 % de descuento."]


def test_a_call_that_took_the_id_of_another_line_is_not_noted(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    work(folder, 10, resume=True, fresh_ids=False, label="after-save-b:4")
    line = family(folder)
    assert (step(line, 4).noted, step(line.lines[0], 4).noted) == (False, True)


def test_what_was_pruned_is_still_in_the_tree_without_its_files(folder: Path) -> None:
    prune(folder, 2)
    assert [one.kept for one in family(folder).steps] == ["", "", "", "AB", "AB"]


@pytest.mark.parametrize("instant", range(1, 8))
def test_a_rewind_that_died_and_was_repeated_is_one_line_with_all_its_files(folder: Path, instant: int) -> None:
    assert die_rewinding(folder, 3, instant) == 137
    rewound = (TASK, folder.name, 0, [1, 2, 3], [(LEFT, "001", 3, [4, 5], [])])
    assert shape(family(folder)) in ((TASK, folder.name, 0, [1, 2, 3, 4, 5], []), rewound)
    rewind_to(3, folder, accept=True)
    line = family(folder)
    name = line.lines[0].name
    assert shape(line) == (TASK, folder.name, 0, [1, 2, 3], [(LEFT, name, 3, [4, 5], [])])
    assert [one.kept for one in line.steps + line.lines[0].steps] == ["AB"] * 5


def test_without_a_sequence_there_are_turns_and_no_files(folder: Path) -> None:
    for path in (folder / "checkpoints").iterdir():
        path.unlink()
    assert [one.kept for one in family(folder).steps] == [""] * 5


def test_nobody_has_to_look_at_the_world(folder: Path) -> None:
    assert [one.effects for one in tree(folder).steps] == [None] * 5
    assert drawn(tree(folder)).count("sin mirar el mundo") == 5


def test_looking_changes_nothing(folder: Path) -> None:
    fork_from(2, "otra", folder)
    rewind_to(3, folder, accept=True)
    before = snapshot(folder.parent)
    drawn(family(folder))
    assert snapshot(folder.parent) == before


@pytest.mark.parametrize("turn, own", [(3, [(LEFT, "001", 3, [4, 5], [])]), (5, [])])
@pytest.mark.parametrize("lost", [True, False], ids=["lost", "torn"])
def test_a_rewind_out_of_a_checkpoint_that_was_no_use_leaves_the_turns_of_its_snapshots(
    folder: Path, lost: bool, turn: int, own: list[object]
) -> None:
    (folder / "checkpoint.json").unlink() if lost else (folder / "checkpoint.json").write_bytes(b"{")
    rewind_to(turn, folder, accept=True)
    assert shape(family(folder)) == (TASK, folder.name, 0, list(range(1, turn + 1)), own)


def test_what_cannot_be_read_is_never_left_out_in_silence(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    left = folder / "abandoned" / "001"
    whole = {path: path.read_bytes() for path in (left / "checkpoint.json", left / "turn-005-B.json")}
    for path, data in whole.items():
        path.write_bytes(data[:100])
    with pytest.raises(CheckpointUnreadable):
        tree(folder)
    for path, data in whole.items():
        path.write_bytes(data)
    (folder / "effects.json").write_bytes(b"{")
    with pytest.raises(LedgerError):
        tree(folder)
    with pytest.raises(CheckpointMissing):
        tree(folder.parent / "no hay")


def test_it_is_drawn_with_each_line_below_the_turn_that_it_leaves(folder: Path) -> None:
    rewind_to(3, folder, accept=True)
    work(fork_from(2, "otra", folder), 20, resume=True, label="after-save-a:3")
    assert drawn(family(folder)).splitlines() == [
        f"{folder.name}: va por el turno 3",
        "1 A B  send_email → ana@example.com: Renueva con 10 % de descuento.",
        "2 A B  send_email → luis@example.com: Renueva con 10 % de descuento.",
        f"├─ bifurcación {folder.name}-otra, desde el turno 2: va por el turno 3",
        "│  3 A    send_email → nada en el mundo (colgante, sin anotar)",
        "3 A B  send_email → eva@example.com: Renueva con 10 % de descuento.",
        "├─ línea abandonada 001, desde el turno 3: terminada",
        "│  4 A B  send_email → raul@example.com: Renueva con 50 % de descuento.",
        "│  5 A B  send_email → sol@example.com: Renueva con 50 % de descuento.",
    ]


def test_a_line_that_leaves_a_fork_at_its_very_beginning_is_drawn_before_its_turns(folder: Path) -> None:
    fork = fork_from(4, "otra", folder)
    work(fork, 20, resume=True)
    rewind_to(4, fork, accept=True)
    assert drawn(family(folder)).splitlines()[5:8] == [
        f"├─ bifurcación {fork.name}, desde el turno 4: va por el turno 4",
        "│  ├─ línea abandonada 001, desde el turno 4: terminada",
        "│  │  5 A B  send_email → sol@example.com: Renueva con 20 % de descuento.",
    ]
