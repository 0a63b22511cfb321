"""Simulated deaths: in this process a run dies at every moment that is wanted, and so does every resume of it.

A death here is a photograph: the disk as it is at that instant, copied while the run goes on. So one run gives all its
deaths. What a harness keeps for its next run elsewhere than in its folder, in a global for instance, outlives them: it
takes the deaths of `real` to catch that.
"""

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .attempt import Case, Place, Setting, attempt, has_begun
from .judge import End, Remains, Row, judge, remains_of

MEMORY = Path("/dev/shm")  # a tmpfs, where Linux has one: what a process dies with is no matter of disks
ROOM = 64 * 1024 * 1024  # bytes that an attack may need there


def explore(harness: Callable[..., Any], settings: Iterable[Setting], wanted: Callable[[Case], bool]) -> Iterator[Row]:
    """The rows of `harness`, as they are found: it never dies, or dies at each moment that is wanted, run after run."""
    with tempfile.TemporaryDirectory(prefix="curso-", dir=fast_place()) as top:
        for setting in tqdm(list(settings), disable=None, leave=False):
            yield from _follow(harness, setting, wanted, Place.new(Path(top)), (), None)


def fast_place() -> str:
    """The folder for what only a process has to outlive: on a file system in memory where there is one."""
    usable = os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return str(MEMORY) if usable else tempfile.gettempdir()


def _follow(
    harness: Callable[..., Any],
    setting: Setting,
    wanted: Callable[[Case], bool],
    place: Place,
    died: tuple[str, ...],
    never: Remains | None,
) -> Iterator[Row]:
    """The row of the run that goes on in `place`, and those of its deaths."""
    photographs: dict[str, Place] = {}

    def reach(label: str) -> None:
        if label not in photographs and wanted(Case(setting, (*died, label))):
            photographs[label] = place.copy()
            photographs[label].witness.note(died=label)

    end = _end(harness, setting, place, bool(died), reach)
    if end.raised and died and not has_begun(place):
        # There was nothing to resume: whoever reads that begins again.
        end = _end(harness, setting, place, False, reach)
    never = never or remains_of(place, end)
    yield judge(Case(setting, died), place, end, never)
    shutil.rmtree(place.path)
    for label, left in photographs.items():
        yield from _follow(harness, setting, wanted, left, (*died, label), never)


def _end(harness: Callable[..., Any], setting: Setting, place: Place, resume: bool, reach: Callable[..., None]) -> End:
    def run() -> str:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return attempt(harness, setting, place, resume=resume, reach=reach)

    try:
        # In a thread no event loop runs yet: a notebook has one, and a harness may want its own.
        with ThreadPoolExecutor(1) as pool:
            return End(answer=pool.submit(run).result())
    except (Exception, SystemExit) as error:  # whatever stops it is a finding, and the row tells it
        return End(raised=f"{type(error).__name__}: {error}")
