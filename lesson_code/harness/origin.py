"""With what a run began: the model, the system text and the tools, in a file of their own beside the checkpoint.

Some models refuse a conversation that another one began, or whose system text or tools are no longer those that they
have seen: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
"""

import json
from pathlib import Path
from typing import Any

from ..words import reason
from .folder import ORIGIN_FILE
from .ports import Emit
from .storage import Folder, read_state, write_atomic
from .strict import canonical, parse

Origin = dict[str, Any]
"""`{"model": str, "system": str, "tools": [{"name", "description", "input_schema"}]}`"""


class Remembering:
    """A client that notes with what the first answer was asked for, and says on a resume what is another one.

    It is noted before it is asked for: no answer is ever saved whose origin a death could lose. What a folder without
    an origin began with nobody knows: it is taken for what it goes on with.
    """

    def __init__(self, client: Any, folder: Folder, emit: Emit) -> None:
        self.client = client
        self.path = Path(folder).absolute() / ORIGIN_FILE  # a tool may change the working directory
        self.emit = emit
        self.has_looked = False

    @property
    def messages(self) -> "Remembering":
        return self

    def create(self, **request: Any) -> Any:
        """What the client answers, after a look at the origin if it is the first time."""
        if not self.has_looked:
            ours = {"model": request["model"], "system": request.get("system", ""), "tools": request.get("tools", [])}
            self._look(ours, any(message["role"] == "assistant" for message in request["messages"]))
            self.has_looked = True
        return self.client.messages.create(**request)

    def _look(self, ours: Origin, is_answered: bool) -> None:
        if is_answered and self.path.exists():
            self._compare(ours)
        else:
            write_atomic(self.path, json.dumps(ours, ensure_ascii=False, indent=2).encode("utf-8"))

    def _compare(self, ours: Origin) -> None:
        try:
            theirs = parse(read_state(self.path))
            model, system, then = theirs["model"], theirs["system"], _by_name(theirs)
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.emit("warning_origin_unreadable", name=self.path.name, reason=reason(error))
            return
        if model != ours["model"]:
            self.emit("warning_other_model", theirs=model, ours=ours["model"])
        if system != ours["system"]:
            self.emit("warning_other_system")
        now = _by_name(ours)
        changed = [name for name in sorted(then | now) if then.get(name) != now.get(name)]
        if changed:
            self.emit("warning_other_tools", names=", ".join(changed))


def _by_name(origin: Origin) -> dict[str, str]:
    """One text for each tool."""
    return {str(tool["name"]): canonical(tool) for tool in origin["tools"]}
