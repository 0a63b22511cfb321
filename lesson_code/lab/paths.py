"""Which files a tool may touch when the path comes from the model."""

import os
import re
import stat
import unicodedata
from pathlib import Path

from ..harness import ToolRefused
from ..harness.checkpoint import CHECKPOINT_FILE
from ..harness.folder import ABANDONED, FORK_FILE, HISTORY, LOCK, ORIGIN_FILE, PREVIOUS
from ..harness.ledger import LEDGER_FILE
from ..harness.storage import TEMPORARY
from ..words import say
from .world import WORLD_FILE

OWN = {CHECKPOINT_FILE, LEDGER_FILE, LOCK, PREVIOUS, HISTORY, ABANDONED, FORK_FILE, ORIGIN_FILE, WORLD_FILE}
DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"} | {
    f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³"
}
MAX_PART = 200  # bytes: what file systems take, less the ending of a temporary

# A letter, digit or `_`, then anything that no system reads as a separator, a stream, a short name or a wildcard.
_PART = re.compile(r"\w[^/\\:*?\"<>|~]*(?<![. ])")


def safe_path(path: object, folder: Path) -> Path:
    """`path`, given by the model, as a file below `folder`. Raises ToolRefused; nothing has been read or written.

    Refused: absolute or odd paths, the harness's own files, and whatever is, or is reached through, a link.
    """
    if not isinstance(path, str):
        raise ToolRefused(say("path_not_text"))
    parts = path.split("/")
    if not all(_is_plain(part) for part in parts):
        raise ToolRefused(say("path_odd", path=path[:200]))
    if _is_own(parts[0]) or TEMPORARY.fullmatch(parts[-1]):
        raise ToolRefused(say("path_own", path=path[:200]))
    place = folder
    for number, part in enumerate(parts, start=1):
        place = place / part
        _refuse_link(place, path, last=number == len(parts))
    return place


def _is_plain(part: str) -> bool:
    stem = part.split(".")[0].rstrip().upper()
    fits = len(part.encode("utf-8", "replace")) <= MAX_PART
    # Printable: no control, no lone surrogate, none of the marks that are read but not seen.
    return bool(_PART.fullmatch(part)) and part.isprintable() and stem not in DEVICES and fits


def _is_own(part: str) -> bool:
    # As a file system that ignores case and composes letters would compare them.
    return unicodedata.normalize("NFKC", part).casefold() in OWN


def _refuse_link(place: Path, path: str, *, last: bool) -> None:
    try:
        found = os.lstat(place)
    except FileNotFoundError:
        return
    except OSError:
        raise ToolRefused(say("path_odd", path=path[:200])) from None
    is_link = stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", None)  # a junction
    wrong = not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 if last else not stat.S_ISDIR(found.st_mode)
    if is_link or wrong:
        raise ToolRefused(say("path_link", path=path[:200]))
