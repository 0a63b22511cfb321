"""A harness that lies, or tells the truth, about the call that a death left open."""

from pathlib import Path
from typing import Any

from lesson_code.harness.tools import run_tool, tool_result
from lesson_code.lab.strategy import Strategy


def settles(told: str, *, error: bool = False, runs: int = 0) -> Strategy:
    """A harness that runs the pending call `runs` times, and tells the model this of it."""

    def settle(checkpoint: Any, tools: Any, folder: Path) -> Any:
        for _ in range(runs):
            run_tool(checkpoint["pendingToolUse"], tools)
        return tool_result(checkpoint["pendingToolUse"]["id"], told, is_error=error)

    return Strategy(settle=settle)
