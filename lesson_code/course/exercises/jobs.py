"""A job whose process dies, and which is resumed with a learner's reconciliation."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ...harness.checkpoint import Checkpoint
from ...harness.tools import Tools
from ...lab.crash import MOMENTS
from ...lab.mail import CUSTOMER, about, mail_task, make_mail_tools, send_mail
from ...lab.model import ScriptedModel, write_a_report
from ...lab.scene import Outcome, new_folder, play
from ...lab.tools import TASK, make_tools
from ...lab.without_ledger import run_agent
from ...lab.world import World
from ...words import say
from .judging import now
from .kinds import NotYet, fault
from .results import checked

Reconcile = Callable[[Any, Any], Any]


class Job(NamedTuple):
    """A task in which one effect may be doubled: at this turn, by this tool."""

    task: str
    script: Any
    make: Any
    turn: int
    effect: str

    def times(self, world: World) -> int:
        """How often its effect has happened. E-mails that others had sent don't count."""
        ours = about(CUSTOMER, say("mail_text"))
        done = [effect["about"] for effect in world.effects() if effect["name"] == self.effect]
        return sum(each == ours for each in done) if self.effect == "send_email" else len(done)


def mail() -> Job:
    """Send an e-mail; the model can look at those that were sent."""
    return Job(mail_task(), send_mail, make_mail_tools, 1, "send_email")


def report() -> Job:
    """Write the report of the course's task."""
    return Job(TASK, write_a_report, make_tools, 3, "write_report")


class Resumed(NamedTuple):
    """A job that died and was resumed: its end, how often its effect had happened after `reconcile`, and its result."""

    end: Outcome
    done: int
    given: dict[str, Any]


def die(job: Job, mark: str, turn: int) -> Outcome:
    """The job, dead at the moment. Two e-mails were sent before: one to the same customer, one with the same text."""
    folder = new_folder()
    for to, text in ((CUSTOMER, say("twelve_report")), ("luis@example.com", say("mail_text"))):
        World(folder).do("send_email", about(to, text))
    model = ScriptedModel(script=job.script)
    return play(folder, f"{MOMENTS[mark]}:{turn}", harness=run_agent, model=model, tools=job.make, task=job.task)


def resume(reconcile: Reconcile, job: Job, mark: str, turn: int = 0) -> Resumed:
    """Die at the moment, and resume with the learner's reconciliation. Raises NotYet for what is no tool_result."""
    model = ScriptedModel(script=job.script)
    dead = die(job, mark, turn or job.turn)
    seen: list[tuple[int, dict[str, Any]]] = [(0, {})]  # at ③ nobody asks it

    def move(checkpoint: Checkpoint, tools: Tools) -> Any:
        before = copy.deepcopy(checkpoint)
        call = before["pendingToolUse"]
        now("resume", moment=mark, name=call["name"])
        result = checked(reconcile(checkpoint, dict(tools)), call, moment=mark)
        if {**checkpoint, "pendingToolUse": call} != before:  # that field is empty a moment later anyway
            raise NotYet(fault("spoiled", name=call["name"], moment=mark))
        assert model.world
        seen.append((job.times(model.world), result))
        return result

    end = play(
        dead.folder, resume=True, harness=partial(run_agent, move=move), model=model, tools=job.make, task=job.task
    )
    return Resumed(end, *seen[-1])
