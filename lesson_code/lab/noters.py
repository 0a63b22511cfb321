"""Ways to run the calls of a turn, some of which note a call before it runs: on a day without deaths all look alike."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..harness import load_effects, run_tool_uses, save_effect, write_atomic
from ..harness.conversation import Block, tool_uses
from ..harness.ledger import LEDGER_FILE
from ..harness.tools import Tools, result_text, tool_result
from ..words import say

Run = Callable[[list[Block], Tools, Path], list[Block]]


def filler_first(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Note an empty result, and then run: what was in production in exercise 6.2."""
    results = []
    for call in tool_uses(content):
        _note(call, None, folder)
        results.append(_run(call, tools))
    return results


def all_first(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Note all the calls, and then run them."""
    for call in tool_uses(content):
        _note(call, None, folder)
    return [_run(call, tools) for call in tool_uses(content)]


def patched(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Note a filler, and put the result in its place when there is one. Its text says it the other way round."""
    results: dict[str, Block] = {}

    def finish(call: Block) -> None:
        results[call["id"]] = _run(call, tools)
        effects = load_effects(folder)
        effects[call["id"]]["result"] = results[call["id"]]["content"]
        _write(effects, folder)

    def begin(call: Block) -> None:
        _write({**load_effects(folder), call["id"]: _entry(call, None)}, folder)

    for call in tool_uses(content):
        for step in reversed((finish, begin)):
            step(call)
    return list(results.values())


def taken_back(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Note first, and take the note back if the tool fails. Where the process dies, nobody takes it back."""
    results = []
    for call in tool_uses(content):
        _note(call, None, folder)
        try:
            results.append(_run(call, tools))
        except Exception as error:
            _write({key: entry for key, entry in load_effects(folder).items() if key != call["id"]}, folder)
            results.append(tool_result(call["id"], result_text(repr(error)), is_error=True))
    return results


def plain(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Run, and then note, in a ledger that is there from the beginning."""
    if not (folder / LEDGER_FILE).exists():
        _write({}, folder)
    results = []

    def note(call: Block, result: Block) -> None:
        _note(call, result["content"], folder)

    for call in tool_uses(content):
        results.append(_run(call, tools))
        note(call, results[-1])
    return results


def stubborn(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Run, and then note; whatever is raised in a tool, a simulated death too, is told as a failure."""
    results = []
    for call in tool_uses(content):
        result = tool_result(call["id"], result_text(None), is_error=True)
        with suppress(BaseException):
            result = _run(call, tools)
            _note(call, result["content"], folder)
        results.append(result)
    return results


def intending(content: list[Block], tools: Tools, folder: Path) -> list[Block]:
    """Write in a file of its own what it is going to run; what it has run goes into the ledger."""
    results = []
    for call in tool_uses(content):
        write_atomic(folder / "intents.json", json.dumps([call["id"]]).encode("ascii"))
        results.append(_run(call, tools))
        _note(call, results[-1]["content"], folder)
    return results


NOTERS: dict[str, tuple[Run, bool]] = {
    "filler_first": (filler_first, True),
    "lesson": (run_tool_uses, False),
    "patched": (patched, True),
    "plain": (plain, False),
    "taken_back": (taken_back, True),
    "stubborn": (stubborn, False),
    "all_first": (all_first, True),
    "intending": (intending, False),
}
"""Each with whether a death inside a tool leaves a note of its call."""


def described(name: str) -> str:
    """What the noter of that name does, in words."""
    return say(f"noter_{name}")


def _run(call: Block, tools: Tools) -> Block:
    return tool_result(call["id"], result_text(tools[call["name"]].run(**call["input"])))


def _entry(call: Block, result: str | None) -> dict[str, object]:
    return {"name": call["name"], "input": call["input"], "result": result, "at": 0}


def _note(call: Block, result: str | None, folder: Path) -> None:
    save_effect(call["id"], _entry(call, result), folder)


def _write(effects: dict[str, dict[str, object]], folder: Path) -> None:
    write_atomic(folder / LEDGER_FILE, json.dumps(effects).encode("ascii"))
