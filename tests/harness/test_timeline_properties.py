"""Any sequence of runs, deaths, rewinds, forks, prunes and fresh starts, in a folder and in those that fork from it."""

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lesson_code.harness import (
    AgentStopped,
    CheckpointRejected,
    Tool,
    fork_from,
    load_checkpoint,
    load_effects,
    load_latest,
    rewind_to,
    run_agent,
)
from lesson_code.harness.conversation import sendable
from lesson_code.harness.folder import HISTORY
from lesson_code.harness.snapshots import keeping, load_turn, snapshots
from lesson_code.harness.storage import TEMPORARY, read_state
from lesson_code.harness.strict import parse
from lesson_code.harness.timeline import forks_of, prune
from lesson_code.lab.api_rules import validate
from lesson_code.lab.model import history
from tests.harness.past import kept, line, silent
from tests.support import TASK, Died, answer, call, dies_at_step, end, snapshot, text, tool

pytestmark = pytest.mark.usefixtures("no_sync")

CALLS = st.lists(st.sampled_from(["send", "send", "look"]), min_size=1, max_size=3)
PASSES = st.sampled_from([None, None, *range(9)])  # None: the process does not die
RARELY = st.sampled_from([False, False, False, True])
ANY = st.integers(0, 99)  # one of those that there are then, whatever their number


@dataclass
class Branch:
    """A folder of the family, and what is known of it without a look at its disk.

    `line`: the calls of its conversation. `asked`: how many ids its model has given. `known` and `inherited`: its line
    and its ledger when it left its parent. `effects`: the numbers of the effects that happened here, by the id of
    their call. `unsure`: the calls that a death left open and without a note. `past`: those of before a fresh start.
    """

    folder: Path
    line: tuple[str, ...] = ()
    asked: int = 0
    parent: "Branch | None" = None
    known: tuple[str, ...] = ()
    inherited: dict[str, Any] = field(default_factory=dict)
    effects: dict[str, list[int]] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    past: set[str] = field(default_factory=set)

    def owner(self, call_id: str) -> "Branch":
        """The branch in which a call of this conversation was asked."""
        return self.parent.owner(call_id) if self.parent and call_id in self.known else self


class Asks:
    """A client that refuses what the API refuses, asks for these calls, and then ends, or loses the network.

    `answers`: the id of each call that it asked for, and "" for its last word.
    """

    def __init__(self, branch: Branch, names: list[str], ends: bool) -> None:
        self.branch, self.names, self.ends = branch, list(names), ends
        self.answers: list[str] = []

    @property
    def messages(self) -> "Asks":
        return self

    def create(self, *, messages: list[Any], tools: list[Any], **_: Any) -> Any:
        validate(messages, tools)
        if self.names:
            self.branch.asked += 1
            self.answers.append(f"t{self.branch.asked}")
            return answer(text("Sigo."), call(self.answers[-1], self.names.pop(0), to=self.answers[-1]))
        if self.ends:
            self.answers.append("")
            return end()
        raise ConnectionError("sin red")


def settled(folder: Path) -> dict[str, Any]:
    """What is in `folder`, but for the lock and for what the next owner sweeps."""
    return {name: data for name, data in snapshot(folder).items() if name != ".lock" and not TEMPORARY.fullmatch(name)}


def dies_after(passes: int | None) -> Any:
    """A crash point that dies when it has been passed so many times; one that never dies for None."""
    left = [passes]

    def crash_point(label: str) -> None:
        if left[0] is not None:
            left[0] -= 1
            if left[0] < 0:
                raise Died(label)

    return crash_point


class Family(RuleBasedStateMachine):
    """A task and its forks. No id is given twice in a folder; two folders give the same ones."""

    def __init__(self) -> None:
        super().__init__()
        self.home = tempfile.TemporaryDirectory()
        self.branches = [Branch(Path(self.home.name) / "carpeta con ñ")]
        self.last = self.branches[0]  # what no rule has touched is as it was checked
        self.happened = 0

    def teardown(self) -> None:
        self.home.cleanup()

    def tools(self, branch: Branch) -> dict[str, Tool]:
        def send(to: str) -> str:
            self.happened += 1
            branch.effects.setdefault(to, []).append(self.happened)
            return f"envío {self.happened}"

        return {"send": tool(send, "to"), "look": tool(lambda to: f"veo {to}", "to", read_only=True)}

    def one(self, which: int) -> Branch:
        self.last = self.branches[which % len(self.branches)]
        return self.last

    def turn(self, branch: Branch, which: int) -> int | None:
        """One of the turns that can be gone back to, if there are any."""
        turns = [turn for turn, point in snapshots(branch.folder) if point == "B"]
        return turns[which % len(turns)] if turns else None

    def go(self, branch: Branch, names: list[str], passes: int | None, keeps: bool, ends: bool, resume: bool) -> Asks:
        """A process at work in `branch`, until it ends or dies; its line is that of before and what it asked."""
        client = Asks(branch, names, ends)
        emit = keeping(branch.folder, silent) if keeps else silent
        points = {"emit": emit, "crash_point": dies_after(passes), "clock": lambda: 7}
        died = ""
        try:
            run_agent(client, TASK, self.tools(branch), branch.folder, resume=resume, **points)
        except AgentStopped as stop:
            assert "(ConnectionError: " in str(stop), stop
        except Died as death:
            died = str(death)
        scene = load_checkpoint(branch.folder)
        pending = scene["pendingToolUse"]
        if pending and pending["name"] == "send" and pending["id"] not in load_effects(branch.folder):
            branch.unsure.add(pending["id"])
        saved = client.answers[:-1] if died.startswith("after-answer") else client.answers
        branch.line += tuple(call_id for call_id in saved if call_id)
        return client

    @initialize(names=st.lists(st.sampled_from(["send", "send", "look"]), min_size=2, max_size=5))
    def begin(self, names: list[str]) -> None:
        self.go(self.branches[0], names, None, True, False, False)

    @rule(which=ANY, names=CALLS, passes=PASSES, less=RARELY, ends=RARELY)
    def resume(self, which: int, names: list[str], passes: int | None, less: bool, ends: bool) -> None:
        branch = self.one(which)
        last = load_checkpoint(branch.folder)["messages"][-1]
        finished = last["role"] == "assistant" and last["content"][0] == text("Listo.")
        client = self.go(branch, names, passes, not less, ends, True)
        assert not (finished and client.answers)

    @rule(which=ANY, names=CALLS, passes=PASSES, less=RARELY)
    def start_over(self, which: int, names: list[str], passes: int | None, less: bool) -> None:
        branch = self.one(which)
        if len(branch.line) < 4:
            return
        branch.past |= {*branch.effects, *branch.inherited}
        branch.line = ()
        self.go(branch, names, passes, not less, False, False)

    @rule(which=ANY, number=ANY)
    def rewind(self, which: int, number: int) -> None:
        branch = self.one(which)
        turn = self.turn(branch, number)
        if turn is None:
            return
        target, ledger = load_turn(turn, branch.folder), load_effects(branch.folder)
        undone = {*branch.effects} - branch.past - {*line(target)}
        before = settled(branch.folder)
        try:
            assert rewind_to(turn, branch.folder) == target and not undone
        except CheckpointRejected as refusal:
            assert [call_id for call_id in undone if f"send ({call_id})" not in str(refusal)] == []
            assert settled(branch.folder) == before
        assert rewind_to(turn, branch.folder, accept=True) == target
        assert load_checkpoint(branch.folder) == load_latest(branch.folder) == target
        assert load_effects(branch.folder) == ledger
        assert kept(branch.folder) == sorted(os.listdir(branch.folder / HISTORY))  # nothing later is left there
        branch.line = line(target)

    if os.name != "nt":

        @rule(which=ANY, number=ANY, step=st.integers(36, 60) | st.integers(1, 36))
        def die_rewinding(self, which: int, number: int, step: int) -> None:
            branch = self.one(which)
            turn = self.turn(branch, number)
            if turn is None:
                return
            target, ledger = load_turn(turn, branch.folder), load_effects(branch.folder)
            died = dies_at_step(step, lambda: rewind_to(turn, branch.folder, accept=True), branch.folder)
            now = line(load_checkpoint(branch.folder))
            assert now == line(target) or (died and now == branch.line)
            assert load_effects(branch.folder) == ledger
            branch.line = now

    @rule(which=ANY, number=ANY, step=st.none() | st.integers(1, 40))
    def fork(self, which: int, number: int, step: int | None) -> None:
        parent = self.one(which)
        turn = self.turn(parent, number)
        if turn is None or len(self.branches) > 3:
            return
        name, before = f"rama{len(self.branches)}", snapshot(parent.folder)
        target, ledger = load_turn(turn, parent.folder), load_effects(parent.folder)
        place = parent.folder.with_name(f"{parent.folder.name}-{name}")
        if step and os.name != "nt":
            dies_at_step(step, lambda: fork_from(turn, name, parent.folder), parent.folder)
        if not place.exists():
            assert fork_from(turn, name, parent.folder) == place
        known = line(target)
        inherited = {call_id: entry for call_id, entry in ledger.items() if call_id in known}
        assert snapshot(parent.folder) == before and forks_of(parent.folder)[place.name] == turn
        assert load_effects(place) == inherited
        asked = max((int(call_id[1:]) for call_id in known), default=0)
        self.last = Branch(place, known, asked, parent, known, inherited)
        self.branches.append(self.last)

    @precondition(lambda self: any(len(kept(branch.folder)) > 4 for branch in self.branches))
    @rule(which=ANY, turns=st.integers(0, 3))
    def prune(self, which: int, turns: int) -> None:
        branch = self.one(which)
        before, scene = kept(branch.folder), load_checkpoint(branch.folder)
        gone = prune(branch.folder, turns)
        assert sorted([*gone, *kept(branch.folder)]) == sorted(before) and load_checkpoint(branch.folder) == scene
        assert {turn for turn in forks_of(branch.folder).values() if f"turn-{turn:03d}-B.json" in gone} == set()

    @invariant()
    def the_branch_goes_on_its_own_line_and_can_be_sent(self) -> None:
        folder, own = self.last.folder, self.last.line
        past = [parse(read_state(path)) for path in snapshots(folder).values()]
        assert line(load_checkpoint(folder)) == own
        assert all(line(scene) == own[: scene["turns"]] for scene in past)
        assert not past or load_latest(folder) == past[-1]
        for scene in [*past, load_checkpoint(folder)]:
            is_open = scene["pendingToolUse"] or scene["messages"][-1]["role"] == "assistant"
            validate(sendable(scene["messages"][:-1] if is_open else scene["messages"]), [])

    @invariant()
    def each_effect_is_in_one_ledger(self) -> None:
        branch = self.last
        ledgers = [branch.folder / "effects.json", *branch.folder.glob("previous/*/effects.json")]
        entries = [item for path in ledgers if path.exists() for item in parse(path.read_bytes()).items()]
        assert [item for item in entries if item[0] in branch.inherited] == [*branch.inherited.items()]
        own = [(call_id, entry["result"]) for call_id, entry in entries if call_id not in branch.inherited]
        noted = [
            (call_id, n) for call_id, numbers in branch.effects.items() for n in numbers if call_id not in branch.unsure
        ]
        assert sorted(item for item in own if "envío" in item[1]) == sorted(
            (call_id, f"envío {n}") for call_id, n in noted
        )
        assert all(len(numbers) == 1 for numbers in branch.effects.values())

    @invariant()
    def the_model_is_told_the_truth(self) -> None:
        scene = load_checkpoint(self.last.folder)
        messages = scene["messages"][:-1] if scene["pendingToolUse"] else scene["messages"]
        for asked, result in history(messages):
            if asked["name"] == "send":
                owner, unknown = self.last.owner(asked["id"]), bool(result.get("is_error"))
                assert unknown is (asked["id"] in owner.unsure)
                assert unknown or result["content"] == f"envío {owner.effects[asked['id']][0]}"


def test_whatever_is_run_killed_rewound_forked_and_pruned_each_line_can_be_sent_and_each_effect_is_noted_once() -> None:
    options = settings(derandomize=True, deadline=None, max_examples=40, stateful_step_count=14)
    run_state_machine_as_test(Family, settings=options)
