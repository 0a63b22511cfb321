"""While this process writes in a task's folder: whether one that begins right then finds whole files. See `steps`."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..harness import (
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    LedgerError,
    load_checkpoint,
    load_effects,
)
from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.ledger import LEDGER_FILE
from .steps import Watch


class Torn(NamedTuple):
    """A file that could not be read after some step, and why."""

    name: str
    reason: str


@contextmanager
def reading(folder: Path) -> Iterator[list[Torn]]:
    """What can't be read meanwhile, whatever it says. That there is no checkpoint is no fault until there is one."""
    reader = Reader(folder)
    try:
        yield reader.torn
    finally:
        reader.leave()
        reader.is_reading = False  # a file may be closed later


class Reader(Watch):
    """Reads after each step that has changed one of the two files."""

    def __init__(self, folder: Path) -> None:
        self.torn: list[Torn] = []
        self.is_reading = True
        self.has_one = (folder / CHECKPOINT_FILE).exists()
        self.known: list[Any] = []
        super().__init__(str(folder))

    def tell(self, what: str, path: Any, target: Any = "") -> None:
        super().tell(what, path, target)
        found = [_version(Path(self.folder) / name) for name in (CHECKPOINT_FILE, LEDGER_FILE)]
        if self.is_reading and found != self.known:
            self.known = found
            self._read()

    def _read(self) -> None:
        try:
            load_effects(self.folder)
            with suppress(CheckpointRejected):  # it is whole
                load_checkpoint(self.folder)
            self.has_one = True
        except LedgerError as error:
            self.torn.append(Torn(LEDGER_FILE, str(error)))
        except CheckpointUnreadable as error:
            self.torn.append(Torn(CHECKPOINT_FILE, str(error)))
        except CheckpointMissing as error:
            if self.has_one:
                self.torn.append(Torn(CHECKPOINT_FILE, str(error)))


def _version(path: Path) -> tuple[int, ...] | None:
    """What changes whenever the file does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
