"""The exercises of lesson 6: what each death leaves, a ledger the wrong way round, lost calls, a whole harness."""

from ...harness.conversation import calls_in, dangling
from ...lab.deaths import AGAIN, NOTHING, REUSE, UNKNOWN, Bench, branch_of, look
from ...lab.scene import Outcome
from ...words import say
from . import lost_checks, noting_checks, welded_checks
from .kinds import Criterion, Measured, Task

BENCH = Bench()
MARKS = {"1": "①", "2": "②", "3": "③"}
KINDS = {"read_only": 1, "effects": 3}
"""Each kind of tool, and the turn of the course's task that calls one."""

STATES = {(True, False): "open", (False, True): "closed", (True, True): "stale", (False, False): "forgotten"}
"""What the checkpoint holds of a call: whether it is pending, and whether its result is there."""

YES_NO = ("yes", "no")
WAYS = (REUSE, AGAIN, UNKNOWN, NOTHING)


def _measure() -> Measured:
    """Die at each moment of a turn of each kind, look, and resume."""
    dead = {(mark, kind): BENCH.die(sign, turn) for mark, sign in MARKS.items() for kind, turn in KINDS.items()}
    ends = {case: BENCH.resume(left) for case, left in dead.items()}
    ways = {case: branch_of(dead[case], ends[case]) for case in dead}
    found: dict[str, tuple[str, ...]] = {}
    for mark in MARKS:
        found[f"checkpoint_{mark}"] = tuple({_state(dead[mark, kind]) for kind in KINDS})
        found[f"noted_{mark}"] = tuple({_yes(_is_noted(dead[mark, kind], turn)) for kind, turn in KINDS.items()})
        found |= {f"{kind}_{mark}": (ways[mark, kind],) for kind in KINDS}
    one, two = dead["1", "effects"], dead["2", "effects"]
    same = look(one).checkpoint == look(two).checkpoint and look(one).effects == look(two).effects
    fills = [mark for mark in MARKS if _fills(ends[mark, "effects"])]
    return found | {
        "same_files": (_yes(same),),
        "written": (WRITTEN[one.world.times("write_report"), two.world.times("write_report")],),
        "same_way": (_yes(ways["1", "effects"] == ways["2", "effects"]),),
        "fills": (FILLS["".join(fills)],),
    }


WRITTEN = {(0, 0): "neither", (1, 0): "first", (0, 1): "second", (1, 1): "both"}
"""How often the report has been written at ① and at ②."""

FILLS = {"": "none", "12": "first_two", "3": "last", "123": "all"}
"""After which of the three a resume saves the B that is missing."""


def _state(left: Outcome) -> str:
    messages = left.checkpoint["messages"]
    return STATES[left.checkpoint["pendingToolUse"] is not None, not dangling(messages)]


def _is_noted(left: Outcome, turn: int) -> bool:
    return calls_in(left.checkpoint["messages"])[turn - 1]["id"] in (left.effects or {})


def _fills(end: Outcome) -> bool:
    return any(say("filled", turn=turn) in end.log for turn in KINDS.values())


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _fields(mark: str) -> tuple[str, ...]:
    return f"checkpoint_{mark}", f"noted_{mark}", *(f"{kind}_{mark}" for kind in KINDS)


OPTIONS = {"checkpoint": tuple(STATES.values()), "noted": YES_NO, "read": WAYS, "effects": WAYS}
FORM = {field: OPTIONS[field.split("_")[0]] for mark in MARKS for field in _fields(mark)} | {
    "same_files": YES_NO,
    "written": tuple(WRITTEN.values()),
    "same_way": YES_NO,
    "fills": tuple(FILLS.values()),
}

TASKS = (
    Task(
        "6.1",
        (
            Criterion("at_a", fields=_fields("1")),
            Criterion("at_tool", fields=_fields("2")),
            Criterion("same", fields=("same_files", "written", "same_way")),
            Criterion("lesson"),
            Criterion("at_b", fields=("checkpoint_3", "noted_3")),
            Criterion("nothing_to_do", fields=("read_only_3", "effects_3", "fills")),
        ),
        form=FORM,
        measure=_measure,
    ),
    Task(
        "6.2",
        noting_checks.CRITERIA,
        takes={"run_tool_uses_fixed": "content, tools, folder", "reproduce": "run"},
    ),
    Task("6.3", lost_checks.CRITERIA, takes={"lost_calls": "checkpoint, effects"}),
    Task(
        "6.4",
        welded_checks.CRITERIA,
        takes={
            "my_run_agent": "client, task, tools, folder, *, resume",
            "my_reconcile": "checkpoint, tools, folder",
        },
    ),
)
