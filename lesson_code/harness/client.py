"""The real client, of the `anthropic` package, and what its failures mean. The package is imported only here."""

import os
import re
from typing import TYPE_CHECKING, Any

from ..words import say
from .answer import AgentStopped

if TYPE_CHECKING:
    from anthropic import Anthropic

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
TIMEOUT = 300.0  # seconds for one answer; the package asks three times
MAX_SHOWN = 300  # characters of what a server says, which may be a whole page
STATUSES = (400, 401, 403, 404, 413, 429, 529)  # those with a sentence of their own


def make_client() -> "Anthropic":
    """A client with the key of the environment, which is looked for first: the package misses it only when it asks.

    Raises AgentStopped where there is no key, none that can be sent, or no package. Retries are the package's own.
    """
    keys = [key for name in KEYS if (key := os.environ.get(name, ""))]
    if not keys:
        raise AgentStopped(say("client_no_key"))
    if not all(re.fullmatch(r"[!-~]+", key) for key in keys):
        raise AgentStopped(say("client_odd_key"))  # the package would print it: "Illegal header value"
    try:
        from anthropic import Anthropic  # takes a second, and only a real run needs it
    except ImportError:
        raise AgentStopped(say("client_no_package")) from None
    return Anthropic(timeout=TIMEOUT)


def why_failed(error: Exception) -> str:
    """What a failed request means and what to do, by the attributes of the package's errors: neither key nor header."""
    status, kind = getattr(error, "status_code", None), type(error).__name__
    if status in STATUSES:
        return say(f"client_{status}", message=_message(error), wait=_wait(error))
    if isinstance(status, int) and status >= 500:
        return say("client_5xx", status=status, message=_message(error))
    if kind == "APITimeoutError":
        return say("client_timeout")
    if kind == "APIConnectionError":
        return say("client_connection", reason=type(error.__cause__ or error).__name__)
    return say("client_failed", kind=kind, error=error)


def _message(error: Any) -> str:
    """What the API says in the body of an error, or what the package says of it."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return str(inner.get("message") if isinstance(inner, dict) else error)[:MAX_SHOWN]


def _wait(error: Any) -> str:
    """The seconds that the API asks to wait, or a word for some."""
    return getattr(error, "response", None) and error.response.headers.get("retry-after") or say("client_some")
