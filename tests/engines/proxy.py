"""A network that can be cut: what is sent through it arrives, until nothing does any more and nobody is told."""

import socket
import threading
from contextlib import suppress
from types import TracebackType


class Proxy:
    """Passes on what comes to its port to another port of this machine."""

    def __init__(self, port: int) -> None:
        self.to = port
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.is_cut = threading.Event()
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._welcome, daemon=True).start()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.door.close()
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # a thread that waits for it keeps it open otherwise
            end.close()

    def cut(self) -> None:
        """From now on nothing arrives, not even that somebody has gone."""
        self.is_cut.set()

    def _welcome(self) -> None:
        while True:
            try:
                ours, _ = self.door.accept()
                theirs = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                return
            self.ends += [ours, theirs]
            for one, other in ((ours, theirs), (theirs, ours)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                if self.is_cut.is_set():
                    return
                other.sendall(data)
            if not self.is_cut.is_set():
                other.shutdown(socket.SHUT_WR)
        except OSError:
            return
