"""The wire between a client and the stand-in of the API: requests, replies, and connections that end badly."""

import json
import os
import select
import socket
import socketserver
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, NoReturn

LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)  # to close at once, with a reset
PIECES, PAUSE = 8, 0.02  # of a slow answer: how many, and seconds after each


@dataclass(frozen=True)
class Request:
    """A request as it came: `headers` by their names in lower case, `raw` the bytes of its body."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The body, parsed as strictly as the API does. Raises ValueError, or RecursionError."""
        value = json.loads(self.raw.decode("utf-8"), parse_constant=_no_number)
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("no low surrogate in string") from None
        return value


@dataclass(frozen=True)
class Reply:
    """What goes back to the client."""

    status: int
    headers: dict[str, str]
    body: bytes


class Line(BaseHTTPRequestHandler):
    """A client's connection. It prints nothing, and tells no time."""

    server: "Server"
    protocol_version = "HTTP/1.1"  # the connection stays open, as the API's
    disable_nagle_algorithm = True  # without a pause between the head of a reply and its body

    def do_POST(self) -> None:
        self.server.handle(self, self.rfile.read(int(self.headers.get("content-length") or 0)))

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

    def log_message(self, *arguments: Any) -> None:
        """Nothing is printed."""

    def send(self, reply: Reply, how: str = "") -> None:
        """Send a reply: in pieces if it is `slow`, half of it if it is `cut`, though its length is told."""
        self.send_response_only(reply.status)
        for name, value in {**reply.headers, "content-length": str(len(reply.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in pieces(reply.body[: len(reply.body) // 2] if how == "cut" else reply.body):
            self.wfile.write(piece)
            if how == "slow":
                self.server.closing.wait(PAUSE)
        if how == "cut":
            self.close_connection = True

    def drop(self, *, reset: bool) -> None:
        """Close the connection without an answer."""
        self.close_connection = True
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)

    def wait(self, let_go: threading.Event) -> bool:
        """Wait until `let_go` is set. False: the client gave up first, or the stand-in closes."""
        while not let_go.is_set():
            heard, _, _ = select.select([self.connection], [], [], PAUSE)
            if self.server.closing.is_set() or (heard and not self.connection.recv(1, socket.MSG_PEEK)):
                self.close_connection = True
                return False
        return True


def pieces(body: bytes) -> Iterator[bytes]:
    size = len(body) // PIECES + 1
    yield from (body[at : at + size] for at in range(0, len(body), size))


class Server(socketserver.ThreadingTCPServer):
    """Listens on a free port of 127.0.0.1. `stop` leaves no thread and no socket; `failures` are what was not meant."""

    def __init__(self, handle: Callable[[Line, bytes], None]) -> None:
        self.handle = handle
        self.closing = threading.Event()
        self.failures: list[BaseException] = []
        self.connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), Line)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        request.close()  # and no polite goodbye before it, so that a reset is one

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if error and not isinstance(error, ConnectionError):  # that one is the client that has gone
            self.failures.append(error)

    def stop(self) -> None:
        """End what is going on, and wait for its threads."""
        self.closing.set()
        self.shutdown()
        for connection in list(self.connections):
            with suppress(OSError):  # it has just been closed
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"unexpected {text}")
