"""A tool, what it is given, and how what it returns becomes the text that the model reads."""

import copy
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from traceback import format_exception_only
from typing import Any

from ..words import say
from .conversation import Block

MAX_RESULT = 256 * 1024  # bytes of UTF-8


class ToolRefused(Exception):
    """A tool says: nothing was done."""


@dataclass(frozen=True)
class Tool:
    """A function the model may call. `read_only` is a promise: running it twice leaves the world the same."""

    run: Callable[..., Any]
    description: str = field(kw_only=True)
    input_schema: dict[str, Any] = field(kw_only=True)
    read_only: bool = field(default=False, kw_only=True)


Tools = Mapping[str, Tool]


def describe(tools: Tools) -> list[dict[str, Any]]:
    """The tools as the API wants them: `{"name", "description", "input_schema"}`."""
    return [{"name": n, "description": t.description, "input_schema": t.input_schema} for n, t in tools.items()]


def tool_result(tool_use_id: str, text: str, *, is_error: bool = False) -> Block:
    """The block that answers a call."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": text}
    return {**block, "is_error": True} if is_error else block


def run_tool(call: Block, tools: Tools) -> Block:
    """Run one call and answer it. A tool that raises has failed and, if it has side effects, is possibly done."""
    tool = tools.get(call["name"])
    try:
        if tool is None:
            raise ToolRefused(say("tool_unknown", name=call["name"]))
        return tool_result(call["id"], result_text(_call(tool, call["input"])))
    except ToolRefused as error:
        told = f"{say('tool_refused')}\n{error}"
    except (Exception, SystemExit) as error:
        sentence = say("tool_failed" if tool and tool.read_only else "tool_failed_maybe")
        told = f"{sentence}\n{''.join(format_exception_only(error)).rstrip()}"
    return tool_result(call["id"], result_text(told), is_error=True)


def result_text(value: Any) -> str:
    """What the model reads of a tool's return value: at most 256 KiB of valid UTF-8.

    str as it is; None is ""; bytes as UTF-8; the rest as JSON. It never raises: the effect has already happened.
    """
    try:
        text = _as_text(value)
    except Exception:
        text = say("result_without_text", kind=type(value).__name__)
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # lone surrogates: U+FFFD
    data = text.encode("utf-8")
    if len(data) <= MAX_RESULT:
        return text
    half = MAX_RESULT // 2 - 200  # room for the note between them
    head, tail = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
    return f"{head}\n{say('result_cut', size=len(data))}\n{tail}"


def _call(tool: Tool, given: dict[str, Any]) -> Any:
    properties = tool.input_schema.get("properties", {})
    missing = [name for name in tool.input_schema.get("required", []) if name not in given]
    if missing:
        raise ToolRefused(say("input_missing", name=missing[0]))
    if (
        inspect.iscoroutinefunction(tool.run)
        or inspect.isgeneratorfunction(tool.run)
        or inspect.isasyncgenfunction(tool.run)
    ):
        raise ToolRefused(say("tool_lazy"))  # a call would run nothing of its body
    value = tool.run(**copy.deepcopy({name: item for name, item in given.items() if name in properties}))
    if inspect.iscoroutine(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise TypeError(say("tool_lazy"))
    return value


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "backslashreplace")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_default)


def _default(value: Any) -> Any:
    return sorted(value, key=repr) if isinstance(value, (set, frozenset)) else str(value)
