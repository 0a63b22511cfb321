"""Every instant of what is written in a folder by this process: a photograph of it after each step. See `steps`."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .disk import RANDOM
from .scene import new_place
from .steps import Watch

CHANGES = {"open", "chunk", "flush", "close", "replace", "remove"}  # a sync changes nothing that a process could see


class Instant(NamedTuple):
    """What a death right after a step would leave: the number of the step, the file that it was about, a copy.

    What the file's name has at random is shown as XXXXXXXX.
    """

    step: int
    name: str
    folder: Path


@contextmanager
def instants(folder: Path) -> Iterator[list[Instant]]:
    """The instants of what is done in `folder` meanwhile. What a buffer holds is in none before it is handed over."""
    found: list[Instant] = []
    watch = Photographer(folder, found)
    try:
        yield found
    finally:
        watch.leave()
        watch.found = None


class Photographer(Watch):
    """Watches without ending anything."""

    def __init__(self, folder: Path, found: list[Instant]) -> None:
        self.found: list[Instant] | None = found
        super().__init__(str(folder))

    def tell(self, what: str, path: Any, target: Any = "") -> None:
        super().tell(what, path, target)
        if self.found is None or what not in CHANGES:  # a file that is closed later
            return
        _, name, got = self.steps[-1]
        place = new_place() / Path(self.folder).name
        shutil.copytree(self.folder, place, symlinks=True)
        self.found.append(Instant(len(self.found) + 1, RANDOM.sub("X" * 8, got or name), place))
