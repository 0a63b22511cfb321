"""The eight cases that a run_tool_uses with a ledger has to come through, a check for each."""

from contextlib import ExitStack
from typing import Any

from ...harness import LedgerError, Tool, load_effects, save_effect
from ...harness.ledger import LEDGER_FILE
from ...lab.desk import make_desk_tools, new_desk, tickets
from ...lab.full_disk import full_disk
from ...lab.instants import instants
from ...lab.world import World
from ...words import say
from .desk_calls import Results, Run, content_of, ensures, noted, opens, photographs, results_of, ticket, told
from .desk_calls import with_opener as with_
from .judging import anew, now
from .kinds import Fault, fault
from .results import read, said

EMPTY: tuple[Any, ...] = (None, "", 0, False, [])
UNREADABLE = (b'{"toolu_81": {"name": "open_tic', b"", b"[]")


def _two(run: Run) -> Fault | None:
    folder, world, tools = new_desk()
    results = results_of(run, tools, folder, opens(11), opens(12), moment="two")
    if (count := len(tickets(world))) != 2:
        return fault("merged", count=count)
    is_each = told(results) == [ticket(1, opens(11)), ticket(2, opens(12))]
    return None if is_each else fault("mixed", text=_texts(results))


def _replay(run: Run) -> Fault | None:
    folder, world, tools = new_desk()
    calls = opens(21), ensures(22)
    first = results_of(run, tools, folder, *calls, moment="first")
    for again in (calls, calls[1:], calls[:1]):
        second = results_of(run, tools, folder, *again, moment="replay")
        wanted = [result for result in first if result["tool_use_id"] in [call["id"] for call in again]]
        if (count := len(tickets(world))) != 2:
            return fault("repeated", count=count)
        if told(second) != told(wanted):
            return fault("other_result", wanted=_texts(wanted), got=_texts(second))
    return None


def _other(run: Run) -> Fault | None:
    folder, world, tools = new_desk()
    results_of(run, tools, folder, opens(31), moment="first")
    results = results_of(run, tools, folder, opens(32), moment="other")
    if len(tickets(world)) != 2 or told(results) != [ticket(2, opens(32))]:
        return fault("taken_for_a_replay", count=len(tickets(world)), text=_texts(results))
    return _other_data(run)


def _other_data(run: Run) -> Fault | None:
    """The id is noted with other data: that is no hit, and the entry stays."""
    folder, world, tools = new_desk()
    call = opens(41)
    entry = {"name": call["name"], "input": ensures(41)["input"], "result": say("twelve_done"), "at": 0}
    save_effect(call["id"], entry, folder)
    results = results_of(run, tools, folder, call, moment="other_data")
    if (count := len(tickets(world))) != 1:
        return fault("taken_by_its_id", count=count, text=_texts(results))
    if told(results) != [ticket(1, call)]:
        return fault("ran_and_told_otherwise", text=_texts(results))
    return None if noted(folder) == {call["id"]: entry} else fault("entry_lost")


def _empty(run: Run) -> Fault | None:
    for number, value in enumerate(EMPTY, start=51):
        folder, world, tools = new_desk()

        def quiet(subject: str, value: Any = value, desk: Tool = tools["open_ticket"]) -> Any:
            desk.run(subject=subject)
            return value

        first, again = (results_of(run, with_(tools, quiet), folder, opens(number), moment="empty") for _ in range(2))
        if (count := len(tickets(world))) != 1:
            return fault("empty_again", value=repr(value), count=count)
        if told(first) != told(again) or said(first[0])[1]:
            return fault("empty_other", value=repr(value), first=_texts(first), got=_texts(again))
    return None


def _failed(run: Run) -> Fault | None:
    folder, _, tools = new_desk()

    def fails(subject: str) -> None:
        raise TimeoutError(subject)

    results = results_of(run, with_(tools, fails), folder, opens(61), ensures(62), moment="failed")
    if not said(results[0])[1]:
        return fault("failed_told_fine", text=_texts(results[:1]))
    if told(results[1:]) != [ticket(1, ensures(62))]:
        return fault("failed_stops_the_next", text=_texts(results[1:]))
    if opens(61)["id"] in noted(folder):
        return fault("failed_noted")
    results = results_of(run, tools, folder, opens(61), moment="recovers")
    return None if told(results) == [ticket(2, opens(61))] else fault("failed_for_ever", text=_texts(results))


def _unwritable(run: Run) -> Fault | None:
    folder, world, tools = new_desk(breaks_ledger=True)
    found = _untrue(results_of(run, tools, folder, opens(71), moment="unwritable"), world)
    if found:
        return found
    folder, world, tools = new_desk()
    with ExitStack() as until_then:

        def fills(subject: str) -> Any:
            text = tools["open_ticket"].run(subject=subject)
            until_then.enter_context(full_disk())
            return text

        results = results_of(run, with_(tools, fills), folder, opens(72), moment="full")
    return _untrue(results, world)


def _untrue(results: Results, world: World) -> Fault | None:
    """What is not true in the result of a ticket that was opened, and could not be noted."""
    if said(results[0])[1]:
        return fault("told_failed", text=_texts(results), count=len(tickets(world)))
    is_true = told(results) == [ticket(1, opens(1))] and len(tickets(world)) == 1
    return None if is_true else fault("untrue", text=_texts(results), count=len(tickets(world)))


def _unreadable(run: Run) -> Fault | None:
    for number, data in enumerate(UNREADABLE, start=81):
        folder, world, tools = new_desk()
        (folder / LEDGER_FILE).write_bytes(data)
        shown = data.decode("ascii") or "–"
        now("unreadable", data=shown)
        try:
            run(content_of(opens(number)), tools, folder)
        except LedgerError:
            pass
        else:
            count = len(tickets(world))
            return fault("not_refused", data=shown, count=count) if count else fault("not_raised", data=shown)
        if tickets(world):
            return fault("ran_first", data=shown)
        if not (folder / LEDGER_FILE).is_file() or (folder / LEDGER_FILE).read_bytes() != data:
            return fault("touched", data=shown)
    return None


def _process(run: Run) -> Fault | None:
    calls = opens(91), ensures(92)
    for moment, left in photographs(run, *calls).items():
        world = World(left)
        results = results_of(anew(run), make_desk_tools(left, world), left, *calls, moment=moment)
        if told(results) != [ticket(1, opens(91)), ticket(2, ensures(92))] or len(tickets(world)) != 2:
            return fault(f"new_{moment}", count=len(tickets(world)), text=_texts(results))
    return _torn(run)


def _torn(run: Run) -> Fault | None:
    """Whoever dies while noting leaves a ledger that can be read."""
    folder, _, tools = new_desk()
    with instants(folder) as seen:
        results_of(run, tools, folder, opens(93), ensures(94), moment="writes")
    for instant in seen:
        try:
            load_effects(instant.folder)
        except LedgerError:
            return fault("torn", step=say(f"writes_{instant.what}"), name=instant.name)
    return None


def _texts(results: Results) -> str:
    return " · ".join(map(read, results))


CHECKS = {
    "two": _two,
    "replay": _replay,
    "other": _other,
    "empty": _empty,
    "failed": _failed,
    "unwritable": _unwritable,
    "unreadable": _unreadable,
    "process": _process,
}
"""The check of each criterion, in the order of the statement."""
