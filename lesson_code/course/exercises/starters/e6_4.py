"""What lesson 6 gives to begin with in 6.4."""

from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of
from lesson_code.harness.entry import is_finished, start_over
from lesson_code.harness.ports import go_on
from lesson_code.words import warn


def my_reconcile(checkpoint, tools, folder, *, emit=warn):
    """El tool_result de la llamada colgante, o None si no hay ninguna."""
    if checkpoint["pendingToolUse"] is None:
        return None
    ...  # el tool_result de la rama que toque; antes, emit("hit", id=…, name=…),
    ...  # emit("rerun", id=…, name=…) o emit("unknown", id=…, name=…)


def my_run_agent(client, task, tools, folder, *, resume=False, emit=warn, crash_point=go_on):
    """Lleva la tarea hasta el final, o sigue desde su punto de control."""
    scene = start_over(task, folder, emit)
    ...  # al reanudar, en cambio: load_checkpoint(folder), conciliar y el B que faltaba
    while not is_finished(scene):
        answer = ask(client, scene, tools, model=MODEL, max_tokens=4096)
        scene["tokensUsed"] += answer.tokens
        ...  # el mensaje del modelo, a messages
        ...  # si pide una herramienta: turns, A y crash_point(f"after-save-a:{turn}")
        ...  # run_tool_uses(answer.content, tools, folder, turn=turn, crash_point=crash_point)
        ...  # B y crash_point(f"after-save-b:{turn}")
        ...  # si no pide ninguna, guarda también ese final
    return text_of(scene["messages"][-1]["content"])
