"""What people do to a run: start it twice, set the clock back, press Ctrl+C, make it huge, take it elsewhere."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lesson_code.agent import command
from lesson_code.harness import AgentStopped, load_checkpoint, load_effects, load_latest, run_agent, save_checkpoint
from lesson_code.harness.conversation import calls_in
from lesson_code.lab.disk import example
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.scene import play
from lesson_code.lab.tools import make_tools
from lesson_code.lab.world import World
from lesson_code.words import say
from tests.harness.test_answer import nested
from tests.harness.test_disk_faults import assert_one_report_and_the_truth
from tests.harness.test_folder import snapshot_without_lock
from tests.support import (
    ROOT,
    STEPS,
    TASK,
    Died,
    Replies,
    answer,
    call,
    child,
    die_at,
    end,
    scene_b,
    tool,
    write_json,
)
from tests.test_agent import KILLED, RESUMED, WHOLE, agent, environment, one_line

posix = pytest.mark.skipif(os.name == "nt", reason="fork and signals are POSIX")

DONE_LINE = WHOLE.splitlines()[-1]


# Two at once

HOLDS = """
import sys
from pathlib import Path
from lesson_code.harness import run_agent
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.world import World
folder = Path(sys.argv[1])
world = World(folder)
def wait(label):
    if label == sys.argv[2]:
        print("dentro", flush=True)
        sys.stdin.readline()
model, tools = ScriptedModel(world=world), make_tools(folder, world)
print(run_agent(model, TASK, tools, folder, resume=True, crash_point=wait))
"""


@pytest.mark.parametrize(
    ("dead", "label"),
    [("after-tool:1", "resume-after-tool"), ("after-effect-write:3", "resume-after-reconcile")],
)
def test_while_one_resumes_nobody_else_resumes_or_starts_and_the_first_one_ends_well(
    folder: Path, dead: str, label: str
) -> None:
    place = play(folder, dead).folder
    run = [sys.executable, "-c", HOLDS, str(place), label]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8", "cwd": ROOT}
    with subprocess.Popen(run, env=environment(PYTHONIOENCODING="utf-8"), **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == "dentro\n"
        before = snapshot_without_lock(place)
        for options in (["--resume"], [], ["--resume"]):
            assert "Otro proceso" in one_line(agent("--workdir", place, *options))
        assert snapshot_without_lock(place) == before
        assert first.communicate("\n")[0] == say("model_done") + "\n"
    assert first.returncode == 0
    assert_one_report_and_the_truth(place)


def at_once(number: int, *arguments: Any) -> list[tuple[int, str, str]]:
    """The command in so many processes started together: how each ended, and what it said."""
    line = [sys.executable, "-m", "lesson_code.agent", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "cwd": ROOT}
    started = [subprocess.Popen(line, env=environment(), **pipes) for _ in range(number)]  # type: ignore[call-overload]
    return [(process.wait(60), *process.communicate()) for process in started]


def refused(ended: tuple[int, str, str]) -> bool:
    """Whether it ran nothing since another was at work."""
    code, out, error = ended
    return code == 1 and out == "" and error.count("\n") == 1 and "Otro proceso" in error


@pytest.mark.parametrize("dead", ["after-tool:3", "after-effect-write:3"])
def test_of_resumes_that_start_together_each_ends_well_or_runs_nothing(folder: Path, dead: str) -> None:
    place = play(folder, dead).folder
    ended = at_once(3, "--workdir", place, "--resume")
    well = [out for code, out, error in ended if code == 0 and error == ""]
    assert well and len(well) + sum(map(refused, ended)) == 3, ended
    assert sum("rellenado" in out for out in well) == 1, ended  # the others found it finished
    assert_one_report_and_the_truth(place)


def test_of_fresh_starts_that_come_together_each_has_its_own_run_or_runs_nothing(folder: Path) -> None:
    ended = at_once(3, "--workdir", folder)
    well = [out for code, out, _ in ended if code == 0]
    assert well and len(well) + sum(map(refused, ended)) == 3, ended
    assert World(folder).times("write_report") == len(well)
    places = [folder, *(folder / "previous").glob("*")]
    assert [load_checkpoint(place)["turns"] for place in places] == [3] * len(well)


# A clock that goes back


def test_a_clock_that_goes_back_changes_nothing_but_what_the_ledger_says_of_the_time(folder: Path) -> None:
    world, ticks = World(folder), itertools.count(1, -1)
    given: dict[str, Any] = {"clock": lambda: next(ticks)}
    tools = make_tools(folder, world)
    with pytest.raises(Died):
        run_agent(ScriptedModel(world=world), TASK, tools, folder, crash_point=die_at("after-effect-write:2"), **given)
    for _ in range(2):
        assert run_agent(ScriptedModel(world=world), TASK, tools, folder, resume=True, **given) == say("model_done")
    noted = [(tool_use_id, entry["at"]) for tool_use_id, entry in load_effects(folder).items()]
    assert noted == [("toolu_01", 1), ("toolu_02", 0), ("toolu_03", -1)]
    assert_one_report_and_the_truth(folder)


def test_files_whose_times_run_backwards_are_taken_by_what_they_hold(folder: Path) -> None:
    assert agent("--workdir", folder, "--history", crash="after-effect-write:3").returncode == 137
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    for age, path in enumerate(files):
        os.utime(path, (4_000_000_000 - age, 4_000_000_000 - age))  # in the year 2096, the last ones the oldest
    assert load_latest(folder) == load_checkpoint(folder)
    ended = agent("--workdir", folder, "--resume")
    assert (ended.stdout, ended.stderr, ended.returncode) == (RESUMED, b"", 0)
    assert_one_report_and_the_truth(folder)


# Ctrl+C

NEVER = 98


def interrupted(step: int, folder: Path, *options: str) -> tuple[int, str]:
    """Fork, and press Ctrl+C just before the `step`-th change that the command makes in `folder`.

    Its exit code, or NEVER where it makes fewer changes, and what it said on standard error.
    """
    log = folder.parent / "stderr"
    process = os.fork()
    if process == 0:
        left = [step]

        def press(event: str, details: tuple[Any, ...]) -> None:
            reads = event == "open" and details[1] in ("r", "rb")
            if event in STEPS and not reads and not isinstance(details[0], int) and str(folder) in str(details[0]):
                left[0] -= 1
                if left[0] == 0:
                    signal.raise_signal(signal.SIGINT)

        code = 99
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.stdout, sys.stderr = open(os.devnull, "w"), open(log, "w", encoding="utf-8")
            sys.addaudithook(press)
            code = command(["--workdir", str(folder), *options])
            sys.stderr.close()
        finally:
            os._exit(NEVER if left[0] > 0 else code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return code, log.read_text(encoding="utf-8")


@posix
@pytest.mark.usefixtures("no_sync")
@pytest.mark.parametrize("dead", ["", "after-tool:3", "after-effect-write:3"])
def test_ctrl_c_at_any_change_is_130_and_one_line_and_the_resume_ends_with_one_report_and_the_truth(
    folder: Path, dead: str
) -> None:
    start = play(folder, dead).folder if dead else folder
    for step in itertools.count(1):
        place = Path(shutil.copytree(start, folder.parent / str(step)))
        code, said = interrupted(step, place, *(["--resume"] if dead else []))
        if code == NEVER:
            break
        assert (code, said) == (130, say("interrupted") + "\n"), step
        again = ["--resume"] if (place / "checkpoint.json").exists() else []
        assert command(["--workdir", str(place), *again]) == 0, step
        assert_one_report_and_the_truth(place)
    assert step > 15


# Sizes


def test_fifty_megabytes_of_messages_are_saved_loaded_and_resumed(folder: Path) -> None:
    scene = scene_b()
    for number in range(2, 202):
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "ñ€\n" * 43_000}
        scene["messages"].append({"role": "assistant", "content": [call(f"t{number}", "read")]})
        scene["messages"].append({"role": "user", "content": [result]})
    times = [time.monotonic()]
    save_checkpoint(scene, folder)
    times.append(time.monotonic())
    assert load_checkpoint(folder) == scene and (folder / "checkpoint.json").stat().st_size > 50_000_000
    times.append(time.monotonic())
    client = SimpleNamespace(messages=SimpleNamespace(create=lambda **request: end()))
    assert run_agent(client, TASK, {}, folder, resume=True) == "Listo."
    times.append(time.monotonic())
    saved = json.loads((folder / "checkpoint.json").read_bytes())["messages"]
    assert saved[:-1] == scene["messages"] and len(saved) == len(scene["messages"]) + 1
    took = [round(later - sooner, 1) for sooner, later in itertools.pairwise(times)]
    assert sum(took) < 120, f"saving, loading and resuming 50 MB took {took} seconds"


@pytest.mark.usefixtures("no_sync")
def test_a_task_of_a_thousand_turns_that_dies_late_is_resumed_to_its_right_end(folder: Path) -> None:
    write_json(folder / "checkpoint.json", example(995))
    noted = {entry["id"]: entry for entry in calls_in(example(995)["messages"])}
    ledger = {name: {"name": "read_notes", "input": noted[name]["input"], "result": "", "at": 1} for name in noted}
    write_json(folder / "effects.json", ledger)
    ran: list[int] = []

    def replies(first: int) -> Replies:
        return Replies(*(answer(call(f"t{n}", "put", n=n)) for n in range(first, 1001)), end())

    options: dict[str, Any] = {"resume": True, "max_turns": 1000}
    tools = {"put": tool(lambda n: ran.append(n), "n")}
    with pytest.raises(Died):
        run_agent(replies(996), TASK, tools, folder, crash_point=die_at("after-effect-write:999"), **options)
    assert run_agent(replies(1000), TASK, tools, folder, **options) == "Listo."
    saved = load_checkpoint(folder)
    assert (saved["turns"], saved["tokensUsed"]) == (1000, 99_500 + 6 * 15) and saved["pendingToolUse"] is None
    assert ran == [996, 997, 998, 999, 1000] and len(load_effects(folder)) == 1000


@pytest.mark.parametrize("levels", range(90, 100))
def test_a_call_as_deep_as_can_be_stored_is_noted_and_reused_and_a_deeper_one_is_not_run(
    folder: Path, levels: int
) -> None:
    ran: list[Any] = []
    client = Replies(answer(call("t1", "put", data=nested(levels))))
    tools = {"put": tool(lambda data: ran.append(data), "data")}
    with pytest.raises((AgentStopped, Died)) as stopped:
        run_agent(client, TASK, tools, folder, crash_point=die_at("after-effect-write:1"))
    if stopped.type is AgentStopped:
        assert ran == [] and load_effects(folder) == {} and levels > 90
        return
    assert levels < 99 and ran == [nested(levels)] and load_effects(folder)["t1"]["input"] == {"data": nested(levels)}
    again = Replies(end())
    assert run_agent(again, TASK, tools, folder, resume=True) == "Listo." and len(ran) == 1
    assert "is_error" not in again.requests[0]["messages"][-1]["content"][0]


# Other machines


def test_on_a_windows_that_writes_cp1252_every_byte_is_the_same(folder: Path) -> None:
    place, windows = folder / "Łódź 日本", {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    dead = agent("--workdir", place, crash="after-effect-write:3", **windows)
    assert (dead.stdout, dead.stderr, dead.returncode) == (KILLED, b"", 137)
    end = agent("--workdir", place, "--resume", **windows)
    assert (end.stdout, end.stderr, end.returncode) == (RESUMED, b"", 0)
    again = agent("--workdir", place, **windows)
    assert (again.stdout, again.returncode) == (WHOLE, 0) and "aviso: había" in again.stderr.decode("utf-8")
    assert "Łódź 日本" in one_line(agent("--workdir", place / "no", "--resume", **windows))
    assert "código" in agent("--help", **windows).stdout.decode("utf-8")


LABORATORY = """
import json
from lesson_code.course.board import as_text
from lesson_code.lab.board import rows
from lesson_code.harness import run_agent
from lesson_code.harness.conversation import calls_in
from lesson_code.lab.looks import looks
from lesson_code.lab.scene import new_folder, play_for_real
from lesson_code.lab.twelve import inputs
from lesson_code.lab.twice import changes, run_twice
from lesson_code.lab.zoo import action_of, look, make_zoo
dead = play_for_real(new_folder(), "after-tool:3")
ended = play_for_real(dead.folder, resume=True)
trials = [run_twice(name) for name in inputs()]
print(json.dumps([
    [dead.log, dead.exit_code, dead.warnings, ended.log, ended.exit_code, ended.warnings],
    [[look(case), action_of(case, run_agent)] for case in make_zoo(run_agent).values()],
    [changes(trial.once, trial.twice) for trial in trials],
    looks(run_agent),
    as_text(list(rows("lesson"))),
]))
"""


NO_UTF_8 = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}


@pytest.fixture(scope="module")
def in_the_laboratory() -> str:
    """What the laboratory gives on a machine where nothing is amiss."""
    done = child(LABORATORY, env=laboratory_environment(), timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def laboratory_environment(**changes: str) -> dict[str, str]:
    return environment(PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8", **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "error::EncodingWarning", **NO_UTF_8},
        {"CRASH_AFTER": "after-save-a:1"},
        {"CRASH_AFTER": "nada"},
    ],
    ids=lambda changes: " ".join(changes.values()),
)
def test_the_laboratory_gives_the_same_whatever_is_set_in_the_environment(
    in_the_laboratory: str, changes: dict[str, str]
) -> None:
    done = child(LABORATORY, env=laboratory_environment(**changes), timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == in_the_laboratory and json.loads(done.stdout)[0][1:5:3] == [137, 0]
