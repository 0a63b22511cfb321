"""A power cut at each step by which a checkpoint is written: a simulation, since no machine is turned off here.

It assumes that
- the bytes of a file are safe only once it has been synced; until then there may be its last safe ones, none, or all;
- the entries of a folder (a new name, a rename) are safe only once the folder has been synced; until then they are kept
  in order, and may be missing from some point on;
- no rename is ever half done, and the disk does not lie when it says that it has synced.
"""

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from ..harness import save_checkpoint
from ..harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from .disk import BROKEN, MISSING, NEW, OLD, Death, read_back

Names = dict[str, int]
"""The entries of a folder: name → number of the file."""


class Disk:
    """What is safe, and what is only in the memory of the machine."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.safe = dict(enumerate(files.values()))
        self.now = dict(self.safe)
        self.folders: list[Names] = [dict(zip(files, self.safe, strict=True))]  # the safe one, and later ones

    def follow(self, death: Death) -> None:
        """Do the step of `death`, after which the folder held `death.files`."""
        what, name, target = death.step
        names = dict(self.folders[-1])
        if what == "open" and name not in names:
            names[name] = len(self.safe)
            self.safe[names[name]] = b""
            self.folders.append(names)
        elif what in ("replace", "remove"):
            number = names.pop(name)
            self.folders.append({**names, target: number} if target else names)
        self.now.update({number: death.files[name] for name, number in self.folders[-1].items()})
        if what == "fsync":
            self.safe[names[name]] = self.now[names[name]]
        elif what == "fsync-folder":
            del self.folders[:-1]

    def outcomes(self) -> list[dict[str, bytes]]:
        """The folders that may be there when the power comes back."""
        return [
            dict(zip(names, kept, strict=True))
            for names in self.folders
            for kept in product(*(self._may_hold(number) for number in names.values()))
        ]

    def _may_hold(self, number: int) -> set[bytes]:
        safe, now = self.safe[number], self.now[number]
        return {safe} if safe == now else {safe, b"", now}


def power_cut(deaths: list[Death], *, old: Checkpoint | None, new: Checkpoint) -> list[tuple[str, ...]]:
    """What may be read (`old`, `new`, `missing`, `broken`) after a power cut at each step of `explore`'s `deaths`.

    Each outcome is written to a folder, as a copy, and read by the strict loader.
    """
    disk, cuts = Disk(_saved(old)), []
    for death in deaths:
        disk.follow(death)
        left = {folder.get(CHECKPOINT_FILE) for folder in disk.outcomes()}
        found = {read_back({} if data is None else {CHECKPOINT_FILE: data}, old, new)[0] for data in left}
        cuts.append(tuple(reads for reads in (OLD, NEW, MISSING, BROKEN) if reads in found))
    return cuts


def _saved(checkpoint: Checkpoint | None) -> dict[str, bytes]:
    """The folder in which `explore` begins."""
    with TemporaryDirectory(prefix="curso-") as folder:
        if checkpoint:
            save_checkpoint(checkpoint, folder)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}
