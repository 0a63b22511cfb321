"""The task that the attack kills: some orders, each one call of a tool of one kind, and a model that makes sure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..harness import Tool, write_atomic
from ..harness.conversation import text_of
from ..words import say
from .model import Step, history
from .tools import text_tool
from .witness import Witness

DELIVER, LOOK, CONSULT = "deliver", "look", "consult"

KINDS = ("read_only", "appending", "overwriting", "twice", "raising", "unserialisable")
"""What the tool does: it only reads; its effect is one more line; it also rewrites a file; the same as `appending`, but
the last two orders have the same input; it fails after the first effect of each order; it returns what is no JSON."""

Reach = Callable[[str], None]
"""`reach(label)`: a moment at which the laboratory may kill the process."""


@dataclass(frozen=True)
class Receipt:
    """A value that `json.dumps` refuses; however a harness writes it, its number is in the text."""

    number: str


def items_of(kind: str, number: int) -> list[str]:
    """What each order is about; of the kind `twice`, the last one is about the same as the one before."""
    items = [f"p{order:02d}" for order in range(1, number + 1)]
    return [*items[:-1], items[-2]] if kind == "twice" else items


def orders_task(number: int) -> str:
    """What the model is asked to do."""
    return say("orders_task", number=number)


def make_order_tools(kind: str, witness: Witness, reach: Reach) -> dict[str, Tool]:
    """`consult` for the kind `read_only`, otherwise `deliver` and `look`, which tells how often an order was delivered.

    Run for the N-th call that the model asked, each tells `reach` that it was entered (`tool-entered:N`), and that its
    effect is done and has not yet been returned (`tool-done:N`). Run by a harness that wants to know, it only notes it.
    """

    def deliver(item: str) -> Any:
        if kind == "overwriting":
            write_atomic(witness.path.parent / "out" / f"{item}.txt", item.encode("utf-8"))
        witness.do(DELIVER, item)
        if kind == "raising" and delivered(witness, item) == 1:
            raise ConnectionError(f"no route to {item}")
        return {"receipt": Receipt(f"R-{item}")} if kind == "unserialisable" else f"{item}: ok"

    def look(item: str) -> str:
        return f"{item}: {delivered(witness, item)}"

    def consult(item: str) -> str:
        return f"{item}: ok"

    def tool(run: Callable[[str], Any], *, read_only: bool) -> Tool:
        watched = _watched(run, witness, reach)
        return text_tool(watched, say(f"about_{run.__name__}"), "item", read_only=read_only)

    if kind == "read_only":
        return {CONSULT: tool(consult, read_only=True)}
    return {DELIVER: tool(deliver, read_only=False), LOOK: tool(look, read_only=True)}


def delivered(witness: Witness, item: str) -> int:
    """How many times an order was delivered."""
    return sum(effect["about"] == item for effect in witness.effects())


def attend(kind: str, number: int) -> Callable[..., Step]:
    """A script: the orders in their turn, each until it is done.

    Told `is_error` of a delivery it looks, and delivers again only if the order is not there; hasty, it delivers again
    at once. It gives up when it has called six times what the orders need.
    """
    items = items_of(kind, number)
    name = CONSULT if kind == "read_only" else DELIVER

    def script(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
        done = list(history(messages))
        settled, unsure = _progress(done, items)
        if settled == len(items):
            return say("orders_done", number=number), None
        if len(done) >= 6 * number:
            return say("orders_given_up", item=items[settled]), None
        looks = unsure and not hasty and name == DELIVER
        return say("orders_next", item=items[settled]), {
            "name": LOOK if looks else name,
            "input": {"item": items[settled]},
        }

    return script


def _progress(done: list[tuple[dict[str, Any], dict[str, Any]]], items: list[str]) -> tuple[int, bool]:
    """How many orders are settled, and whether the model does not know if the next one is."""
    settled, unsure = 0, False
    for call, result in done:
        failed = bool(result.get("is_error"))
        if call["name"] != LOOK:
            settled, unsure = settled + (not failed), failed
        elif not failed and settled < len(items):
            found = re.search(rf"{items[settled]}: (\d+)", text_of(result.get("content", "")))
            wanted = items[: settled + 1].count(items[settled])
            settled, unsure = settled + (found is not None and int(found[1]) >= wanted), False
    return settled, unsure


def _watched(run: Callable[[str], Any], witness: Witness, reach: Reach) -> Callable[..., Any]:
    def tool(item: str) -> Any:
        asked = witness.calls()
        if not asked or asked[-1]["name"] != run.__name__:  # the harness itself wants to know
            witness.note(probed=run.__name__, about=item)
            return run(item)
        number, tool_use_id = len(asked), asked[-1]["asked"]
        reach(f"tool-entered:{number}")
        try:
            value = run(item)
        except ConnectionError as error:
            witness.note(raised=tool_use_id, text=str(error))
            raise
        else:
            shown = value["receipt"].number if isinstance(value, dict) else str(value)
            witness.note(returned=tool_use_id, text=shown)
            return value
        finally:
            reach(f"tool-done:{number}")

    return tool
