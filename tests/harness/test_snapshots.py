import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import (
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    load_checkpoint,
    load_latest,
    rewind_to,
    run_agent,
    save_checkpoint,
)
from lesson_code.harness.folder import owned
from lesson_code.harness.snapshots import keep, keeping, load_turn
from tests.harness.past import FIVE, deaths, go, history_of, kept, line, mixes_no_lines, names
from tests.support import TASK, Events, Replies, case, end, scene_a, scene_b, snapshot, write_json

pytestmark = pytest.mark.usefixtures("no_sync")
posix = pytest.mark.skipif(os.name == "nt", reason="fork, links and modes are POSIX")


def numbered(folder: Path, *turns: int) -> None:
    """A sequence with the B of these turns."""
    for turn in turns:
        save_checkpoint({**scene_b(), "turns": turn}, folder)
        keep(folder)


# What is kept


def test_each_save_point_is_kept_to_the_byte_before_anybody_is_told_of_it(folder: Path) -> None:
    seen: list[str] = []

    def looks(event: str, **fields: Any) -> None:
        seen.append(kept(folder)[-1])
        assert history_of(folder)[seen[-1]] == (folder / "checkpoint.json").read_bytes()

    go(folder, "t1", "t2", emit=looks)
    assert seen == kept(folder) == names("1AB", "2AB")


def test_neither_a_start_nor_an_end_is_a_save_point(folder: Path) -> None:
    events = Events()
    assert run_agent(Replies(end()), TASK, {}, folder, emit=keeping(folder, events)) == "Listo."
    run_agent(Replies(), TASK, {}, folder, resume=True, emit=keeping(folder, events))
    assert not (folder / "checkpoints").exists() and events.names == ["resume"]


def test_a_run_without_history_leaves_no_sequence(folder: Path) -> None:
    go(folder, "t1", "t2", history=False)
    go(folder, "t1", "t2", "t3", resume=True, history=False)
    assert not (folder / "checkpoints").exists()
    with pytest.raises(CheckpointMissing, match="--history"):
        load_latest(folder)


def test_a_run_that_begins_to_keep_its_past_when_it_is_resumed_keeps_where_it_was(folder: Path) -> None:
    go(folder, "t1", "t2", history=False)
    go(folder, "t1", "t2", "t3", resume=True)
    assert kept(folder) == names("2B", "3AB") and line(load_latest(folder)) == ("t1", "t2", "t3")


@pytest.mark.parametrize("moment", ["after-save-a:2", "after-tool:2", "after-effect-write:2", "after-save-b:2"])
def test_a_death_leaves_no_hole_in_the_sequence(folder: Path, moment: str) -> None:
    go(folder, "t1", "t2", crash=moment)
    go(folder, "t1", "t2", "t3", resume=True)
    assert kept(folder) == names("1AB", "2AB", "3AB") and mixes_no_lines(folder)


@posix
def test_a_death_at_any_change_of_a_turn_that_is_kept_loses_nothing(folder: Path) -> None:
    go(folder, "t1")
    before = history_of(folder)
    for dead in deaths(folder, lambda place: go(place, "t1", "t2", resume=True)):
        load_checkpoint(dead)
        assert mixes_no_lines(dead) and history_of(dead).items() >= before.items()
        go(dead, "t1", "t2", "t3", resume=True)
        assert kept(dead) == names("1AB", "2AB", "3AB") == sorted(history_of(dead)) and mixes_no_lines(dead)
        assert load_latest(dead) == load_checkpoint(dead)


def test_a_call_that_a_checkpoint_from_elsewhere_left_open_is_kept(folder: Path) -> None:
    data = write_json(folder / "checkpoint.json", case("lesson6_order.json"))
    keep(folder)
    [name] = kept(folder)
    assert name.endswith("-A.json") and history_of(folder)[name] == data


@posix
def test_what_was_private_is_private_in_the_sequence(folder: Path) -> None:
    go(folder, "t1")
    (folder / "checkpoint.json").chmod(0o600)
    go(folder, "t1", "t2", resume=True)
    assert (folder / "checkpoints" / "turn-002-B.json").stat().st_mode & 0o777 == 0o600


# What is read


def test_the_newest_is_the_highest_number_and_not_the_last_name(folder: Path) -> None:
    numbered(folder, 998, 999, 1000)
    assert kept(folder) == ["turn-998-B.json", "turn-999-B.json", "turn-1000-B.json"]
    assert load_latest(folder)["turns"] == 1000 and load_turn(999, folder)["turns"] == 999


def test_the_newest_of_a_turn_is_its_b(folder: Path) -> None:
    go(folder, "t1", "t2", crash="after-save-a:2")
    assert load_latest(folder)["pendingToolUse"]["id"] == "t2"
    go(folder, "t1", "t2", resume=True)
    assert load_latest(folder)["pendingToolUse"] is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"version": 2}'])
def test_a_newest_that_is_broken_is_refused_and_no_older_one_takes_its_place(folder: Path, data: bytes) -> None:
    go(folder, *FIVE)
    (folder / "checkpoints" / "turn-005-B.json").write_bytes(data)
    before = snapshot(folder)
    with pytest.raises(CheckpointError, match="turn-005-B.json"):
        load_latest(folder)
    assert snapshot(folder) == before


@posix
@pytest.mark.parametrize("load", [load_latest, lambda folder: load_turn(2, folder)], ids=["latest", "turn"])
def test_a_snapshot_that_is_a_link_is_refused(folder: Path, load: Any) -> None:
    go(folder, "t1", "t2")
    path = folder / "checkpoints" / "turn-002-B.json"
    path.rename(folder / "otro.json")
    path.symlink_to(folder / "otro.json")
    with pytest.raises(CheckpointUnreadable, match="enlace"):
        load(folder)


def test_a_turn_that_is_not_there_is_refused_with_those_that_are(folder: Path) -> None:
    go(folder, "t1", "t2", "t3", crash="after-save-a:3")
    for turn in (0, -1, 3, 4):
        with pytest.raises(CheckpointMissing, match=rf"turno {turn}\..*: 1, 2\.$"):
            load_turn(turn, folder)


LIES = {
    "another turn": lambda scene: {**scene, "turns": 2},
    "a call pending": lambda _: {**scene_a(), "turns": 3},
    "the end": lambda scene: {**scene, "messages": [*scene["messages"], {"role": "assistant", "content": "Listo."}]},
}


@pytest.mark.parametrize(
    "load",
    [
        lambda folder: load_turn(3, folder),
        load_latest,
    ],
    ids=["turn", "latest"],
)
@pytest.mark.parametrize("lie", LIES)
def test_a_snapshot_that_is_not_what_its_name_says_is_refused(folder: Path, load: Any, lie: str) -> None:
    go(folder, "t1", "t2", "t3")
    write_json(folder / "checkpoints" / "turn-003-B.json", LIES[lie](load_turn(3, folder)))
    with pytest.raises(CheckpointRejected, match="turn-003-B.json"):
        load(folder)


def cuts(scene: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The scene cut before each block of each message, with how many messages are left."""
    for at, message in enumerate(scene["messages"]):
        for block in range(len(message["content"]) if at else 1):
            left = scene["messages"][:at] + ([{**message, "content": message["content"][:block]}] if block else [])
            yield len(left), {**scene, "messages": left}


def test_a_snapshot_cut_inside_a_pair_is_refused_wherever_the_cut_is(folder: Path) -> None:
    go(folder, "t1", "t2", "t3")
    inside = [cut for left, cut in cuts(load_turn(3, folder)) if left % 2 == 0 and left]
    assert len(inside) == 6  # of each turn, the text alone, and the call without its result
    for cut in inside:
        write_json(folder / "checkpoints" / "turn-003-B.json", cut)
        before = snapshot(folder)
        for go_back in (load_latest, lambda place: load_turn(3, place), lambda place: rewind_to(3, place, accept=True)):
            with pytest.raises(CheckpointRejected, match="turn-003-B.json"):
                go_back(folder)
        assert snapshot(folder) == before


def test_a_snapshot_that_begins_inside_a_pair_is_refused(folder: Path) -> None:
    go(folder, "t1", "t2", "t3")
    scene = load_turn(3, folder)
    for first in (2, 4, 6):
        write_json(folder / "checkpoints" / "turn-003-B.json", {**scene, "messages": scene["messages"][first:]})
        with pytest.raises(CheckpointRejected, match="turn-003-B.json"):
            load_turn(3, folder)


@pytest.mark.parametrize("left", [0, 1])
def test_a_b_in_which_no_call_was_answered_is_refused(folder: Path, left: int) -> None:
    go(folder, "t1", "t2", "t3")
    [cut] = [cut for length, cut in cuts(load_turn(3, folder)) if length == left]
    write_json(folder / "checkpoints" / "turn-003-B.json", cut)
    with pytest.raises(CheckpointRejected):
        load_turn(3, folder)


def test_a_checkpoint_from_elsewhere_without_messages_is_resumed_with_history_as_without(folder: Path) -> None:
    write_json(folder / "checkpoint.json", {**scene_b(), "messages": []})
    go(folder, "t1", resume=True)
    assert load_latest(folder)["turns"] == 2


def test_two_snapshots_share_nothing(folder: Path) -> None:
    go(folder, "t1", "t2")
    before, first, again, later = history_of(folder), load_turn(1, folder), load_turn(1, folder), load_turn(2, folder)
    first["messages"][-1]["content"][0]["content"] = "otra cosa"
    first["messages"].clear()
    assert json.dumps(again["messages"]) == json.dumps(later["messages"][:3])
    assert history_of(folder) == before and load_turn(1, folder) == again and load_latest(folder) == later


# What lies beside them


@pytest.mark.parametrize(
    "name",
    ["turn-006-B.json.0123abcd.tmp", "turn-006-B.json.tmp", "turn-06-B.json", "turn-006-C.json", "Turn-006-B.json"],
)
def test_what_is_no_snapshot_is_no_part_of_the_sequence(folder: Path, name: str) -> None:
    go(folder, "t1", "t2")
    (folder / "checkpoints" / name).write_bytes(b"a medias")
    assert kept(folder) == names("1AB", "2AB") and load_latest(folder)["turns"] == 2


@pytest.mark.parametrize("name", ["turn-0005-B.json", "turn-\u0660\u0660\u0665-B.json"], ids=ascii)
def test_another_name_of_a_turn_is_no_part_of_the_sequence(folder: Path, name: str) -> None:
    go(folder, *FIVE)
    (folder / "checkpoints" / "turn-005-B.json").rename(folder / "checkpoints" / name)
    assert kept(folder) == names("1AB", "2AB", "3AB", "4AB", "5A")


def test_whoever_owns_the_folder_sweeps_what_a_death_left_in_the_sequence(folder: Path) -> None:
    go(folder, "t1")
    for name in ("turn-002-A.json.0123abcd.tmp", "turn-002-A.json.tmp", "a.0123ABCD.tmp"):
        (folder / "checkpoints" / name).write_bytes(b"a medias")
    with owned(folder):
        assert sorted(history_of(folder)) == ["a.0123ABCD.tmp", *names("1AB"), "turn-002-A.json.tmp"]


@posix
@pytest.mark.parametrize("name", ["checkpoints", "abandoned"])
def test_a_past_that_is_a_link_to_another_folder_costs_that_folder_nothing(folder: Path, name: str) -> None:
    other = folder.parent / "fuera"
    (other / "001").mkdir(parents=True)
    for place in (other, other / "001"):
        (place / "mio.0123abcd.tmp").write_bytes(b"mio")
    (folder / name).symlink_to(other)
    before = snapshot(other)
    with owned(folder):
        assert snapshot(other) == before
