"""What the Messages API refuses of a request: its headers, its size, its fields, and then its messages and tools.

The fields are those of version 2026-10-21, which the package sends since 2.0. Seen in real responses, quoted in public
threads and code: pipedream#9697, 9router#2357 (versions), n8n#37930, screenshot-to-code#430, Aperant#1421 (keys),
claude-code#8165, promptfoo#4489 (JSON), claude-code#5349 (an unknown model), MinusPod v2.101.10 (`temperature`).
Guessed: the words for a wrong method or content type, a body that is no object, most values of a wrong type. The
values of what the course does not use (`thinking`, `metadata`…) are let through.
"""

from collections.abc import Iterator
from typing import Any

from .api_rules import ApiError, validate
from .line import Request
from .trouble import Status

VERSIONS = ("2026-10-21", "2023-06-01")
MODELS = ("claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5")
ALWAYS_THINKING = ("claude-opus-5-5",)
MAX_BODY = 32 * 1024 * 1024
FIELDS = set(
    "model max_tokens messages system tools tool_choice stream stop_sequences metadata thinking output_config "
    "service_tier speed cache_control container diagnostics inference_geo user_profile_id".split()
)
TOOL_FIELDS = set(
    "type name description input_schema cache_control strict defer_loading allowed_callers input_examples "
    "eager_input_streaming".split()
)
OBJECT = "Input should be 'object'"
CHOICES = {
    "auto": {"disable_parallel_tool_use"},
    "any": {"disable_parallel_tool_use"},
    "tool": {"disable_parallel_tool_use", "name"},
    "none": set(),
}


def refusal(request: Request, *, key: str, models: tuple[str, ...] = MODELS, max_body: int = MAX_BODY) -> Status | None:
    """The first thing that the API would refuse of `request`, or None."""
    return next(_refusals(request, key, models, max_body), None)


def _refusals(request: Request, key: str, models: tuple[str, ...], max_body: int) -> Iterator[Status]:
    if request.path.split("?")[0] != "/v1/messages":
        yield Status(404)
    if request.method != "POST":
        yield Status(405)
    yield from _header_refusals(request.headers, key)
    if len(request.raw) > max_body:
        yield Status(413)
    try:
        asked = request.body
    except (ValueError, RecursionError) as error:
        yield Status(400, f"The request body is not valid JSON: {error}")
    yield from (Status(400, words) for words in _field_refusals(asked))
    if asked["model"] not in models:
        yield Status(404, f"model: {asked['model']}")
    try:
        validate(asked["messages"], asked.get("tools", []))
    except ApiError as error:
        yield Status(400, str(error))
    yield from (Status(400, words) for words in _schema_refusals(asked.get("tools", [])))
    if "tool_choice" in asked:
        yield from (Status(400, words) for words in _choice_refusals(asked["tool_choice"]))
        yield from (Status(400, words) for words in _use_refusals(asked["tool_choice"], asked))


def _header_refusals(headers: dict[str, str], key: str) -> Iterator[Status]:
    bearer, given = headers.get("authorization"), headers.get("x-api-key")
    if bearer is None and given is None:
        yield Status(401, "x-api-key header is required")
    if given is not None and given != key:  # where both are sent, this one counts
        yield Status(401, "invalid x-api-key")
    if given is None and bearer != f"Bearer {key}":
        yield Status(401, "Invalid bearer token")
    version = headers.get("anthropic-version", "")
    if version not in VERSIONS:
        problem = f'"{version}" is not a valid version' if version else "header is required"
        yield Status(400, f"anthropic-version: {problem}")
    if headers.get("content-type", "").split(";")[0] != "application/json":
        yield Status(400, "content-type: must be application/json")


def _field_refusals(asked: Any) -> Iterator[str]:
    if not isinstance(asked, dict):
        yield "Input should be a valid dictionary"
    for name in ("model", "max_tokens", "messages"):
        if name not in asked:
            yield f"{name}: Field required"
    for name in sorted(asked.keys() - FIELDS):
        yield f"{name}: Extra inputs are not permitted"
    if not isinstance(asked["model"], str):
        yield "model: Input should be a valid string"
    if type(asked["max_tokens"]) is not int:
        yield "max_tokens: Input should be a valid integer"
    if asked["max_tokens"] < 1:
        yield "max_tokens: must be greater than or equal to 1"
    if not isinstance(asked.get("system", ""), (str, list)):
        yield "system: Input should be a valid list"
    if asked.get("stream"):
        yield "stream: this stand-in does not stream"


def _schema_refusals(tools: list[dict[str, Any]]) -> Iterator[str]:
    for index, tool in enumerate(tools):
        where, schema = f"tools.{index}.custom", tool.get("input_schema")
        for name in sorted(tool.keys() - TOOL_FIELDS):
            yield f"{where}.{name}: Extra inputs are not permitted"
        if not isinstance(schema, dict):
            yield f"{where}.input_schema: Field required"
        elif schema.get("type") != "object":
            yield f"{where}.input_schema.type: {OBJECT if 'type' in schema else 'Field required'}"


def _choice_refusals(choice: Any) -> Iterator[str]:
    if not isinstance(choice, dict):
        yield "tool_choice: Input should be an object"
    kind = choice.get("type")
    if not isinstance(kind, str) or kind not in CHOICES:
        tags = ", ".join(f"'{tag}'" for tag in CHOICES)
        yield f"tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected tags: {tags}"
    for name in sorted(choice.keys() - CHOICES[kind] - {"type"}):
        yield f"tool_choice.{kind}.{name}: Extra inputs are not permitted"
    if type(choice.get("disable_parallel_tool_use", False)) is not bool:
        yield f"tool_choice.{kind}.disable_parallel_tool_use: Input should be a valid boolean"
    if kind == "tool" and "name" not in choice:
        yield "tool_choice.tool.name: Field required"


def _use_refusals(choice: dict[str, Any], asked: dict[str, Any]) -> Iterator[str]:
    names = [tool["name"] for tool in asked.get("tools", [])]
    if not names:
        yield f"tool_choice.{choice['type']} may only be specified while providing tools"
    if choice["type"] == "tool" and choice["name"] not in names:
        yield f"Tool '{choice['name']}' not found in provided tools"
    if choice["type"] in ("any", "tool") and asked["model"] in ALWAYS_THINKING:
        yield 'tool_choice: type "tool" and "any" are not supported for this model.'
