import json
import os
import re
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from lesson_code.harness import (
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    FolderInUse,
    LedgerError,
    fork_from,
    load_checkpoint,
    load_effects,
    load_latest,
    rewind_to,
)
from lesson_code.harness.snapshots import load_turn, snapshots
from lesson_code.harness.timeline import forks_of, prune
from tests.harness.past import FIVE, copy, deaths, go, history_of, kept, line, mixes_no_lines, names, sent
from tests.support import ROOT, snapshot, write_json

pytestmark = pytest.mark.usefixtures("no_sync")
posix = pytest.mark.skipif(os.name == "nt", reason="fork, links and modes are POSIX")

BACK = [
    pytest.param(lambda turn, folder: rewind_to(turn, folder, accept=True), id="rewind"),
    pytest.param(lambda turn, folder: fork_from(turn, "otra", folder), id="fork"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of a run that kept its five turns, each of which sent something."""
    place = tmp_path_factory.mktemp("casa")
    go(place / "carpeta con ñ", *FIVE)
    return place


@pytest.fixture
def five(house: Path, tmp_path: Path) -> Path:
    """A copy of that run, in its world."""
    return Path(shutil.copytree(house, tmp_path, dirs_exist_ok=True)) / "carpeta con ñ"


def left_behind(folder: Path) -> dict[str, bytes]:
    """The bytes of each file in abandoned/, by `NNN/name`."""
    place = folder / "abandoned"
    return {name: data for name, data in snapshot(place).items() if data is not None} if place.exists() else {}


# Rewinding


def test_a_rewind_gives_back_the_turn_and_leaves_the_ledger_whole_and_what_came_later_aside(five: Path) -> None:
    before, ledger = history_of(five), (five / "effects.json").read_bytes()
    later = (five / "checkpoint.json").read_bytes()
    target = rewind_to(3, five, accept=True)
    assert target["turns"] == 3 and line(target) == FIVE[:3] and load_checkpoint(five) == load_latest(five) == target
    assert kept(five) == names("1AB", "2AB", "3AB") == sorted(history_of(five))
    gone = {f"001/{name}": before[name] for name in names("4AB", "5AB")}
    assert left_behind(five) == {**gone, "001/checkpoint.json": later}
    assert (five / "effects.json").read_bytes() == ledger and len(load_effects(five)) == 5
    assert sent(five) == list(FIVE)


def test_after_a_rewind_and_a_new_turn_4_the_new_line_goes_on_and_not_the_abandoned_5(five: Path) -> None:
    rewind_to(3, five, accept=True)
    go(five, "t1", "t2", "t3", "u4", resume=True)
    for crash in ("after-save-a:5", "after-save-b:5"):
        again = copy(five, five.parent / crash[:12])
        assert line(load_latest(again)) == line(load_checkpoint(again)) == ("t1", "t2", "t3", "u4")
        go(again, "t1", "t2", "t3", "u4", "u5", resume=True, crash=crash)
        go(again, "t1", "t2", "t3", "u4", "u5", "u6", resume=True)
        assert line(load_latest(again)) == ("t1", "t2", "t3", "u4", "u5", "u6") and mixes_no_lines(again)
        assert set(load_effects(again)) >= {*FIVE, "u4", "u6"}


def test_a_death_right_after_a_rewind_is_resumed_at_that_turn(five: Path) -> None:
    rewind_to(3, five, accept=True)
    go(five, *FIVE[:3], "u4", resume=True, crash="after-answer:4")
    assert line(load_latest(five)) == line(load_checkpoint(five)) == FIVE[:3]
    go(five, *FIVE[:3], "u4", resume=True)
    assert line(load_checkpoint(five)) == (*FIVE[:3], "u4") and sent(five) == [*FIVE, "u4"]


def test_two_rewinds_leave_two_lines_aside_each_whole(five: Path) -> None:
    old = history_of(five)
    rewind_to(3, five, accept=True)
    go(five, *FIVE[:3], "u4", resume=True)
    middle = history_of(five)
    rewind_to(2, five, accept=True)
    go(five, "t1", "t2", "v3", resume=True)
    assert line(load_latest(five)) == ("t1", "t2", "v3") and mixes_no_lines(five)
    aside = left_behind(five)
    assert {name: aside[f"001/{name}"] for name in names("4AB", "5AB")} == {n: old[n] for n in names("4AB", "5AB")}
    assert {name: aside[f"002/{name}"] for name in names("3AB", "4AB")} == {n: middle[n] for n in names("3AB", "4AB")}
    assert list(load_effects(five)) == [*FIVE, "u4", "v3"]


def test_a_rewind_to_where_the_run_is_changes_nothing(five: Path) -> None:
    before = history_of(five), (five / "checkpoint.json").read_bytes()
    for _ in range(2):
        rewind_to(5, five)  # nothing is beyond it: there is nothing to accept
    assert (history_of(five), (five / "checkpoint.json").read_bytes()) == before


def test_a_rewind_that_is_not_accepted_names_the_effects_and_moves_nothing(five: Path) -> None:
    before = snapshot(five)
    with pytest.raises(CheckpointRejected, match=r"accept=True.*send \(t4\), send \(t5\)"):
        rewind_to(3, five)
    assert snapshot(five) == before


def test_a_rewind_names_every_effect_however_many(folder: Path) -> None:
    ids = [f"toolu_{number:030d}" for number in range(1, 41)]
    go(folder, *ids)
    with pytest.raises(CheckpointRejected, match=rf"send \({ids[1]}\), .*send \({ids[-1]}\)$"):
        rewind_to(1, folder)


def test_a_pending_call_can_be_rewound_and_is_told_as_possible(folder: Path) -> None:
    go(folder, "t1", "t2", crash="after-tool:2")
    with pytest.raises(CheckpointRejected, match=r"quizá send \(t2\)"):
        rewind_to(1, folder)
    assert rewind_to(1, folder, accept=True)["pendingToolUse"] is None
    go(folder, "t1", "u2", resume=True)
    assert sent(folder) == ["t1", "t2", "u2"] and line(load_latest(folder)) == ("t1", "u2")


@posix
def test_a_death_at_any_change_of_a_rewind_loses_nothing_and_mixes_no_lines(five: Path) -> None:
    every = {*history_of(five).values(), (five / "checkpoint.json").read_bytes(), (five / "effects.json").read_bytes()}
    whole = kept(five)
    for dead in deaths(five, lambda place: rewind_to(3, place, accept=True)):
        assert every <= {data for data in snapshot(dead).values() if data is not None}
        assert line(load_checkpoint(dead)) in (FIVE, FIVE[:3]) and mixes_no_lines(dead)
        assert kept(dead) == whole[: len(kept(dead))]  # no hole

        resumed = copy(dead, dead.parent / "reanudada")
        ids = (*line(load_checkpoint(dead)), "u")
        go(resumed, *ids, resume=True)
        assert line(load_latest(resumed)) == line(load_checkpoint(resumed)) == ids and mixes_no_lines(resumed)

        rewind_to(3, dead, accept=True)
        assert kept(dead) == names("1AB", "2AB", "3AB") == sorted(history_of(dead))
        assert line(load_checkpoint(dead)) == FIVE[:3]
        assert every <= {data for data in snapshot(dead).values() if data is not None}
        go(dead, *FIVE[:3], "u4", resume=True)
        assert line(load_latest(dead)) == (*FIVE[:3], "u4") and mixes_no_lines(dead)


@posix
def test_a_death_inside_a_rewind_and_a_resume_that_keeps_nothing_bring_back_no_abandoned_turn(five: Path) -> None:
    for dead in deaths(five, lambda place: rewind_to(3, place, accept=True)):
        if line(load_checkpoint(dead)) == FIVE[:3]:
            go(dead, *FIVE[:3], "u4", "u5", resume=True, history=False)
            for turn in {turn for turn, point in snapshots(dead) if point == "B"}:
                assert line(load_turn(turn, dead)) == (*FIVE[:3], "u4", "u5")[:turn]


@posix
def test_a_death_inside_a_rewind_without_a_checkpoint_loses_nothing(five: Path) -> None:
    rewind_to(3, five, accept=True)
    go(five, *FIVE[:3], "u4", "u5", resume=True)
    (five / "checkpoint.json").unlink()
    every = {data for name, data in snapshot(five).items() if "turn-" in name}
    for dead in deaths(five, lambda place: rewind_to(3, place, accept=True)):
        if (dead / "checkpoint.json").exists():
            go(dead, *FIVE[:3], "v4", resume=True)
        else:
            rewind_to(3, dead, accept=True)
        assert every <= {*snapshot(dead).values()}


def test_a_checkpoint_that_somebody_brings_back_by_hand_costs_no_snapshot(five: Path) -> None:
    rewind_to(3, five, accept=True)
    go(five, *FIVE[:3], "u4", "u5", resume=True)
    every = {data for name, data in snapshot(five).items() if "turn-" in name}
    shutil.copy(five / "checkpoints" / "turn-003-B.json", five / "checkpoint.json")
    go(five, *FIVE[:3], "v4", resume=True)
    assert line(load_latest(five)) == (*FIVE[:3], "v4") and mixes_no_lines(five)
    assert every <= {*snapshot(five).values()}


def failing_once(really: Any, at: int) -> Any:
    """`really`, whose call number `at` fails."""
    calls = count(1)

    def run(*arguments: Any) -> Any:
        if next(calls) == at:
            raise OSError(5, "disco")
        return really(*arguments)

    return run


@posix
@pytest.mark.parametrize("failing", ["replace", "fsync"])
def test_a_disk_that_fails_inside_a_rewind_costs_nothing_and_the_rewind_can_be_repeated(
    five: Path, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, really = {*history_of(five).values(), (five / "checkpoint.json").read_bytes()}, getattr(os, failing)
    for at in range(1, 50):
        place = copy(five, five.parent / str(at))
        with monkeypatch.context() as system:
            system.setattr(os, failing, failing_once(really, at))
            try:
                rewind_to(3, place, accept=True)
                break
            except OSError:
                pass
        assert every <= {*snapshot(place).values()} and line(load_checkpoint(place)) in (FIVE, FIVE[:3])
        assert mixes_no_lines(place) and not [name for name in snapshot(place) if name.endswith(".tmp")]
        rewind_to(3, place, accept=True)
        assert sorted(history_of(place)) == names("1AB", "2AB", "3AB") and every <= {*snapshot(place).values()}
    assert at > 4


@pytest.mark.parametrize("data", [None, b"", b"{roto", b"\xff", b'{"version": 2}'])
def test_a_checkpoint_that_cannot_be_used_is_brought_back_from_a_good_sequence(five: Path, data: bytes | None) -> None:
    (five / "checkpoint.json").unlink()
    if data is not None:
        (five / "checkpoint.json").write_bytes(data)
    with pytest.raises(CheckpointRejected, match="t4.*t5"):
        rewind_to(3, five)
    rewind_to(3, five, accept=True)
    assert line(load_checkpoint(five)) == FIVE[:3] and left_behind(five).get("001/checkpoint.json") == data


def test_a_turn_whose_snapshot_is_broken_is_refused_and_no_other_takes_its_place(five: Path) -> None:
    (five / "checkpoints" / "turn-003-B.json").write_bytes(b"{roto")
    before = snapshot(five.parent)
    for go_back in BACK:
        with pytest.raises(CheckpointUnreadable, match="turn-003-B.json"):
            go_back.values[0](3, five)
    assert snapshot(five.parent) == before


@pytest.mark.parametrize("go_back", BACK)
@pytest.mark.parametrize("turn", [0, -3, 6, 10**20])
def test_there_is_no_way_back_to_a_turn_that_is_not_there(five: Path, go_back: Any, turn: int) -> None:
    before = snapshot(five.parent)
    with pytest.raises(CheckpointMissing, match="1, 2, 3, 4, 5"):
        go_back(turn, five)
    assert snapshot(five.parent) == before


@pytest.mark.parametrize("go_back", BACK)
def test_where_no_past_was_kept_there_is_no_way_back_and_nothing_is_made(tmp_path: Path, go_back: Any) -> None:
    (tmp_path / "vacía").mkdir()
    go(tmp_path / "sin historia", "t1", history=False)
    (tmp_path / "sin historia" / ".lock").unlink()
    before = snapshot(tmp_path)
    for place in ("no existe", "vacía", "sin historia"):
        with pytest.raises(CheckpointMissing, match="ninguno"):
            go_back(1, tmp_path / place)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("go_back", BACK)
def test_a_ledger_that_cannot_be_read_stops_the_way_back(five: Path, go_back: Any) -> None:
    (five / "effects.json").write_bytes(b"{roto")
    before = snapshot(five.parent)
    with pytest.raises(LedgerError):
        go_back(3, five)
    assert snapshot(five.parent) == before


@posix
@pytest.mark.parametrize(
    "target",
    [
        "otro.json",
        "nada.json",
    ],
)
def test_a_checkpoint_that_is_a_link_is_refused_before_any_snapshot_is_moved(five: Path, target: str) -> None:
    (five / "checkpoint.json").rename(five / "otro.json")
    (five / "checkpoint.json").symlink_to(target)
    before = snapshot(five)
    with pytest.raises((OSError, CheckpointError), match="enlace"):
        rewind_to(3, five, accept=True)
    assert {name: data for name, data in snapshot(five).items() if not name.startswith("abandoned")} == before


def test_a_rewind_sweeps_the_temporary_of_a_death_and_leaves_it_out_of_the_line(five: Path) -> None:
    (five / "checkpoints" / "turn-003-B.json.0123abcd.tmp").write_bytes(b"a medias")
    rewind_to(3, five, accept=True)
    assert not [name for name in snapshot(five) if name.endswith(".tmp")]


# One owner


OWNS = """
import sys
from pathlib import Path
from lesson_code.harness.folder import owned
with owned(Path(sys.argv[1])):
    print("dentro", flush=True)
    sys.stdin.read()
"""


def test_a_running_task_is_neither_rewound_nor_pruned(five: Path) -> None:
    command = [sys.executable, "-c", OWNS, str(five)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout and owner.stdout.readline() == "dentro\n"
        before = snapshot(five) if os.name != "nt" else {}
        for change in (lambda: rewind_to(3, five, accept=True), lambda: prune(five, 1)):
            with pytest.raises(FolderInUse, match=re.escape(str(five))):
                change()
        assert not before or snapshot(five) == before
        owner.communicate("")
    assert rewind_to(3, five, accept=True)["turns"] == 3


def test_a_fork_reads_a_running_task_and_needs_no_lock(five: Path) -> None:
    with FileLock(five / ".lock"):
        assert line(load_checkpoint(fork_from(3, "otra", five))) == FIVE[:3]


# Forking


def test_a_fork_has_its_folder_its_turn_and_the_ledger_up_to_it_and_the_parent_is_untouched(five: Path) -> None:
    before = snapshot(five)
    place = fork_from(3, "breve", five)
    assert place == five.with_name(f"{five.name}-breve") and snapshot(five) == before
    assert line(load_checkpoint(place)) == FIVE[:3] and load_checkpoint(place) == load_latest(place)
    assert load_effects(place) == {name: load_effects(five)[name] for name in FIVE[:3]}
    assert sorted(snapshot(place)) == [
        "checkpoint.json",
        "checkpoints",
        "checkpoints/turn-003-B.json",
        "effects.json",
        "fork.json",
    ]
    assert json.loads((place / "fork.json").read_bytes()) == {"parent": five.name, "turn": 3}


def test_two_branches_that_both_send_send_twice_and_each_notes_its_own(five: Path) -> None:
    place = fork_from(3, "otra", five)
    go(place, *FIVE[:3], "t4", resume=True)  # the very id of the parent's: what is noted there does not count here
    go(five, *FIVE, "t6", resume=True)
    assert sent(five) == [*FIVE, "t4", "t6"]
    assert list(load_effects(place)) == [*FIVE[:3], "t4"] and list(load_effects(five)) == [*FIVE, "t6"]
    assert line(load_latest(place)) == (*FIVE[:3], "t4") and kept(place) == names("3B", "4AB")


def test_what_was_done_before_the_fork_is_not_done_again(folder: Path) -> None:
    go(folder, "t1", "t2")
    write_json(folder / "checkpoints" / "turn-002-B.json", load_checkpoint(folder))
    place = fork_from(2, "otra", folder)
    a = json.loads((folder / "checkpoints" / "turn-002-A.json").read_bytes())
    write_json(place / "checkpoint.json", a)  # as if the fork had died with that call pending
    go(place, "t1", "t2", resume=True)
    assert sent(folder) == ["t1", "t2"]


def test_a_pending_call_is_not_inherited_by_a_fork(folder: Path) -> None:
    go(folder, "t1", "t2", "t3", crash="after-tool:3")
    place = fork_from(2, "otra", folder)
    assert load_checkpoint(place)["pendingToolUse"] is None and list(load_effects(place)) == ["t1", "t2"]
    assert load_checkpoint(folder)["pendingToolUse"]["id"] == "t3"


def test_a_fork_can_be_forked_and_rewound(five: Path) -> None:
    child = fork_from(3, "a", five)
    go(child, *FIVE[:3], "u4", "u5", resume=True)
    grandchild = fork_from(4, "b", child)
    assert grandchild.name == f"{five.name}-a-b" and line(load_checkpoint(grandchild)) == (*FIVE[:3], "u4")
    assert line(rewind_to(3, child, accept=True)) == FIVE[:3]
    assert forks_of(five) == {child.name: 3} and forks_of(child) == {grandchild.name: 4}


@posix
def test_a_death_at_any_change_of_a_fork_leaves_the_parent_as_it_was_and_a_whole_fork_or_none(five: Path) -> None:
    before, place = snapshot(five), fork_from(3, "rama", five)
    whole = snapshot(place)
    for dead in deaths(five, lambda folder: fork_from(3, "rama", folder)):
        there = dead.with_name(place.name)
        assert snapshot(dead) == before
        if there.exists():
            assert snapshot(there) == whole
        else:
            assert fork_from(3, "rama", dead) == there
        assert snapshot(there) == whole and sorted(os.listdir(dead.parent)) == [dead.name, there.name]
        go(there, *FIVE[:3], "u4", resume=True)
        assert line(load_latest(there)) == (*FIVE[:3], "u4")


def test_what_a_death_left_of_a_fork_from_another_turn_is_no_part_of_this_one(five: Path) -> None:
    draft = fork_from(5, "rama", five)
    draft.rename(draft.with_name(f"{draft.name}.tmp"))
    assert forks_of(five) == {}
    place = fork_from(3, "rama", five)
    assert kept(place) == names("3B") and list(load_effects(place)) == ["t1", "t2", "t3"]
    assert forks_of(five) == {place.name: 3}


BAD = ["", " ", "Rama", "ramá", "-a", "_a", "a b", "a/b", "../a", "a.tmp", ".", "a\n", "a" * 41, "ａ", "\x1b[2J"]


@pytest.mark.parametrize("branch", BAD, ids=ascii)
def test_a_bad_name_of_a_branch_is_refused_before_anything_is_made(five: Path, branch: str) -> None:
    before = snapshot(five.parent)
    with pytest.raises(CheckpointRejected) as refusal:
        fork_from(3, branch, five)
    assert snapshot(five.parent) == before and str(refusal.value).isprintable()


@pytest.mark.parametrize("branch", ["a", "7", "a_b-c", "0-_", "x" * 40])
def test_a_good_name_of_a_branch_ends_its_folder(five: Path, branch: str) -> None:
    assert fork_from(3, branch, five).name == f"{five.name}-{branch}"


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_branch_whose_place_is_taken_is_refused(five: Path, kind: str) -> None:
    if kind == "link" and os.name == "nt":
        pytest.skip("links need a privilege on Windows")
    place = five.with_name(f"{five.name}-rama")
    {"folder": place.mkdir, "file": place.touch, "link": lambda: place.symlink_to("nada")}[kind]()
    before = snapshot(five.parent)
    with pytest.raises(CheckpointRejected, match="Ya existe"):
        fork_from(3, "rama", five)
    assert snapshot(five.parent) == before


@pytest.mark.parametrize("given", [".", "../carpeta con ñ", "carpeta con ñ/../carpeta con ñ/"])
def test_a_fork_stands_beside_its_parent_however_the_parent_is_named(
    five: Path, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(five.parent if given.startswith("c") else five)
    assert fork_from(3, "rama", given) == five.with_name(f"{five.name}-rama")
    assert forks_of(given) == {f"{five.name}-rama": 3}  # type: ignore[arg-type]


@posix
def test_what_was_private_is_private_on_both_lines(five: Path) -> None:
    (five / "checkpoint.json").chmod(0o600)
    for path in (five / "checkpoints").iterdir():
        path.chmod(0o600)
    (five / "effects.json").chmod(0o600)
    place = fork_from(3, "rama", five)
    rewind_to(3, five, accept=True)
    found = [path for top in (five, place) for path in top.rglob("*.json") if path.name != "fork.json"]
    assert [path.name for path in found if path.stat().st_mode & 0o077] == []


def test_a_folder_that_no_fork_made_is_not_deleted(five: Path) -> None:
    mine = five.with_name(f"{five.name}-rama.tmp")
    mine.mkdir()
    (mine / "mio.txt").write_bytes(b"mio")
    try:
        fork_from(3, "rama", five)
    except (OSError, CheckpointError):
        pass
    assert (mine / "mio.txt").read_bytes() == b"mio"


# Pruning


@pytest.mark.parametrize("turns", [0, 1, 2, 4, 5, 7])
@pytest.mark.parametrize("forked", [(), (2,), (1, 4)], ids=str)
def test_a_prune_keeps_the_last_turns_and_every_turn_that_was_forked(
    five: Path, turns: int, forked: tuple[int, ...]
) -> None:
    for turn in forked:
        fork_from(turn, f"rama{turn}", five)
    before, others = history_of(five), {name: data for name, data in snapshot(five).items() if "turn-" not in name}
    stay = {*range(6 - turns, 6), *forked} & set(range(1, 6))
    gone = prune(five, turns)
    assert kept(five) == [name for turn in range(1, 6) if turn in stay for name in names(f"{turn}AB")]
    assert sorted([*gone, *kept(five)]) == sorted(before)
    assert {name: data for name, data in snapshot(five).items() if "turn-" not in name} == others
    for turn in sorted(stay, reverse=True):
        assert line(rewind_to(turn, five, accept=True)) == FIVE[:turn]


def test_a_pruned_run_goes_on(five: Path) -> None:
    assert prune(five, 1) == names("1AB", "2AB", "3AB", "4AB") and prune(five, 1) == []
    go(five, *FIVE, "t6", resume=True)
    assert kept(five) == names("5AB", "6AB")


@posix
def test_a_death_at_any_change_of_a_prune_keeps_what_stays(five: Path) -> None:
    fork = fork_from(2, "rama", five)
    before, stay = snapshot(five), names("2AB", "4AB", "5AB")
    for dead in deaths(five, lambda place: prune(place, 2), fork):
        assert {*before} - {*snapshot(dead)} <= {f"checkpoints/{name}" for name in names("1AB", "3AB")}
        assert snapshot(dead).items() <= before.items()
        prune(dead, 2)
        assert kept(dead) == stay and line(load_checkpoint(dead)) == FIVE


@pytest.mark.parametrize(
    "note", [b"", b"{roto", b"[]", b"null", b'{"turn": 2}', b'{"parent": "carpeta con \xc3\xb1", "turn": "x"}']
)
def test_a_fork_that_cannot_say_its_turn_stops_a_prune(five: Path, note: bytes) -> None:
    place = fork_from(2, "rama", five)
    (place / "fork.json").write_bytes(note)
    before = history_of(five)
    with pytest.raises(CheckpointUnreadable, match=re.escape(f"{place.name}/fork.json")):
        prune(five, 1)
    assert history_of(five) == before


def test_only_the_forks_of_a_folder_are_its_forks(five: Path) -> None:
    (five.parent / f"{five.name}-suelta").mkdir()
    stranger = copy(fork_from(2, "rama", five), five.parent / "otra parte")
    (five.parent / f"{five.name}-ajena").mkdir()
    write_json(five.parent / f"{five.name}-ajena" / "fork.json", {"parent": "otra", "turn": 1})
    assert forks_of(five) == {stranger.name: 2}


def test_a_folder_whose_name_is_a_pattern_has_its_own_forks_only(tmp_path: Path) -> None:
    for name in ("[ab]", "a"):
        go(tmp_path / name, "t1", "t2")
        fork_from(1, "rama", tmp_path / name)
    assert forks_of(tmp_path / "[ab]") == {"[ab]-rama": 1} and prune(tmp_path / "a", 1) == []


def test_where_nothing_is_a_prune_makes_nothing(tmp_path: Path) -> None:
    try:
        prune(tmp_path / "no existe", 1)
    except CheckpointError:
        pass
    assert os.listdir(tmp_path) == []


def test_a_turn_in_course_is_not_counted_among_those_that_can_be_gone_back_to(five: Path) -> None:
    go(five, *FIVE, "t6", resume=True, crash="after-save-a:6")
    prune(five, 1)
    assert kept(five) == names("5AB", "6A") and load_turn(5, five)["turns"] == 5


# A fresh start, and what a power cut may take


def synced(monkeypatch: pytest.MonkeyPatch, place: Path) -> list[set[str]]:
    """What the folder `place` held each time that it was made durable."""
    seen: list[set[str]] = []

    def fsync(descriptor: int) -> None:
        if place.exists() and os.path.samestat(os.fstat(descriptor), place.stat()):
            seen.append(set(os.listdir(place)))

    monkeypatch.setattr(os, "fsync", fsync)
    return seen


@posix
def test_what_a_rewind_moves_is_durable_where_it_arrives(five: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = synced(monkeypatch, five / "abandoned" / "001")
    rewind_to(3, five, accept=True)
    assert seen[-1] == {*names("4AB", "5AB"), "checkpoint.json"}


@posix
def test_what_a_fresh_start_moves_is_durable_where_it_arrives(five: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = synced(monkeypatch, five / "previous" / "001")
    go(five, "n1")
    assert {"checkpoints"} <= set().union(*seen)


def past_of_three(folder: Path) -> None:
    """A run that was rewound, in a folder that is a fork: all that a past can be made of."""
    go(folder, "t1", "t2")
    rewind_to(1, folder, accept=True)
    go(folder, "t1", "u2", resume=True)
    write_json(folder / "fork.json", {"parent": "otra", "turn": 1})


def test_a_fresh_start_archives_the_past_and_its_own_sequence_is_alone(folder: Path) -> None:
    past_of_three(folder)
    past = {name: data for name, data in snapshot(folder).items() if name not in (".lock", "sales-notes.txt")}
    go(folder, "n1")
    after = snapshot(folder)
    assert {name: after[f"previous/001/{name}"] for name in past} == past
    assert kept(folder) == names("1AB") and line(load_latest(folder)) == ("n1",)
    assert not (folder / "abandoned").exists() and not (folder / "fork.json").exists()
    go(folder, "m1", history=False)
    assert not (folder / "checkpoints").exists()
    assert (folder / "previous" / "002" / "checkpoints" / "turn-001-B.json").exists()


@posix
def test_a_death_at_any_change_of_a_fresh_start_loses_nothing_of_the_past(folder: Path) -> None:
    past_of_three(folder)
    every = {data for data in snapshot(folder).values() if data}
    ledger = load_effects(folder)
    for dead in deaths(folder, lambda place: go(place, "n1")):
        assert every <= {data for data in snapshot(dead).values() if data}

        found = [data for name, data in snapshot(dead).items() if re.fullmatch(r"check.*\.json", name)]
        if any(b'"t1"' in data for data in found):  # the old run can still be resumed, or rewound: it has its ledger
            assert load_effects(dead) == ledger
        go(dead, "n1")
        assert every <= {data for data in snapshot(dead).values() if data}
        assert line(load_latest(dead)) == line(load_checkpoint(dead)) == ("n1",) and kept(dead) == names("1AB")
        assert not (dead / "abandoned").exists() and not (dead / "fork.json").exists()
