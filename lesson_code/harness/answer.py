"""Read the model's answer, and decide whether the loop may go on from it."""

from typing import Any, NamedTuple

from ..words import say
from .conversation import Block, Message, calls_in, has_shape, text_of, tool_uses
from .strict import can_be_stored


class AgentStopped(Exception):
    """The loop can't go on from what the model answered. What was done is saved; a resume asks again."""


class Answer(NamedTuple):
    """What the loop keeps of a response: its content as the API gave it, why it ended, and what it cost."""

    content: list[Block]
    stop_reason: str | None
    tokens: int


def read_answer(response: Any) -> Answer:
    """The answer in a `Message` of the `anthropic` package or its like. Raises AgentStopped."""
    try:
        content = [block.to_dict(mode="json") for block in response.content]
        tokens = int(response.usage.input_tokens) + int(response.usage.output_tokens)
        return Answer(content, response.stop_reason, tokens)
    except Exception as error:
        raise AgentStopped(say("stop_unreadable", kind=type(error).__name__, error=error)) from error


def why_stop(answer: Answer, messages: list[Message], turns_left: int) -> str | None:
    """Why the loop can't go on from `answer`, in Spanish; None if it runs one call or finishes."""
    message = {"role": "assistant", "content": answer.content}
    if not (has_shape(message) and can_be_stored({"messages": [message]})):
        return say("stop_unusable")
    calls = tool_uses(answer.content)
    if answer.stop_reason == "end_turn":
        if calls:
            return say("stop_end_with_call")
        return None if text_of(answer.content).strip() else say("stop_empty")
    if answer.stop_reason != "tool_use":
        return say("stop_reason", reason=answer.stop_reason)
    if len(calls) != 1:
        return say("stop_calls", number=len(calls))
    used = {call["id"] for call in calls_in(messages)}
    if calls[0]["id"] in used:
        return say("stop_used_id", id=calls[0]["id"])
    return None if turns_left > 0 else say("stop_max_turns")
