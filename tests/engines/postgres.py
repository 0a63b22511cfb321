"""A real PostgreSQL for the tests: the one that DATABASE_URL names, or Debian's, started on 127.0.0.1."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.server import free_port

USER = "postgres"  # the server refuses to run as root


def find_programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`: on the PATH, or where Debian puts them; the newest."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "pg_ctl").exists()), None)


@contextmanager
def server() -> Iterator[str | None]:
    """The URL of a server, which may create databases; None if there is none to start."""
    named, programs = os.environ.get("DATABASE_URL"), find_programs()
    if named or programs is None:
        yield named or None
        return
    with tempfile.TemporaryDirectory(prefix="curso pg ") as top:
        data, port = Path(top) / "data", free_port()
        if is_root():
            shutil.chown(top, USER, USER)
        _run(programs / "initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='' -c max_connections=200"
        _run(programs / "pg_ctl", "-D", data, "-w", "-l", Path(top) / "log", "-o", options, "start")
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}/postgres"
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _run(program: Path, *arguments: object) -> None:
    as_user = ["runuser", "-u", USER, "--"] if is_root() else []
    command = [*as_user, str(program), *map(str, arguments)]
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=120)
