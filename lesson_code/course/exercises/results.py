"""What a learner gives as the result of a call: whether the API and a checkpoint take it, and what it says."""

from typing import Any

from ...harness.conversation import has_shape, text_of
from ...harness.strict import can_be_stored
from ...words import say
from .kinds import NotYet, fault


def checked(result: Any, call: dict[str, Any], **shown: Any) -> dict[str, Any]:
    """`result`, if it is a tool_result of `call`. Raises NotYet: none, shape, other_id, flag or content.

    The table of faults of the exercise has these five. They have `name`, the tool, and what else is `shown`.
    """
    shown["name"] = call["name"]
    if result is None:
        raise NotYet(fault("none", **shown))
    if not isinstance(result, dict) or result.get("type") != "tool_result":
        raise NotYet(fault("shape", kind=type(result).__name__, **shown))
    if result.get("tool_use_id") != call["id"]:
        raise NotYet(fault("other_id", wanted=call["id"], got=str(result.get("tool_use_id")), **shown))
    if not isinstance(result.get("is_error", False), bool):
        raise NotYet(fault("flag", kind=type(result["is_error"]).__name__, **shown))
    if not (has_shape({"role": "user", "content": [result]}) and can_be_stored(result)):
        raise NotYet(fault("content", kind=type(result.get("content")).__name__, **shown))
    return result


def said(result: dict[str, Any]) -> tuple[str, bool]:
    """What a result says to the model, however it is written: its text, and whether it is an error."""
    return text_of(result.get("content", "")), bool(result.get("is_error"))


def read(result: dict[str, Any]) -> str:
    """The text of a result as a report names what the model read."""
    text, _ = said(result)
    return say("ex_read", text=text) if text else say("ex_read_empty")
