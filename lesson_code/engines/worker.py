"""A worker: a process that shares nothing with the others but the database. It takes tasks, and those of the dead.

`python -m lesson_code.engines.worker NAME [MOMENT PLACE]`, with DATABASE_URL; at MOMENT (① ②) of a report it dies.
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import psycopg
from dbos import DBOS

from ..harness.conversation import Message
from ..lab.commands import speak_utf_8
from ..lab.model import Response, ScriptedModel
from ..words import say
from .on_dbos import workflow_of
from .outside import Outside, connect, tools_of
from .turn import Content, Turn, TurnWithUnknown
from .victim import Deaths

QUEUE, VERSION = "tasks", "lesson"
AT_ONCE = 8  # tasks of a worker
LOOK = 0.5  # seconds between two looks at the own lock, and at those of others
SILENCE = 2.0  # seconds without an answer of the database after which a worker takes its lock for lost
GRACE = SILENCE + 2 * LOOK  # seconds that it is given to notice that, before its tasks are taken over


class Lock:
    """That a worker lives: a lock of its session in the database, under its name, which its death frees."""

    def __init__(self, database: str, name: str) -> None:
        self.connection, self.answered = connect(database), time.monotonic()
        self.number = int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "big", signed=True)

    def take(self) -> bool:
        """Take it, if nobody has it."""
        return bool(self.connection.execute("SELECT pg_try_advisory_lock(%s)", (self.number,)).fetchone()[0])

    def must_be_held(self) -> None:
        """End this process if the session is gone: another worker may own its tasks by now."""
        asked = time.monotonic()
        try:
            self.connection.execute("SELECT 1")
        except psycopg.Error:
            end(say("worker_lost_lock"))
        self.answered = asked

    def must_have_answered(self) -> None:
        """The same if the database is silent: to ask it would only be to wait."""
        if time.monotonic() - self.answered > SILENCE:
            end(say("worker_lost_lock"))


def end(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    os._exit(1)


class Heard(ScriptedModel):
    """The scripted model; what it is told goes to the evidence."""

    def create(self, **request: Any) -> Response:
        assert isinstance(self.world, Outside)
        self.world.note_request(request["messages"])
        return super().create(**request)


class TurnOfTask(Turn):
    """The turn of whichever task runs: each has its own world and its own model."""

    def __init__(self, lock: Lock, connection: Any, deaths: Deaths, policy: type[Turn] = TurnWithUnknown) -> None:
        self.lock, self.connection, self.deaths, self.policy = lock, connection, deaths, policy
        self.turns: dict[str, Turn] = {}

    def ask(self, messages: list[Message]) -> Message:
        return self._of_task().ask(messages)

    def run(self, content: Content) -> Message:
        return self._of_task().run(content)

    def _of_task(self) -> Turn:
        self.lock.must_be_held()
        task = str(DBOS.workflow_id)
        if task not in self.turns:
            world = Outside(self.connection, task)
            tools = self.deaths.around(tools_of(world))
            self.turns[task] = self.policy(Heard(fresh_ids=True, world=world), tools)
        return self.turns[task]


def work(database: str, name: str, deaths: Deaths, policy: type[Turn]) -> None:
    """Take tasks until this process is killed."""
    lock = Lock(database, name)
    if not lock.take():
        end(say("worker_same_name", name=name))
    config = {"name": "lesson", "system_database_url": database, "executor_id": name, "application_version": VERSION}
    DBOS(config={**config, "log_level": "CRITICAL"})
    workflow_of(TurnOfTask(lock, connect(database), deaths, policy))
    for check in (lock.must_be_held, lock.must_have_answered):
        Thread(target=watch, args=(check,), daemon=True).start()
    DBOS.launch()
    DBOS.register_queue(QUEUE, worker_concurrency=AT_ONCE, polling_interval_sec=0.1)
    print("ready", flush=True)
    while True:
        time.sleep(LOOK)
        take_over(database, name)


def watch(check: Callable[[], None]) -> None:
    while True:
        time.sleep(LOOK)
        check()


def end_with_parent() -> None:
    sys.stdin.buffer.read()  # it ends when the parent does
    os._exit(1)


def take_over(database: str, name: str) -> None:
    """Put what a dead worker had begun back in the queue. DBOS by itself recovers only what had the same name."""
    for dead in {task.executor_id for task in pending()} - {name, None}:
        lock = Lock(database, dead)
        with lock.connection:
            if not lock.take():
                continue
            time.sleep(GRACE)
            for task in pending():
                if task.executor_id == dead:
                    taken = "INSERT INTO outside.taken VALUES (%s, %s, %s)"
                    lock.connection.execute(taken, (task.workflow_id, dead, name))
                    DBOS.resume_workflow(task.workflow_id, queue_name=QUEUE)


def pending() -> Any:
    """The tasks that some worker has begun and not ended."""
    return DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)


def main(arguments: list[str]) -> None:
    """Work, or say in one sentence why that can't be."""
    if not 1 <= len(arguments) <= 3 or not os.environ.get("DATABASE_URL"):
        end(say("worker_usage"))
    if os.environ.get("WORKER_OF_A_TEAM"):
        Thread(target=end_with_parent, daemon=True).start()
    name, moment, place = [*arguments, "never", "."][:3]
    without = os.environ.get("WORKER_POLICY") == "none"
    try:
        work(os.environ["DATABASE_URL"], name, Deaths(moment, Path(place)), Turn if without else TurnWithUnknown)
    except psycopg.Error as error:
        end(say("workers_no_server", reason=type(error).__name__))


if __name__ == "__main__":
    speak_utf_8()
    main(sys.argv[1:])
