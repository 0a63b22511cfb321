"""A disk on which nothing more can be made to last."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

LASTING = ("fsync", "replace", "rename")


@contextmanager
def full_disk() -> Iterator[None]:
    """Within it whoever syncs a file or puts one in its place gets the OSError of a disk that is full."""

    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    real = {name: getattr(os, name) for name in LASTING}
    try:
        for name in LASTING:
            setattr(os, name, refuse)
        yield
    finally:
        for name, function in real.items():
            setattr(os, name, function)
