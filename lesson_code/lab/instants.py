"""Every instant of what is written in a folder by this process: a photograph of it after each step. See `steps`."""

import errno
import os
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

    What the file's name has at random is shown as XXXXXXXX. `what` was done is one of CHANGES.
    """

    step: int
    name: str
    folder: Path
    what: str


@contextmanager
def instants(folder: Path, *, prefix: str = "", own_disk: bool = False) -> Iterator[list[Instant]]:
    """The instants of what is done in `folder` meanwhile. What a buffer holds is in none before it is handed over.

    With `prefix`, of what is done to files whose names begin so. With `own_disk` the folder is a file system of its
    own: nothing can be renamed into it or out of it.
    """
    found: list[Instant] = []
    watch = Photographer(folder, prefix, found, own_disk)
    try:
        yield found
    finally:
        watch.leave()
        watch.found = None


class Photographer(Watch):
    """Watches without ending anything."""

    def __init__(self, folder: Path, prefix: str, found: list[Instant], own_disk: bool) -> None:
        self.found: list[Instant] | None = found
        self.own_disk = own_disk
        super().__init__(str(folder), prefix)

    def tell(self, what: str, path: Any, target: Any = "") -> None:
        super().tell(what, path, target)
        if self.found is None or what not in CHANGES:  # a file that is closed later
            return
        _, name, got = self.steps[-1]
        place = new_place() / Path(self.folder).name
        shutil.copytree(self.folder, place, symlinks=True)
        self.found.append(Instant(len(self.found) + 1, RANDOM.sub("X" * 8, got or name), place, what))

    def replace(self, source: Any, target: Any, name: str = "replace", **options: Any) -> None:
        if self.own_disk and self.is_within(source) != self.is_within(target):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), source, None, target)
        super().replace(source, target, name, **options)

    def is_within(self, path: Any) -> bool:
        return os.path.realpath(os.fsdecode(path)).startswith(self.folder + os.sep)
