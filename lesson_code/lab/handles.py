"""Files opened to be written that hand over a little at a time, and tell a listener when they do."""

import io
from typing import Any, Protocol

CHUNK = 4096  # bytes: the most that is handed to the system at once
BUFFER = 4096  # bytes: Python's own differs from version to version


class Listener(Protocol):
    """Who is told what is done with an open file: `chunk` or `flush`, and that it was closed."""

    def tell_of(self, what: str, descriptor: int) -> None: ...

    def closed(self, descriptor: int) -> None: ...


class Raw(io.FileIO):
    """A file that hands over at most `CHUNK` bytes at once. Whoever makes it sets its `listener`."""

    listener: Listener

    def write(self, data: Any) -> int:
        number = super().write(memoryview(data)[:CHUNK])
        self.listener.tell_of("chunk", self.fileno())
        return number

    def close(self) -> None:
        if not self.closed:
            descriptor = self.fileno()
            super().close()
            self.listener.closed(descriptor)


class Buffered(io.BufferedWriter):
    """A buffer that says when it has been asked to hand over what it holds; closing asks too, and says nothing."""

    closing = False

    def flush(self) -> None:
        super().flush()
        if not self.closing:
            self.raw.listener.tell_of("flush", self.fileno())  # type: ignore[attr-defined]  # a Raw

    def close(self) -> None:
        self.closing = True
        super().close()


class Text(io.TextIOWrapper):
    """Text over a buffer, which is told that it is being closed before it is asked to hand over the rest."""

    def close(self) -> None:
        self.buffer.closing = True  # type: ignore[attr-defined]  # a Buffered, or a BufferedRandom
        super().close()


def buffered(raw: Raw, mode: str) -> io.BufferedWriter | io.BufferedRandom:
    """The buffer over `raw` that `open` puts there for this mode."""
    return io.BufferedRandom(raw, BUFFER) if "+" in mode else Buffered(raw, BUFFER)
