"""What the Messages API refuses of `messages` and `tools`, in its own words.

Seen in real responses, quoted in public threads: kilocode#5163, claude-code#5989 (a call without result), studio#1803,
optopsy#148 (a result without call), hindsight#4250 (two results), cua#524 (an id used twice), ClawRouter#17 (its
characters), prism#659 (input), activeagent#333, langchain#34286 (extra keys), claude-code#59812, home-assistant#175637
(blank text), claude-code#6774 (empty content), agentic-ai-engineering#43 (prefill), trae-agent#231, vellum#18387
(`is_error`), litellm#26788, vscode#278073 (tool names), sdk-python#1598, dirge#821 (signatures). Guessed: the index of
a call without result, empty `messages`, values of a wrong type, blocks in a message of the wrong role.

Not here, because a request's messages and tools don't tell: rules of `thinking` and `tool_choice`, a conversation's
prefix that has changed, thinking dropped or altered (only the server knows what it signed), rules of old models.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from ..harness.conversation import Fault, blocks_of, find_unpaired, tool_uses, turns_of

ID = "^[a-zA-Z0-9_-]+$"
TOOL_NAME = "^[a-zA-Z0-9_-]{1,128}$"
KEYS = {
    "text": {"text", "citations", "cache_control"},
    "tool_use": {"id", "name", "input", "caller", "cache_control"},
    "tool_result": {"tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
}
REQUIRED = {
    "text": {"text"},
    "tool_use": {"id", "name", "input"},
    "tool_result": {"tool_use_id"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
}


ROLES = {"tool_use": "assistant", "tool_result": "user"}
NON_EMPTY = "all messages must have non-empty content except for the optional final assistant message"


class ApiError(Exception):
    """A 400 `invalid_request_error`: `str(error)` is the API's message."""

    status = 400
    type = "invalid_request_error"


def validate(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> None:
    """Raise ApiError for what the API would refuse; UnicodeEncodeError, ValueError or TypeError for what is no JSON."""
    json.dumps([messages, tools], ensure_ascii=False, allow_nan=False).encode("utf-8")
    for refusal in _refusals(messages, tools):
        raise ApiError(refusal)


def _refusals(messages: list[Any], tools: list[Any]) -> Iterator[str]:
    yield from _tool_refusals(tools)
    if not isinstance(messages, list):
        yield "messages: Input should be a valid list"
    if not messages:
        yield "messages: at least one message is required"
    for index, message in enumerate(messages):
        yield from _interruptions(messages, index)
        yield from _message_refusals(f"messages.{index}", message)
    for index, message in enumerate(messages):
        is_final_assistant = index == len(messages) - 1 and message["role"] == "assistant"
        if not message["content"] and not is_final_assistant:
            yield f"messages.{index}: {NON_EMPTY}"
        yield from _text_refusals(message["content"])
    fault = find_unpaired(messages)
    if fault:
        yield _wording(fault)
    open_calls = [(index, block["id"]) for index, _, block in turns_of(messages)[-1][1] if block["type"] == "tool_use"]
    if open_calls:
        yield _unanswered(open_calls[0][0], [call_id for _, call_id in open_calls])
    if messages[-1]["role"] == "assistant":
        yield "This model does not support assistant message prefill. The conversation must end with a user message."


def _interruptions(messages: list[Any], index: int) -> Iterator[str]:
    """A system message where the results of a call should be."""
    if index and isinstance(messages[index], dict) and messages[index].get("role") == "system":
        asked = [call["id"] for call in tool_uses(messages[index - 1]["content"])]
        if asked:
            yield _unanswered(index - 1, asked)


def _tool_refusals(tools: list[Any]) -> Iterator[str]:
    if not isinstance(tools, list):
        yield "tools: Input should be a valid list"
    for index, tool in enumerate(tools):
        if not isinstance(tool, dict):
            yield f"tools.{index}: Input should be a valid dictionary"
    names = [tool.get("name") for tool in tools]
    for index, name in enumerate(names):
        if not isinstance(name, str) or not re.fullmatch(TOOL_NAME[1:-1], name):
            yield f"tools.{index}.custom.name: String should match pattern '{TOOL_NAME}'"
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."


def _message_refusals(where: str, message: Any) -> Iterator[str]:
    if not isinstance(message, dict):
        yield f"{where}: Input should be a valid dictionary"
    for key in ("role", "content"):
        if key not in message:
            yield f"{where}.{key}: Field required"
    for key in message.keys() - {"role", "content"}:
        yield f"{where}.{key}: Extra inputs are not permitted"
    if message["role"] not in ("user", "assistant"):
        yield f"{where}.role: Input should be 'user' or 'assistant'"
    if not isinstance(message["content"], (str, list)):
        yield f"{where}.content: Input should be a valid list"
    for at, block in enumerate(blocks_of(message["content"])):
        yield from _block_refusals(f"{where}.content.{at}", block, message["role"])


def _block_refusals(where: str, block: Any, role: str) -> Iterator[str]:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        yield f"{where}.type: Field required"
    kind = block["type"]
    yield from _key_refusals(f"{where}.{kind}", block)
    if role != ROLES.get(kind, role):
        yield f"{where}: `{kind}` blocks can only be in `{ROLES[kind]}` messages"
    if kind == "text" and not isinstance(block["text"], str):
        yield f"{where}.text.text: Input should be a valid string"
    if kind == "tool_use":
        yield from _tool_use_refusals(f"{where}.tool_use", block)
    if kind == "tool_result":
        yield from _tool_result_refusals(f"{where}.tool_result", block)
    if kind == "thinking" and not block["signature"]:
        yield f"{where}: Invalid `signature` in `thinking` block"


def _key_refusals(where: str, block: dict[str, Any]) -> Iterator[str]:
    kind = block["type"]
    if kind not in KEYS:
        return  # a block of a type that is not the harness's business goes back untouched
    for key in sorted(REQUIRED[kind] - block.keys()):
        yield f"{where}.{key}: Field required"
    for key in sorted(block.keys() - KEYS[kind] - {"type"}):
        yield f"{where}.{key}: Extra inputs are not permitted"
    for key in ("caller", "citations"):
        if key in block and block[key] is None:
            yield f"{where}.{key}: Extra inputs are not permitted"


def _tool_use_refusals(where: str, block: dict[str, Any]) -> Iterator[str]:
    if not isinstance(block["id"], str) or not re.fullmatch(ID[1:-1], block["id"]):
        yield f"{where}.id: String should match pattern '{ID}'"
    if not isinstance(block["name"], str) or not re.fullmatch(TOOL_NAME[1:-1], block["name"]):
        yield f"{where}.name: String should match pattern '{TOOL_NAME}'"
    if not isinstance(block["input"], dict):
        yield f"{where}.input: Input should be a valid dictionary"


def _tool_result_refusals(where: str, block: dict[str, Any]) -> Iterator[str]:
    content = block.get("content", "")
    if not isinstance(block["tool_use_id"], str):
        yield f"{where}.tool_use_id: Input should be a valid string"
    if not isinstance(content, (str, list)):
        yield f"{where}.content: Input should be a valid list"
    for at, part in enumerate(blocks_of(content)):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            yield f"{where}.content.{at}.type: Field required"
        if part["type"] == "text" and not isinstance(part.get("text"), str):
            yield f"{where}.content.{at}.text.text: Input should be a valid string"
    if isinstance(content, list):
        yield from _text_refusals(content)
    if block.get("is_error"):
        if not content:
            yield f"{where}: content cannot be empty if is_error is true"
        if any(part["type"] != "text" for part in blocks_of(content)):
            yield f'{where}: all content must be type "text" if "is_error" is true'


def _text_refusals(content: Any) -> Iterator[str]:
    texts = [block["text"] for block in blocks_of(content) if block["type"] == "text"] if content else []
    if "" in texts:
        yield "messages: text content blocks must be non-empty"
    if not all(text.strip() for text in texts):
        yield "messages: text content blocks must contain non-whitespace text"


def _wording(fault: Fault) -> str:
    ids = ", ".join(fault.ids)
    block = f"messages.{fault.message}.content.{fault.block}"
    if fault.kind == "unanswered":
        return _unanswered(fault.message, list(fault.ids))
    if fault.kind == "orphan":
        return (
            f"{block}: unexpected `tool_use_id` found in `tool_result` blocks: {ids}. "
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
        )
    if fault.kind == "repeated_result":
        return f"{block}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {ids}"
    return f"{block}: `tool_use` ids must be unique"


def _unanswered(index: int, ids: list[str]) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(ids)}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )
