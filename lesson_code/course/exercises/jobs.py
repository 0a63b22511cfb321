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
from .judging import anew, now
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
    """The job, dead at the moment. Others send e-mails: before it, two that have in them all that its own one says."""
    folder = new_folder()
    ours = about(CUSTOMER, say("mail_text"))
    for theirs in (f"ju{ours}", f"{ours} {say('twelve_report')}"):  # to juana@…; to Ana, with more text
        World(folder).do("send_email", theirs)
    model = ScriptedModel(script=job.script)
    dead = play(folder, f"{MOMENTS[mark]}:{turn}", harness=run_agent, model=model, tools=job.make, task=job.task)
    dead.world.do("send_email", about("luis@example.com", say("mail_text")))
    return dead


def resume(reconcile: Reconcile, job: Job, mark: str, turn: int = 0) -> Resumed:
    """Die at the moment, and resume in a new process with the learner's reconciliation.

    Raises NotYet for what is no tool_result.
    """
    model = ScriptedModel(script=job.script)
    dead = die(job, mark, turn or job.turn)
    seen: list[tuple[int, dict[str, Any]]] = [(0, {})]  # at ③ nobody asks it

    def move(checkpoint: Checkpoint, tools: Tools) -> Any:
        before = copy.deepcopy(checkpoint)
        call = before["pendingToolUse"]
        now("resume", moment=mark, name=call["name"])
        result = checked(anew(reconcile)(checkpoint, dict(tools)), call, moment=mark)
        if {**checkpoint, "pendingToolUse": call} != before:  # that field is empty a moment later anyway
            raise NotYet(fault("spoiled", name=call["name"], moment=mark))
        assert model.world
        seen.append((job.times(model.world), result))
        return result

    end = play(
        dead.folder, resume=True, harness=partial(run_agent, move=move), model=model, tools=job.make, task=job.task
    )
    return Resumed(end, *seen[-1])
