"""The exercises of lesson 3: what to do with each checkpoint, and a reconciliation that sends one e-mail."""

from ...harness import Tool
from ...lab.crash import MOMENTS
from ...lab.model import history
from ...lab.scene import Outcome, new_folder, play
from ...lab.tools import make_tools
from ...lab.without_ledger import run_agent
from ...lab.zoo import action_of, make_zoo
from ...words import say
from .jobs import Job, Reconcile, die, mail, report, resume
from .judging import anew, now
from .kinds import Criterion, Fault, Measured, Task, fault
from .results import checked, read, said

LETTERS = "abcdefghi"
ACTIONS = ("answer", "ask", "rerun", "unknown", "refuse")
MARKS = "①②③"  # without a ledger there is no ★


def _actions() -> Measured:
    """What the harness of the lesson does with each of the nine."""
    action = {say(f"zoo_{name}"): name for name in ACTIONS}
    return {letter: (action[action_of(case, run_agent)],) for letter, case in make_zoo(run_agent).items()}


def _once(reconcile: Reconcile) -> Fault | None:
    for job, key in ((mail(), "mails"), (report(), "reports")):
        for mark in MARKS:
            end = resume(reconcile, job, mark).end
            if stopped := _stopped(end, job, mark):
                return stopped
            count = job.times(end.world)
            if count == 0:
                return fault("never", moment=mark, name=job.effect)
            if count > 1:
                return fault(key, moment=mark, count=count)
    return None


def _stopped(end: Outcome, job: Job, mark: str) -> Fault | None:
    return fault("stopped", moment=mark, name=job.effect, reason=end.warnings[-1]) if end.exit_code else None


def _read_only(reconcile: Reconcile) -> Fault | None:
    """What the model reads is what it would have read: from there on, all is as without a death."""
    straight = play(new_folder(), harness=run_agent).checkpoint
    wanted = {call["name"]: result for call, result in history(straight["messages"])}
    for turn, name in ((1, "read_notes"), (2, "count_words")):
        for mark in "①②":
            given = resume(reconcile, report(), mark, turn).given
            if given.get("is_error"):
                return fault("read_only_error", moment=mark, name=name)
            if said(given) != said(wanted[name]):
                return fault("read_only_other", moment=mark, name=name, wanted=read(wanted[name]), got=read(given))
    return _undeclared(reconcile)


def _undeclared(reconcile: Reconcile) -> Fault | None:
    """A tool that has the name of one that only reads, and does not say that it is one."""
    dead = die(report(), "②", 1)
    ran: list[str] = []
    unknown = Tool(lambda path: ran.append(path), description="", input_schema={"properties": {"path": {}}})
    call = dict(dead.checkpoint["pendingToolUse"])
    now("undeclared", name=call["name"])
    result = checked(anew(reconcile)(dead.checkpoint, {call["name"]: unknown}), call, moment="②")
    if ran:
        return fault("undeclared_ran", name=call["name"])
    return None if result.get("is_error") else fault("undeclared_fine", name=call["name"], text=read(result))


def _gone(reconcile: Reconcile) -> Fault | None:
    for job, turn in ((report(), 1), (report(), 3), (mail(), 1)):
        dead = die(job, "②", turn)
        call = dict(dead.checkpoint["pendingToolUse"])
        left = {name: tool for name, tool in job.make(dead.folder, dead.world).items() if name != call["name"]}
        for tools in ({}, left):
            shown = {"name": call["name"], "known": ", ".join(tools) or say("nothing")}
            now("gone", **shown)
            result = checked(anew(reconcile)(dead.checkpoint, tools), call, moment="②")
            if not (result.get("is_error") or job.effect == "send_email" and tools):  # there it may have looked
                return fault("gone", text=read(result), **shown)
            if say("tool_refused") in said(result)[0]:
                return fault("gone_denied", text=read(result), **shown)
    return None


def _accepted(reconcile: Reconcile) -> Fault | None:
    for moment in (f"{MOMENTS['③']}:1", ""):
        left = play(new_folder(), moment, harness=run_agent)
        now("nothing")
        if anew(reconcile)(left.checkpoint, make_tools(left.folder, left.world)) is not None:
            return fault("invented")
    for job in (mail(), report()):
        for mark in MARKS:
            if stopped := _stopped(resume(reconcile, job, mark).end, job, mark):
                return stopped
    return None


def _truth(reconcile: Reconcile) -> Fault | None:
    for job in (mail(), report()):
        for mark in "①②":
            _, done, given = resume(reconcile, job, mark)
            if not given.get("is_error") and done == 0:
                return fault("claims", moment=mark, name=job.effect, text=read(given))
    return None


TASKS = (
    Task(
        "3.1",
        (
            Criterion("actions", fields=tuple(LETTERS)),
            Criterion("reasons"),
            Criterion("version"),
            Criterion("nature"),
            Criterion("untouched"),
        ),
        form=dict.fromkeys(LETTERS, ACTIONS),
        measure=_actions,
    ),
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
