"""The server of JupyterLab on a copy of the repository; the same one opens notebooks in Notebook 7 and in Voilà."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from lesson_code.course.exercises.store import VARIABLE

NO_NEWS = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


@dataclass
class Lab:
    """A server at work on `tree`."""

    tree: Path
    port: int
    token: str

    def url(self, place: str) -> str:
        return f"http://127.0.0.1:{self.port}/{place}?token={self.token}"

    def lab(self, notebook: str) -> str:
        """Where JupyterLab opens `notebook`, in a workspace of its own: nothing else is open in it."""
        return self.url(f"lab/workspaces/{secrets.token_hex(4)}/tree/{notebook}")

    def start(self, home: Path, log: Path) -> "subprocess.Popen[bytes]":
        """With settings of its own in the folder `home`. Raises RuntimeError when it does not answer."""
        with log.open("wb") as lines:
            server = subprocess.Popen(
                command(self), cwd=self.tree, env=settings(home), stdin=subprocess.DEVNULL, stdout=lines, stderr=lines
            )
        try:
            wait_until_up(server, self.url("api/status"))
        except RuntimeError as error:
            server.kill()
            raise RuntimeError(f"JupyterLab does not answer:\n{log.read_text('utf-8', 'replace')}") from error
        return server


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def command(place: Lab) -> list[str]:
    """The application is put on `window.jupyterapp` for us: the drawn page tells too early that a kernel is ready."""
    options = {
        "--ServerApp.ip": "127.0.0.1",
        "--ServerApp.port": place.port,
        "--ServerApp.port_retries": 0,
        "--ServerApp.root_dir": place.tree,
        "--IdentityProvider.token": place.token,
        "--NotebookNotary.data_dir": place.tree.parent,  # it trusts no notebook yet
        "--LabApp.expose_app_in_browser": True,
        "--JupyterNotebookApp.expose_app_in_browser": True,
    }
    given = [f"{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *given]


def settings(home: Path) -> dict[str, str]:
    """The environment of a user who has never opened JupyterLab, and to whom it shows no news."""
    defaults = home / "config" / "labconfig" / "default_setting_overrides.json"
    defaults.parent.mkdir(parents=True)
    defaults.write_text(json.dumps({"@jupyterlab/apputils-extension:notification": NO_NEWS}), encoding="utf-8")
    own = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
    }
    # With its own progress, in its copy of the repository: the lessons that nbval runs beside it have done nothing yet.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", VARIABLE))}
    return {**inherited, **{name: str(place) for name, place in own.items()}}


def wait_until_up(server: "subprocess.Popen[bytes]", address: str) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError as error:
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(str(error)) from error
            time.sleep(0.1)
