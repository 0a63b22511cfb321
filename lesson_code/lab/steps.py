"""In a child process: count the steps by which a file is written, and die at one of them.

`Watch` stands between a program and the system. A death is `os._exit`: what Python had not yet handed over is lost.
Nothing heavy is loaded, so that a child starts quickly.
"""

import builtins
import io
import os
import pathlib
from typing import Any

from .crash import DIED
from .handles import Raw, Text, buffered

Step = tuple[str, str, str]
"""What was done (`open`, `chunk`, `flush`, `fsync`, `close`, `replace`, `fsync-folder` or `remove`), to which file of
the folder (`.` is the folder itself), and the name that the file got, or ""."""

_open = open
_CALLS = ("open", "write", "close", "fsync", "replace", "rename", "unlink", "remove")
_REAL = {name: getattr(os, name) for name in _CALLS}
_WRITING = os.O_WRONLY | os.O_RDWR
_PATHLIB = getattr(pathlib, "_NormalAccessor", None)  # Python 3.10 keeps its own references
_PATHS = {name: vars(_PATHLIB)[name] for name in ("open", "replace", "rename", "unlink")} if _PATHLIB else {}


class Watch:
    """Counts from now on the steps of this process in `folder`, and dies after the `step`-th of the `save`-th writing.

    A writing begins where a file whose name starts with `prefix` is opened to be written. With `save` 0 steps are
    counted from the beginning; with `step` 0 nobody dies.
    """

    def __init__(self, folder: str, prefix: str = "", save: int = 0, step: int = 0) -> None:
        self.folder = os.path.realpath(folder)
        self.prefix = prefix
        self.end = (save, step)
        self.reached = (0, 0)
        self.steps: list[Step] = []
        self.files: dict[int, str] = {}  # descriptors that are being written
        for name in _REAL:
            setattr(os, name, getattr(self, name if name != "open" else "open_descriptor"))
        builtins.open = io.open = self.open
        for name in _PATHS:
            setattr(_PATHLIB, name, staticmethod(getattr(self, name)))
        if os.name == "nt":  # where a folder can't be synced, and the harness leaves it
            from ..harness import storage

            storage.sync_folder = lambda folder: self.tell("fsync-folder", ".")

    def leave(self) -> None:
        """Put back what stands between nobody and the system."""
        for name, real in _REAL.items():
            setattr(os, name, real)
        builtins.open = io.open = _open
        for name, real in _PATHS.items():
            setattr(_PATHLIB, name, real)

    def tell(self, what: str, path: Any, target: Any = "") -> None:
        """A step has been done."""
        save, step = self.reached
        self.reached = (save + 1, 1) if what == "open" else (save, step + 1)
        self.steps.append((what, os.path.basename(os.fsdecode(path)), os.path.basename(os.fsdecode(target))))
        if self.end in (self.reached, (0, len(self.steps))):
            os._exit(DIED)

    def tell_of(self, what: str, descriptor: int) -> None:
        """A step has been done with an open file; it counts if that file is being written."""
        if descriptor in self.files:
            self.tell(what, self.files[descriptor])

    def closed(self, descriptor: int) -> None:
        """A file has been closed; its descriptor may come back as that of another one."""
        self.tell_of("close", descriptor)
        self.files.pop(descriptor, None)

    def is_ours(self, path: Any) -> bool:
        """Whether `path` is one of the files that are watched."""
        place, name = os.path.split(os.path.abspath(os.fsdecode(path)))
        place = os.path.realpath(place)
        is_below = not self.prefix and place.startswith(self.folder + os.sep)
        return name.startswith(self.prefix) and (place == self.folder or is_below)

    def opened(self, path: Any, descriptor: int) -> None:
        """A file has been opened to be written; by an opener, it may have been told already."""
        if descriptor not in self.files and self.is_ours(path):
            self.files[descriptor] = os.fspath(path)
            self.tell("open", path)

    def open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        """As `open`; what is opened to be written hands over a little at a time, and is watched."""
        if not set(mode) & set("wxa+"):
            return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
        raw.listener = self
        if not isinstance(file, int):
            self.opened(file, raw.fileno())
        if buffering == 0:
            return raw
        buffer = buffered(raw, mode)
        return buffer if "b" in mode else Text(buffer, encoding, errors, newline, buffering == 1)

    def open_descriptor(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        descriptor = int(_REAL["open"](path, flags, mode, **options))
        if flags & _WRITING:
            self.opened(path, descriptor)
        return descriptor

    def write(self, descriptor: int, data: Any) -> int:
        number = int(_REAL["write"](descriptor, data))
        self.tell_of("chunk", descriptor)
        return number

    def close(self, descriptor: int) -> None:
        _REAL["close"](descriptor)
        self.closed(descriptor)

    def fsync(self, file: Any) -> None:
        descriptor = file if isinstance(file, int) else file.fileno()
        _REAL["fsync"](descriptor)
        self.tell_of("fsync", descriptor)
        if os.path.samestat(os.fstat(descriptor), os.stat(self.folder)):
            self.tell("fsync-folder", ".")

    def replace(self, source: Any, target: Any, name: str = "replace", **options: Any) -> None:
        _REAL[name](source, target, **options)
        if self.is_ours(target):
            self.tell("replace", source, target)

    def rename(self, source: Any, target: Any, **options: Any) -> None:
        self.replace(source, target, "rename", **options)

    def unlink(self, path: Any, **options: Any) -> None:
        _REAL["unlink"](path, **options)
        if self.is_ours(path):
            self.tell("remove", path)

    def remove(self, path: Any, **options: Any) -> None:
        self.unlink(path, **options)
