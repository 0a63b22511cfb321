"""A task that opens a ticket: an effect that a repetition doubles, and a tool that does it without doubling."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..harness import Tool, ToolRefused
from ..harness.conversation import text_of
from ..harness.ledger import LEDGER_FILE
from ..words import say
from .crash import MOMENTS
from .model import Script, ScriptedModel, Step, history
from .scene import Outcome, new_folder, play
from .tools import text_tool
from .world import World

OPENERS = ("open_ticket", "ensure_ticket")
CLOSER = "close_ticket"  # what somebody else at the desk does; the agent has no such tool
MAX_TRIES = 3


def desk_task() -> str:
    """The task, in words."""
    return say("desk_task", subject=say("desk_subject"))


def make_desk_tools(folder: Path, world: World) -> dict[str, Tool]:
    """`open_ticket`, `ensure_ticket` (opens one only if there is none) and `list_tickets` (read-only)."""

    def open_ticket(subject: str) -> str:
        return _open("open_ticket", subject)

    def ensure_ticket(subject: str) -> str:
        numbers = [number for number, about in tickets(world).items() if about == subject]
        return say("desk_ticket", number=numbers[0], subject=subject) if numbers else _open("ensure_ticket", subject)

    def list_tickets() -> list[str]:
        return [say("desk_ticket", number=number, subject=about) for number, about in tickets(world).items()]

    def _open(name: str, subject: str) -> str:
        if not (isinstance(subject, str) and subject.strip() and subject.isprintable()):
            raise ToolRefused(say("desk_no_subject"))
        world.do(name, subject)
        return say("desk_ticket", number=max(tickets(world)), subject=subject)

    return {
        "open_ticket": text_tool(open_ticket, say("desk_about_open"), "subject"),
        "ensure_ticket": text_tool(ensure_ticket, say("desk_about_ensure"), "subject"),
        "list_tickets": text_tool(list_tickets, say("desk_about_list"), read_only=True),
    }


def new_desk(*, breaks_ledger: bool = False) -> tuple[Path, World, dict[str, Tool]]:
    """A new folder, its world and its tools; with `breaks_ledger`, no ledger can be written once `open_ticket` ran."""
    folder = new_folder()
    world = World(folder)
    tools = make_desk_tools(folder, world)

    def open_ticket(subject: str) -> Any:
        ledger = folder / LEDGER_FILE
        if ledger.is_file():
            ledger.unlink()
        ledger.mkdir(exist_ok=True)  # what is no file can't be replaced by one
        return tools["open_ticket"].run(subject=subject)

    broken = {**tools, "open_ticket": replace(tools["open_ticket"], run=open_ticket)}
    return folder, world, broken if breaks_ledger else tools


def die_and_resume(
    moment: str, opener: str = "open_ticket", *, hasty: bool = False, **options: Any
) -> tuple[Outcome, Outcome]:
    """The task, dead at `moment` (one of MOMENTS) of its one turn and resumed once: how it died, and how it ended."""
    model = ScriptedModel(script=a_ticket(opener), hasty=hasty)
    settings: dict[str, Any] = {"model": model, "tools": make_desk_tools, "task": desk_task(), **options}
    dead = play(new_folder(), f"{MOMENTS[moment]}:1", **settings)
    return dead, play(dead.folder, resume=True, **settings)


def tickets(world: World) -> dict[int, str]:
    """The tickets that are open: number → subject."""
    found: dict[int, str] = {}
    number = 0
    for effect in world.effects():
        if effect["name"] in OPENERS:
            number += 1
            found[number] = effect["about"]
        elif effect["name"] == CLOSER:
            found = {number: about for number, about in found.items() if about != effect["about"]}
    return found


def a_ticket(opener: str = "open_ticket") -> Script:
    """A script: open one ticket with the tool `opener`, and tell its number.

    Told `is_error`, it looks with `list_tickets` and opens only if there is none; `hasty`, it repeats at once.
    """

    def script(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
        asks = {"name": opener, "input": {"subject": say("desk_subject")}}
        done = list(history(messages))
        if not done:
            return say("desk_opens"), asks
        last, result = done[-1]
        failed = bool(result.get("is_error"))
        number = None if failed else _number_in(text_of(result.get("content", "")))
        if number:
            return say("desk_done", number=number, subject=say("desk_subject")), None
        if last["name"] == opener and failed and not hasty:
            return say("desk_looks"), {"name": "list_tickets", "input": {}}
        if (last["name"] != opener and failed) or sum(call["name"] == opener for call, _ in done) == MAX_TRIES:
            return say("model_gives_up"), None
        return say("desk_opens_again"), asks

    return script


def _number_in(text: str) -> str | None:
    """The number of the first ticket of ours that a tool's result names."""
    line = re.escape(say("desk_ticket", number="#", subject=say("desk_subject")))
    found = re.search(line.replace(re.escape("#"), r"(\d+)"), text)
    return found[1] if found else None
