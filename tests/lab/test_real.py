"""Real deaths: what a harness keeps anywhere but in its folder is lost, and so is what it wanted to do at its end."""

import json
import linecache
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import run_agent
from lesson_code.lab.attack import attack
from lesson_code.lab.attempt import Case, Place, attempt
from lesson_code.lab.guarded import MAX_OUTPUT
from lesson_code.lab.judge import End, Row, judge
from lesson_code.lab.real import KILLED, PATIENCE, NotReached, Target, Tried, Unfit, check_fit
from lesson_code.lab.simulated import fast_place
from lesson_code.words import say
from tests.support import Died, child

HARNESSES = '''
import atexit, os, subprocess, sys, threading, time
from pathlib import Path
from lesson_code.harness import run_agent
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.client import ask
from lesson_code.harness.tools import run_tool, tool_result

MEMORY = {}

def remembers(client, task, tools, folder, *, resume):
    """It does all that has to be done, and keeps it in a global."""
    if not (resume and MEMORY):
        MEMORY.update(messages=[{"role": "user", "content": task}], turns=0)
    messages = MEMORY["messages"]
    while True:
        if messages[-1]["role"] == "assistant":
            unknown = tool_result(tool_uses(messages[-1]["content"])[0]["id"], "nobody knows", is_error=True)
            messages.append({"role": "user", "content": [unknown]})
        content = ask(client, MEMORY, tools, model="m", max_tokens=9).content
        if not tool_uses(content):
            return text_of(content)
        messages.append({"role": "assistant", "content": content})
        messages.append({"role": "user", "content": [run_tool(tool_uses(content)[0], tools)]})

def says_goodbye(client, task, tools, folder, *, resume):
    """It wants to save what it has, whatever happens."""
    atexit.register((folder / "at-exit").touch)
    try:
        return run_agent(client, task, tools, folder, resume=resume)
    except BaseException:
        (folder / "caught").touch()
        raise
    finally:
        (folder / "finally").touch()

def tells_where(client, task, tools, folder, *, resume):
    run_agent(client, task, tools, folder, resume=resume)
    (folder / "deep" / "below").mkdir(parents=True)
    return str(folder)

def _where(folder):
    Path("where.txt").write_text(str(folder))

def floods(client, task, tools, folder, *, resume):
    _where(folder)
    print("x" * 1_000_000)

def leaves(client, task, tools, folder, *, resume):
    _where(folder)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

def hangs(client, task, tools, folder, *, resume):
    _where(folder)
    threading.Thread(target=time.sleep, args=[60]).start()  # a process waits for its threads

def says_twice(client, task, tools, folder, *, resume, crash_point=None):
    crash_point("after-save-end")
    crash_point("after-save-end")
    return crash_point("nothing of the laboratory's")

def cannot_exit(client, task, tools, folder, *, resume):
    os._exit = lambda code: None
    return run_agent(client, task, tools, folder, resume=resume)

def leaves_hard(client, task, tools, folder, *, resume):
    os._exit(137)

def leaves_when_resumed(client, task, tools, folder, *, resume):
    return os._exit(0) if resume else "done"

def idle(client, task, tools, folder, *, resume):
    return "done"

def of_two(client, task):
    return "done"
'''
BLIND = "lesson_code.lab.broken.blind:run_agent"
B_ONLY = "lesson_code.lab.broken.b_only:run_agent"
LESSON = "lesson_code.harness:run_agent"


@pytest.fixture(scope="module", autouse=True)
def harnesses(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """HARNESSES as a module of the present folder, for the children and for us."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("of_somebody")
        (place / "harnesses_of_somebody.py").write_text(HARNESSES, encoding="utf-8")
        patch.chdir(place)
        patch.syspath_prepend(place)
        yield __import__("harnesses_of_somebody")
        del sys.modules["harnesses_of_somebody"]


def target(name: str) -> Target:
    return Target(f"harnesses_of_somebody:{name}")


@cache
def plain(harness: str) -> Tried:
    """The plain task without any death."""
    return Target(harness).attempt(Case(), None)


def tried(harness: str, *deaths: str, kill: bool = False) -> Tried:
    """The plain task with these deaths, compared with the same one that never dies."""
    return Target(harness).attempt(Case(deaths=deaths, kill=kill), plain(harness).remains)


def faults(row: Row) -> list[str]:
    return [fault.key for fault in row.faults]


def in_one_process(harness: Callable[..., Any], label: str, place: Place) -> Row:
    """The same death as an exception, and the resume in the same process."""

    def reach(reached: str) -> None:
        if reached == label and not place.witness.lines("died"):
            place.witness.note(died=label)
            raise Died(label)

    case = Case(deaths=(label,))
    with pytest.raises(Died):
        attempt(harness, case.setting, place, resume=False, reach=reach)
    return judge(case, place, End(attempt(harness, case.setting, place, resume=True, reach=reach)))


@pytest.mark.parametrize("label", ["tool-done:2", "next-request:2"])
def test_what_a_harness_remembers_looks_perfect_in_one_process_and_falls_with_a_real_death(
    harnesses: Any, tmp_path: Path, label: str
) -> None:
    assert faults(in_one_process(harnesses.remembers, label, Place(tmp_path))) == []
    dead = target("remembers").attempt(Case(deaths=(label,)), None)
    assert "doubled" in faults(dead.row)


GOODBYES = ["at-exit", "caught", "finally"]


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=pytest.mark.skipif(not KILLED, reason="POSIX"))])
def test_at_a_real_death_nothing_is_caught_and_nothing_is_said_at_the_end(tmp_path: Path, kill: bool) -> None:
    place = Place(tmp_path)
    case = Case(deaths=("tool-done:2",), kill=kill)
    assert "died" in target("says_goodbye").run(case, place, "tool-done:2", resume=False)
    assert not {path.name for path in place.folder.iterdir()} & {*GOODBYES}


def test_where_nobody_dies_it_says_goodbye(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert "answer" in target("says_goodbye").run(Case(), place, "", resume=False)
    assert {path.name for path in place.folder.iterdir()} & {*GOODBYES} == {"at-exit", "finally"}


@pytest.mark.skipif(not KILLED, reason="Windows has no SIGKILL")
def test_a_death_by_signal_and_one_by_exit_give_the_same_row() -> None:
    by_exit, by_signal = (tried(B_ONLY, "tool-done:2", kill=kill).row for kill in (False, True))
    assert faults(by_exit) == ["doubled", "untold"]
    assert by_signal.case.kill and replace(by_signal, case=by_exit.case) == by_exit


@pytest.mark.skipif(not KILLED, reason="Windows has no SIGKILL")
def test_from_a_death_by_signal_a_harness_cannot_save_itself(tmp_path: Path) -> None:
    case = Case(deaths=("tool-done:1",), kill=True)
    assert "died" in target("cannot_exit").run(case, Place(tmp_path), "tool-done:1", resume=False)


def test_one_that_hangs_before_it_gets_to_where_it_should_die_hangs() -> None:
    attacked = target("hangs")
    attacked.patience = 1
    began = time.monotonic()
    assert faults(attacked.attempt(Case(deaths=("tool-done:1",)), None).row) == ["hangs"]
    assert time.monotonic() - began < PATIENCE / 2


def test_the_second_death_comes_in_the_resume_and_a_third_run_ends_the_task() -> None:
    holds = tried(LESSON, "tool-entered:2", "next-request:3")
    assert (faults(holds.row), holds.row.effects, holds.row.answer) == ([], 3, say("orders_done", number=3))
    assert holds.reached[:2] == ["next-request:3", "after-answer:4"]
    twice = tried(BLIND, "tool-done:2", "tool-done:2").row  # in the resume it runs the second call again
    assert (faults(twice), twice.effects) == (["doubled"], 5)


def test_a_harness_of_which_nothing_was_asked_begins_again() -> None:
    dead = tried(LESSON, "write:2.3")  # in save 0: a resume would find no checkpoint
    assert (faults(dead.row), dead.row.left) == ([], ())


def test_a_moment_that_does_not_come_is_said() -> None:
    with pytest.raises(NotReached, match=re.escape(say("death_gone", label="tool-done:9"))):
        tried(LESSON, "tool-done:9")


NOTEBOOK = """
from __future__ import annotations
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from lesson_code.harness import Tool, run_agent

LIMIT, KEPT = 40, {"ñ": [1, None]}

@dataclass(frozen=True)
class Options:
    max_turns: int = LIMIT
    emit: Callable[..., None] = field(default=lambda event, **fields: None)

    def given(self) -> dict[str, Any]:
        return {"max_turns": self.max_turns, "emit": self.emit}

def options(task: Task) -> Options:
    return Options(LIMIT if json.loads(json.dumps(KEPT)) == KEPT else 0)

def mine(
    client: Any, task: str, tools: dict[str, Tool], folder: Path, *, resume: bool, crash_point: Point = None
) -> str:
    given = {} if crash_point is None else {"crash_point": crash_point}
    return run_agent(client, task, tools, folder, resume=resume, **given, **options(task).given())
"""
CASES = ["appending/tool-done:2", "read_only/after-effect-write:3"]
ATTACK = f"""
import json, linecache, sys
cells = sys.argv[1]
linecache.cache["<cell>"] = (len(cells), None, cells.splitlines(True), "<cell>")
exec(compile(cells, "<cell>", "exec"))
from lesson_code.lab.attack import attack
found = [attack(mine, case=case) for case in {CASES}]
print(json.dumps([verdict.as_json() for verdict in found]))
"""


def test_what_a_notebook_defined_is_carried_over_and_gives_the_same_rows_as_a_module(tmp_path: Path) -> None:
    ended = child(ATTACK, NOTEBOOK, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    Path("as_a_module.py").write_text(NOTEBOOK, encoding="utf-8")
    in_cells = json.loads(ended.stdout)
    in_module = [attack("as_a_module:mine", case=case).as_json() for case in CASES]
    assert [verdict["target"] for verdict in in_cells] == ["__main__:mine"] * 2
    assert json.dumps([each["rows"] for each in in_cells]) == json.dumps([each["rows"] for each in in_module])
    assert in_cells[0]["rows"][0]["effects"] == 3 and all(verdict["holds"] for verdict in in_cells)


def test_a_function_of_a_module_is_not_carried_but_imported() -> None:
    found = Target(run_agent)
    assert (found.program, found.name) == (None, f"{run_agent.__module__}:run_agent")


def test_a_function_of_a_cell_is_carried_whatever_its_program_begins_with() -> None:
    cell = "from pathlib import Path\ndef mine(client): return Path()\n"
    linecache.cache["<another cell>"] = (len(cell), None, cell.splitlines(True), "<another cell>")
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(cell, "<another cell>", "exec"), space)
    carried = Target(space["mine"])
    assert carried.name == "__main__:mine"
    assert carried.program is not None and carried.program.splitlines()[0] == "from __future__ import annotations"


def test_nothing_is_left_of_the_place_of_a_run_that_went_well() -> None:
    answer = target("tells_where").attempt(Case(), None).row.answer
    assert answer is not None and not gone_wrong(answer)


def gone_wrong(folder: str) -> bool:
    """Whether something is left of a place in the folder for such things."""
    top = Path(folder).parents[1]
    assert top.parent in (Path(fast_place()), Path(tempfile.gettempdir())) and top.name.startswith("curso-")
    return top.exists()


@pytest.mark.parametrize(
    "name, said",
    [
        ("floods", say("unfit_floods", size=MAX_OUTPUT // 1024)),
        ("leaves", say("unfit_leaves")),
        ("hangs", say("unfit_fails", reason=say("row_hangs"))),
    ],
)
def test_what_no_run_may_do_is_said_and_nothing_is_left_of_its_place(name: str, said: str) -> None:
    attacked = target(name)
    attacked.patience = 2 if name == "hangs" else PATIENCE
    with pytest.raises(Unfit) as unfit:
        attacked.begin()
    assert str(unfit.value) == said
    assert not gone_wrong(Path("where.txt").read_text())


@pytest.mark.parametrize(
    "name, said",
    [
        ("leaves_hard", say("unfit_fails", reason=say("row_raised", detail=say("child_gone", code=137)))),
        ("idle", say("unfit_idle", effects=0, wanted=3)),
    ],
)
def test_a_function_that_does_not_do_the_plain_task_is_no_harness(name: str, said: str) -> None:
    """One that ends the process did not die of us, even with our own exit code."""
    with pytest.raises(Unfit) as unfit:
        target(name).begin()
    assert str(unfit.value) == said


def test_a_function_that_takes_something_else_is_named_and_told_what_it_should_take() -> None:
    with pytest.raises(Unfit, match=r"harnesses_of_somebody:of_two \(TypeError: .*\(client, task, tools, folder,"):
        target("of_two").attempt(Case(), None)


@pytest.mark.parametrize(
    "text", ["", "a", "a:", ":a", "a b:c", "a:b:c", "a/b.py:c", "a..b:c", ".a:b", "a:b\n", "-c:a("]
)
def test_a_text_that_names_no_function_is_answered_with_the_usage(text: str) -> None:
    with pytest.raises(Unfit, match="^Uso: "):
        Target(text)


def test_the_report_of_an_earlier_run_is_not_taken_for_that_of_a_later_one(tmp_path: Path) -> None:
    attacked, place = target("leaves_when_resumed"), Place(tmp_path)
    assert attacked.run(Case(), place, "", resume=False)["answer"] == "done"
    assert attacked.run(Case(), place, "", resume=True) == {"raised": say("child_gone", code=0)}


def test_the_first_run_shows_how_long_one_takes_and_which_moments_it_passes() -> None:
    attacked = Target(LESSON)
    assert attacked.patience == PATIENCE
    began = time.monotonic()
    found = attacked.begin()
    seconds = time.monotonic() - began
    assert min(PATIENCE, 10 + 20 * (seconds - 0.4)) <= attacked.patience <= min(PATIENCE, 10 + 20 * seconds)
    assert found.reached[:4] == ["after-answer:1", "after-save-a:1", "tool-entered:1", "tool-done:1"]
    assert len(found.reached) == len({*found.reached}) and "write:1.1" in found.reached
    names = {label.split(":")[0] for label in found.reached}
    assert attacked.passed == names >= {"after-effect-write", "next-request", "after-save-end", "write"}
    attacked.patience = 9
    attacked.begin()
    assert attacked.patience == 9


def test_a_moment_that_is_passed_twice_is_one_and_what_is_none_is_not_told() -> None:
    labels = target("says_twice").attempt(Case(), None).reached
    assert labels.count("after-save-end") == 1 and not any("laboratory" in label for label in labels)


def test_check_fit_lets_the_lesson_s_harness_through_and_stops_one_that_delivers_twice() -> None:
    found = plain(LESSON)
    check_fit(found.row, found.reached)
    with pytest.raises(Unfit, match="6"):
        check_fit(replace(found.row, effects=6), found.reached)
    with pytest.raises(Unfit, match=re.escape(say("unfit_unseen"))):
        check_fit(found.row, [label for label in found.reached if label != "tool-done:1"])
