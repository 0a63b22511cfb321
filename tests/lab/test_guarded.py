"""A child that is not trusted: whatever it does, it is told in a word, and nothing of it is left running."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from lesson_code.lab.crash import DIED
from lesson_code.lab.guarded import MARK, MAX_OUTPUT, Ended, run_guarded

OURS = "OF_THIS_TEST"  # what we find its processes by, whatever `guarded` finds them by
SLEEP = "import time; time.sleep(60)"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and sessions")


def started(code: str, **options: object) -> str:
    """Code that starts another Python."""
    given = "".join(f", {name}={value}" for name, value in options.items())
    return f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {code!r}]{given})"


QUIET = "stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
HELPERS = {
    "in its group": started(SLEEP),
    "in a session of its own": started(SLEEP, start_new_session=f"True, {QUIET}"),
    "in an environment of its own": started(SLEEP, env="{}"),
    "a grandchild whose parent has gone": f"{started(started(SLEEP))}.wait()",
}
IN_GROUP, ALONE, *_ = HELPERS.values()
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
FLOOD = "while True: print('x' * 999, file=sys.{})"
MISDEEDS = {
    **{f"leaves one {where}": (code, "leaves") for where, code in HELPERS.items()},
    **{f"dies with {code}, and leaves one": (f"{ALONE}; import os; os._exit({code})", "") for code in (1, DIED)},
    "floods stdout, with a helper": (f"{IN_GROUP}\n{FLOOD.format('stdout')}", "floods"),
    "floods stderr": (f"import sys\n{FLOOD.format('stderr')}", "floods"),
    "has a helper that floods": (f"{started('while True: print(9 ** 999)')}; {SLEEP}", "floods"),
    "hangs, with a helper, and will not hear": (f"{DEAF}; {ALONE}; {SLEEP}", "hangs"),
}
"""What a child does, and the word for it. Where it dies it could not tidy up, and nothing is said of its helpers."""


class Found(NamedTuple):
    """How each of MISDEEDS ended, the seconds that it took, and who is still running after all of them."""

    ended: dict[str, Ended]
    seconds: dict[str, float]
    left: list[int]


@pytest.fixture(scope="module")
def found() -> Found:
    """All of them at the same time: they mostly wait."""
    ended: dict[str, Ended] = {}
    seconds: dict[str, float] = {}

    def do(name: str) -> None:
        began = time.monotonic()
        ended[name] = run(MISDEEDS[name][0], seconds=2 if "hangs" in name else 60)
        seconds[name] = time.monotonic() - began

    mark = secrets.token_hex(8)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(len(MISDEEDS)) as pool:
        patch.setenv(OURS, mark)
        list(pool.map(do, MISDEEDS))
    return Found(ended, seconds, running(mark))


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> str:
    """The mark that all processes of this test inherit."""
    mark = secrets.token_hex(8)
    monkeypatch.setenv(OURS, mark)
    return mark


def running(token: str) -> list[int]:
    """The processes of this test that are running, as the system tells."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(OURS) == token and process.pid != os.getpid():
                found.append(process.pid)
        except (psutil.Error, OSError):
            pass  # it has gone, or is not ours
    return found


def run(code: str, request: str = "", seconds: float = 30) -> Ended:
    return run_guarded("-c", code, request=request, seconds=seconds)


@contextmanager
def bystander(**variables: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of somebody else."""
    other = subprocess.Popen([sys.executable, "-c", SLEEP], env={**os.environ, OURS: "other", **variables})
    try:
        yield other
    finally:
        other.kill()
        other.wait()


def test_a_child_that_does_nothing_is_no_problem(token: str) -> None:
    assert run("") == Ended(0, "")
    assert running(token) == []


@pytest.mark.parametrize("code", [1, 7, DIED])
def test_its_exit_code_comes_back_as_it_is(code: int) -> None:
    assert run(f"import sys; print('adiós'); sys.exit({code})") == Ended(code)


@POSIX
def test_a_death_by_signal_is_a_negative_code() -> None:
    assert run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)") == Ended(-signal.SIGKILL)


def test_it_is_given_the_request_whole_and_then_its_end(token: str) -> None:
    request = "★ñ" * 100_000  # more than a pipe holds
    check = "import sys; sys.exit(sys.stdin.buffer.read().decode('utf-8') != '★ñ' * 100_000)"
    assert run(check, request) == Ended(0)


def test_one_that_does_not_want_the_request_is_no_problem() -> None:
    assert run("import os, sys; os.close(0); sys.exit(3)", "x" * 1_000_000) == Ended(3)


@pytest.mark.parametrize("name", MISDEEDS)
def test_what_it_may_not_do_is_told_in_a_word_and_in_time(found: Found, name: str) -> None:
    problem = MISDEEDS[name][1]
    assert found.ended[name].problem == problem
    assert found.seconds[name] < 40 and (problem != "hangs" or found.seconds[name] >= 2)


def test_a_death_with_a_helper_keeps_its_exit_code(found: Found) -> None:
    assert [found.ended[name].code for name in MISDEEDS if name.startswith("dies")] == [1, DIED]


def test_of_none_of_them_is_anything_left_running(found: Found) -> None:
    assert found.left == []


@pytest.mark.parametrize("more, problem", [(0, ""), (1, "floods")])
def test_what_it_prints_is_counted_to_the_byte_on_both_streams(more: int, problem: str) -> None:
    half = MAX_OUTPUT // 2
    code = f"f = [open(d, 'wb', closefd=False) for d in (1, 2)]; f[0].write(b'x' * {half}); f[0].flush()"
    assert run(f"{code}; f[1].write(b'x' * {half + more}); f[1].flush()").problem == problem


def test_a_helper_that_ends_before_it_is_no_problem() -> None:
    assert run(f"{started('pass')}.wait()") == Ended(0, "")


@POSIX
def test_one_that_ends_just_after_it_is_no_problem_either() -> None:
    assert run("import os, time; os.fork() or (time.sleep(0.2), os._exit(0))") == Ended(0, "")


def test_what_is_of_others_goes_on(token: str) -> None:
    with bystander() as nobody_s, bystander(**{MARK: "another attack"}) as of_another_attack:
        assert run(IN_GROUP).problem == "leaves"
        assert run(SLEEP, seconds=0.5).problem == "hangs"
        assert (nobody_s.poll(), of_another_attack.poll()) == (None, None)
    assert running(token) == []


def test_it_works_in_the_present_folder_imports_the_course_and_no_crash_is_left_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "of_somebody.py").write_text("VALUE = 'ñ'", encoding="utf-8")
    monkeypatch.setenv("CRASH_AFTER", "after-save-a:1")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setattr(sys, "path", [*sys.path, str(elsewhere)])
    ask = (
        "import json, os, sys, lesson_code, of_somebody\n"
        "found = [os.environ['CRASH_AFTER'], sys.stdout.encoding, of_somebody.VALUE, os.path.isfile('found.json')]\n"
        "json.dump(found, open('found.json', 'w'))"
    )
    (tmp_path / "found.json").write_text("", encoding="utf-8")
    assert run(ask) == Ended(0)
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8")) == ["", "utf-8", "ñ", True]
