"""Simulated deaths: one run gives all of them, and each is the disk of that instant."""

import contextlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab import simulated
from lesson_code.lab.attempt import Case, Setting
from lesson_code.lab.broken import b_only, blind
from lesson_code.lab.judge import Row
from lesson_code.lab.simulated import explore, fast_place

pytestmark = pytest.mark.usefixtures("no_sync")
PLAIN = Setting(orders=2)


def dead(rows: list[Row]) -> list[tuple[str, ...]]:
    return [row.case.deaths for row in rows]


def at_most(deaths: int, *names: str) -> Any:
    """Up to so many deaths, each at a label that begins with one of these names."""
    return lambda case: len(case.deaths) <= deaths and all(label.startswith(names) for label in case.deaths)


class Counted:
    """A harness that counts its runs."""

    def __init__(self, harness: Any = run_agent) -> None:
        self.harness = harness
        self.resumes: list[bool] = []

    def __call__(self, *given: Any, resume: bool, crash_point: Any) -> str:
        self.resumes.append(resume)
        return str(self.harness(*given, resume=resume, crash_point=crash_point))


def test_one_run_gives_all_its_deaths() -> None:
    harness = Counted()
    rows = list(explore(harness, [PLAIN], at_most(1, "tool-")))
    assert dead(rows) == [(), ("tool-entered:1",), ("tool-done:1",), ("tool-entered:2",), ("tool-done:2",)]
    assert harness.resumes == [False, True, True, True, True]
    assert [row.case.setting for row in rows] == [PLAIN] * 5 and not any(row.faults for row in rows)


def test_a_resume_dies_too_and_the_next_one_goes_on_from_there() -> None:
    harness = Counted()
    rows = list(
        explore(harness, [PLAIN], lambda case: case.deaths in [("tool-done:2",), ("tool-done:2", "next-request:2")])
    )
    assert dead(rows) == [(), ("tool-done:2",), ("tool-done:2", "next-request:2")]
    assert harness.resumes == [False, True, True]
    assert [row.effects for row in rows] == [2, 2, 2]


def test_both_deaths_are_in_the_world_of_the_second_one() -> None:
    rows = list(explore(blind.run_agent, [PLAIN], at_most(2, "tool-done:2")))
    assert [(row.case.deaths, row.effects) for row in rows] == [
        ((), 2),
        (("tool-done:2",), 3),
        (("tool-done:2", "tool-done:2"), 4),
    ]


def test_without_a_wanted_death_there_is_only_the_run_that_never_dies() -> None:
    settings = [PLAIN, Setting("read_only", orders=1)]
    rows = list(explore(run_agent, settings, lambda case: False))
    assert [(row.case.setting, row.effects, row.turns) for row in rows] == [(settings[0], 2, 2), (settings[1], 0, 1)]


def test_rows_come_as_they_are_found() -> None:
    harness = Counted()
    rows = explore(harness, [PLAIN], at_most(1, "next"))
    next(rows)
    assert harness.resumes == [False]
    next(rows)
    assert harness.resumes == [False, True]
    rows.close()


def test_a_moment_that_comes_twice_is_photographed_the_first_time() -> None:
    def twice(*given: Any, resume: bool, crash_point: Any) -> str:
        for number in range(2):
            (given[3] / f"{resume}{number}").touch()
            crash_point("after-save-b:1")
        return run_agent(*given, resume=bool((given[3] / "checkpoint.json").exists()))

    found: list[list[str]] = []

    def harness(*given: Any, resume: bool, crash_point: Any) -> str:
        if resume:
            found.append(sorted(path.name for path in given[3].iterdir()))
        return twice(*given, resume=resume, crash_point=crash_point)

    rows = list(explore(harness, [PLAIN], at_most(1, "after")))
    assert dead(rows) == [(), ("after-save-b:1",)]
    assert found == [["False0"]]


def test_a_death_is_the_disk_of_that_instant_whatever_the_run_does_later() -> None:
    def tidies(*given: Any, resume: bool, crash_point: Any) -> str:
        try:
            return run_agent(*given, resume=resume, crash_point=crash_point)
        finally:
            (given[3] / "checkpoint.json").unlink()

    rows = list(explore(tidies, [PLAIN], at_most(2, "after-save", "resume")))
    assert len(rows) > 10 and not any(row.faults for row in rows)


def test_the_folder_that_a_resume_gets_holds_no_lock() -> None:
    found: list[list[str]] = []

    def looks(*given: Any, **more: Any) -> str:
        found.append(sorted(path.name for path in given[3].iterdir()))
        return run_agent(*given, **more)

    rows = list(explore(looks, [PLAIN], at_most(2, "tool-done:1", "next-request:1")))
    assert len(rows) == len(found) > 3
    assert found[0] == [] and found[1] == ["checkpoint.json"] and not any(".lock" in names for names in found)


def test_what_a_harness_prints_does_not_show(capsys: pytest.CaptureFixture[str]) -> None:
    def prints(*given: Any, **more: Any) -> str:
        print("hola")
        return run_agent(*given, **more)

    assert len(list(explore(prints, [PLAIN], at_most(1, "next")))) == 3
    print("sigo")
    assert capsys.readouterr().out == "sigo\n"


def test_what_stops_a_harness_is_a_row_and_not_the_end() -> None:
    def breaks(*given: Any, resume: bool) -> str:
        if resume:
            raise ZeroDivisionError("ay")
        return run_agent(*given)

    rows = list(explore(breaks, [PLAIN], at_most(1, "tool-done")))
    assert [[tuple(fault) for fault in row.faults] for row in rows] == [
        [],
        *[[("raised", "ZeroDivisionError: ay")]] * 2,
    ]


def test_a_harness_that_ends_its_process_is_a_row_too() -> None:
    def leaves(*given: Any, resume: bool) -> str:
        if resume:
            sys.exit(3)
        return run_agent(*given)

    rows = list(explore(leaves, [PLAIN], at_most(1, "tool-done")))
    assert [[tuple(fault) for fault in row.faults] for row in rows] == [[], *[[("raised", "SystemExit: 3")]] * 2]


def test_where_nothing_had_happened_a_harness_that_can_not_resume_may_begin_again() -> None:
    def wants_a_file(*given: Any, resume: bool) -> str:
        if resume:
            (given[3] / "checkpoint.json").read_bytes()
        return str(b_only.run_agent(*given, resume=resume))

    def forgets(*given: Any, resume: bool) -> str:
        if resume:
            raise LookupError
        return str(b_only.run_agent(*given, resume=False))

    def falls(harness: Any, kind: str, label: str) -> list[str]:
        rows = list(explore(harness, [Setting(kind, orders=2)], at_most(1, label)))
        assert rows[-1].case.deaths == (label,)
        return [fault.key for fault in rows[-1].faults]

    assert falls(wants_a_file, "appending", "tool-entered:1") == []
    assert falls(wants_a_file, "appending", "tool-done:1") == ["raised"]
    assert falls(forgets, "read_only", "tool-done:1") == []
    assert falls(forgets, "read_only", "tool-done:2") == ["raised"]  # no effect, but the model was told of the first


def test_each_death_is_compared_with_the_run_that_never_dies_and_not_with_the_last_one() -> None:
    def worse(*given: Any, resume: bool) -> str:
        runs = given[3] / "runs"
        runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
        return run_agent(*given, resume=resume) + ("" if runs.read_text() == "x" else "!")

    rows = list(explore(worse, [PLAIN], at_most(2, "next-request:2")))
    assert [[fault.key for fault in row.faults] for row in rows] == [[], ["answer"], ["answer"]]


def test_memory_of_its_own_is_not_caught_here() -> None:
    """A photograph leaves the globals of this process alone: it takes a real death to lose them."""
    memory: dict[str, Any] = {}

    def remembers(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        memory.setdefault("ledger", {})
        noted = {name: (tool, memory["ledger"]) for name, tool in tools.items()}

        def once(name: str) -> Any:
            tool, ledger = noted[name]

            def run(item: str) -> Any:
                if item not in ledger:
                    ledger[item] = tool.run(item=item)
                return ledger[item]

            return run

        wrapped = {name: type(tool)(**{**vars(tool), "run": once(name)}) for name, tool in tools.items()}
        return b_only.run_agent(client, task, wrapped, folder, resume=resume)

    def forgets(*given: Any, resume: bool) -> str:
        return b_only.run_agent(*given, resume=resume)

    same_ids = Setting(fresh_ids=False, orders=2)
    at_two = at_most(1, "tool-done:2")
    assert [(row.effects, row.faults) for row in explore(remembers, [same_ids], at_two)] == [(2, ())] * 2
    assert [row.effects for row in explore(forgets, [same_ids], at_two)] == [2, 3]


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the file system in memory."""
    place = tmp_path / "shm"
    place.mkdir()
    monkeypatch.setattr(simulated, "MEMORY", place)
    return place


def test_nothing_is_left_in_the_temporary_place(memory: Path) -> None:
    seen: list[int] = []

    def looks(*given: Any, **more: Any) -> str:
        seen.append(len(list(memory.iterdir())))
        return run_agent(*given, **more)

    assert len(list(explore(looks, [PLAIN], at_most(2, "tool-done:1")))) == 2
    assert set(seen) == {1} and list(memory.iterdir()) == []


def test_nothing_is_left_of_an_attack_that_is_given_up(memory: Path) -> None:
    rows = explore(run_agent, [PLAIN], at_most(1, "tool"))
    next(rows)
    assert list(memory.iterdir()) != []
    rows.close()
    assert list(memory.iterdir()) == []


def test_a_harness_that_ends_the_process_ends_the_attack_and_leaves_nothing(memory: Path) -> None:
    def leaves(*given: Any, **more: Any) -> str:
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        list(explore(leaves, [PLAIN], at_most(1, "tool")))
        pytest.fail("swallowed")
    assert list(memory.iterdir()) == []


def test_a_row_s_place_is_gone_before_the_next_death_is_followed(memory: Path) -> None:
    rows = explore(run_agent, [PLAIN], at_most(1, "tool"))
    left = []
    for _ in rows:
        (top,) = memory.iterdir()
        left.append(len(list(top.iterdir())))
    assert left == [5, 4, 3, 2, 1]  # the row's own place, and one for each death that is still to be followed


def test_the_place_is_in_memory_where_there_is_one_and_otherwise_temporary(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fast_place() == str(memory)
    monkeypatch.setattr(simulated, "ROOM", shutil.disk_usage(memory).total)
    assert fast_place() == tempfile.gettempdir()  # there is none, or it is too full
    monkeypatch.setattr(simulated, "ROOM", 0)
    monkeypatch.setattr(simulated, "MEMORY", memory / "no hay")
    assert fast_place() == tempfile.gettempdir()


def test_whoever_chooses_is_asked_of_each_moment_in_its_order() -> None:
    asked: list[Case] = []

    def wanted(case: Case) -> bool:
        asked.append(case)
        return False

    list(explore(run_agent, [Setting(orders=1)], wanted))
    assert [case.deaths[-1] for case in asked] == [
        "after-answer:1",
        "after-save-a:1",
        "tool-entered:1",
        "tool-done:1",
        "after-tool:1",
        "after-effect-write:1",
        "after-save-b:1",
        "next-request:1",
        "after-answer:2",
        "after-save-end",
        "returned",
    ]
