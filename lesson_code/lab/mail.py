"""A task that sends e-mail: an effect that a repetition does not hide, and a read-only tool that can see it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..harness import Tool, ToolRefused
from ..harness.conversation import text_of
from ..words import say
from .crash import MOMENTS
from .model import ScriptedModel, Step, history
from .scene import NothingHappened, Outcome, new_folder, play
from .tools import text_tool
from .world import World

CUSTOMER = "ana@example.com"
MAX_TRIES = 3
_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)


def mail_task() -> str:
    """The task, in words: one e-mail to `CUSTOMER`."""
    return say("mail_task", customer=CUSTOMER)


def make_mail_tools(folder: Path, world: World) -> dict[str, Tool]:
    """`send_email`, whose one effect is its line in `world`, and `list_sent` (read-only), which looks there."""

    def send_email(to: str, text: str) -> str:
        if not (isinstance(to, str) and _ADDRESS.fullmatch(to)):
            raise ToolRefused(say("mail_no_address"))
        if not (isinstance(text, str) and text.strip() and text.isprintable()):
            raise ToolRefused(say("mail_no_text"))
        world.do("send_email", about(to, text))
        return say("mail_sent", to=to)

    def list_sent() -> list[str]:
        return [effect["about"] for effect in world.effects() if effect["name"] == "send_email"]

    return {
        "send_email": text_tool(send_email, say("mail_about_send"), "to", "text"),
        "list_sent": text_tool(list_sent, say("mail_about_list"), read_only=True),
    }


def about(to: str, text: str) -> str:
    """How the world and `list_sent` name an e-mail: `to: text`."""
    return f"{to}: {text}"


def send_mail(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
    """A script: one e-mail to `CUSTOMER`.

    Told `is_error`, it looks with `list_sent` and sends only what is not there; `hasty`, it repeats at once.
    """
    letter = {"to": CUSTOMER, "text": say("mail_text")}
    state, tries = "unsent", 0
    for call, result in history(messages):
        failed = bool(result.get("is_error"))
        if call["name"] == "send_email":
            state, tries = "unknown" if failed else "sent", tries + 1
        elif call["name"] == "list_sent":
            # In the quotes of the list: the line of another e-mail may begin or end with this one.
            found = json.dumps(about(**letter), ensure_ascii=False) in text_of(result.get("content", ""))
            state = "blind" if failed else "sent" if found else "unsent"
    if state == "sent":
        return say("mail_done", to=CUSTOMER), None
    if state == "blind" or tries == MAX_TRIES:
        return say("model_gives_up"), None
    if state == "unknown" and not hasty:
        return say("mail_looks"), {"name": "list_sent", "input": {}}
    return say("mail_sends_again" if tries else "mail_sends", to=CUSTOMER), {"name": "send_email", "input": letter}


def mail_ends(harness: Callable[..., str], *, hasty: bool = False) -> dict[str, Outcome]:
    """How the task ends after `harness` dies while it sends the e-mail, and resumes: one end for each moment it has."""
    ends = {}
    for moment, label in MOMENTS.items():
        model = ScriptedModel(script=send_mail, hasty=hasty)
        given: dict[str, Any] = {"harness": harness, "model": model, "tools": make_mail_tools, "task": mail_task()}
        try:
            dead = play(new_folder(), f"{label}:1", **given)
        except NothingHappened:
            continue  # without a ledger there is no ★
        ends[moment] = play(dead.folder, resume=True, **given)
    return ends
