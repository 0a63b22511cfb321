"""What the tests of the real client need: a machine without a key, and the command in this process.

A module that tests it takes `nothing_of_this_machine` by its name.
"""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lesson_code.agent import command
from lesson_code.lab.fake_api import FakeApi

NOWHERE = "http://127.0.0.1:9"
PROXIES = dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"), NOWHERE)
MINE = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_MODEL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_LOG",
    "NO_PROXY",
    "no_proxy",
    "ALL_PROXY",
    "all_proxy",
    "SSL_CERT_FILE",
)


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, and a proxy that leads nowhere: what works here works anywhere."""
    for name in MINE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", NOWHERE)  # one is enough: a client reads all certificates for each


class Ended(NamedTuple):
    """How the command ended: exit code, standard output, standard error, and how many requests the stand-in saw."""

    code: int
    out: str
    err: str
    requests: int

    @property
    def sentence(self) -> str:
        """The one line of an error."""
        assert self.code == 1 and self.err.endswith("\n") and self.err.count("\n") == 1, self
        assert self.err[:-1].isprintable() and "Traceback" not in self.err and "Error inesperado" not in self.err
        assert "<" not in self.err and len(self.err) < 600
        return self.err[:-1]


def live(api: FakeApi, folder: Path, *options: Any, **changes: str) -> Ended:
    """`--live` with these options, in this process; the key is afterwards in nothing that it said or left."""
    before, out, err = len(api.requests), io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in {**api.environment, **changes}.items():
            patch.setenv(name, value)
        code = command(["--live", "--workdir", str(folder), *map(str, options)])
    assert_no_key(api, folder, out.getvalue(), err.getvalue())
    return Ended(code, out.getvalue(), err.getvalue(), len(api.requests) - before)


def assert_no_key(api: FakeApi, folder: Path, *said: str) -> None:
    """The key is in no file of the folder, and in nothing that was said; nor is the header that it travels in."""
    written = [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    for text in (*said, *written, *map(str, folder.rglob("*"))):
        assert api.key not in text and "Bearer" not in text and "uthorization" not in text
