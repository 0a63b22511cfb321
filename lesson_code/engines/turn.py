"""What a step of any engine does: ask the model, or run the call that it named. And the lesson's policy around it."""

from pathlib import Path
from typing import Any

from ..harness import reconcile, run_tool_uses
from ..harness.client import MODEL, ask
from ..harness.conversation import Block, Message, text_of, tool_uses
from ..harness.ports import CrashPoint, go_on
from ..harness.tools import Tools, run_tool, tool_result
from ..words import say

Content = str | list[Block]  # of the message that names the call


class Turn:
    """A turn in two steps that an engine makes durable: `ask(messages)` and `run(content)`, whose values are JSON."""

    def __init__(self, client: Any, tools: Tools) -> None:
        self.client, self.tools = client, tools

    def ask(self, messages: list[Message]) -> Message:
        """The model's next message."""
        answer = ask(self.client, {"messages": messages}, self.tools, model=MODEL, max_tokens=4096)
        return {"role": "assistant", "content": answer.content}

    def run(self, content: Content) -> Message:
        """The message that answers the call in `content`: the tool runs, whatever happened before."""
        return {"role": "user", "content": [run_tool(call, self.tools) for call in tool_uses(content)]}


class TurnWithUnknown(Turn):
    """The same with `is_error` for the call of which nobody knows: the engine's own record is the only ledger.

    A call that this process did not hear the model name is one that a death left open: the engine has no result of it.
    """

    def __init__(self, client: Any, tools: Tools) -> None:
        super().__init__(client, tools)
        self.heard: set[str] = set()

    def ask(self, messages: list[Message]) -> Message:
        message = super().ask(messages)
        self.heard |= {call["id"] for call in tool_uses(message["content"])}
        return message

    def run(self, content: Content) -> Message:
        call = tool_uses(content)[0]
        tool = self.tools.get(call["name"])
        if call["id"] in self.heard or (tool is not None and tool.read_only):
            return super().run(content)
        unknown = tool_result(call["id"], say("result_unknown", name=call["name"]), is_error=True)
        return {"role": "user", "content": [unknown]}


class TurnWithPolicy(TurnWithUnknown):
    """The same with the lesson's ledger too, in `folder`."""

    def __init__(self, client: Any, tools: Tools, folder: Path, crash_point: CrashPoint = go_on) -> None:
        super().__init__(client, tools)
        self.folder, self.crash_point = folder, crash_point

    def run(self, content: Content) -> Message:
        call = tool_uses(content)[0]
        if call["id"] in self.heard:
            results = run_tool_uses([call], self.tools, self.folder, crash_point=self.crash_point)
        else:
            results = [reconcile({"pendingToolUse": call}, self.tools, self.folder) or {}]
        return {"role": "user", "content": results}


def is_last(message: Message) -> bool:
    """Whether the model has finished: its message, without a call."""
    return message["role"] == "assistant" and not tool_uses(message["content"])


def last_text(messages: list[Message]) -> str:
    """The answer, once the model has finished."""
    return text_of(messages[-1]["content"])
