import json
import os
from pathlib import Path

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.tools import run_tool


def save_checkpoint(state, folder):
    """Escribe la escena en checkpoint.json, entera o nada."""
    path = Path(folder) / "checkpoint.json"
    temporary = path.with_name("checkpoint.json.tmp")  # al lado: entre dos discos no se puede renombrar
    with open(temporary, "wb") as file:
        file.write(json.dumps(state, ensure_ascii=False, indent=2).encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())  # espera a que los bytes estén en el disco: por si se corta la corriente
    os.replace(temporary, path)  # el nombre lleva al archivo viejo o al nuevo, nunca a uno a medias


def run_agent(client, task, tools, folder):
    """Hace la tarea y devuelve la respuesta final del modelo."""
    state = {
        "version": 1,
        "task": task,
        "turns": 0,
        "tokensUsed": 0,
        "messages": [{"role": "user", "content": task}],
        "pendingToolUse": None,
    }
    answer = ask(client, state, tools, model=MODEL, max_tokens=4096)
    state["tokensUsed"] += answer.tokens
    while answer.stop_reason == "tool_use":
        state["messages"].append({"role": "assistant", "content": answer.content})
        state["turns"] += 1
        call = tool_uses(answer.content)[0]
        state["pendingToolUse"] = {field: call[field] for field in ("id", "name", "input")}
        save_checkpoint(state, folder)  # A: la llamada está pedida, y la herramienta no ha empezado
        result = run_tool(call, tools)
        state["messages"].append({"role": "user", "content": [result]})
        state["pendingToolUse"] = None
        save_checkpoint(state, folder)  # B: el resultado está en messages, y no queda nada colgante
        answer = ask(client, state, tools, model=MODEL, max_tokens=4096)
        state["tokensUsed"] += answer.tokens
    state["messages"].append({"role": "assistant", "content": answer.content})
    save_checkpoint(state, folder)  # el final: quien lea el archivo sabe que la tarea terminó
    return text_of(answer.content)
