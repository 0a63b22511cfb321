"""The exercises of lesson 3: what to do with each checkpoint, and a reconciliation that sends one e-mail."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ...harness.checkpoint import load_checkpoint
from ...harness.conversation import text_of
from ...harness.tools import Tools
from ...lab.crash import MOMENTS
from ...lab.mail import mail_task, make_mail_tools, send_mail
from ...lab.model import ScriptedModel, write_a_report
from ...lab.scene import Outcome, new_folder, play
from ...lab.tools import TASK, make_tools
from ...lab.without_ledger import run_agent
from .judging import now
from .kinds import Criterion, Fault, NotYet, Task, fault

Reconcile = Callable[[Any, Any], Any]
MARKS = "①②③"  # without a ledger there is no ★


class Resumed(NamedTuple):
    """A run that died and was resumed: its end, what was in the world when `reconcile` ended, and what it gave."""

    end: Outcome
    done: int
    given: dict[str, Any] | None


def _resume(reconcile: Reconcile, mark: str, *, mail: bool, turn: int = 1) -> Resumed:
    """Die at the moment, and resume with the learner's reconciliation. Raises NotYet for what is no tool_result."""
    task, script, make = (mail_task(), send_mail, make_mail_tools) if mail else (TASK, write_a_report, make_tools)
    given: dict[str, Any] = {"model": ScriptedModel(script=script), "tools": make, "task": task}
    dead = play(new_folder(), f"{MOMENTS[mark]}:{turn}", harness=run_agent, **given)
    now("mail" if mail else "report", moment=mark, turn=turn)
    name = "send_email" if mail else "write_report"
    seen: list[tuple[int, dict[str, Any] | None]] = []

    def move(checkpoint: Any, tools: Tools) -> Any:
        call = checkpoint["pendingToolUse"]
        result = _shaped(reconcile(checkpoint, tools), call, mark)
        seen.append((given["model"].world.times(name), result))
        return result

    end = play(dead.folder, resume=True, harness=partial(run_agent, move=move), **given)
    return Resumed(end, *(seen[0] if seen else (0, None)))


def _shaped(result: Any, call: dict[str, Any], mark: str) -> dict[str, Any]:
    """A reconciliation's answer to a pending call, if it is one the API takes. Raises NotYet."""
    if result is None:
        raise NotYet(fault("none", moment=mark, name=call["name"]))
    if not isinstance(result, dict) or result.get("type") != "tool_result":
        raise NotYet(fault("shape", moment=mark, kind=type(result).__name__))
    if result.get("tool_use_id") != call["id"]:
        raise NotYet(fault("other_id", moment=mark, wanted=call["id"], got=result.get("tool_use_id")))
    if not isinstance(result.get("content", ""), str | list) or not isinstance(result.get("is_error", False), bool):
        raise NotYet(fault("content", moment=mark, kind=type(result.get("content")).__name__))
    return result


def _once(reconcile: Reconcile) -> Fault | None:
    for mark in MARKS:
        end = _resume(reconcile, mark, mail=True).end
        if (count := end.world.times("send_email")) != 1:
            return fault("mails", moment=mark, count=count)
    for mark in MARKS:
        end = _resume(reconcile, mark, mail=False, turn=3).end
        if (count := end.world.times("write_report")) != 1:
            return fault("reports", moment=mark, count=count)
    return None


def _read_only(reconcile: Reconcile) -> Fault | None:
    straight = play(new_folder(), harness=run_agent).checkpoint
    for mark in MARKS:
        end, _, given = _resume(reconcile, mark, mail=False)
        if given and given.get("is_error"):
            return fault("read_only_error", moment=mark)
        if end.checkpoint != straight:
            return fault("read_only_other", moment=mark)
    return None


def _gone(reconcile: Reconcile) -> Fault | None:
    dead = play(new_folder(), f"{MOMENTS['②']}:1", harness=run_agent, model=ScriptedModel(), task=TASK)
    checkpoint = load_checkpoint(dead.folder)
    now("gone", name=checkpoint["pendingToolUse"]["name"])
    result = _shaped(reconcile(checkpoint, {}), checkpoint["pendingToolUse"], "②")
    return None if result.get("is_error") else fault("gone", name=checkpoint["pendingToolUse"]["name"])


def _accepted(reconcile: Reconcile) -> Fault | None:
    checkpoint = load_checkpoint(play(new_folder(), f"{MOMENTS['③']}:1", harness=run_agent).folder)
    now("nothing")
    if reconcile(checkpoint, make_tools(new_folder(), None)) is not None:  # type: ignore[arg-type]  # no tool is run
        return fault("invented")
    for mark in MARKS:
        end = _resume(reconcile, mark, mail=True).end
        if end.exit_code:
            return fault("stopped", moment=mark, reason=end.warnings[-1])
    return None


def _truth(reconcile: Reconcile) -> Fault | None:
    for mark in "①②":
        _, done, given = _resume(reconcile, mark, mail=True)
        if given and not given.get("is_error") and done == 0:
            return fault("claims", moment=mark, text=text_of(given.get("content", "")))
    return None


TASKS = (
    Task(
        "3.2",
        (
            Criterion("cause"),
            Criterion("once", _once),
            Criterion("read_only", _read_only),
            Criterion("gone", _gone),
            Criterion("accepted", _accepted),
            Criterion("truth", _truth),
            Criterion("wording"),
        ),
        takes={"reconcile": "checkpoint, tools"},
    ),
)
