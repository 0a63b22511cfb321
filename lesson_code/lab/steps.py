"""In a child process: count the steps by which a file is written, and die at one of them.

`Watch` stands between a program and the system. A death is `os._exit`: what Python had not yet handed over is lost.
Nothing heavy is loaded, so that a child starts quickly.
"""

import builtins
import io
import os
import pathlib
from typing import Any

DIED = 137
CHUNK = 4096  # bytes: the most that is handed to the system at once
BUFFER = 4096  # bytes: Python's own differs from version to version

Step = tuple[str, str, str]
"""What was done (`open`, `chunk`, `flush`, `fsync`, `close`, `replace`, `fsync-folder` or `remove`), to which file of
the folder (`.` is the folder itself), and the name that the file got, or ""."""

_REAL = {name: getattr(os, name) for name in ("open", "write", "close", "fsync", "replace", "rename", "unlink")}
_WRITING = os.O_WRONLY | os.O_RDWR


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
        old = getattr(pathlib, "_NormalAccessor", None)  # Python 3.10 keeps its own references
        for name in ("open", "replace", "rename", "unlink") if old else ():
            setattr(old, name, staticmethod(getattr(self, name)))
        if os.name == "nt":  # where a folder can't be synced, and the harness leaves it
            from ..harness import storage

            storage.sync_folder = lambda folder: self.tell("fsync-folder", ".")

    def tell(self, what: str, path: Any, target: Any = "") -> None:
        """A step has been done."""
        save, step = self.reached
        self.reached = (save + 1, 1) if what == "open" else (save, step + 1)
        self.steps.append((what, os.path.basename(os.fsdecode(path)), os.path.basename(os.fsdecode(target))))
        if self.end in (self.reached, (0, len(self.steps))):
            os._exit(DIED)

    def is_ours(self, path: Any) -> bool:
        """Whether `path` is one of the files that are watched."""
        place, name = os.path.split(os.path.abspath(os.fsdecode(path)))
        return name.startswith(self.prefix) and os.path.realpath(place) == self.folder

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
        """As `open`, with `CHUNK` and `BUFFER`, for what is opened to be written and for nothing else."""
        if not set(mode) & set("wxa+"):
            return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = _Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
        raw.watch = self
        if not isinstance(file, int) and raw.fileno() not in self.files and self.is_ours(file):
            self.files[raw.fileno()] = os.fspath(file)
            self.tell("open", file)
        if buffering == 0:
            return raw
        buffer = io.BufferedRandom(raw, BUFFER) if "+" in mode else _Buffered(raw, BUFFER)
        return buffer if "b" in mode else _Text(buffer, encoding, errors, newline, buffering == 1)

    def open_descriptor(self, path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        descriptor = int(_REAL["open"](path, flags, mode, **options))
        if flags & _WRITING and self.is_ours(path):
            self.files[descriptor] = os.fspath(path)
            self.tell("open", path)
        return descriptor

    def write(self, descriptor: int, data: Any) -> int:
        number = int(_REAL["write"](descriptor, data))
        if descriptor in self.files:
            self.tell("chunk", self.files[descriptor])
        return number

    def close(self, descriptor: int) -> None:
        _REAL["close"](descriptor)
        if descriptor in self.files:
            self.tell("close", self.files.pop(descriptor))

    def fsync(self, file: Any) -> None:
        descriptor = file if isinstance(file, int) else file.fileno()
        _REAL["fsync"](descriptor)
        if descriptor in self.files:
            self.tell("fsync", self.files[descriptor])
        elif os.path.samestat(os.fstat(descriptor), os.stat(self.folder)):
            self.tell("fsync-folder", ".")

    def replace(self, source: Any, target: Any, **options: Any) -> None:
        _REAL["replace"](source, target, **options)
        if self.is_ours(target):
            self.tell("replace", source, target)

    def rename(self, source: Any, target: Any, **options: Any) -> None:
        _REAL["rename"](source, target, **options)
        if self.is_ours(target):
            self.tell("replace", source, target)

    def unlink(self, path: Any, **options: Any) -> None:
        _REAL["unlink"](path, **options)
        if self.is_ours(path):
            self.tell("remove", path)


_open = open


class _Raw(io.FileIO):
    """A file that hands over at most `CHUNK` bytes at once."""

    watch: Watch

    def write(self, data: Any) -> int:
        number = super().write(memoryview(data)[:CHUNK])
        self._tell("chunk")
        return number

    def close(self) -> None:
        if not self.closed:
            descriptor = self.fileno()
            super().close()
            if descriptor in self.watch.files:
                self.watch.tell("close", self.watch.files.pop(descriptor))

    def _tell(self, what: str) -> None:
        if self.fileno() in self.watch.files:
            self.watch.tell(what, self.watch.files[self.fileno()])


class _Buffered(io.BufferedWriter):
    """A buffer that says when it has been asked to hand over what it holds; closing asks too, and says nothing."""

    closing = False

    def flush(self) -> None:
        super().flush()
        if not self.closing:
            self.raw._tell("flush")  # type: ignore[attr-defined]  # a _Raw

    def close(self) -> None:
        self.closing = True
        super().close()


class _Text(io.TextIOWrapper):
    """Text over a buffer, which is told that it is being closed before it is asked to hand over the rest."""

    def close(self) -> None:
        self.buffer.closing = True  # type: ignore[attr-defined]  # a _Buffered, or a BufferedRandom
        super().close()
