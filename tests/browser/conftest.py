"""A real browser, and a real JupyterLab, Notebook 7 and Voilà, on a copy of the repository."""

import os
import secrets
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.browser.server import Lab, free_port
from tests.notebooks.copies import copy_repository

NEEDED = ("playwright", "axe_playwright_python", "voila")
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
END_KERNELS = "() => window.jupyterapp?.serviceManager.sessions.shutdownAll()"


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


@pytest.fixture(scope="module")
def browser_path() -> str:
    """The program of a browser; without one, or without what drives and checks it, no server is started either."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        give_up(f"The browser tests need {', '.join(missing)}: install tests/requirements.txt.")
    found = find_browser()
    if found is None:
        give_up("No Chromium, Chrome or Edge was found: install one, or put the path of its program in CHROMIUM.")
    return found


@pytest.fixture(scope="module")
def context(browser_path: str) -> Iterator[Any]:
    """A headless browser that reaches this machine only, and fetches JupyterLab once."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=[NO_NETWORK])
        yield browser.new_context(viewport={"width": 1280, "height": 900})
        browser.close()


@pytest.fixture
def page(context: Any) -> Iterator[Any]:
    """A new page. Its kernels end with it."""
    page = context.new_page()
    yield page
    page.evaluate(END_KERNELS)
    page.close()


@pytest.fixture(scope="module")
def lab(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The server on a copy of the repository, with none of the user's own settings and none of their trust."""
    home = tmp_path_factory.mktemp("lab")
    place = Lab(copy_repository(home / "curso"), free_port(), secrets.token_hex(16))
    server = place.start(home, home / "jupyterlab.log")
    yield place
    server.terminate()
    server.wait(30)
