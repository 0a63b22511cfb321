"""The model that stands in for Claude: its answer is a function of `messages`, and it refuses what the API refuses."""

import copy
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness.conversation import blocks_of, calls_in, text_of
from ..harness.folder import ABANDONED, FORK_FILE
from ..words import say
from .api_rules import validate
from .tools import NOTES, REPORT
from .world import World

SCRIPTED = "scripted"  # the name of this model


@dataclass(frozen=True)
class Block:
    """A content block, in the shape of the `anthropic` package's."""

    data: dict[str, Any]

    @property
    def type(self) -> str:
        return str(self.data["type"])

    def to_dict(self, *, mode: str = "json") -> dict[str, Any]:
        return copy.deepcopy(self.data)

    def model_dump(self, **options: Any) -> dict[str, Any]:
        return copy.deepcopy(self.data)

    def __getattr__(self, name: str) -> Any:
        """The block's own fields: `text`, or `id`, `name` and `input`."""
        if name == "data" or name not in self.data:
            raise AttributeError(name)
        return self.data[name]


@dataclass(frozen=True)
class Usage:
    """What an answer cost, in tokens."""

    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


@dataclass(frozen=True)
class Response:
    """An answer, in the shape of the `anthropic` package's `Message`."""

    content: list[Block]
    stop_reason: str
    usage: Usage
    id: str = "msg_scripted"
    type: str = "message"
    role: str = "assistant"
    model: str = SCRIPTED

    def model_dump(self, **options: Any) -> dict[str, Any]:
        content = [block.model_dump() for block in self.content]
        return {**vars(self), "content": content, "usage": {**vars(self.usage)}}


def usage_of(asked: int) -> Usage:
    """What the `asked`-th answer of a conversation costs: it reads all that was said before."""
    return Usage(input_tokens=100 * asked, output_tokens=20)


Step = tuple[str, dict[str, Any] | None]
"""What the model says, and the call that it makes (`{"name", "input"}`), or None when it has finished."""

Script = Callable[..., Step]
"""`script(messages, *, hasty)`: the next step of a task, from `messages` alone, so that any crash can be resumed."""


class ScriptedModel:
    """Follows a script, by default `write_a_report`. A client: `model.messages.create(…)`.

    `hasty`: told `is_error`, it repeats without looking. `fresh_ids`: asked again, it gives a new id, as the API does.
    `world` is told of each call. `requests` keeps the messages of every request that was accepted.
    """

    def __init__(
        self,
        fresh_ids: bool = False,
        hasty: bool = False,
        *,
        world: World | None = None,
        script: Script | None = None,
    ) -> None:
        self.fresh_ids = fresh_ids
        self.hasty = hasty
        self.world = world
        self.script = script or write_a_report
        self.requests: list[list[dict[str, Any]]] = []

    @property
    def messages(self) -> "ScriptedModel":
        return self

    def create(
        self,
        *,
        model: str,
        max_tokens: int,
        messages: list[dict[str, Any]],
        tools: list[dict[str, Any]] | None = None,
        tool_choice: dict[str, Any] | None = None,
    ) -> Response:
        """The next answer. Raises ApiError, with the API's words, for a request that it would refuse."""
        validate(messages, tools or [])
        self.requests.append(copy.deepcopy(messages))
        text, call = self.script(messages, hasty=self.hasty)
        content = [{"type": "text", "text": text}]
        if call:
            content.append({"type": "tool_use", "id": self._new_id(messages), **call})
            if self.world:
                self.world.ask(content[1]["id"], content[1]["name"])
        asked = sum(message["role"] == "assistant" for message in messages) + 1
        return Response([Block(block) for block in content], "tool_use" if call else "end_turn", usage_of(asked))

    def _new_id(self, messages: list[dict[str, Any]]) -> str:
        used = {call["id"] for call in calls_in(messages)}
        number = len(used) + 1
        while f"toolu_{number:02d}" in used:
            number += 1
        return f"toolu_{number:02d}_{secrets.token_hex(4)}" if self.fresh_ids else f"toolu_{number:02d}"


def has_another_line(folder: Path) -> bool:
    """Whether a rewind or a fork gave this task a second line: its model must not repeat the ids of the first."""
    return (folder / ABANDONED).exists() or (folder / FORK_FILE).exists()


def write_a_report(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
    """Turn the notes into a report in three calls.

    Told `is_error` for `write_report`, it looks at the file, and writes again unless its content is already there.
    """
    done = list(history(messages))
    notes = last_good(done, "read_notes")
    words = last_good(done, "count_words")
    writes = [call for call, _ in done if call["name"] == "write_report"]
    last, result = done[-1] if done else (None, {})
    failed = bool(result.get("is_error"))
    if writes and last:
        return _after_writing(last, failed, text_of(result.get("content", "")), writes[-1]["input"], hasty)
    if failed:
        return say("model_gives_up"), None
    if notes is None:
        return say("model_reads"), {"name": "read_notes", "input": {"path": NOTES}}
    if words is None:
        return say("model_counts"), {"name": "count_words", "input": {"text": notes}}
    report = say("model_report", words=words, lines=len(notes.splitlines())) + "\n"
    return say("model_writes"), {"name": "write_report", "input": {"path": REPORT, "content": report}}


def _after_writing(last: dict[str, Any], failed: bool, text: str, wanted: dict[str, Any], hasty: bool) -> Step:
    wrote = last["name"] == "write_report"
    if not failed and (wrote or text == wanted.get("content")):
        return say("model_done"), None
    if wrote and not hasty:
        return say("model_looks"), {"name": "read_notes", "input": {"path": wanted.get("path", REPORT)}}
    return say("model_writes_again"), {"name": "write_report", "input": wanted}


def history(messages: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each call with its result, in order."""
    results = {
        block["tool_use_id"]: block
        for message in messages
        for block in blocks_of(message["content"])
        if block["type"] == "tool_result"
    }
    for call in calls_in(messages):
        yield call, results[call["id"]]


def last_good(done: list[tuple[dict[str, Any], dict[str, Any]]], name: str) -> str | None:
    """The text of the last result of `name` that is no error."""
    texts = [
        text_of(result.get("content", ""))
        for call, result in done
        if call["name"] == name and not result.get("is_error")
    ]
    return texts[-1] if texts else None
