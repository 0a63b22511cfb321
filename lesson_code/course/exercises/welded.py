"""A learner's whole harness, killed and resumed: each run has it as a process that has just begun has it."""

import json
import shutil
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ...harness import AgentStopped, CheckpointError, LedgerError, Tool, load_checkpoint, load_effects
from ...harness.checkpoint import FIELDS, Checkpoint
from ...harness.folder import LOCK
from ...harness.ports import CrashPoint
from ...lab.api_rules import ApiError
from ...lab.attempt import AskedTooOften
from ...lab.crash import DIED, MOMENTS
from ...lab.model import Response, Script, ScriptedModel, write_a_report
from ...lab.scene import Outcome, accepted, new_folder, new_place, play
from ...lab.tools import make_tools
from ...lab.world import World
from ...words import say
from .branch_checks import EVENTS, heard
from .judging import anew, now
from .kinds import Fault, NotYet, fault

RunAgent = Callable[..., Any]
Reconcile = Callable[..., Any]
MOST = 20  # requests that a run of a task of three turns may need


class Mine:
    """The learner's `run_agent` as the laboratory takes a harness. `told`: the branches that it has told of.

    `left`: what a death at each of the moments that are wanted would leave, copied while the run goes on.
    """

    def __init__(self, run: RunAgent, wanted: Container[str] = ()) -> None:
        self.run = run
        self.wanted = wanted
        self.told: list[str] = []
        self.left: dict[str, Outcome] = {}

    def __call__(
        self,
        client: Any,
        task: str,
        tools: Any,
        folder: Path,
        *,
        resume: bool = False,
        crash_point: CrashPoint | None = None,
    ) -> str:
        """The answer. Raises whatever the learner's code raises, or NotYet for what is no answer."""
        begun = anew(self.run)
        points = {"emit": self._listen, "crash_point": crash_point or partial(self._reach, folder)}
        try:
            answer = begun(client, task, tools, folder, resume=resume, **accepted(begun, points))
        except ApiError as error:
            raise AgentStopped(str(error)) from error
        if not isinstance(answer, str):
            raise NotYet(fault("no_answer", kind=type(answer).__name__))
        return answer

    def _listen(self, event: str, **fields: Any) -> None:
        if event in EVENTS:
            self.told.append(heard(event, fields))

    def _reach(self, folder: Path, label: str) -> None:
        if label in self.wanted and label not in self.left:
            place = shutil.copytree(folder, new_place() / folder.name, ignore=shutil.ignore_patterns(LOCK))
            self.left[label] = Outcome(place, [], [], DIED)


class Patient(ScriptedModel):
    """Not for ever: it refuses to be asked again and again."""

    def create(self, **request: Any) -> Response:
        if len(self.requests) == MOST:
            raise AskedTooOften(say("asked_too_often"))
        return super().create(**request)


class Played(NamedTuple):
    """What is left of a run, the branches that it told of, how many requests the model took, and its deaths."""

    left: Outcome
    told: list[str]
    asked: int
    deaths: dict[str, Outcome]


@dataclass(frozen=True)
class Job:
    """What a harness is given to do: the model, its tools; and the deaths that are wanted of it."""

    script: Script = write_a_report
    hasty: bool = False
    make: Callable[[Path, World], Mapping[str, Tool]] = make_tools
    deaths: frozenset[str] = frozenset()

    def play(self, run: RunAgent, folder: Path, *, resume: bool = False) -> Played:
        """Run it to its end."""
        mine, model = Mine(run, self.deaths), Patient(script=self.script, hasty=self.hasty)
        left = play(folder, resume=resume, harness=mine, model=model, tools=self.make)
        return Played(left, mine.told, len(model.requests), mine.left)


def label_of(mark: str, turn: int) -> str:
    return f"{MOMENTS[mark]}:{turn}"


TURNS = (3, 1)  # a tool with effects, and one that only reads
PLAIN = Job(deaths=frozenset(label_of(mark, turn) for mark in MOMENTS for turn in TURNS))


@lru_cache(maxsize=8)
def alone(run: RunAgent, job: Job = PLAIN) -> Played:
    """The job without a death. Raises NotYet if it does not come to its end."""
    now("alone")
    played = job.play(run, new_folder())
    if played.left.exit_code:
        raise NotYet(fault("stopped_alone", reason=played.left.warnings[-1]))
    return played


def dead(run: RunAgent, mark: str, turn: int, job: Job = PLAIN) -> Outcome:
    """The job, dead at that moment of the turn. Raises NotYet if the run has passed no such moment."""
    label = label_of(mark, turn)
    if label not in alone(run, job).deaths:
        raise NotYet(fault("unmarked", label=label))
    return alone(run, job).deaths[label]


@lru_cache(maxsize=16)
def resumed(run: RunAgent, mark: str, turn: int, job: Job = PLAIN) -> Played:
    """What a second process makes of that death. Raises NotYet if it does not come to its end."""
    left = dead(run, mark, turn, job)
    now("resumes", moment=mark, turn=turn)
    played = job.play(run, left.folder, resume=True)
    if played.left.exit_code:
        raise NotYet(fault("stopped", moment=mark, turn=turn, reason=played.left.warnings[-1]))
    return played


def scene_in(left: Outcome) -> Checkpoint:
    """The checkpoint that a run left. Raises NotYet."""
    try:
        return load_checkpoint(left.folder)
    except CheckpointError as error:
        raise NotYet(fault("unreadable", reason=str(error))) from None


def noted_in(left: Outcome) -> dict[str, Any]:
    """The ledger that a run left. Raises NotYet."""
    try:
        return load_effects(left.folder)
    except LedgerError as error:
        raise NotYet(fault("unreadable", reason=str(error))) from None


def differs(key: str, got: Checkpoint, wanted: Checkpoint, **shown: Any) -> Fault | None:
    """The fault `key` with the first field in which two checkpoints differ; of the messages, with the first such."""
    for field in FIELDS:
        if got[field] != wanted[field]:
            is_list = field == "messages"
            pairs = zip_longest(got[field], wanted[field]) if is_list else [(got[field], wanted[field])]
            one, other = next(pair for pair in pairs if pair[0] != pair[1])
            return fault(key, field=field, got=_json(one), wanted=_json(other), **shown)
    return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
