"""The exercises of lesson 1: what each thing is and whether it survives, and what is worth saving of a scene."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from ...lab.disk import example
from ...lab.inventory import THINGS, places
from ...words import say
from .judging import now
from .kinds import Criterion, Fault, Measured, NotYet, Task, fault

# 1.1

KINDS = ("memory", "state", "output", "both")

# What a thing is, no run can show: it is a definition of the lesson. The conversation is two things at once.
IS: dict[str, tuple[str, ...]] = {
    "summary": ("memory",),
    "messages": ("both", "state"),
    "report": ("output",),
    "turns": ("state",),
    "analysis": ("memory",),
    "call": ("state",),
    "tokens": ("state",),
    "mail": ("output",),
    "style": ("memory",),
    "appendix": ("output",),
    "reason": ("memory",),
    "copy": ("both", "state"),
}
ITEMS = {str(number): thing for number, thing in enumerate(THINGS, start=1)}
ROUNDS = tuple(ITEMS)[:6], tuple(ITEMS)[6:]


def _survives(number: str) -> str:
    return f"{number}_survives"


def _measure() -> Measured:
    """Kill a process that has the twelve, and look for each of them."""
    found: dict[str, tuple[str, ...]] = {}
    for number, thing in ITEMS.items():
        found[number] = IS[thing]
        found[_survives(number)] = ("yes" if places()[thing] else "no",)
    return found


# 1.2

Save = Callable[[Any], Any]

SECRET = "sk-test-1234"  # looked for in what comes back
NEEDED = {
    "task": "lost_task",
    "turns": "lost_turns",
    "tokensUsed": "lost_tokens",
    "messages": "lost_messages",
}
"""What a new process needs of any scene, and the fault of whoever does not save it."""


class Client:
    """Speaks with the model; another process makes a new one."""


def _scenes() -> Iterator[tuple[str, dict[str, Any]]]:
    """A scene at each of the three moments, with what it is called."""
    for turns, moment in ((0, "before"), (7, "between"), (8, "during")):
        saved = example(turns, pending=moment == "during")
        scene = {field: saved[field] for field in NEEDED}
        scene["messages"][0]["content"] = f"1. {scene['task']}"  # it may say more than the task
        call = saved["messages"][-1]["content"][0] if moment == "during" else None
        tools = {"read_notes": open, "count_words": len}
        yield say(f"scene_{moment}"), {**scene, "call": call, "tools": tools, "client": Client(), "api_key": SECRET}


def _given(save: Save, moment: str, scene: dict[str, Any]) -> dict[str, Any]:
    """What `save` gives of a scene. Raises NotYet for what is no dictionary."""
    now("saves", moment=moment)
    given = save(scene)
    if not isinstance(given, dict):
        raise NotYet(fault("kind", moment=moment, kind=type(given).__name__))
    return given


def _back(given: dict[str, Any]) -> Any:
    """What comes back of it from a file; it as it is, if it can't go to one: that is another criterion."""
    try:
        return json.loads(json.dumps(given))
    except Exception:
        return given


def _parts(value: Any) -> Iterator[Any]:
    """`value` and all that is in it, once each."""
    left, seen = [value], set()
    while left:
        part = left.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            left += [*part.keys(), *part.values()] if isinstance(part, dict) else ()
            left += part if isinstance(part, list | tuple) else ()


def _is_there(wanted: Any, given: Any) -> bool:
    """Whether it is somewhere in what was given, under whatever name. True is not 1."""
    return any(type(part) is type(wanted) and part == wanted for part in _parts(given))


def _stored(save: Save) -> Fault | None:
    for moment, scene in _scenes():
        given = _given(save, moment, scene)
        try:
            json.dumps(given)
        except Exception as error:
            return fault("not_json", moment=moment, kind=type(error).__name__, reason=error)
    return None


def _values(save: Save) -> Fault | None:
    for moment, scene in _scenes():
        wanted = copy.deepcopy({field: scene[field] for field in NEEDED})
        back = _back(_given(save, moment, scene))
        for field, key in NEEDED.items():
            if not _is_there(wanted[field], back):
                return fault(key, moment=moment)
    return None


def _call(save: Save) -> Fault | None:
    for moment, scene in _scenes():
        call = copy.deepcopy(scene["call"])
        back = _back(_given(save, moment, scene))
        if call and not any(_names(part, call) for part in _parts(back)):
            return fault("lost_call", moment=moment, name=call["name"])
    return None


def _names(part: Any, call: dict[str, Any]) -> bool:
    return isinstance(part, dict) and all(part.get(field) == call[field] for field in ("id", "name", "input"))


def _left_out(save: Save) -> Fault | None:
    for moment, scene in _scenes():
        made_anew = [repr(each) for each in (scene["client"], *scene["tools"].values())]
        texts = [part for part in _parts(_given(save, moment, scene)) if isinstance(part, str)]
        if any(SECRET in text for text in texts):
            return fault("secret", moment=moment)
        if any(shown in text for text in texts for shown in made_anew):
            return fault("as_text", moment=moment)
    return None


def _untouched(save: Save) -> Fault | None:
    for moment, scene in _scenes():
        before = {**scene, **copy.deepcopy({field: scene[field] for field in (*NEEDED, "call")})}
        before["tools"] = dict(scene["tools"])
        _given(save, moment, scene)
        if changed := [field for field in before if field not in scene or scene[field] != before[field]]:
            return fault("spoiled", moment=moment, field=changed[0])
        if added := [field for field in scene if field not in before]:
            return fault("spoiled", moment=moment, field=added[0])
    return None


TASKS = (
    Task(
        "1.1",
        (
            Criterion("first", fields=ROUNDS[0]),
            Criterion("first_survives", fields=tuple(map(_survives, ROUNDS[0]))),
            Criterion("second", fields=ROUNDS[1]),
            Criterion("second_survives", fields=tuple(map(_survives, ROUNDS[1]))),
            Criterion("fifth"),
        ),
        form={
            field: options
            for number in ITEMS
            for field, options in ((number, KINDS), (_survives(number), ("yes", "no")))
        },
        measure=_measure,
    ),
    Task(
        "1.2",
        (
            Criterion("inventory"),
            Criterion("values", _values),
            Criterion("call", _call),
            Criterion("json", _stored),
            Criterion("left_out", _left_out),
            Criterion("untouched", _untouched),
            Criterion("why"),
        ),
        takes={"what_to_save": "scene"},
    ),
)
