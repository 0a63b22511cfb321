"""What 6.4 checks: a whole harness, without a death, dead at each moment, and under the quick attack."""

import shutil
from contextlib import suppress
from pathlib import Path

from ...harness import AgentStopped, CheckpointError, LedgerError, run_agent
from ...harness.conversation import calls_in, dangling
from ...lab.crash import MOMENTS
from ...lab.deaths import CALLS
from ...lab.plan import QUICK, is_quick
from ...lab.reading import reading
from ...lab.scene import new_folder, new_place, play
from ...lab.simulated import explore
from ...lab.tools import TASK, make_tools
from ...lab.verdict import sentence
from ...lab.world import World
from .branch_checks import BRANCH, fault_in_reconcile, heard
from .judging import now
from .kinds import Criterion, Fault, NotYet, fault
from .welded import (
    PLAIN,
    TURNS,
    Mine,
    Patient,
    Reconcile,
    RunAgent,
    alone,
    dead,
    differs,
    noted_in,
    resumed,
    scene_in,
)
from .welded_jobs import failures, hasty, twice

EVERY = [(turn, mark) for turn in TURNS for mark in MOMENTS]


def _alone(run: RunAgent, _: Reconcile) -> Fault | None:
    return differs("alone_differs", scene_in(alone(run).left), play(new_folder(), harness=run_agent).checkpoint)


def _disk(run: RunAgent, _: Reconcile) -> Fault | None:
    for turn, mark in EVERY:
        left, call_id = dead(run, mark, turn), f"toolu_{turn:02d}"
        shown = {"moment": mark, "turn": turn, "name": CALLS[turn]}
        scene = scene_in(left)
        pending, open_ids = scene["pendingToolUse"], [call["id"] for call in dangling(scene["messages"])]
        if mark == "③":
            asked = [call["id"] for call in calls_in(scene["messages"])]
            if pending or open_ids or asked[-1:] != [call_id]:
                return fault("not_closed", **shown)
        elif pending is None or pending["id"] != call_id:
            return fault("not_pending", **shown)
        elif open_ids != [call_id]:
            return fault("not_pushed", **shown)
        if (call_id in noted_in(left)) is not (mark in "★③"):
            return fault("not_noted" if mark in "★③" else "noted_early", **shown)
    return None


def _whole(run: RunAgent, _: Reconcile) -> Fault | None:
    begun = {False: new_folder()}
    with suppress(NotYet):  # where no moment is marked, the beginning is all that there is
        begun[True] = Path(shutil.copytree(dead(run, "★", 3).folder, new_place() / "run"))
    for resume, folder in begun.items():
        now("writes")
        world = World(folder)
        with reading(folder) as torn, suppress(AgentStopped, CheckpointError, LedgerError):
            Mine(run)(Patient(world=world), TASK, make_tools(folder, world), folder, resume=resume)
        if torn:
            return fault("torn", name=torn[0].name, reason=torn[0].reason)
    return None


def _once(run: RunAgent, _: Reconcile) -> Fault | None:
    for turn, mark in EVERY:
        if (count := resumed(run, mark, turn).left.world.times("write_report")) != 1:
            return fault("times", moment=mark, turn=turn, count=count)
    return None


def _same(run: RunAgent, _: Reconcile) -> Fault | None:
    straight = scene_in(alone(run).left)
    for turn, mark in EVERY:
        if turn == 1 or mark in "★③":
            found = differs("differs", scene_in(resumed(run, mark, turn).left), straight, moment=mark, turn=turn)
            if found:
                return found
    return None


def _branches(run: RunAgent, reconcile: Reconcile) -> Fault | None:
    if found := fault_in_reconcile(reconcile):
        return found
    for turn, mark in EVERY:
        told, branch = resumed(run, mark, turn).told, BRANCH[turn, mark]
        shown = {"moment": mark, "turn": turn, "got": ", ".join(told) or "–"}
        if told and not branch:
            return fault("resume_spoke", **shown)
        wanted = heard(branch, {"id": f"toolu_{turn:02d}", "name": CALLS[turn]})
        if branch and told != [wanted]:
            return fault("resume_silent", wanted=wanted, **shown)
    return None


def _ended(run: RunAgent, _: Reconcile) -> Fault | None:
    first = alone(run).left
    now("again")
    second = PLAIN.play(run, first.folder, resume=True)
    if second.left.exit_code:
        return fault("ended_stops", reason=second.left.warnings[-1])
    if second.asked or second.left.log[-1] != first.log[-1]:
        return fault("asks_again", count=second.asked, got=second.left.log[-1])
    return None


def _attack(run: RunAgent, _: Reconcile) -> Fault | None:
    now("attack")
    for row in explore(Mine(run), QUICK, is_quick):
        if row.faults:
            what, again, read = sentence(row, f"__main__:{run.__name__}").split("\n  ")
            return fault("attack", what=what, again=again, read=read)
    return None


CRITERIA = (
    Criterion("alone", _alone),
    Criterion("disk", _disk),
    Criterion("whole", _whole),
    Criterion("once", _once),
    Criterion("same", _same),
    Criterion("branches", _branches),
    Criterion("ended", _ended),
    Criterion("twice", twice),
    Criterion("failures", failures),
    Criterion("hasty", hasty),
    Criterion("attack", _attack),
)
