"""The resume that one writes first: it makes up what a checkpoint lacks, and goes back to the loop."""

import copy
import shutil
from collections.abc import Iterable
from dataclasses import dataclass

from ..harness import AgentStopped
from ..harness.checkpoint import Checkpoint
from ..harness.client import MODEL, ask
from ..harness.conversation import tool_uses
from ..harness.tools import run_tool
from .model import ScriptedModel
from .scene import Outcome, new_place
from .tools import make_tools
from .world import World

MADE_UP: Checkpoint = {"version": 1, "task": "", "turns": 0, "tokensUsed": 0, "messages": [], "pendingToolUse": None}


@dataclass(frozen=True)
class Resumed:
    """What such a resume believes when it begins, and what comes of it.

    `past_turns`, `past_budget`: it asked the model when the task had already reached that limit. `refused`: the API did
    not take the conversation.
    """

    believes: Checkpoint
    past_turns: bool
    past_budget: bool
    refused: bool


def resume_naive(dead: Outcome, fields: Iterable[str], *, max_turns: int = 100, budget: int = 1_000_000) -> Resumed:
    """Go on, in a copy, from what `dead` left, as if its checkpoint had only these fields."""
    truth = dead.checkpoint
    believes = {**MADE_UP, **{field: truth[field] for field in fields}}
    scene = copy.deepcopy(believes)
    folder = shutil.copytree(dead.folder, new_place() / dead.folder.name)
    tools, client = make_tools(folder, World(folder)), ScriptedModel()
    past_turns = past_budget = refused = False
    while scene["turns"] < max_turns and scene["tokensUsed"] < budget:
        past_turns |= truth["turns"] + scene["turns"] - believes["turns"] >= max_turns
        past_budget |= truth["tokensUsed"] + scene["tokensUsed"] - believes["tokensUsed"] >= budget
        try:
            answer = ask(client, scene, tools, model=MODEL, max_tokens=4096)
        except AgentStopped:
            refused = True
            break
        scene["tokensUsed"] += answer.tokens
        scene["messages"].append({"role": "assistant", "content": answer.content})
        calls = tool_uses(answer.content)
        if not calls:
            break
        scene["turns"] += 1
        scene["messages"].append({"role": "user", "content": [run_tool(calls[0], tools)]})
    return Resumed(believes, past_turns, past_budget, refused)
