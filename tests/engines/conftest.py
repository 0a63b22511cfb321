"""What the tests of the engines need: what is missing is an error in CI, and skips them elsewhere."""

import pytest

from lesson_code.engines.attacks import missing
from tests.browser.conftest import give_up


@pytest.fixture(scope="session")
def engines() -> None:
    """The packages of the engines."""
    if missing():
        give_up(f"The engines need {', '.join(missing())}: install lesson_code/engines/requirements.txt.")
