"""A task of five turns, each with an effect: one offer to each customer, in a world that all its lines share."""

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..harness import Tool, run_agent
from ..harness.folder import LOCK
from ..harness.ports import go_on
from ..harness.snapshots import keeping
from ..words import is_warning, say
from .child import run_child
from .crash import DIED, SimulatedCrash, raise_at
from .mail import make_mail_tools
from .model import Script, ScriptedModel, Step, has_another_line, history
from .scene import new_place
from .world import World

NAMES = ("ana", "luis", "eva", "raul", "sol")
CUSTOMERS = tuple(f"{name}@example.com" for name in NAMES)


def offers_task() -> str:
    """What the model is asked to do."""
    return say("five_task", customers=", ".join(CUSTOMERS))


def send_offers(*discounts: int) -> Script:
    """A script: an e-mail to each customer in turn, with the discounts in order; the last one holds for the rest.

    Told `is_error` it stops, and names the customer that it can't vouch for.
    """

    def script(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
        done = list(history(messages))
        if done and done[-1][1].get("is_error"):
            return say("five_unsure", to=done[-1][0]["input"]["to"]), None
        if len(done) == len(CUSTOMERS):
            return say("five_done", number=len(done)), None
        to, discount = CUSTOMERS[len(done)], discounts[min(len(done), len(discounts) - 1)]
        letter = {"to": to, "text": say("five_text", discount=discount)}
        return say("five_sends", to=to, discount=discount), {"name": "send_email", "input": letter}

    return script


def outside(folder: Path) -> World:
    """The world of `folder`, which is not in it: what leaves from its forks arrives there too."""
    return World(folder.parent)


def received(world: World) -> dict[str, list[int]]:
    """The discounts that each customer was offered, in order, by name."""
    found: dict[str, list[int]] = {name: [] for name in NAMES}
    for effect in world.effects():
        to, text = effect["about"].split("@", 1)
        found[to].append(discount_in(text))
    return found


def discount_in(text: str) -> int:
    """The discount that an offer makes."""
    return int(re.findall(r"\d+", text)[-1])


def copy_of(folder: Path) -> Path:
    """`folder` in a place of its own, with its forks and its world, to be changed without spoiling this one."""
    place = new_place()
    shutil.copytree(folder.parent, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns(LOCK))
    return place / folder.name


def work(
    folder: Path,
    *discounts: int,
    label: str = "",
    resume: bool = False,
    fresh_ids: bool | None = None,
    tools: Callable[[Path, World], Mapping[str, Tool]] = make_mail_tools,
) -> list[str]:
    """Run the task in `folder`, or resume it, keeping its sequence; give back its log. At `label` it dies.

    As with the command, the model gives new ids where there is another line, unless `fresh_ids` says otherwise.
    """
    log: list[str] = []
    world = outside(folder)
    if fresh_ids is None:
        fresh_ids = has_another_line(folder)
    model = ScriptedModel(fresh_ids, world=world, script=send_offers(*discounts))
    emit = keeping(folder, lambda event, **fields: None if is_warning(event) else log.append(say(event, **fields)))
    crash_point = raise_at(label) if label else go_on
    task = offers_task()
    try:
        answer = run_agent(model, task, tools(folder, world), folder, resume=resume, emit=emit, crash_point=crash_point)
    except SimulatedCrash:
        return [*log, say("kill", label=label)]
    return [*log, say("done") + answer]


def die_rewinding(folder: Path, turn: int, step: int) -> int:
    """Rewind `folder` in a child process that dies just before its `step`-th renaming; give back its exit code."""
    return run_child("-c", _DIES, str(folder), str(turn), str(step)).returncode


_DIES = f"""
import os, sys
from lesson_code.harness import rewind_to
left = [int(sys.argv[3])]
def count(event, details):
    if event == "os.rename":
        left[0] -= 1
        if left[0] == 0:
            os._exit({DIED})
sys.addaudithook(count)
rewind_to(int(sys.argv[2]), sys.argv[1], accept=True)
"""
