"""Write a file so that a death at any instant leaves the old version or the new one, whole."""

import os
import re
import secrets
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path

from ..words import say

PathLike = str | os.PathLike[str]
Folder = PathLike
TEMPORARY = re.compile(r".+\.[0-9a-f]{8}\.tmp")


def write_atomic(path: PathLike, data: bytes) -> None:
    """Put `data` in the file `path` in one step, durably; the folder is made if it is missing.

    Fails before the replace: the old file stands and no temporary is left. Fails after it (the folder
    could not be synced): the new file stands. Both raise OSError. Source: Pillai et al., OSDI 2014.
    """
    path = Path(path)
    if path.is_symlink():
        raise OSError(say("not_a_file", name=path.name))
    make_folder(path.parent)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    file = open(temporary, "xb")
    try:
        with file:
            if path.exists():
                os.chmod(temporary, stat.S_IMODE(path.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def copy_atomic(source: Path, target: Path) -> None:
    """Copy a state file to `target` in one step, durably and with its mode. Raises OSError."""
    data = read_state(source)
    make_folder(target.parent)
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}.tmp")
    open(draft, "xb").close()
    try:
        shutil.copymode(source, draft)  # before there is anything in it to be read
        write_atomic(draft, data)
        replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def replace(source: Path, target: Path) -> None:
    """`os.replace`; on Windows, where a reader may hold the target for an instant, tried for a second."""
    give_up = time.monotonic() + 1
    while True:
        try:
            return os.replace(source, target)
        except PermissionError:
            if os.name != "nt" or time.monotonic() > give_up:
                raise
            time.sleep(0.01)


def make_folder(folder: Path) -> None:
    """Make `folder` and what is missing above it, each entry durable."""
    missing = [] if folder.is_dir() else [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        sync_folder(made.parent)


def sync_folder(folder: Path) -> None:
    """Make the entries of `folder` durable: without it a power cut can undo a rename. Not possible on Windows."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_state(path: Path) -> bytes:
    """The bytes of a state file. Raises FileNotFoundError, or OSError for a link, a folder, a pipe…"""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(say("not_a_file", name=path.name))
    return path.read_bytes()
