"""The crash matrix: every death of the lesson's harness, tried."""

import os
from collections import Counter
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab import matrix, simulated
from lesson_code.lab.attempt import OUTSIDE, Case, Setting
from lesson_code.lab.crash import AT_END, IN_TURN
from lesson_code.lab.judge import Fault, Row
from lesson_code.lab.orders import KINDS
from lesson_code.lab.plan import EVERY, is_inside
from lesson_code.lab.verdict import Verdict

# In how many rows of one setting the one death is at this moment. The careful model of `raising` looks after each
# failure: three more turns, and of the six only the looks come to the ledger; the hasty one has six turns as well.
ONE_DEATH = {
    **{kind: {**dict.fromkeys(IN_TURN, 3), "after-answer": 4, AT_END: 1} for kind in KINDS},
    "raising": {**dict.fromkeys(IN_TURN, 6), "after-answer": 7, "after-effect-write": 3, AT_END: 1},
}
SETTLED = {"resume-after-reconcile", "resume-after-save-b"}  # where a resume can die a second time
RUN_AGAIN = {"resume-after-tool", "resume-after-effect-write"} | SETTLED  # and where it runs what only reads again


def name_of(label: str) -> str:
    return label.split(":")[0]


def tells_more(case: Case) -> bool:
    """Whether after this one death of a careful model's run it is told an `is_error` that it is not told without it.

    It is told `unknown` of a delivery that stopped at ① or ②; of one that raised at ②, in the place of `failed`.
    """
    (label,) = case.deaths
    name, _, turn = label.partition(":")
    if name not in ("after-save-a", "after-tool") or case.setting.kind == "read_only":
        return False
    return case.setting.kind != "raising" or (name == "after-save-a" and int(turn) % 2 == 1)


def test_the_whole_matrix_of_the_lesson_s_harness_holds(record_property: Callable[[str, Any], None]) -> None:
    rows, seconds = matrix.timed(matrix.simulated(run_agent))
    assert Verdict("run_agent", rows, set()).sentences() == []
    assert [row.case for row in rows if row.left] == []
    assert {(row.accepted, row.truthful) for row in rows} == {(True, True)}
    assert len(rows) >= 5000 and len({row.case for row in rows}) == len(rows)
    check_that_every_moment_is_there(rows)
    check_that_the_end_is_equal(rows)
    speed, system = round(len(rows) / seconds), matrix.file_system()
    told = f"matrix, simulated: {len(rows)} rows in {seconds:.0f} s, {speed} rows a second, on {system}, none falls"
    record_property("measured", told)


def check_that_every_moment_is_there(rows: list[Row]) -> None:
    assert {row.case.setting for row in rows} == set(EVERY) and len(EVERY) == 24
    for setting in EVERY:
        ours = [row.case.deaths for row in rows if row.case.setting == setting]
        assert Counter(name_of(*deaths) for deaths in ours if len(deaths) == 1) == ONE_DEATH[setting.kind]
        reads = setting.kind == "read_only" or (setting.kind == "raising" and not setting.hasty)
        seconds = {name_of(deaths[1]) for deaths in ours if len(deaths) == 2}
        assert seconds == {*IN_TURN, AT_END} | (RUN_AGAIN if reads else SETTLED)
        again = {deaths[0] for deaths in ours if len(deaths) == 2}
        assert again == {deaths[0] for deaths in ours if len(deaths) == 1} - {AT_END}  # what is finished passes nothing
        assert [deaths for deaths in ours if len(deaths) not in (1, 2)] == [()]


def check_that_the_end_is_equal(rows: list[Row]) -> None:
    """Where a death tells the model nothing new, the end is that of the run that never died."""

    def end(row: Row) -> tuple[Any, ...]:
        return row.turns, row.tokens, row.answer, row.effects

    seen = Counter()
    for kind in KINDS:
        setting = Setting(kind, hasty=False, fresh_ids=False)
        ours = [row for row in rows if row.case.setting == setting]
        (never,) = (row for row in ours if not row.case.deaths)
        assert never.effects == (0 if kind == "read_only" else 3)
        assert never.turns == (6 if kind == "raising" else 3)
        for row in ours:
            if len(row.case.deaths) == 1:
                more = tells_more(row.case)
                seen[more] += 1
                assert (end(row) != end(never)) == more, row.case
                assert (row.effects, row.answer) == (never.effects, never.answer), row.case
                assert not more or (row.turns or 0) > (never.turns or 0), row.case
    assert seen == {False: 87, True: 27}


# Its parts


def no_points(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
    return run_agent(client, task, tools, folder, resume=resume)


def test_a_harness_that_names_no_moments_is_killed_from_outside(no_sync: None) -> None:
    rows = matrix.simulated(no_points)
    some = list(islice(rows, 60))
    rows.close()
    deaths = {label for row in some for label in row.case.deaths}
    assert all(map(OUTSIDE.fullmatch, deaths)) and {len(row.case.deaths) for row in some} == {0, 1, 2}
    assert {name_of(label) for label in deaths} == {"tool-entered", "tool-done", "next-request", "returned"}
    assert not any(row.faults for row in some)


def test_one_that_names_them_is_killed_at_those(no_sync: None) -> None:
    rows = matrix.simulated(run_agent)
    some = list(islice(rows, 30))
    rows.close()
    assert all(is_inside(row.case) for row in some) and {len(row.case.deaths) for row in some} == {0, 1, 2}


def row(*faults: Fault) -> Row:
    return Row(Case(), 3, True, True, 3, 1080, "fin", (), faults)


def test_the_rows_that_fall_are_counted_and_the_time_is_taken() -> None:
    rows = [row(), row(Fault("lost", "p01"), Fault("answer", "")), row(Fault("hangs"))]
    found, seconds = matrix.timed(iter(rows))
    assert found == rows and 0 <= seconds < 60
    assert [matrix.falls(rows), matrix.falls(rows[:1]), matrix.falls([])] == [2, 0, 0]


@pytest.mark.skipif(not Path("/proc/self/mounts").exists(), reason="only Linux lists its mounts there")
def test_the_file_system_is_that_of_the_place_where_processes_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = [line.split()[1:3] for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    for place in (Path("/proc"), Path("/proc/self"), tmp_path, Path("/")):
        monkeypatch.setattr(matrix, "fast_place", lambda place=place: str(place))
        parents = [str(folder) for folder in (place.resolve(), *place.resolve().parents)]
        nearest = max((at for at, _ in mounts if at in parents), key=len)
        assert matrix.file_system() == [kind for at, kind in mounts if at == nearest][-1]


def test_the_place_of_its_deaths_is_that_of_the_simulation() -> None:
    assert matrix.fast_place is simulated.fast_place and os.path.isdir(matrix.fast_place())


# The command


@pytest.mark.parametrize("arguments", [["--help"], ["a:b", "c:d"], ["a", "b", "c"], ["--help", "x"]])
def test_a_wrong_use_is_told_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert matrix.command(arguments) == 2
    assert capsys.readouterr() == ("", "Uso: python -m lesson_code.lab.matrix [PAQUETE.MODULO:FUNCION]\n")


@pytest.mark.parametrize("target", ["no es una función", "lesson_code.harness", "lesson_code.no_hay:run", ":", ""])
def test_what_can_not_be_attacked_is_told_in_one_line(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert matrix.command([target]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1 and len(error) > 20


def test_its_settings_are_every_product() -> None:
    assert {(each.kind, each.hasty, each.fresh_ids) for each in EVERY} == {
        *product(KINDS, (False, True), (False, True))
    }
