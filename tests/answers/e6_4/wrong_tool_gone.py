# branches: error
# expects the tool of the pending call to be there

from lesson_code.harness import load_checkpoint, load_effects, run_tool_uses, save_checkpoint
from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.entry import is_finished, save_b, start_over
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.ports import go_on
from lesson_code.harness.tools import result_text, tool_result
from lesson_code.words import say, warn


def my_reconcile(checkpoint, tools, folder, *, emit=warn):
    pending = checkpoint["pendingToolUse"]
    if pending is None:
        return None
    call = {"id": pending["id"], "name": pending["name"]}
    entry = load_effects(folder).get(pending["id"])
    if entry is not None and is_same_call(entry, pending):
        emit("hit", **call)
        return tool_result(pending["id"], result_text(entry["result"]))
    tool = tools[pending["name"]]
    if tool is not None and tool.read_only:
        emit("rerun", **call)
        return run_tool_uses([{"type": "tool_use", **pending}], tools, folder)[0]
    emit("unknown", **call)
    return tool_result(pending["id"], say("result_unknown", name=pending["name"]), is_error=True)


def my_run_agent(client, task, tools, folder, *, resume=False, emit=warn, crash_point=go_on):
    if resume:
        scene = load_checkpoint(folder)
        result = my_reconcile(scene, tools, folder, emit=emit)
        if result is not None:
            save_b(scene, [result], folder)
    else:
        scene = start_over(task, folder, emit)
    while not is_finished(scene):
        answer = ask(client, scene, tools, model=MODEL, max_tokens=4096)
        scene["tokensUsed"] += answer.tokens
        scene["messages"].append({"role": "assistant", "content": answer.content})
        calls = tool_uses(answer.content)
        if calls:
            turn = scene["turns"] = scene["turns"] + 1
            scene["pendingToolUse"] = {field: calls[0][field] for field in ("id", "name", "input")}
            save_checkpoint(scene, folder)
            crash_point(f"after-save-a:{turn}")
            results = run_tool_uses(answer.content, tools, folder, turn=turn, crash_point=crash_point)
            save_b(scene, results, folder)
            crash_point(f"after-save-b:{turn}")
        else:
            save_checkpoint(scene, folder)
    return text_of(scene["messages"][-1]["content"])
