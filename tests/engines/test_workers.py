"""Workers that share only a database: one dies in the middle of a turn, and another ends what it had begun."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lesson_code.engines.__main__ import command
from lesson_code.engines.workers import Figures, Team, answers_of, enqueue, judge, new_database, storm
from lesson_code.lab.board import EFFECT
from lesson_code.lab.child import run_child
from lesson_code.lab.model import history
from lesson_code.words import say
from tests.engines.proxy import Proxy

ANSWER = say("model_done")


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    with new_database(postgres) as url:
        yield url


@pytest.fixture
def evidence(database: str) -> Iterator[Any]:
    from lesson_code.engines.outside import connect

    with connect(database) as connection:
        yield connection


def die_and_go_on(database: str, evidence: Any, moment: str, place: Path, **variables: str) -> Figures:
    """One task: a worker dies at a moment of its report, and only then there is another."""
    with Team(database, **variables) as team:
        doomed = team.hire(moment, str(place))
        client, [task] = enqueue(database, 1)
        assert doomed.wait(timeout=60) != 0
        team.members.clear()
        team.hire()
        answers = answers_of(client, [task], team)
        client.destroy()
    return judge(evidence, answers, kills=1, seconds=0)


@pytest.mark.parametrize("moment", ["①", "②"])
def test_another_worker_ends_the_turn_the_effect_is_there_once_and_the_model_knows_what_nobody_knows(
    database: str, evidence: Any, tmp_path: Path, moment: str
) -> None:
    from lesson_code.engines.outside import Outside

    figures = die_and_go_on(database, evidence, moment, tmp_path)
    assert figures == Figures(tasks=1, kills=1, taken=1, lost=0, repeated=0, untold=0, seconds=0)
    world = Outside(evidence, "task-0001")
    told = [result for call, result in history(world.last_request()) if call["name"] == EFFECT]
    assert world.times(EFFECT) == 1
    assert told[0]["is_error"] and told[0]["content"] == say("result_unknown", name=EFFECT)


def test_without_the_policy_the_effect_is_there_twice_and_that_is_seen(
    database: str, evidence: Any, tmp_path: Path
) -> None:
    figures = die_and_go_on(database, evidence, "②", tmp_path, WORKER_POLICY="none")
    assert figures == Figures(tasks=1, kills=1, taken=1, lost=0, repeated=1, untold=1, seconds=0)


def test_a_task_without_its_answer_is_lost_and_one_without_its_effect_too(evidence: Any) -> None:
    figures = judge(evidence, {"ended": ANSWER, "failed": None}, kills=0, seconds=0)
    assert (figures.lost, figures.untold) == (2, 0)


def test_of_many_tasks_and_some_deaths_nothing_is_lost_and_nothing_untold(postgres: str) -> None:
    figures = storm(postgres, tasks=120, kills=5)
    assert figures._replace(taken=0, seconds=0) == Figures(120, 5, 0, lost=0, repeated=0, untold=0, seconds=0)
    assert figures.taken > 0


def test_a_worker_that_lost_its_lock_ends_itself_and_others_end_its_tasks(database: str, evidence: Any) -> None:
    with Team(database) as team:
        first, second = team.hire(), team.hire()
        client, tasks = enqueue(database, 80)
        ours = "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        held = f"SELECT pid FROM pg_locks WHERE {ours} ORDER BY pid LIMIT 1"
        evidence.execute(f"SELECT pg_terminate_backend(({held}))")
        answers = answers_of(client, tasks, team)
        client.destroy()
        codes = [worker.poll() for worker in (first, second)]
        assert sorted(codes, key=str) == [1, None]
    figures = judge(evidence, answers, kills=1, seconds=0)
    assert figures._replace(taken=0) == Figures(80, 1, 0, lost=0, repeated=0, untold=0, seconds=0)


def test_a_worker_whose_network_is_cut_ends_itself_before_others_may_take_its_tasks(
    database: str, evidence: Any
) -> None:
    from lesson_code.engines.worker import GRACE

    with Proxy(urlsplit(database).port or 5432) as proxy:
        there = urlsplit(database)
        through = there._replace(netloc=there.netloc.replace(f":{there.port}", f":{proxy.port}")).geturl()
        with Team(through) as team:
            worker = team.hire()
            proxy.cut()
            began = time.monotonic()
            assert worker.wait(timeout=30) == 1
            assert time.monotonic() - began < GRACE
            assert worker.communicate()[1] == say("worker_lost_lock") + "\n"


def test_the_workers_of_a_team_end_with_who_started_them(database: str) -> None:
    with Team(database) as team:
        worker = team.hire()
        team.members.clear()  # nobody else ends it
        worker.stdin.close()  # type: ignore[union-attr]  # it is a pipe
        assert worker.wait(timeout=30) == 1


@pytest.mark.parametrize("arguments", [["0"], ["ten"], ["10", "-1"], ["10", "2", "3"]])
def test_what_is_no_number_of_tasks_gets_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["workers", *arguments]) == 2
    assert capsys.readouterr().err == say("engines_usage") + "\n"


@pytest.mark.parametrize("url", ["", "postgresql://ana:s3creta@127.0.0.1:1/postgres"])
def test_a_worker_that_can_not_begin_says_why_in_one_sentence(engines: None, url: str) -> None:
    child = run_child("-m", "lesson_code.engines.worker", "ana", DATABASE_URL=url)
    assert (child.returncode, child.stdout, len(child.stderr.splitlines())) == (1, "", 1)
    assert "DATABASE_URL" in child.stderr and "s3creta" not in child.stderr


def test_two_workers_of_one_name_do_not_live_at_once(database: str) -> None:
    from lesson_code.engines.worker import Lock

    lock = Lock(database, "ana")
    assert lock.take()
    child = run_child("-m", "lesson_code.engines.worker", "ana", DATABASE_URL=database)
    assert (child.returncode, child.stderr) == (1, say("worker_same_name", name="ana") + "\n")
    lock.connection.close()


@pytest.mark.parametrize("url", ["", "postgresql://ana:s3creta@127.0.0.1:1/postgres", "ana:s3creta"])
def test_without_a_server_the_command_says_what_to_do_and_shows_no_password(
    engines: None, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    assert command(["workers", "10"]) == 2
    said = capsys.readouterr().err
    assert "DATABASE_URL" in said and len(said.splitlines()) == 1 and "s3creta" not in said
