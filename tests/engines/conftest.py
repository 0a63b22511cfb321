"""What the tests of the engines need: what is missing is an error in CI, and skips them elsewhere."""

import sys
from collections.abc import Iterator

import pytest

from lesson_code.engines.attacks import missing
from tests.browser.conftest import give_up
from tests.engines.postgres import server


@pytest.fixture(scope="session")
def engines() -> None:
    """The packages of the engines."""
    if missing():
        give_up(f"The engines need {', '.join(missing())}: install lesson_code/engines/requirements.txt.")


@pytest.fixture(scope="module")
def postgres(engines: None) -> Iterator[str]:
    """The URL of a server that may create databases."""
    with server() as url:
        if url is None:
            why = "The workers need a PostgreSQL: install postgresql, or put the address of yours in DATABASE_URL."
            give_up(why) if sys.platform == "linux" else pytest.skip(why)  # .ci/run installs it on Linux only
        yield url
