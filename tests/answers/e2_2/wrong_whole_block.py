# save_a: a_more
# keeps the whole block of the call, with its type

import json
import os
from pathlib import Path

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses


def save_checkpoint(state, folder):
    path = Path(folder) / "checkpoint.json"
    temporary = path.with_name("checkpoint.json.tmp")
    temporary.write_bytes(json.dumps(state, ensure_ascii=False, indent=2).encode("utf-8"))
    os.replace(temporary, path)


def run_agent(client, task, tools, folder, verbose=False):
    state = {"version": 1, "task": task, "turns": 0, "tokensUsed": 0, "messages": [{"role": "user", "content": task}]}
    state["pendingToolUse"] = None
    save_checkpoint(state, folder)
    while True:
        answer = ask(client, state, tools, model=MODEL, max_tokens=4096)
        state["tokensUsed"] += answer.tokens
        state["messages"] += [{"role": "assistant", "content": answer.content}]
        calls = tool_uses(answer.content)
        if not calls:
            save_checkpoint(state, folder)
            return text_of(answer.content)
        take_turn(state, calls[0], tools, folder)


def take_turn(state, call, tools, folder):
    state["turns"] += 1
    state["pendingToolUse"] = call
    save_checkpoint(state, folder)
    output = tools[call["name"]].run(**call["input"])
    text = output.decode("utf-8") if isinstance(output, bytes) else str(output)
    block = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
    state["messages"] += [{"role": "user", "content": [block]}]
    state["pendingToolUse"] = None
    save_checkpoint(state, folder)
