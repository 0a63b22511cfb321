"""Two workers, many tasks, and a death now and then: `python -m lesson_code.engines workers [TASKS [KILLS]]`."""

import os
import random
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from subprocess import PIPE
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..lab.board import EFFECT, is_the_truth
from ..lab.child import ROOT
from ..lab.tools import TASK
from ..words import say
from .attacks import missing

WORKERS = 2
DEFAULT = ("1000", "20")  # tasks, and kills
NUMBER = re.compile("0|[1-9][0-9]{0,4}")
OPEN = ["PENDING", "ENQUEUED"]
PATIENCE = 600.0  # seconds


class Figures(NamedTuple):
    """What came of it. `lost`: tasks without an answer or an effect; `untold`: the model was not told what happened.

    `repeated`: tasks whose effect happened more than once. `taken`: tasks that went over to another worker.
    """

    tasks: int
    kills: int
    taken: int
    lost: int
    repeated: int
    untold: int
    seconds: int


class NoDatabase(Exception):
    """There is no server to work with: the message says what to do."""


class Team:
    """The workers that live, each under a name that nobody had before."""

    def __init__(self, database: str, **variables: str) -> None:
        ours = {"DATABASE_URL": database, "PYTHONIOENCODING": "utf-8", "WORKER_OF_A_TEAM": "yes"}
        self.variables = {**os.environ, **ours, **variables}
        self.members: list[subprocess.Popen[str]] = []

    def hire(self, *death: str) -> "subprocess.Popen[str]":
        """Start a worker and wait until it takes tasks; `death`: the moment at which it dies, and where to note it."""
        name = f"worker-{uuid.uuid4().hex[:8]}"
        command = [sys.executable, "-m", f"{__package__}.worker", name, *death]
        member: subprocess.Popen[str] = subprocess.Popen(
            command, cwd=ROOT, env=self.variables, stdin=PIPE, stdout=PIPE, stderr=PIPE, encoding="utf-8"
        )
        if member.stdout is None or member.stdout.readline() != "ready\n":
            raise NoDatabase(say("workers_no_start", reason=member.communicate()[1][-300:]))
        self.members.append(member)
        return member

    def kill(self, member: "subprocess.Popen[str]") -> None:
        """End it as the system does when it has no memory left."""
        self.members.remove(member)
        member.kill()
        member.communicate()

    def refill(self) -> None:
        """Put another in the place of who has ended by itself."""
        for member in [*self.members]:
            if member.poll() is not None:
                self.kill(member)
                self.hire()

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, *_: object) -> None:
        for member in [*self.members]:
            self.kill(member)


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """The URL of a new database on the server, which is dropped afterwards. Raises NoDatabase."""
    import psycopg

    from .outside import TABLES, connect

    name = f"curso_{uuid.uuid4().hex[:12]}"
    try:
        with connect(server) as connection:
            connection.execute(f"CREATE DATABASE {name}")
    except psycopg.Error as error:
        raise NoDatabase(say("workers_no_server", reason=type(error).__name__)) from None
    database = urlsplit(server)._replace(path=f"/{name}").geturl()
    try:
        with connect(database) as connection:
            connection.execute(TABLES)
        yield database
    finally:
        with connect(server) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def enqueue(database: str, tasks: int) -> tuple[Any, list[str]]:
    """Put so many tasks in the queue: a client of DBOS, and their ids."""
    from dbos import DBOSClient

    from .worker import QUEUE, VERSION

    client = DBOSClient(system_database_url=database, retry_connection_errors=False)
    names = [f"task-{number:04d}" for number in range(1, tasks + 1)]
    for name in names:
        options = {"queue_name": QUEUE, "workflow_name": "agent", "workflow_id": name, "app_version": VERSION}
        client.enqueue(options, TASK)
    return client, names


def storm(server: str, tasks: int, kills: int, seed: int = 1) -> Figures:
    """Run so many tasks over two workers, of which one is killed so many times. Raises NoDatabase."""
    from .outside import connect

    chance = random.Random(seed)
    with new_database(server) as database, connect(database) as evidence, Team(database) as team:
        for _ in range(WORKERS):
            team.hire()
        began = time.monotonic()
        client, names = enqueue(database, tasks)
        for number in range(kills):
            wanted = round(tasks * (number + chance.random()) / (kills + 1))
            _wait_until(partial(_have_effect, evidence, wanted), team)
            team.kill(chance.choice(team.members))
            team.hire()
        answers = answers_of(client, names, team)
        client.destroy()
        return judge(evidence, answers, kills, round(time.monotonic() - began))


def answers_of(client: Any, names: list[str], team: Team) -> dict[str, str | None]:
    """The answer of each task once all have ended; None for one that has none."""
    _wait_until(lambda: not client.list_workflows(status=OPEN, limit=1), team)
    return {name: _answer(client, name) for name in names}


def judge(evidence: Any, answers: dict[str, str | None], kills: int, seconds: int) -> Figures:
    """What the evidence says of each task, of which `answers` has the last answer or None."""
    from .outside import Outside

    taken = {task for (task,) in evidence.execute("SELECT DISTINCT task FROM outside.taken")}
    lost = repeated = untold = 0
    for task, answer in answers.items():
        world = Outside(evidence, task)
        times = world.times(EFFECT)
        unsure = {call["asked"] for call in world.calls()} if task in taken else set()
        lost += answer != say("model_done") or times == 0
        repeated += times > 1
        untold += not is_the_truth(world, world.last_request(), unsure)
    return Figures(len(answers), kills, len(taken), lost, repeated, untold, seconds)


def _wait_until(holds: Callable[[], bool], team: Team) -> None:
    give_up = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < give_up:
        team.refill()
        time.sleep(0.05)


def _have_effect(evidence: Any, tasks: int) -> bool:
    """Whether so many tasks have had their report written."""
    asked = "SELECT count(DISTINCT task) FROM outside.lines WHERE line ? %s"
    return bool(evidence.execute(asked, ("done",)).fetchone()[0] >= tasks)


def _answer(client: Any, task: str) -> str | None:
    [found] = client.list_workflows(workflow_ids=[task], load_input=False)
    return found.output if isinstance(found.output, str) else None


def _storm(server: str, tasks: int, kills: int) -> Figures:
    """The same, with one error for all that a server can fail with. Raises NoDatabase."""
    import psycopg

    try:
        return storm(server, tasks, kills)
    except psycopg.Error as error:
        raise NoDatabase(say("workers_stopped", reason=type(error).__name__)) from None


def command(arguments: list[str]) -> int:
    """The exit code: 0 nothing lost, repeated or untold; 1 something was; 2 it could not be tried, or was not asked."""
    if len(arguments) > 2 or not all(map(NUMBER.fullmatch, arguments)) or arguments[:1] == ["0"]:
        print(say("engines_usage"), file=sys.stderr)
        return 2
    tasks, kills = map(int, [*arguments, *DEFAULT[len(arguments) :]])
    server = os.environ.get("DATABASE_URL")
    try:
        if missing():
            raise NoDatabase(say("engines_missing", names=", ".join(missing())))
        if not server:
            raise NoDatabase(say("workers_no_url"))
        figures = _storm(server, tasks, kills)
    except NoDatabase as error:
        print(error, file=sys.stderr)
        return 2
    print(say("workers", **figures._asdict()))
    return int(bool(figures.lost or figures.repeated or figures.untold))
