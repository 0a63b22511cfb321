"""Ways of saving a checkpoint, good and bad, and what the write explorer finds of each: found once, looked at often."""

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from lesson_code.harness import save_checkpoint
from lesson_code.lab.disk import Death, example, explore

OLD, NEW = example(21), example(22, pending=True)


@cache
def deaths(save: Callable[[dict[str, Any], Path], None] = save_checkpoint, *, first: bool = False) -> list[Death]:
    """The deaths of `save`, from OLD to NEW or, with `first`, in an empty folder."""
    return explore(save, old=None if first else OLD, new=NEW)


def save_in_place(checkpoint: dict[str, Any], folder: Path) -> None:
    data = json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8")
    (Path(folder) / "checkpoint.json").write_bytes(data)


def save_replace(checkpoint: dict[str, Any], folder: Path) -> None:
    temporary = Path(folder) / "checkpoint.json.tmp"
    temporary.write_bytes(json.dumps(checkpoint, ensure_ascii=False, indent=2).encode("utf-8"))
    os.replace(temporary, Path(folder) / "checkpoint.json")


def save_delete_first(checkpoint: dict[str, Any], folder: Path) -> None:
    (Path(folder) / "checkpoint.json").unlink()
    save_replace(checkpoint, folder)


def save_synced_file(checkpoint: dict[str, Any], folder: Path) -> None:
    """Synced, and its folder is not."""
    save_in_place(checkpoint, folder)
    with open(Path(folder) / "checkpoint.json", "r+b") as file:
        os.fsync(file.fileno())
