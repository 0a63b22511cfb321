"""What a learner has done, in one file: written whole or not at all, and by one notebook at a time."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ...harness.storage import TEMPORARY, write_atomic
from ...harness.strict import parse
from ...words import reason, say

FILE = Path(__file__).parents[3] / "mi-progreso.json"
VARIABLE = "COURSE_PROGRESS"  # another path for the file
VERSION = 1
WAIT = 10.0  # seconds for a notebook that is writing

Entry = dict[str, Any]
"""Of one exercise: `checked: {criterion: whether it held}`, `answer` (what was handed in last), `ticked: [criterion]`
by the learner and `texts: {criterion: what they wrote}`."""


def path() -> Path:
    """Where the file is."""
    return Path(os.environ.get(VARIABLE) or FILE)


def read() -> dict[str, Entry]:
    """What each exercise has, by its number. Raises OSError, or ValueError for a file that was not written here."""
    try:
        data = path().read_bytes()
    except FileNotFoundError:
        return {}
    found = parse(data)
    if not (isinstance(found, dict) and type(found.get("version")) is int and found["version"] == VERSION):
        raise ValueError("version")
    if not isinstance(found.get("exercises"), dict) or not all(map(_is_entry, found["exercises"].values())):
        raise ValueError("exercises")
    return dict(found["exercises"])


def entry_of(number: str) -> Entry:
    """What one exercise has; nothing as long as the file can't be read."""
    try:
        return read().get(number) or _new()
    except (OSError, ValueError):
        return _new()


def change(number: str, action: Callable[[Entry], None]) -> list[str]:
    """Let `action` change what one exercise has, and keep it; gives back what has to be said. Never raises OSError.

    Two notebooks wait for each other, and each changes what is in the file then.
    """
    place = path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{place}.lock", timeout=WAIT):
            _tidy_up(place)
            said = _set_aside(place)
            found = read()
            entry = found.setdefault(number, _new())
            action(entry)
            kept = json.dumps({"version": VERSION, "exercises": found}, ensure_ascii=False, indent=1)
            write_atomic(place, kept.encode("utf-8", "replace"))  # half a character can't be written
    except Timeout:
        return [say("ex_not_kept", name=place.name, reason=say("ex_busy"))]
    except OSError as error:
        return [say("ex_not_kept", name=place.name, reason=reason(error))]
    return said


def _new() -> Entry:
    return {"checked": {}, "answer": None, "ticked": [], "texts": {}}


def _is_entry(value: Any) -> bool:
    kinds = {name: type(part) for name, part in _new().items() if name != "answer"}
    if not (isinstance(value, dict) and "answer" in value):
        return False
    return all(isinstance(value.get(name), kind) for name, kind in kinds.items())


def _tidy_up(place: Path) -> None:
    """Remove what a process left that died while it was writing."""
    for entry in place.parent.glob(f"{place.name}.*.tmp"):
        if TEMPORARY.fullmatch(entry.name):
            entry.unlink()


def _set_aside(place: Path) -> list[str]:
    """A file that can't be read is kept under another name."""
    try:
        read()
    except ValueError:
        number = 1
        while (aside := place.with_name(f"{place.stem}-ilegible-{number:03d}{place.suffix}")).exists():
            number += 1
        os.replace(place, aside)
        return [say("ex_set_aside", name=place.name, aside=aside.name)]
    return []
