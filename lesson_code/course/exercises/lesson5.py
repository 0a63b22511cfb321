"""The exercises of lesson 5: which way to go on, and a sequence of checkpoints in which one can go back."""

import copy
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ...harness import CheckpointMissing, LedgerError, load_effects
from ...harness.checkpoint import Checkpoint, read_checkpoint
from ...harness.folder import HISTORY
from ...harness.ledger import LEDGER_FILE
from ...harness.snapshots import place_of, snapshots
from ...lab.instants import Instant, instants
from ...lab.offers import work
from ...lab.scene import new_folder
from ...lab.ways import BACK, FIRST, SECOND, WAYS, Left, killed, misled, taken
from ...words import say
from .judging import anew, now
from .kinds import Criterion, Fault, Measured, NotYet, Task, fault

# 5.1

GOOD, BAD = [SECOND] * 5, [SECOND] * BACK + [FIRST] * 2
SCENES: dict[str, tuple[Callable[[], Path], Callable[[Left], bool]]] = {
    "tables": (killed, lambda left: all(len(times) == 1 for times in left.received.values())),
    "contract": (misled, lambda left: left.lines == [GOOD]),
    "two_fixes": (misled, lambda left: sorted(left.lines) == sorted([GOOD, BAD])),
    "config": (misled, lambda left: left.restored and left.lines == [BAD]),
}
"""Of each scene the task that stands for it, and whether what a way left of that is what the scene wants."""


def _measure() -> Measured:
    begun = {start: start() for start in (killed, misled)}
    left = {(way, start): taken(way, folder) for start, folder in begun.items() for way in WAYS}
    return {
        scene: tuple(way for way in WAYS if is_wanted(left[way, start])) for scene, (start, is_wanted) in SCENES.items()
    }


# 5.2

ALL = 10  # checkpoints of the lesson's run: an A and a B for each of its five turns


@cache
def _story() -> tuple[list[Checkpoint], bytes]:
    """The checkpoints of the lesson's run, in order, and its ledger."""
    folder = new_folder()
    work(folder, 10, 10, 10, 50)
    return [read_checkpoint(path) for path in snapshots(folder).values()], (folder / LEDGER_FILE).read_bytes()


def _saved(turn: int, point: str) -> Checkpoint:
    return next(scene for scene in _story()[0] if place_of(scene) == (turn, point))


def _another(scene: Checkpoint, discount: int) -> Checkpoint:
    """The same turn on another line: another decision, under another id."""
    written = json.dumps(scene, ensure_ascii=False).replace("50 %", f"{discount} %")
    other: Checkpoint = json.loads(written.replace(f"toolu_{scene['turns']:02d}", f"toolu_{discount}"))
    return other


class Line:
    """The learner's functions at work in a folder with a ledger, in which the first `count` checkpoints were saved."""

    def __init__(self, functions: tuple[Callable[..., Any], ...], count: int = ALL, folder: Path | None = None) -> None:
        self.functions = functions
        self.folder = folder or new_folder()
        if not folder:
            (self.folder / LEDGER_FILE).write_bytes(_story()[1])
            for scene in _story()[0][:count]:
                self.save(scene)

    def save(self, scene: Checkpoint) -> None:
        turn, point = place_of(scene)
        now("save", turn=turn, point=point)
        self.functions[0](copy.deepcopy(scene), self.folder)

    def latest(self, beside: str = "") -> Any:
        now("latest_beside", name=beside) if beside else now("latest")
        return self.functions[1](self.folder)

    def rewind(self, turn: int) -> Any:
        now("rewind", turn=turn)
        return self.functions[2](turn, self.folder)

    def fork(self, turn: int, branch: str = "otra") -> Path:
        """The folder of the fork, if it stands where it has to. Raises NotYet."""
        now("fork", turn=turn)
        given = self.functions[3](turn, branch, self.folder)
        wanted = self.folder.with_name(f"{self.folder.name}-{branch}")
        if not isinstance(given, str | os.PathLike):
            raise NotYet(fault("fork_kind", turn=turn, kind=type(given).__name__))
        if os.path.realpath(given) != os.path.realpath(wanted):
            raise NotYet(fault("fork_elsewhere", turn=turn, wanted=wanted.name, got=os.path.basename(os.fspath(given))))
        if not wanted.is_dir():
            raise NotYet(fault("fork_missing", turn=turn, wanted=wanted.name))
        return wanted

    def goes_back(self, turn: int, key: str, **fields: Any) -> None:
        """Rewind; raises NotYet if it does not give the B of that turn."""
        _same(self.rewind(turn), _saved(turn, "B"), "rewind_to", key, turn=turn, **fields)

    def is_at(self, scene: Checkpoint, key: str, **fields: Any) -> None:
        """Raises NotYet if the newest checkpoint is another one, here or for a process that has just begun."""
        turn, point = place_of(scene)
        _same(self.latest(fields.get("name", "")), scene, "load_latest", key, turn=turn, point=point, **fields)
        try:
            found = anew(self.functions[1])(self.folder)
        except Exception:  # here it has just been read
            found = None
        if found != scene:
            raise NotYet(fault("in_memory", turn=turn, point=point))

    def files(self) -> dict[str, bytes]:
        """All that is in the folder and beside it."""
        top = self.folder.parent
        return {str(path.relative_to(top)): path.read_bytes() if path.is_file() else b"" for path in top.rglob("*")}

    def held(self) -> list[Checkpoint]:
        """The checkpoints that a file holds, under whatever name."""
        parsed = map(_parsed, self.files().values())
        return [found for found in parsed if isinstance(found, dict) and "turns" in found]


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


def _ledger(folder: Path) -> bytes | None:
    path = folder / LEDGER_FILE
    return path.read_bytes() if path.is_file() else None


def _same(given: Any, wanted: Checkpoint, function: str, key: str, **fields: Any) -> None:
    """Raises NotYet unless what `function` gave is `wanted`: with `key` if it is the checkpoint of another place."""
    if given == wanted:
        return
    if not isinstance(given, dict):
        raise NotYet(fault("kind", function=function, kind=type(given).__name__))
    got = str(given.get("turns")), "A" if given.get("pendingToolUse") else "B"
    turn, point = place_of(wanted)
    if got == (str(turn), point) and given not in _story()[0]:
        raise NotYet(fault("changed", function=function, turn=turn, point=point))
    raise NotYet(fault(key, got_turn=got[0], got_point=got[1], **fields))


def _sequence(*functions: Callable[..., Any]) -> Fault | None:
    line = Line(functions, 0)
    for scene in _story()[0]:
        line.save(scene)
        turn, point = place_of(scene)
        name = f"turn-{turn:03d}-{point}.json"
        found = {path.name: path for path in (line.folder / HISTORY).glob("*") if path.is_file()}
        if name not in found:
            shown = ", ".join(sorted(found)) or say("nothing")
            return fault("names", turn=turn, point=point, name=name, found=shown)
        if _parsed(found[name].read_bytes()) != scene:
            return fault("content", turn=turn, point=point, name=name)
        line.is_at(scene, "after_save")
    return None


def _rewinds(*functions: Callable[..., Any]) -> Fault | None:
    for turn in (3, 1, 5):
        line = Line(functions)
        line.goes_back(turn, "gave")
        if _ledger(line.folder) != _story()[1]:
            return fault("ledger", turn=turn, count=len(json.loads(_story()[1])))
    return None


def _stays(*functions: Callable[..., Any]) -> Fault | None:
    for turns in ((3,), (3, 3), (4, 2), (5,)):
        line = Line(functions)
        for turn in turns:
            line.rewind(turn)
            line.is_at(_saved(turn, "B"), "stays", turns=", ".join(map(str, turns)))
    return None


def _new_line(*functions: Callable[..., Any]) -> Fault | None:
    line = Line(functions)
    line.rewind(3)
    for point in "AB":
        scene = _another(_saved(4, point), 20)
        line.save(scene)
        line.is_at(scene, "new_line")
    return None


def _aside(*functions: Callable[..., Any]) -> Fault | None:
    line = Line(functions)
    for times, discount in enumerate((20, 30, 40), start=1):
        before = line.held()
        line.rewind(3)
        for lost in _lost(before, line):
            return fault("lost", times=times, **lost)
        for point in "AB":
            line.save(_another(_saved(4, point), discount))
        for lost in _lost(before, line):
            return fault("lost_by_saving", times=times, **lost)
    return None


def _lost(before: list[Checkpoint], line: Line) -> Iterator[dict[str, Any]]:
    """The places of those that are not there any more, the oldest first."""
    after = line.held()
    for turn, point in sorted(place_of(scene) for scene in before if scene not in after):
        yield {"turn": turn, "point": point}


def _missing(*functions: Callable[..., Any]) -> Fault | None:
    none, whole, cut = (Line(functions, count) for count in (0, ALL, ALL - 1))
    return (
        _refuses(none, "load_latest", none.latest, last=say("nothing"))
        or _no_turn(whole, 9, last="5 B")
        or _no_turn(whole, 0, last="5 B")
        or _no_turn(cut, 5, last="5 A")
    )


def _no_turn(line: Line, turn: int, **fields: Any) -> Fault | None:
    return _refuses(line, f"rewind_to({turn}, …)", lambda: line.rewind(turn), **fields) or _refuses(
        line, f"fork_from({turn}, …)", lambda: line.fork(turn), **fields
    )


def _refuses(line: Line, call: str, action: Callable[[], Any], **fields: Any) -> Fault | None:
    """A fault, if the action does anything else than to raise CheckpointMissing."""
    before = line.files()
    try:
        action()
    except CheckpointMissing:
        return None if line.files() == before else fault("touched", call=call, **fields)
    except Exception as error:
        return fault("other_error", call=call, kind=type(error).__name__, **fields)
    except NotYet:
        pass  # it gave something back
    return fault("no_error", call=call, **fields)


def _order(*functions: Callable[..., Any]) -> Fault | None:
    line = Line(functions)
    for name in ("turn-006-A.json.0123abcd.tmp", "a medio escribir"):
        (line.folder / HISTORY).mkdir(exist_ok=True)
        (line.folder / HISTORY / name).write_bytes(b'{"version": 1, "ta')
        line.is_at(_saved(5, "B"), "stray", name=name)
    line.rewind(3)
    line.is_at(_saved(3, "B"), "stray", name=name)
    for turn, point in ((999, "A"), (999, "B"), (1000, "A"), (1000, "B")):
        scene = {**_saved(3, point), "turns": turn}
        line.save(scene)
        line.is_at(scene, "thousand")
    before = {**_saved(3, "B"), "turns": 999}
    _same(line.rewind(999), before, "rewind_to", "thousand", turn=999, point="B")
    line.is_at(before, "thousand")
    return None


def _frozen(*functions: Callable[..., Any]) -> Fault | None:
    line, saved = Line(functions, 1), _saved(1, "B")
    live = copy.deepcopy(saved)
    now("save", turn=1, point="B")
    line.functions[0](live, line.folder)
    if live != saved:
        return fault("given_changed")
    live["messages"].append({"role": "assistant", "content": []})
    found = line.latest()
    if found != saved:
        return fault("grew", given="save_checkpoint")
    found["messages"].clear()
    if line.latest() != saved:
        return fault("grew", given="load_latest")
    return None


def _death(*functions: Callable[..., Any]) -> Fault | None:
    line = Line(functions, 4)
    with instants(line.folder) as found:
        line.save(_saved(3, "A"))
    for instant in found:
        _usable(functions, instant, "save_checkpoint", _saved(2, "B"), _saved(3, "A"))
    line = Line(functions)
    before = line.held()
    with instants(line.folder) as found:
        line.rewind(3)
    for instant in found:
        left = _usable(functions, instant, "rewind_to", *_story()[0])
        for lost in _lost(before, left):
            return fault("death_lost", step=instant.step, name=instant.name, **lost)
        try:
            again = left.rewind(3), left.latest()
        except Exception as error:
            return fault("death_stuck", step=instant.step, name=instant.name, kind=type(error).__name__)
        if again != (_saved(3, "B"), _saved(3, "B")):
            return fault("death_again", step=instant.step, name=instant.name)
    return _half_a_fork(Line(functions))


def _half_a_fork(line: Line) -> Fault | None:
    """A fault, if a fork that a death cut short can be resumed without what its ledger has to hold."""
    try:
        with instants(line.folder.parent) as found:
            place = line.fork(3)
    except NotYet:
        return None  # there is no fork to look at
    whole = _ledger(place)
    for instant in found:
        left = Line(line.functions, folder=instant.folder / place.name)
        try:
            left.latest()
        except Exception:
            continue  # it is refused
        if _ledger(left.folder) != whole:
            return fault("death_fork", step=instant.step, name=instant.name)
    return None


def _usable(functions: Any, instant: Instant, function: str, *wanted: Checkpoint) -> Line:
    """What a death left, if one of the checkpoints that are wanted can be read in it. Raises NotYet."""
    left = Line(functions, folder=instant.folder)
    told = {"function": function, "step": instant.step, "name": instant.name}
    try:
        found = left.latest()
    except Exception as error:
        raise NotYet(fault("death_unread", kind=type(error).__name__, **told)) from None
    if found not in wanted:
        raise NotYet(fault("death_other", **told))
    return left


def _fork(*functions: Callable[..., Any]) -> Fault | None:
    noted = json.loads(_story()[1])
    for count, turn in ((ALL, 2), (ALL - 1, 4)):
        line = Line(functions, count)
        before = line.files()
        known = {name: noted[name] for name in list(noted)[:turn]}
        fork = _heir(line, turn, known, _saved(turn, "B"))
        if {name: data for name, data in line.files().items() if name in before} != before:
            return fault("fork_touches", turn=turn)
    return _apart(line, fork) or _stands(line) or _after(functions)


def _heir(line: Line, turn: int, noted: dict[str, Any], scene: Checkpoint) -> Line:
    """The fork from `turn`. Raises NotYet if it is not at that checkpoint, or has other entries in its ledger."""
    heir = Line(line.functions, folder=line.fork(turn))
    _same(heir.latest(), scene, "load_latest", "fork_latest", turn=turn)
    try:
        entries = load_effects(heir.folder)
    except LedgerError:
        raise NotYet(fault("fork_ledger_unread", turn=turn)) from None
    if entries != noted:
        raise NotYet(fault("fork_ledger", turn=turn, wanted=_ids(noted), got=_ids(entries)))
    return heir


def _ids(entries: dict[str, Any]) -> str:
    return ", ".join(entries) or say("nothing")


def _apart(line: Line, fork: Line) -> Fault | None:
    """A fault, if what happens in one folder is seen in the other one. The line has a call of its turn 5 pending."""
    theirs = _another(_saved(5, "A"), 20)
    fork.save(theirs)
    if line.latest() != _saved(5, "A"):
        return fault("fork_follows", point="A", where=fork.folder.name, other=line.folder.name)
    line.save(_saved(5, "B"))
    if fork.latest() != theirs:
        return fault("fork_follows", point="B", where=line.folder.name, other=fork.folder.name)
    return None


def _stands(line: Line) -> Fault | None:
    """A fault, if a fork is written over by another one of the same name."""
    before = line.files()
    try:
        line.fork(2)
    except Exception:
        return None if line.files() == before else fault("fork_again", turn=2)
    return fault("fork_again", turn=2)


def _after(functions: tuple[Callable[..., Any], ...]) -> Fault | None:
    """A fork from a turn that is there twice, since a rewind has left one of them."""
    line = Line(functions)
    line.rewind(3)
    for point in "AB":
        line.save(_another(_saved(4, point), 20))
    noted = json.loads(_story()[1])
    theirs = {**noted, "toolu_20": noted["toolu_04"]}
    (line.folder / LEDGER_FILE).write_text(json.dumps(theirs), encoding="utf-8")
    for left in ("toolu_04", "toolu_05"):
        del theirs[left]
    _heir(line, 4, theirs, _another(_saved(4, "B"), 20))
    return None


TASKS = (
    Task(
        "5.1",
        (
            *(Criterion(scene, fields=(scene,)) for scene in SCENES),
            *(Criterion(f"why_{scene}") for scene in SCENES),
        ),
        form=dict.fromkeys(SCENES, tuple(WAYS)),
        measure=_measure,
    ),
    Task(
        "5.2",
        (
            Criterion("sequence", _sequence),
            Criterion("rewinds", _rewinds),
            Criterion("stays", _stays),
            Criterion("new_line", _new_line),
            Criterion("aside", _aside),
            Criterion("missing", _missing),
            Criterion("order", _order),
            Criterion("frozen", _frozen),
            Criterion("death", _death),
            Criterion("fork", _fork),
            Criterion("effects"),
        ),
        takes={
            "save_checkpoint": "checkpoint, folder",
            "load_latest": "folder",
            "rewind_to": "turn, folder",
            "fork_from": "turn, branch, folder",
        },
    ),
)
