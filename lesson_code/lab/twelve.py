"""Twelve tools of different nature, for the question: run once more in silence, would the world differ?"""

import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from ..harness import Tool, ToolRefused, write_atomic
from ..words import say
from .desk import make_desk_tools
from .mail import CUSTOMER, make_mail_tools
from .paths import safe_path
from .tools import NOTES, REPORT
from .world import World

DRAFT, ALARM, CONFIG, LOG = "draft.txt", "alarm.txt", "config.json", "log.txt"
READINGS = (36.8, 37.1)  # what the thermometer shows, by turns


def inputs() -> dict[str, dict[str, Any]]:
    """What each of the twelve is given, both times."""
    subject = {"subject": say("desk_subject")}
    return {
        "read_temperature": {},
        "replace_report": {"path": REPORT, "content": say("twelve_report")},
        "move_file": {"path": DRAFT, "target": "archive/" + DRAFT},
        "charge_order": {"order": "A-113", "amount": 40},
        "toggle_alarm": {},
        "open_ticket": subject,
        "read_file": {"path": NOTES},
        "send_email": {"to": CUSTOMER, "text": say("twelve_report")},
        "ensure_ticket": subject,
        "append_log": {"line": say("twelve_line")},
        "set_config": {"key": "language", "value": "es"},
        "delete_file": {"path": DRAFT},
    }


def make_twelve(folder: Path, world: World) -> dict[str, Tool]:
    """The twelve tools, at work in `folder`, with what they need already there."""
    for name, text in {DRAFT: say("twelve_report"), ALARM: "off", CONFIG: "{}", LOG: ""}.items():
        write_atomic(folder / name, text.encode("utf-8"))
    runs = {run.__name__: run for run in [*_files(folder), *_others(folder, world)]}
    ours = {name: _tool(run, inputs()[name]) for name, run in runs.items()}
    made = {**ours, **make_desk_tools(folder, world), **make_mail_tools(folder, world)}
    return {name: made[name] for name in inputs()}


def _files(folder: Path) -> list[Callable[..., Any]]:
    def read_file(path: str) -> bytes:
        return _existing(path, folder).read_bytes()

    def replace_report(path: str, content: str) -> str:
        write_atomic(safe_path(path, folder), content.encode("utf-8"))
        return say("twelve_done")

    def move_file(path: str, target: str) -> str:
        source, place = _existing(path, folder), safe_path(target, folder)
        place.parent.mkdir(exist_ok=True)
        source.replace(place)
        return say("twelve_done")

    def delete_file(path: str) -> str:
        _existing(path, folder).unlink()
        return say("twelve_done")

    def append_log(line: str) -> str:
        old = (folder / LOG).read_bytes()
        write_atomic(folder / LOG, old + f"{line}\n".encode())
        return say("twelve_done")

    def set_config(key: str, value: str) -> str:
        config = json.loads((folder / CONFIG).read_bytes())
        write_atomic(folder / CONFIG, json.dumps({**config, key: value}).encode("ascii"))
        return say("twelve_done")

    return [read_file, replace_report, move_file, delete_file, append_log, set_config]


def _others(folder: Path, world: World) -> list[Callable[..., Any]]:
    readings = cycle(READINGS)

    def read_temperature() -> float:
        return next(readings)

    def toggle_alarm() -> str:
        is_on = (folder / ALARM).read_bytes() == b"on"
        write_atomic(folder / ALARM, b"off" if is_on else b"on")
        return say("twelve_done")

    def charge_order(order: str, amount: int) -> str:
        paid = dict(e["about"].rsplit(": ", 1) for e in world.effects() if e["name"] == "charge_order")
        if paid.get(order, str(amount)) != str(amount):
            raise ToolRefused(say("twelve_other_amount", order=order, amount=paid[order]))
        if order not in paid:
            world.do("charge_order", f"{order}: {amount}")
        return say("twelve_charged", order=order, amount=amount)

    return [read_temperature, toggle_alarm, charge_order]


def _existing(path: str, folder: Path) -> Path:
    place = safe_path(path, folder)
    if not place.exists():
        raise ToolRefused(say("path_missing", path=path))
    return place


def _tool(run: Callable[..., Any], given: dict[str, Any]) -> Tool:
    kinds = {name: {"type": "integer" if isinstance(value, int) else "string"} for name, value in given.items()}
    schema = {"type": "object", "properties": kinds, "required": list(kinds)}
    return Tool(run, description=run.__name__, input_schema=schema, read_only=run.__name__.startswith("read_"))
