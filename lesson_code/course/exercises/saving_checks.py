"""The checks of a harness that saves: the instants of its writing, and the disk when a tool begins or it asks."""

import copy
import errno
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from ...harness import Tool
from ...harness.checkpoint import CHECKPOINT_FILE, Checkpoint
from ...harness.strict import parse
from ...lab.disk import example
from ...lab.instants import Instant, instants
from ...lab.model import ScriptedModel, Step, usage_of, write_a_report
from ...lab.scene import new_folder, new_place
from ...lab.tools import TASK, make_tools
from ...lab.world import World
from ...words import say
from .judging import now
from .kinds import Fault, NotYet, fault

Save = Callable[[Any, Any], Any]
Run = Callable[[Any, Any, Any, Any], Any]

MISSING, BROKEN = "missing", "broken"


def on_disk(folder: Path) -> Any:
    """What checkpoint.json holds; MISSING where there is none, BROKEN where it is no JSON object."""
    try:
        found = parse((folder / CHECKPOINT_FILE).read_bytes())
    except FileNotFoundError:
        return MISSING
    except (OSError, ValueError):
        return BROKEN
    return found if isinstance(found, dict) else BROKEN


# Never torn


def whole(save: Save, run: Run) -> Fault | None:
    """A first saving, one over an older version, one after each death of that one, and those of a whole run."""
    old, new, newer = example(11), example(12, pending=True), example(13)
    folder = new_place()
    _saved(save, old, folder, MISSING, "first_save")
    for each in _saved(save, new, folder, old, "second_save"):
        now("save_again", step=each.step)
        save(copy.deepcopy(newer), each.folder)
        if on_disk(each.folder) != newer:
            return fault("not_saved_again", step=each.step, name=each.name)
    return _whole_run(run)


def _saved(save: Save, scene: Checkpoint, folder: Path, before: Any, moment: str) -> list[Instant]:
    """The instants of a saving. Raises NotYet for one at which neither what was there `before` nor `scene` is."""
    now(moment)
    with instants(folder, own_disk=True) as found:
        try:
            save(copy.deepcopy(scene), folder)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            raise NotYet(fault("other_disk")) from None
    for each in found:
        if (left := on_disk(each.folder)) not in (before, scene):
            key = {MISSING: "gone", BROKEN: "torn"}.get(left if isinstance(left, str) else "", "another")
            raise NotYet(fault(key, which=say(f"saving_{moment}"), step=each.step, name=each.name))
    if on_disk(folder) != scene:
        raise NotYet(fault("not_saved", which=say(f"saving_{moment}")))
    return found


def _whole_run(run: Run) -> Fault | None:
    was_there = False
    for each, left in watched(run).versions:
        if left == BROKEN or left == MISSING and was_there:
            return fault("torn_in_run" if left == BROKEN else "gone_in_run", step=each.step, name=each.name)
        was_there = was_there or left != MISSING
    return None


# What the disk says meanwhile


class Look(NamedTuple):
    """The checkpoint when a tool begins with `call`, or when the model is asked with `messages`.

    `since`: how many instants of the writing had been before.
    """

    scene: Any
    since: int
    call: dict[str, Any]
    messages: list[dict[str, Any]]


class Watched(NamedTuple):
    """A run to its end: the checkpoint when each tool began, when the model was asked, and at each instant."""

    begun: list[Look]
    asked: list[Look]
    versions: list[tuple[Instant, Any]]
    answer: Any
    folder: Path
    world: World


@lru_cache(maxsize=1)  # several checks look at the same run
def watched(run: Run) -> Watched:
    """Run the course's task, and look at the disk meanwhile."""
    folder = new_folder()
    world = World(folder)
    begun: list[Look] = []
    asked: list[Look] = []

    def script(messages: list[dict[str, Any]], *, hasty: bool) -> Step:
        asked.append(Look(on_disk(folder), len(found), {}, copy.deepcopy(messages)))
        return write_a_report(messages, hasty=hasty)

    def begin(name: str, tool: Tool, /, **given: Any) -> Any:
        made = [call["asked"] for call in world.calls()]
        call = {"id": made[-1] if made else None, "name": name, "input": given}
        begun.append(Look(on_disk(folder), len(found), call, []))
        return tool.run(**given)

    tools = make_tools(folder, world)
    watching = {name: replace(tool, run=partial(begin, name, tool)) for name, tool in tools.items()}
    now("run")
    with instants(folder, prefix=CHECKPOINT_FILE) as found:
        answer = run(ScriptedModel(world=world, script=script), TASK, watching, folder)
    versions = [(each, on_disk(each.folder)) for each in found]
    return Watched(begun, asked, versions, answer, folder, world)


def save_a(save: Save, run: Run) -> Fault | None:
    """From when a tool begins until its result is there, the disk names its call, and has what asked for it."""
    done = watched(run)
    for turn, look in enumerate(done.begun, start=1):
        where = {"turn": turn, "name": look.call["name"]}
        if isinstance(look.scene, str):
            return fault("a_no_file", **where)
        pending = look.scene.get("pendingToolUse")
        if _name_of(pending) != look.call["name"]:
            return fault("a_not_named", got=_name_of(pending), **where)
        if not _is_of(pending, look.call):
            return fault("a_incomplete", **where)
        if pending.keys() != look.call.keys():
            return fault("a_more", got=", ".join(map(str, pending)), **where)
        if not _asks_for(look.scene, look.call):
            return fault("a_before_message", **where)
        for scene in (scene for _, scene in done.versions[look.since :] if isinstance(scene, dict)):
            if look.call["id"] in _answered(scene):
                break
            if not _is_of(scene.get("pendingToolUse"), look.call):
                return fault("a_forgotten", **where)
    return None if done.begun else fault("no_tool")


def _name_of(pending: Any) -> str:
    return str(pending.get("name")) if isinstance(pending, dict) else "null" if pending is None else str(pending)


def _is_of(pending: Any, call: dict[str, Any]) -> bool:
    return isinstance(pending, dict) and all(pending.get(field) == value for field, value in call.items())


def _messages(scene: Checkpoint) -> list[tuple[Any, list[dict[str, Any]]]]:
    """Each message that a scene on disk has, with its blocks; of what a learner may have made of it, what is usable."""
    messages = scene.get("messages")
    found = []
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else []
        found.append((message, [block for block in blocks if isinstance(block, dict)]))
    return found


def _asks_for(scene: Checkpoint, call: dict[str, Any]) -> bool:
    """Whether the last message is the one that makes that call."""
    return any(block.get("id") == call["id"] for _, blocks in _messages(scene)[-1:] for block in blocks)


def _answered(scene: Checkpoint) -> list[Any]:
    """The calls that have a result in the conversation."""
    blocks = [block for _, blocks in _messages(scene) for block in blocks]
    return [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]


def save_b(save: Save, run: Run) -> Fault | None:
    """When the model is asked again, nothing is pending on disk, and the results are there that it is shown."""
    done = watched(run)
    for turn, look in enumerate(done.asked):
        if look.scene == MISSING and turn == 0:
            continue  # nothing has been saved yet
        if isinstance(look.scene, str):
            return fault("b_no_file", turn=turn)
        if (pending := look.scene.get("pendingToolUse", say("zoo_absent"))) is not None:
            return fault("b_pending", turn=turn, got=_name_of(pending))
        if look.scene.get("messages") != look.messages:
            return fault("b_lost", turn=turn)
    for each, scene in done.versions:
        pending = scene.get("pendingToolUse") if isinstance(scene, dict) else None
        if isinstance(pending, dict) and pending.get("id") in _answered(scene):
            return fault("b_both", name=_name_of(pending), step=each.step)
    return None if len(done.asked) > 1 else fault("no_tool")


def to_the_end(save: Save, run: Run) -> Fault | None:
    """One report, the model's answer, and a scene on disk that tells all of it."""
    done = watched(run)
    if (count := done.world.times("write_report")) != 1:
        return fault("reports", count=count)
    if done.answer != say("model_done"):
        return fault("answer", got=done.answer)
    for turn, look in enumerate(done.asked):
        if isinstance(look.scene, dict) and (wrong := _differing(look.scene, _counters(turn, turn))):
            return fault("counters", turn=turn, **wrong)
    return _end(on_disk(done.folder), done)


def _end(scene: Any, done: Watched) -> Fault | None:
    turns = len(done.begun)
    wanted = {"version": 1, "task": TASK, **_counters(turns, turns + 1)}
    if isinstance(scene, str):
        return fault("no_end")
    if wrong := _differing(scene, wanted):
        return fault("end", **wrong)
    messages = [message for message, _ in _messages(scene)]
    is_answered = bool(messages) and isinstance(messages[-1], dict) and messages[-1].get("role") == "assistant"
    shown = done.asked[-1].messages if done.asked else []
    return None if is_answered and messages[:-1] == shown else fault("end_unanswered")


def _counters(turns: int, answers: int) -> dict[str, Any]:
    """What a scene counts after so many turns and answers."""
    usages = [usage_of(number) for number in range(1, answers + 1)]
    return {"turns": turns, "tokensUsed": sum(usage.input_tokens + usage.output_tokens for usage in usages)}


def _differing(scene: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The first field that is not as wanted: its name, what was wanted and what it holds."""
    for field, value in wanted.items():
        if field not in scene or scene[field] != value:
            return {"field": field, "wanted": value, "got": scene.get(field, say("zoo_absent"))}
    return {}
