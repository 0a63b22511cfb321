from lesson_code.harness import load_checkpoint, load_effects, run_tool_uses, save_checkpoint
from lesson_code.harness.client import MODEL, ask
from lesson_code.harness.conversation import text_of, tool_uses
from lesson_code.harness.entry import start_over
from lesson_code.harness.ledger import is_same_call
from lesson_code.harness.ports import go_on
from lesson_code.harness.tools import result_text, run_tool, tool_result
from lesson_code.words import warn

NOBODY_KNOWS = "No se sabe si esta llamada ocurrió. Mira antes de repetir."


def my_reconcile(checkpoint, tools, folder, *, emit=warn):
    pending = checkpoint["pendingToolUse"]
    return Pending(pending, tools, folder, emit).answered() if pending else None


class Pending:
    def __init__(self, call, tools, folder, emit):
        self.call, self.tools, self.folder = call, tools, folder
        self.says = lambda event: emit(event, id=call["id"], name=call["name"])

    def answered(self):
        entry = load_effects(self.folder).get(self.call["id"])
        if entry and is_same_call(entry, self.call):
            self.says("hit")
            return tool_result(self.call["id"], result_text(entry["result"]))
        if self.call["name"] in self.tools and self.tools[self.call["name"]].read_only:
            self.says("rerun")
            return run_tool(self.call, self.tools)
        self.says("unknown")
        return tool_result(self.call["id"], NOBODY_KNOWS, is_error=True)


class Harness:
    def __init__(self, client, tools, folder, crash_point):
        self.client, self.tools, self.folder, self.crash_point = client, tools, folder, crash_point
        self.scene = {}

    def close(self, results):
        self.scene["messages"] += [{"role": "user", "content": results}]
        self.scene["pendingToolUse"] = None
        save_checkpoint(self.scene, self.folder)

    def turn(self, content):
        call = tool_uses(content)[0]
        self.scene["turns"] += 1
        turn = self.scene["turns"]
        self.scene["pendingToolUse"] = {"id": call["id"], "name": call["name"], "input": call["input"]}
        save_checkpoint(self.scene, self.folder)
        self.crash_point(f"after-save-a:{turn}")
        self.close(run_tool_uses([call], self.tools, self.folder, turn=turn, crash_point=self.crash_point))
        self.crash_point(f"after-save-b:{turn}")

    def step(self):
        answer = ask(self.client, self.scene, self.tools, model=MODEL, max_tokens=4096)
        self.scene["tokensUsed"] += answer.tokens
        self.scene["messages"] += [{"role": "assistant", "content": answer.content}]
        if tool_uses(answer.content):
            self.turn(answer.content)
        else:
            save_checkpoint(self.scene, self.folder)

    def is_over(self):
        last = self.scene["messages"][-1]
        return last["role"] == "assistant" and not tool_uses(last["content"])


def my_run_agent(client, task, tools, folder, *, resume=False, emit=warn, crash_point=go_on, patience=40):
    harness = Harness(client, tools, folder, crash_point)
    harness.scene = load_checkpoint(folder) if resume else start_over(task, folder, emit)
    result = my_reconcile(harness.scene, tools, folder, emit=emit)
    if result:
        harness.close([result])
    while not harness.is_over() and patience:
        patience -= 1
        harness.step()
    return text_of(harness.scene["messages"][-1]["content"])
