"""One run of any harness under attack: the task of the orders, with all its moments told to whoever may kill it."""

import inspect
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..harness.folder import LOCK
from ..words import say
from .api_rules import ApiError
from .crash import INSIDE
from .model import Response, ScriptedModel
from .orders import KINDS, Reach, attend, make_order_tools, orders_task
from .witness import Witness


class Harness(Protocol):
    """What can be attacked. Runs `task`, or goes on from what it left in `folder`. Returns the last answer's text.

    `client.messages.create(model=, max_tokens=, tools=, messages=)` answers as the `anthropic` package does. `tools`:
    name → `lesson_code.harness.Tool`, with `run(**input)`. It may take `crash_point` too, to be called with labels of
    the laboratory (`after-effect-write:3`) where only the harness knows that such a moment has come.

    It runs its tools in this process, keeps in `folder` all that must survive, and goes on until the task ends. Resumed
    when the task has ended, it gives the answer again.
    """

    def __call__(self, client: Any, task: str, tools: Any, folder: Path, *, resume: bool) -> str: ...


@dataclass(frozen=True)
class Setting:
    """What is attacked with: the kind of tool, the model, and how many orders there are."""

    kind: str = "appending"
    hasty: bool = False
    fresh_ids: bool = True
    orders: int = 3


class Told(Exception):
    """An error whose sentence is all that its reader needs: a notebook shows it without the way it came."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class CaseError(Told):
    """The text names no case; the message lists what one is made of."""


@dataclass(frozen=True)
class Case:
    """A setting and the moments at which the process dies, one a run; `kill`: by SIGKILL and not by `os._exit`."""

    setting: Setting = Setting()
    deaths: tuple[str, ...] = ()
    kill: bool = False

    def __str__(self) -> str:
        setting = self.setting
        flags = {"hasty": setting.hasty, "same-ids": not setting.fresh_ids, "kill": self.kill}
        return "/".join([setting.kind, *(flag for flag, is_set in flags.items() if is_set), *self.deaths])

    @classmethod
    def parse(cls, text: str) -> "Case":
        """The case, of three orders, that `str` gives as `text`. Raises CaseError."""
        kind, *rest = text.split("/")
        flags = {flag for flag in ("hasty", "same-ids", "kill") if flag in rest}
        deaths = tuple(part for part in rest if part not in flags)
        if kind not in KINDS or not all(map(is_moment, deaths)):
            raise CaseError(say("case_unknown", case=text, kinds=", ".join(KINDS)))
        return cls(Setting(kind, "hasty" in flags, "same-ids" not in flags), deaths, "kill" in flags)


OUTSIDE = re.compile(
    r"(tool-entered|tool-done|next-request):[1-9][0-9]{0,8}|returned|write:[1-9][0-9]{0,8}\.[1-9][0-9]{0,8}"
)


def is_moment(label: str) -> bool:
    """Whether `label` is a moment of the laboratory, seen from outside or named by the harness."""
    return bool(OUTSIDE.fullmatch(label) or INSIDE.fullmatch(label))


@dataclass(frozen=True)
class Place:
    """Where a task is run: the harness has `folder` to itself, and the evidence is beside it."""

    path: Path

    @classmethod
    def new(cls, top: Path) -> "Place":
        """A new empty place in `top`."""
        return cls(Path(tempfile.mkdtemp(dir=top)))

    def copy(self) -> "Place":
        """A place beside this one, with what is in it now."""
        place = Place.new(self.path.parent)
        # Without the lock: it is of the run, and Windows lets nobody read it while it is held.
        shutil.copytree(self.path, place.path, symlinks=True, ignore=shutil.ignore_patterns(LOCK), dirs_exist_ok=True)
        return place

    @property
    def folder(self) -> Path:
        return self.path / "run"

    @property
    def witness(self) -> Witness:
        return Witness(self.path)


class AskedTooOften(Exception):
    """The harness asks and asks, and the task does not go on."""


class WatchedModel(ScriptedModel):
    """The model that attends the orders: it notes what it is told; each later request is a moment.

    As the package does, it takes back its own blocks in `messages`.
    """

    def __init__(self, setting: Setting, witness: Witness, reach: Reach) -> None:
        attends = attend(setting.kind, setting.orders)

        def script(messages: list[dict[str, Any]], *, hasty: bool) -> Any:
            witness.hear(messages)
            return attends(messages, hasty=hasty)

        super().__init__(setting.fresh_ids, setting.hasty, world=witness, script=script)
        self.witness = witness
        self.reach = reach
        self.left = 12 * setting.orders

    def create(
        self,
        *,
        model: str,
        max_tokens: int,
        messages: list[Any],
        tools: list[dict[str, Any]] | None = None,
        tool_choice: dict[str, Any] | None = None,
        **others: Any,
    ) -> Response:
        """The next answer. Raises ApiError, or AskedTooOften."""
        self.left -= 1
        if self.left < 0:
            raise AskedTooOften(say("asked_too_often"))
        if calls := len(self.witness.calls()):
            self.reach(f"next-request:{calls}")
        sent = json.loads(json.dumps(messages, default=lambda block: block.to_dict(mode="json")))
        try:
            return super().create(
                model=model, max_tokens=max_tokens, tools=tools or [], tool_choice=tool_choice or {}, messages=sent
            )
        except ApiError as error:
            self.witness.note(refused=str(error))
            raise

    def _new_id(self, messages: list[dict[str, Any]]) -> str:
        """Asked again, a new id as the API gives, but not a random one: the reports of two attacks are the same."""
        asked = len(self.witness.calls()) + 1
        return f"toolu_{asked:02d}" if self.fresh_ids else super()._new_id(messages)


def attempt(harness: Callable[..., Any], setting: Setting, place: Place, *, resume: bool, reach: Reach) -> str:
    """Run `harness` on the orders to its end and give back its answer. Raises whatever it raises."""
    place.folder.mkdir(exist_ok=True)
    tools = make_order_tools(setting.kind, place.witness, reach)
    client = WatchedModel(setting, place.witness, reach)
    points = (
        {"crash_point": lambda label: reach(label) if is_moment(label) else None}
        if accepts(harness, "crash_point")
        else {}
    )
    quiet = {"emit": lambda event, **fields: None} if accepts(harness, "emit") else {}
    task = orders_task(setting.orders)
    answer = harness(client, task, tools, place.folder, resume=resume, **points, **quiet)
    if not isinstance(answer, str):
        raise TypeError(say("answer_not_text", kind=type(answer).__name__))
    reach("returned")
    return answer


def has_begun(place: Place) -> bool:
    """Whether anything happened that a task which begins again would do twice."""
    return bool(place.witness.effects() or place.witness.lines("told"))


def accepts(harness: Callable[..., Any], name: str) -> bool:
    """Whether `harness` has a parameter of this name; what it takes as `**options` may be anything."""
    return name in inspect.signature(harness).parameters
