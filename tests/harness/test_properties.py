"""What holds whatever comes: deaths in any order, results of any kind, state files with any bytes."""

import copy
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lesson_code.harness import (
    AgentStopped,
    CheckpointError,
    CheckpointRejected,
    CheckpointUnreadable,
    LedgerError,
    load_checkpoint,
    load_effects,
    run_agent,
)
from lesson_code.harness.conversation import calls_in, dangling, find_unpaired
from lesson_code.harness.strict import canonical
from lesson_code.harness.tools import MAX_RESULT, result_text
from lesson_code.lab.api_rules import ApiError, validate
from lesson_code.lab.crash import AT_END, IN_RESUME, IN_TURN, SimulatedCrash, check_label
from lesson_code.lab.model import ScriptedModel, history
from lesson_code.lab.tools import REPORT, make_tools, put_sample
from lesson_code.lab.tools import TASK as TASK_OF_LAB
from lesson_code.lab.world import World
from lesson_code.words import one_line, say
from tests.harness.past import silent
from tests.harness.test_strict import JSON
from tests.support import TASK, Replies, answer, call, case, end, scene_a, scene_b, snapshot, text, tool, write_json

pytestmark = pytest.mark.usefixtures("no_sync")


def examples(number: int) -> settings:
    """The same `number` of examples in every run, however slow the machine."""
    return settings(derandomize=True, deadline=None, max_examples=number)


@contextmanager
def new_folder(name: str = "carpeta con ñ") -> Iterator[Path]:
    """An empty folder for one example."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / name).mkdir()
        yield Path(place) / name


# Deaths in any order


DEATHS = st.lists(st.integers(0, 3) | st.integers(0, 17), max_size=6)


class Lives:
    """A task, and the processes that die of it: each works on the disk that the one before it left.

    `unsure`: the calls that a death left open and without a note. `died_at`: the moments of the deaths.
    """

    def __init__(self, folder: Path, model: ScriptedModel) -> None:
        self.folder, self.model = folder, model
        self.begun = False
        self.unsure: set[str] = set()
        self.died_at: list[str] = []
        put_sample(folder)

    def live(self, passes: int = 1000) -> str | None:
        """One process, until it ends with an answer, or dies when it has passed by so many moments."""
        place, left = self.folder, [passes]

        def crash_point(label: str) -> None:
            left[0] -= 1
            if left[0] < 0:  # what a `finally` still does is not on the disk of who is killed
                self.died_at.append(check_label(label).split(":")[0])
                self.folder = Path(shutil.copytree(place, place.with_name(f"{len(self.died_at)}")))
                raise SimulatedCrash(label)

        world = self.model.world = World(place)
        tools = make_tools(place, world)
        points = {"emit": silent, "clock": lambda: 7, "crash_point": crash_point}
        resume, self.begun = self.begun, True
        try:
            return run_agent(self.model, TASK_OF_LAB, tools, place, resume=resume, **points)
        except SimulatedCrash:
            pending = load_checkpoint(self.folder)["pendingToolUse"]
            if pending and pending["id"] not in load_effects(self.folder):
                self.unsure.add(pending["id"])
            return None


def plain(state: Any) -> Any:
    """`state`, with each fresh id as the one that a model without them would have given."""
    return json.loads(re.sub(r"(toolu_\d+)_[0-9a-f]{8}\b", r"\1", json.dumps(state)))


@cache
def never_died() -> tuple[Any, ...]:
    """Checkpoint, ledger, answer and report of the run that nobody killed."""
    with new_folder() as folder:
        said = Lives(folder, ScriptedModel()).live()
        return load_checkpoint(folder), load_effects(folder), said, (folder / REPORT).read_text(encoding="utf-8")


def test_whatever_the_deaths_the_truth_is_told_and_no_effect_is_lost_or_doubled_in_silence() -> None:
    died_at: set[str] = set()

    @examples(200)
    @given(deaths=DEATHS, hasty=st.booleans(), fresh_ids=st.booleans())
    def every_time(deaths: list[int], hasty: bool, fresh_ids: bool) -> None:
        died_at.update(ends_well(deaths, hasty, fresh_ids))

    every_time()
    assert died_at == {*IN_TURN, *IN_RESUME, AT_END}


def ends_well(deaths: list[int], hasty: bool, fresh_ids: bool) -> list[str]:
    """Die, and resume, until the task has ended; check all that the end has to be, and tell where it died."""
    with new_folder() as folder:
        model = ScriptedModel(fresh_ids, hasty)
        lives = Lives(folder, model)
        for passes in deaths:
            if lives.live(passes):
                break
        said = lives.live()
        asked = len(model.requests)
        assert lives.live() == said and len(model.requests) == asked  # who has finished asks nobody
        scene, effects, happened = load_checkpoint(lives.folder), load_effects(lives.folder), World(lives.folder)
        done = [effect["done"] for effect in happened.effects()]
        report = (lives.folder / REPORT).read_text(encoding="utf-8")

    for request in model.requests:
        validate(request, [])
    writes = {c["id"]: result for c, result in history(scene["messages"]) if c["name"] == "write_report"}
    unknown = [call_id for call_id, result in writes.items() if result.get("is_error")]
    assert set(unknown) == lives.unsure & {*writes}  # nobody feigns ignorance, and nobody guesses
    assert [*writes][:-1] == unknown[: len(writes) - 1]  # asked again only where it was told unknown
    for call_id, result in writes.items():
        told = say("result_unknown", name="write_report") if call_id in unknown else say("report_written", path=REPORT)
        assert result["content"] == told and (call_id in unknown or call_id in done)
    assert len({*done}) == len(done) and {*done} <= {*writes}
    assert len(done) == 1 or (hasty and len(done) > 1)
    assert {call_id for call_id, entry in effects.items() if entry["name"] == "write_report"} == {*writes} - {*unknown}

    never_scene, never_effects, never_said, never_report = never_died()
    assert (said, report) == (never_said, never_report)
    assert scene["turns"] == len(calls_in(scene["messages"]))
    answers = sum(message["role"] == "assistant" for message in scene["messages"])
    assert scene["tokensUsed"] == sum(100 * number + 20 for number in range(1, answers + 1))
    if not unknown:
        assert plain(scene) == never_scene and plain(effects) == never_effects
    return lives.died_at


# Results of any kind


class Moody:
    """Another text each time that somebody looks."""

    looks = count()

    def __str__(self) -> str:
        return f"miro {next(self.looks)}"


class Mute:
    def __str__(self) -> str:
        raise RuntimeError("sin texto")


def endless() -> list[Any]:
    value: list[Any] = []
    value.append({"yo": value})
    return value


ANY_TEXT = st.text(st.characters())  # lone surrogates are characters too
HUGE = st.builds(lambda piece, times: piece * times, st.text(st.characters(), min_size=1, max_size=9), st.just(70_000))
ODD = [
    object(),
    Moody(),
    Mute(),
    endless(),
    ValueError("a\nb"),
    float("nan"),
    float("inf"),
    1j,
    Path("a"),
    len,
    Ellipsis,
]
LEAVES = (
    JSON
    | ANY_TEXT
    | st.binary()
    | st.builds(bytearray, st.binary())
    | st.builds(memoryview, st.binary())
    | st.decimals()
    | st.datetimes()
    | st.sampled_from(ODD)
)
KEYS = ANY_TEXT | st.integers() | st.none() | st.binary(max_size=3) | st.tuples(st.integers())
OUTPUTS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.sets(KEYS, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)


def told_by(output: Any, read_only: bool) -> list[Any]:
    """What the model is told of a tool that gives `output`: in the run, after ★ and a resume, and on both disks."""
    with new_folder() as folder:
        star = folder.with_name("★")

        def look(label: str) -> None:
            if label == "after-effect-write:1":
                shutil.copytree(folder, star)

        def never() -> None:
            raise AssertionError("ran again")

        run, resumed = Replies(answer(call("t1", "put")), end()), Replies(end())
        put, put_again = tool(lambda: output, read_only=read_only), tool(never, read_only=read_only)
        run_agent(run, TASK, {"put": put}, folder, crash_point=look)
        run_agent(resumed, TASK, {"put": put_again}, star, resume=True)
        for request in (run.requests[1], resumed.requests[0]):
            validate(request["messages"], request["tools"])
        sent = [run.requests[1]["messages"][2], resumed.requests[0]["messages"][2]]
        return sent + [load_checkpoint(place)["messages"][2] for place in (folder, star)]


@examples(150)
@example(output="a\udcf1", read_only=True)
@example(output={"\udcf1": ["\ud83d"]}, read_only=False)
@given(output=OUTPUTS | HUGE, read_only=st.booleans())
def test_whatever_a_tool_gives_the_model_reads_the_same_in_the_run_after_a_death_and_on_disk(
    output: Any, read_only: bool
) -> None:
    told = told_by(output, read_only)
    [block] = told[0]["content"]
    assert told == [told[0]] * 4 and block.keys() == {"type", "tool_use_id", "content"}
    assert type(block["content"]) is str and len(block["content"].encode("utf-8")) <= MAX_RESULT


@examples(100)
@given(value=JSON)
def test_any_json_that_a_tool_gives_reaches_the_model_whole(value: Any) -> None:
    told = told_by(value, read_only=False)[1]["content"][0]["content"]
    if value is None or isinstance(value, str):
        assert told == (value or "")
    else:
        assert json.loads(told) == value and canonical(json.loads(told)) == canonical(value)


# State files with any bytes


def finished() -> dict[str, Any]:
    scene = scene_b()
    scene["messages"].append({"role": "assistant", "content": [text("Reporte escrito.")]})
    return scene


def save_0() -> dict[str, Any]:
    return {**scene_b(), "turns": 0, "tokensUsed": 0, "messages": scene_b()["messages"][:1]}


INPUT = {"n": 1, "text": "ñ"}
SCENES = [save_0(), scene_a("write", **INPUT), scene_a("read"), scene_b(), finished(), case("lesson6_order.json")]
NOTED = {"name": "write", "input": INPUT, "result": "escrito", "at": 7}
LEDGERS = [
    {},
    {"t1": {"name": "read", "result": "enero", "at": 1}},
    {"t2": NOTED},
    {"t1": {**NOTED, "name": "read"}, "t2": NOTED},
]
PARTS = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        -1,
        1.0,
        10**400,
        "",
        " ",
        "x",
        "t1",
        "t2",
        "user",
        "write",
        "text",
        "tool_use",
        "tool_result",
        [],
        {},
    ]
)
AGAIN = "\uffff"  # ends a key that is to be there twice


def containers(value: Any) -> list[Any]:
    """The lists and objects in `value` that hold something, itself among them."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if inner else []), *(found for part in inner for found in containers(part))]


def spoil(draw: Any, value: Any) -> Any:
    """`value` with one part taken away, repeated, exchanged, or replaced by something else."""
    value = copy.deepcopy(value)
    found = containers(value)
    if not found:
        return value
    place = draw(st.sampled_from(found))
    keys = st.sampled_from([*place] if isinstance(place, dict) else range(len(place)))
    key, other = draw(keys), draw(keys)
    match draw(st.sampled_from(["drop", "repeat", "swap", "retype", "graft"])):
        case "drop":
            del place[key]
        case "repeat" if isinstance(place, dict):
            place[f"{key}{AGAIN}"] = place[key]
        case "repeat":
            place.insert(other, copy.deepcopy(place[key]))
        case "swap":
            place[key], place[other] = place[other], place[key]
        case "retype":
            place[key] = draw(PARTS | JSON)
        case "graft":
            place[key] = copy.deepcopy(draw(st.sampled_from(found)))
    return value


def harm(draw: Any, data: bytes) -> bytes:
    """`data` cut, with a bit turned, or with other bytes at some place."""
    at = draw(st.integers(0, max(0, len(data) - 1)))
    match draw(st.sampled_from(["cut", "flip", "insert", "remove"])):
        case "cut":
            return data[:at]
        case "flip" if data:
            return data[:at] + bytes([data[at] ^ (1 << draw(st.integers(0, 7)))]) + data[at + 1 :]
        case "insert":
            return data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at:]
    return data[:at] + data[at + draw(st.integers(1, 40)) :]


@st.composite
def spoiled(draw: Any, values: list[Any]) -> bytes:
    """A state file as a program writes it, harmed in its parts or in its bytes, or not at all; or anything."""
    value = draw(st.sampled_from(values))
    for _ in range(draw(st.integers(0, 2))):
        value = spoil(draw, value)
    written = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2])))
    data = written.replace(json.dumps(AGAIN)[1:-1], "").replace(AGAIN, "").encode("utf-8", "surrogatepass")
    match draw(st.sampled_from(["parts", "parts", "parts", "bytes", "anything"])):
        case "bytes":
            return harm(draw, data)
        case "anything":
            return draw(st.binary())
    return data


class Ends:
    """A client that refuses what the API refuses, and otherwise has finished."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    @property
    def messages(self) -> "Ends":
        return self

    def create(self, *, messages: list[Any], tools: list[Any], **_: Any) -> Any:
        self.requests.append(copy.deepcopy(messages))
        validate(messages, tools)
        return end()


class Resume:
    """A resume in `folder`: what it said, or how it was refused; what ran, what was asked, what is there now."""

    def __init__(self, folder: Path, task: str) -> None:
        self.client, self.ran = Ends(), list[str]()
        tools = {name: tool(self.runs(name), read_only=name == "read") for name in ("read", "write", "write_report")}
        self.said, self.error = "", None
        try:
            self.said = run_agent(self.client, task, tools, folder, resume=True, emit=silent)
        except (CheckpointError, LedgerError, AgentStopped) as error:
            self.error: Exception | None = error
        self.after = {name: data for name, data in snapshot(folder).items() if name != ".lock"}

    def runs(self, name: str) -> Any:
        return lambda: self.ran.append(name) or "hecho"

    @property
    def told(self) -> dict[str, Any]:
        """The result that the model was told last."""
        block: dict[str, Any] = self.client.requests[0][-1]["content"][0]
        return block


def refusal_of(load: Any, folder: Path) -> Exception | None:
    """How `load(folder)` is refused, the same wherever the folder is, and in one sentence; None if it is not."""
    before, elsewhere = snapshot(folder), shutil.copytree(folder, folder.with_name("en otra parte"))
    found: list[Exception] = []
    for place in (folder, elsewhere):
        try:
            load(place)
        except (CheckpointError, LedgerError) as error:
            found.append(error)
    assert snapshot(folder) == before == snapshot(elsewhere)
    if not found:
        return None
    (kind, said), *other = [(type(error), str(error)) for error in found]
    assert other == [(kind, said)] and said == one_line(said) and 40 < len(said) < 1500
    assert "El archivo queda como está" in said and "Traceback" not in said
    return found[0]


def can_be_paired(messages: list[Any]) -> bool:
    """Whether every call in `messages` is answered once, and at once."""
    return find_unpaired(messages) is None and not dangling(messages)


@examples(400)
@given(data=spoiled(SCENES))
def test_any_bytes_as_checkpoint_are_loaded_as_they_are_or_refused_by_name_and_left_alone(data: bytes) -> None:
    with new_folder() as folder:
        (folder / "checkpoint.json").write_bytes(data)
        before, refusal = snapshot(folder), refusal_of(load_checkpoint, folder)
        if refusal:
            resume = Resume(folder, TASK)
            assert (type(resume.error), str(resume.error)) == (type(refusal), str(refusal))
            assert isinstance(refusal, (CheckpointUnreadable, CheckpointRejected)) and "checkpoint.json" in str(refusal)
            assert resume.client.requests == resume.ran == [] and snapshot(folder) == before
            return
        scene = load_checkpoint(folder)
        assert scene == json.loads(data)
        resume = Resume(folder, scene["task"])
        assert {*resume.ran} <= {"read"} and all(can_be_paired(request) for request in resume.client.requests)
        again = load_checkpoint(folder)
        assert again["pendingToolUse"] is None and again["turns"] == scene["turns"]
        if resume.error:  # of what a block holds, only the API knows what it takes
            assert isinstance(resume.error.__cause__, ApiError)
        elif resume.client.requests:
            assert (resume.said, again["tokensUsed"]) == ("Listo.", scene["tokensUsed"] + 15)
        else:
            assert resume.after == before and scene["messages"][-1]["role"] == "assistant"


def is_noted(effects: Any, call_id: str, name: str, asked: dict[str, Any]) -> bool:
    """Whether the ledger, as anybody reads it, notes this very call."""
    entry = effects.get(call_id, {"name": None})
    same = entry.get("input", asked)
    return bool(entry["name"] == name and same == asked and not any(value is True for value in same.values()))


@examples(400)
@example(data=json.dumps({"t2": {**NOTED, "input": {**INPUT, "n": True}}}).encode(), name="write")
@example(data=json.dumps({"t2": {**NOTED, "input": {**INPUT, "n": 1.0}}}).encode(), name="write")
@given(data=spoiled(LEDGERS), name=st.sampled_from(["read", "write"]))
def test_any_bytes_as_ledger_are_loaded_as_they_are_or_refused_by_name_and_left_alone(data: bytes, name: str) -> None:
    with new_folder() as folder:
        write_json(folder / "checkpoint.json", scene_a(name, **INPUT))
        (folder / "effects.json").write_bytes(data)
        before, refusal = snapshot(folder), refusal_of(load_effects, folder)
        resume = Resume(folder, TASK)
        if refusal:
            assert (type(resume.error), str(resume.error)) == (type(refusal), str(refusal))
            assert type(refusal) is LedgerError and "effects.json" in str(refusal)
            assert resume.client.requests == resume.ran == [] and resume.after == before
            return
        effects = json.loads(data)
        noted = is_noted(effects, "t2", name, INPUT)
        assert resume.error is None and resume.said == "Listo."
        assert resume.ran == (["read"] if name == "read" and not noted else [])
        assert bool(resume.told.get("is_error")) is (name == "write" and not noted)
        if noted:
            result = effects["t2"]["result"]
            assert resume.told["content"] == (result if isinstance(result, str) else result_text(result))
        kept = load_effects(folder)
        assert {**kept, **effects} == kept and {*kept} - {*effects} <= {"t2"}
        assert resume.after["effects.json"] == data or resume.ran
