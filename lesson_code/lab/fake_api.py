"""A stand-in of the Messages API on 127.0.0.1: the scripted model's answers and the API's refusals, over real HTTP.

    with FakeApi(ScriptedModel(), trouble=[None, 529, "reset"]) as api:
        client = anthropic.Anthropic(base_url=api.url, api_key=api.key)

What it answers is a function of the requests and of its script, but for the ids that a model with `fresh_ids` gives.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from .api_request import MAX_BODY, MODELS, refusal
from .line import Line, Reply, Request, Server
from .model import Response, ScriptedModel
from .trouble import Status, compact

KEY = "not-a-real-key"
SECRET, HIDDEN = ("authorization", "x-api-key"), "(hidden)"  # headers whose values are kept nowhere
USAGE = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 5,
    "service_tier": "standard",
    "inference_geo": "not_available",
}
WAYS = ("reset", "close", "hang", "cut", "slow")

Trouble = int | Status | str | None
"""What happens to a request that the API takes. None: it is answered. A status, with its own headers or the API's.

`reset` (by RST) and `close`: no answer. `hang`: none until the client gives up, or `let_go` is set. `cut`: half of it.
`slow`: in pieces. A request that the API refuses is refused, whatever its trouble.
"""


class FakeApi:
    """Answers what `answers` says: a ScriptedModel, or what it gives in order, each a Response or a Message's fields.

    `trouble`: what happens to each request, in order; those after the last are answered. `on_request(number)`, from 1,
    is called before each is answered, in a thread of the stand-in: it may wait, or kill who waits for the answer.
    `requests`: all that came, without the key. What the model raises is raised when the stand-in closes.
    """

    def __init__(
        self,
        answers: ScriptedModel | Iterable[Response | dict[str, Any]] | None = None,
        trouble: Iterable[Trouble] = (),
        *,
        on_request: Callable[[int], object] = lambda number: None,
        key: str = KEY,
        models: tuple[str, ...] = MODELS,
        max_body: int = MAX_BODY,
    ) -> None:
        self.answers = ScriptedModel(fresh_ids=True) if answers is None else answers
        self._left = [] if isinstance(self.answers, ScriptedModel) else list(self.answers)
        self.trouble = list(trouble)
        wrong = [each for each in self.trouble if isinstance(each, str) and each not in WAYS]
        if wrong:
            raise ValueError(f"no such trouble: {wrong[0]}")
        self.on_request = on_request
        self.key = key
        self.models = models
        self.max_body = max_body
        self.requests: list[Request] = []
        self.let_go = threading.Event()
        self._lock = threading.Lock()

    def __enter__(self) -> "FakeApi":
        self._server = Server(self._handle)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005})
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()
        self._thread.join()
        if self._server.failures:
            raise self._server.failures[0]

    @property
    def url(self) -> str:
        """What a client takes as `base_url`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which the real package finds the stand-in in another process, past proxies and settings."""
        here = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "ALL_PROXY": "", "all_proxy": ""}
        yours = {"ANTHROPIC_MODEL": "", "ANTHROPIC_CUSTOM_HEADERS": ""}
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": self.key, **here, **yours}

    def _handle(self, line: Line, raw: bytes) -> None:
        headers = {name.lower(): value for name, value in line.headers.items()}
        request = Request(line.command, line.path, headers, raw)
        seen = {name: HIDDEN if name in SECRET else value for name, value in headers.items()}
        with self._lock:
            self.requests.append(replace(request, headers=seen))
            number = len(self.requests)
        self.on_request(number)
        trouble = self.trouble[number - 1] if number <= len(self.trouble) else None
        trouble = Status(trouble) if isinstance(trouble, int) else trouble
        trouble = refusal(request, key=self.key, models=self.models, max_body=self.max_body) or trouble
        if isinstance(trouble, Status):
            line.send(trouble.reply(f"req_{number:024d}"))
        elif trouble in ("reset", "close"):
            line.drop(reset=trouble == "reset")
        elif trouble != "hang" or line.wait(self.let_go):
            reply_headers = {"content-type": "application/json", "request-id": f"req_{number:024d}"}
            line.send(Reply(200, reply_headers, compact(self._message(request.body, number))), trouble or "")

    def _message(self, asked: dict[str, Any], number: int) -> dict[str, Any]:
        said = self._next(asked)
        if isinstance(said, Response):
            said = {name: said.model_dump()[name] for name in ("content", "stop_reason", "usage")}
        head = {"model": asked["model"], "id": f"msg_{number:024d}", "type": "message", "role": "assistant"}
        stop = {"stop_reason": "end_turn", "stop_sequence": None, "stop_details": None}
        return {**head, "content": [], **stop, **said, "usage": {**USAGE, **said.get("usage", {})}}

    def _next(self, asked: dict[str, Any]) -> Response | dict[str, Any]:
        with self._lock:
            if isinstance(self.answers, ScriptedModel):
                names = ("model", "max_tokens", "messages", "tools", "tool_choice")
                return self.answers.create(**{name: asked[name] for name in names if name in asked})
            if not self._left:
                raise LookupError("more requests than answers")
            return self._left.pop(0)
