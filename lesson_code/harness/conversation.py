"""What may be sent: every `tool_use` answered once, and at once, at the start of the next user turn.

Shapes: a message is `{"role": "user" | "assistant", "content": str | [block]}`; a block is an object with a
`type`. Source: platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
"""

import re
from itertools import groupby, takewhile
from typing import Any, NamedTuple

Block = dict[str, Any]
Message = dict[str, Any]
Turn = list[tuple[int, int, Block]]  # the blocks of one role in a row: (index of the message, of the block, block)

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")  # what the API takes as the id of a call or the name of a tool


class Fault(NamedTuple):
    """Why a conversation can't be sent. `kind`: shape, repeated_id, orphan, repeated_result or unanswered."""

    kind: str
    message: int
    block: int = 0
    ids: tuple[str, ...] = ()


def find_fault(messages: list[Message]) -> Fault | None:
    """The first fault of `messages`, or None. Calls that nothing follows yet are no fault: see `dangling`."""
    odd = [index for index, message in enumerate(messages) if not has_shape(message)]
    return Fault("shape", odd[0]) if odd else find_unpaired(messages)


def find_unpaired(messages: list[Message]) -> Fault | None:
    """The first fault in the pairing of calls and results."""
    seen: set[str] = set()
    asked: dict[str, int] = {}
    for role, turn in turns_of(messages):
        fault = fault_in_calls(turn, seen) if role == "assistant" else fault_in_answers(turn, asked)
        if fault:
            return fault
        asked = {block["id"]: index for index, _, block in turn if block["type"] == "tool_use"}
    return None


def dangling(messages: list[Message]) -> list[Block]:
    """The calls of the last turn, which nothing answers yet."""
    return [block for _, turn in turns_of(messages)[-1:] for _, _, block in turn if block["type"] == "tool_use"]


def turns_of(messages: list[Message]) -> list[tuple[str, Turn]]:
    """Role and blocks of each turn: messages of one role in a row are one turn, as they are for the API."""
    grouped = groupby(enumerate(messages), key=lambda item: item[1]["role"])
    return [
        (role, [(index, at, block) for index, m in group for at, block in enumerate(blocks_of(m["content"]))])
        for role, group in grouped
    ]


def blocks_of(content: str | list[Block]) -> list[Block]:
    """A message's content as blocks: a string is one text block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def tool_uses(content: str | list[Block]) -> list[Block]:
    """The calls in a message's content, in order."""
    return [block for block in blocks_of(content) if block["type"] == "tool_use"]


def calls_in(messages: list[Message]) -> list[Block]:
    """All the calls of a conversation, in order."""
    return [call for message in messages for call in tool_uses(message["content"])]


def text_of(content: str | list[Block]) -> str:
    """The text of a message's content, without its other blocks."""
    return "".join(block["text"] for block in blocks_of(content) if block["type"] == "text")


def is_call(call: Block) -> bool:
    """Whether `call` has an id, a name and an input that the API takes."""
    names = [call.get("id"), call.get("name")]
    return all(isinstance(n, str) and NAME.fullmatch(n) for n in names) and isinstance(call.get("input"), dict)


def sendable(messages: list[Message]) -> list[Message]:
    """`messages` without blank text, which the API returns and refuses. A new list; nothing is changed in place."""
    kept = []
    for message in messages:
        content = message["content"]
        blocks = [block for block in blocks_of(content) if block["type"] != "text" or block["text"].strip()]
        if blocks:
            kept.append({"role": message["role"], "content": content if isinstance(content, str) else blocks})
    return kept


def fault_in_calls(turn: Turn, seen: set[str]) -> Fault | None:
    """A call of an assistant's turn whose id is in `seen`, to which its ids are added."""
    for index, at, block in turn:
        if block["type"] == "tool_use":
            if block["id"] in seen:
                return Fault("repeated_id", index, at, (block["id"],))
            seen.add(block["id"])
    return None


def fault_in_answers(turn: Turn, asked: dict[str, int]) -> Fault | None:
    """What is wrong with how a user's turn answers the calls `asked`: the index of its message by each id."""
    answered: set[str] = set()
    results = [(index, at, block["tool_use_id"]) for index, at, block in turn if block["type"] == "tool_result"]
    for index, at, call_id in results:
        if call_id not in asked or call_id in answered:
            return Fault("repeated_result" if call_id in answered else "orphan", index, at, (call_id,))
        answered.add(call_id)
    first = takewhile(lambda place: place[2]["type"] == "tool_result", turn)
    at_once = {block["tool_use_id"] for _, _, block in first}
    missing = tuple(call_id for call_id in asked if call_id not in at_once)
    return Fault("unanswered", asked[missing[0]], 0, missing) if missing else None


def has_shape(message: Any) -> bool:
    """Whether `message` is one of ours: a role, a content, and blocks that say what their type needs."""
    if not isinstance(message, dict) or message.keys() != {"role", "content"}:
        return False
    return message["role"] in ("user", "assistant") and _is_content(message["content"], message["role"])


def _is_content(content: Any, role: str) -> bool:
    is_list = isinstance(content, list) and all(_block_has_shape(block, role) for block in content)
    return is_list or isinstance(content, str)


def _block_has_shape(block: Any, role: str) -> bool:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "tool_use":
        return role == "assistant" and is_call(block)
    if kind == "tool_result":
        is_told = isinstance(block.get("tool_use_id"), str) and _is_content(block.get("content", ""), role)
        return role == "user" and is_told
    return isinstance(kind, str) and (kind != "text" or isinstance(block.get("text"), str))
