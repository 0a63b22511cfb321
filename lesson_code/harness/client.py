"""The door to the outside: the real client, of the `anthropic` package, a request, and what its failures mean."""

import os
import re
from typing import TYPE_CHECKING, Any

from ..words import reason, say
from .answer import AgentStopped, Answer, read_answer
from .checkpoint import Checkpoint
from .conversation import sendable
from .tools import Tools, describe

if TYPE_CHECKING:
    from anthropic import Anthropic

MODEL = "claude-sonnet-5-5"
KEYS = {"ANTHROPIC_API_KEY": "api_key", "ANTHROPIC_AUTH_TOKEN": "auth_token"}  # the first that is set is used
SENDABLE = re.compile(r"[!-~]+")  # what a key or the name of a model is made of
TIMEOUT = 300.0  # seconds for one answer; the package asks three times
STATUSES = (400, 401, 403, 404, 413, 429, 529)  # those with a sentence of their own


def make_client() -> "Anthropic":
    """A client with the key of the environment, which is looked for first: the package misses it only when it asks.

    Raises AgentStopped where there is no key, none that can be sent, or no package. Retries are the package's own.
    """
    if not _credential():
        raise AgentStopped(say("client_no_key"))
    if not all(map(SENDABLE.fullmatch, _credential().values())):
        raise AgentStopped(say("client_odd_key"))  # the package would show it: "Illegal header value"
    try:
        from anthropic import Anthropic, DefaultHttpxClient  # takes a second, and only a real run needs it

        connections = DefaultHttpxClient(timeout=TIMEOUT)  # one of its own, half made, would leave a traceback
        return Anthropic(**_credential(), timeout=TIMEOUT, http_client=connections)
    except ModuleNotFoundError:
        why = say("client_no_package")
    except Exception as error:  # a proxy that is none, certificates that are not there
        why = say("client_not_made", kind=type(error).__name__, error=_without_key(reason(error)))
    raise AgentStopped(why)


def choose_model(asked: str | None) -> str:
    """The model that was asked for, or that of ANTHROPIC_MODEL, or a current one. Raises AgentStopped."""
    model = asked or os.environ.get("ANTHROPIC_MODEL") or MODEL
    if not SENDABLE.fullmatch(model):
        raise AgentStopped(say("client_odd_model", model=model))
    return model


def check_budget(used: int, limit: int | None) -> None:
    """Raises AgentStopped where a task has no tokens left to ask with. No limit: None."""
    if limit is not None and used >= limit:
        raise AgentStopped(say("stop_max_tokens", used=used, limit=limit))


def ask(client: Any, scene: Checkpoint, tools: Tools, **settings: Any) -> Answer:
    """The model's next answer. Whatever the client raises becomes AgentStopped: the checkpoint stands."""
    one_call = {"type": "auto", "disable_parallel_tool_use": True}
    described = describe(tools)
    offered = {"tools": described, "tool_choice": one_call} if described else {}  # no choice without tools
    request = {**settings, **offered, "messages": sendable(scene["messages"])}
    try:
        response = client.messages.create(**request)
    except Exception as error:
        why = why_failed(error)
    else:
        return read_answer(response)
    raise AgentStopped(why)  # out here, and so alone: a traceback of the package's errors can show the key


def why_failed(error: Exception) -> str:
    """What a failed request means and what to do, by the attributes of the package's errors: neither key nor header."""
    status, kind = getattr(error, "status_code", None), type(error).__name__
    if isinstance(status, int):
        message = _message(error)
        known = status if message and status in STATUSES else "5xx" if status >= 500 else "other"
        words = _without_key(message) if message else say("client_not_its_words")
        return say(f"client_{known}", status=status, message=words, wait=_wait(error))
    if kind == "APITimeoutError":
        return say("client_timeout")
    if kind == "APIConnectionError":
        return say("client_connection", reason=type(error.__cause__ or error).__name__)
    return say("client_failed", kind=kind, error=_without_key(reason(error)))


def _credential() -> dict[str, Any]:
    """What the package takes to say who asks, so that no name of ours holds a key that a traceback could show."""
    found = {given: os.environ[name] for name, given in KEYS.items() if os.environ.get(name)}
    return dict(list(found.items())[:1])


def _message(error: Any) -> str:
    """What the API says in the body of an error; nothing of a body that is not the API's, as the page of a proxy."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    return message if isinstance(message, str) else ""


def _wait(error: Any) -> str:
    """How long the API asks to wait, where it says so in seconds."""
    asked = error.response.headers.get("retry-after", "")
    return say("client_wait", seconds=asked) if re.fullmatch("[0-9]{1,6}", asked) else say("client_a_while")


def _without_key(text: str) -> str:
    """`text` with no key in it: there are gateways that answer with what they were given."""
    for key in _credential().values():
        text = text.replace(key, "…")
    return text
