# whole: torn
# keeps the old version aside and writes in place: nobody reads what is aside

import json
import shutil
from pathlib import Path

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.tools import run_tool


def save_checkpoint(state, folder):
    path = Path(folder) / "checkpoint.json"
    if path.exists():
        shutil.copyfile(path, path.with_name("checkpoint.json.bak"))
    path.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")


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
