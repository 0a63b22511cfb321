"""What the disk says while a harness works: does the checkpoint name a tool before it begins?"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..harness import Tool
from ..harness.checkpoint import CHECKPOINT_FILE
from .model import ScriptedModel, Step, write_a_report
from .scene import new_folder, play
from .tools import make_tools
from .world import World


def looks(harness: Callable[..., str]) -> list[tuple[str, str | None]]:
    """What checkpoint.json says is pending each time `harness(client, task, tools, folder)` asks, or begins a tool.

    In order: (`ask` or the tool's name, the name of the pending call). None: no call, or no file.
    """
    seen: list[tuple[str, str | None]] = []
    place: list[Path] = []

    def look(moment: str) -> None:
        path = place[0] / CHECKPOINT_FILE
        saved = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        seen.append((moment, (saved.get("pendingToolUse") or {}).get("name")))

    def ask(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
        look("ask")
        return write_a_report(messages, hasty=hasty)

    def watched(folder: Path, world: World) -> dict[str, Tool]:
        place.append(folder)
        return {name: _looking(name, tool, look) for name, tool in make_tools(folder, world).items()}

    def run(client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str:
        return harness(client, task, tools, folder)

    play(new_folder(), harness=run, model=ScriptedModel(script=ask), tools=watched)
    return seen


def _looking(name: str, tool: Tool, look: Callable[[str], None]) -> Tool:
    def run(**given: Any) -> Any:
        look(name)
        return tool.run(**given)

    return replace(tool, run=run)
