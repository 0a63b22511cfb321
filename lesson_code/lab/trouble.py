"""What the API says when something is wrong there: its statuses, with their real bodies and headers.

Seen in real responses, quoted in public threads: n8n#37930, screenshot-to-code#430, Aperant#1421 (401),
claude-code#17848 (403), #5349 (404), #3335 (413: from the edge, without `type` and `request_id`), #71634 (429), #35508
(500), #7043 (503: text of a proxy), anthropic-sdk-typescript#616 (529, with its headers), #357 (429's). Guessed: 405.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from .line import Reply

WORDS = {
    400: ("invalid_request_error", "Error"),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Permission denied"),
    404: ("not_found_error", "Not Found"),
    405: ("invalid_request_error", "Method Not Allowed"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
    500: ("api_error", "Internal server error"),
    529: ("overloaded_error", "Overloaded"),
}
PROXY = "upstream connect error or disconnect/reset before headers. reset reason: connection termination"


@dataclass(frozen=True)
class Status:
    """An error: `Status(429, headers={"retry-after": "7"})`. What is not given is what the API sends."""

    code: int
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None

    def reply(self, request_id: str) -> Reply:
        """The reply that says so."""
        headers, body = self._usual(request_id)
        return Reply(self.code, {**headers, **self.headers}, body if self.body is None else self.body)

    def _usual(self, request_id: str) -> tuple[dict[str, str], bytes]:
        if self.code == 503:
            return {"content-type": "text/plain"}, PROXY.encode("utf-8")
        kind, words = WORDS.get(self.code, ("api_error", "Error"))
        headers = {"content-type": "application/json"}
        error: dict[str, Any] = {"error": {"type": kind, "message": self.message or words}}
        if self.code == 413:
            return headers, compact(error)
        retry = self.code == 429 or self.code >= 500
        headers |= {"request-id": request_id, "x-should-retry": str(retry).lower()}
        headers |= {"retry-after": "1"} if self.code == 429 else {}
        return headers, compact({"type": "error", **error, "request_id": request_id})


def compact(value: Any) -> bytes:
    """JSON as the API writes it: no blanks, and UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
