"""A real browser and a real JupyterLab, on a copy of the repository."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.notebooks.copies import copy_repository

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


def find_browser() -> str | None:
    """What `CHROMIUM` names, or else the first browser of Chromium's family on this machine."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    found = [shutil.which(name) for name in NAMES] + [place for place in PLACES if Path(place).exists()]
    return next(filter(None, found), None)


def give_up(why: str) -> NoReturn:
    """Where the tests must run (CI), what is missing is an error; on a reader's machine they are skipped."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture
def page() -> Iterator[Any]:
    """A page of a headless browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        give_up("The browser tests need playwright: install tests/requirements.txt.")
    browser_path = find_browser()
    if browser_path is None:
        give_up("No Chromium, Chrome or Edge was found: install one, or put the path of its program in CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path)
        yield browser.new_page(viewport={"width": 1280, "height": 900})
        browser.close()


@dataclass
class Lab:
    """A JupyterLab at work on `tree`."""

    tree: Path
    port: int
    token: str

    def url(self, place: str) -> str:
        return f"http://127.0.0.1:{self.port}/{place}?token={self.token}"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """JupyterLab on a copy of the repository, with none of the user's own settings."""
    place = Lab(copy_repository(tmp_path / "curso"), free_port(), secrets.token_hex(16))
    log = tmp_path / "jupyterlab.log"
    with log.open("wb") as lines:
        server = subprocess.Popen(
            command(place), cwd=place.tree, env=settings(tmp_path), stdin=subprocess.DEVNULL, stdout=lines, stderr=lines
        )
        try:
            wait_until_up(server, place.url("api/status"), log)
            yield place
        finally:
            server.terminate()
            server.wait(30)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def command(place: Lab) -> list[str]:
    """Lab puts its application on `window.jupyterapp` for us: the drawn page tells too early that a kernel is ready."""
    options = {
        "--ServerApp.ip": "127.0.0.1",
        "--ServerApp.port": place.port,
        "--ServerApp.port_retries": 0,
        "--ServerApp.root_dir": place.tree,
        "--IdentityProvider.token": place.token,
        "--LabApp.expose_app_in_browser": True,
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
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return {**inherited, **{name: str(place) for name, place in own.items()}}


def wait_until_up(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"JupyterLab does not answer:\n{log.read_text('utf-8', 'replace')}") from None
            time.sleep(0.1)
