"""The attack on each engine: it dies for real at ① ② ★ ③ of the turn that writes the report, and is run again."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ..lab.board import EFFECT, is_the_truth
from ..lab.child import ROOT
from ..lab.crash import MOMENTS
from ..lab.model import history
from ..lab.world import World
from ..words import say
from .victim import DEATH, EVIDENCE

ENGINES = {
    "lesson": "lesson_code.harness:run_agent",
    "dbos": "lesson_code.engines.on_dbos:run_agent",
    "dbos_policy": "lesson_code.engines.on_dbos:with_policy",
    "langgraph": "lesson_code.engines.on_langgraph:run_agent",
    "langgraph_async": "lesson_code.engines.on_langgraph:in_async",
    "langgraph_policy": "lesson_code.engines.on_langgraph:with_policy",
    "burr": "lesson_code.engines.on_burr:run_agent",
}
PACKAGES = {"dbos": "dbos", "langgraph": "langgraph", "langgraph-checkpoint-sqlite": "langgraph", "apache-burr": "burr"}
NEEDED = (*PACKAGES.values(), "psycopg")
RUNS = 4  # of each moment
MORE_RUNS = {("langgraph_async", "③"): 20}  # a matter of chance: it dies while the state is being written
PATIENCE = 120  # seconds


class Tried(NamedTuple):
    """One death and the run after it. `written`: times the report was really written.

    `truthful`: the model was told what happened. `unknown`: it was told of a call that nobody knows (`is_error`).
    """

    engine: str
    moment: str
    written: int
    truthful: bool
    unknown: bool


class AttackFailed(Exception):
    """A run did not die where it should, or did not end after it: there is nothing to judge."""


def missing() -> list[str]:
    """The packages of `requirements.txt` that are not installed."""
    return [name for name in dict.fromkeys(NEEDED) if importlib.util.find_spec(name) is None]


def moments_of(engine: str) -> list[str]:
    """① ② ③, and ★ where there is a ledger."""
    return [moment for moment in MOMENTS if moment != "★" or engine == "lesson" or engine.endswith("_policy")]


def count_of(engine: str, moment: str) -> int:
    """How often it is killed there."""
    return MORE_RUNS.get((engine, moment), RUNS)


def attack(engines: Iterable[str] = ENGINES) -> Iterator[Tried]:
    """Each death, as it is judged: RUNS of each moment of each engine, and more of those that depend on chance."""
    wanted = [
        (engine, moment) for engine in engines for moment in moments_of(engine) for _ in range(count_of(engine, moment))
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda pair: try_once(*pair), wanted)


def try_once(engine: str, moment: str) -> Tried:
    """Die at `moment`, run again, and judge. Raises AttackFailed."""
    with tempfile.TemporaryDirectory(prefix="curso-", ignore_cleanup_errors=True) as top:
        place = Path(top)
        died = _run(engine, place, moment)
        if not (place / DEATH).exists():
            raise AttackFailed(say("engines_no_death", engine=engine, moment=moment, reason=died.stderr[-500:]))
        world = World(place)
        asked = {call["asked"] for call in world.calls() if call["name"] == EFFECT}
        ended = _run(engine, place, "never", "resume")
        if ended.returncode:
            raise AttackFailed(say("engines_no_end", engine=engine, moment=moment, reason=ended.stderr[-500:]))
        messages = json.loads((place / EVIDENCE).read_text(encoding="utf-8"))["messages"]
        truthful = is_the_truth(world, messages, asked if moment in "①②" else set())
        unknown = any(call["name"] == EFFECT and result.get("is_error") for call, result in history(messages))
        return Tried(engine, moment, world.times(EFFECT), truthful, unknown)


def _run(engine: str, place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", f"{__package__}.victim", ENGINES[engine], str(place), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
    )
