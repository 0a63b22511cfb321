"""What the tests of the engines need: where it must run (CI), what is missing is an error; elsewhere they are skipped."""

import pytest

from lesson_code.engines.attacks import missing
from tests.browser.conftest import give_up


@pytest.fixture(scope="session")
def engines() -> None:
    """The packages of the engines."""
    if missing():
        give_up(f"The engines need {', '.join(missing())}: install lesson_code/engines/requirements.txt.")
