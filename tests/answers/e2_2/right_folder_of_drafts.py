# drafts in a folder below: the same disk

import json
import os
from pathlib import Path

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.tools import run_tool


def save_checkpoint(state, folder):
    drafts = Path(folder) / "drafts"
    drafts.mkdir(exist_ok=True)
    draft = drafts / f"{state['turns']}.json"
    draft.write_bytes(json.dumps(state, indent=2).encode())
    os.rename(draft, Path(folder) / "checkpoint.json")


def run_agent(client, task, tools, folder):
    state = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0}
    state |= {"messages": [{"role": "user", "content": task}], "pendingToolUse": None}
    answer = ask(client, state, tools, model=MODEL, max_tokens=4096)
    state["tokensUsed"] += answer.tokens
    while answer.stop_reason == "tool_use":
        state["messages"].append({"role": "assistant", "content": answer.content})
        state["turns"] += 1
        call = tool_uses(answer.content)[0]
        state["pendingToolUse"] = {"id": call["id"], "name": call["name"], "input": call["input"]}
        save_checkpoint(state, folder)
        result = run_tool(call, tools)
        state["messages"].append({"role": "user", "content": [result]})
        state["pendingToolUse"] = None
        save_checkpoint(state, folder)
        answer = ask(client, state, tools, model=MODEL, max_tokens=4096)
        state["tokensUsed"] += answer.tokens
    state["messages"].append({"role": "assistant", "content": answer.content})
    save_checkpoint(state, folder)
    return text_of(answer.content)
