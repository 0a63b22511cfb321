"""The task on DBOS: a workflow whose steps are recorded, in SQLite by default or in PostgreSQL by URL."""

from pathlib import Path
from typing import Any

from dbos import DBOS, SetWorkflowID

from ..harness.ports import CrashPoint, go_on
from ..harness.tools import Tools
from .turn import Turn, TurnWithPolicy, is_last, last_text


def run_agent(client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False) -> str:
    """Run `task`, or go on with it: DBOS recovers by itself what the last process of this folder left."""
    return run(task, Turn(client, tools), f"sqlite:///{folder / 'dbos.sqlite'}")


def with_policy(
    client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False, crash_point: CrashPoint = go_on
) -> str:
    """The same with the lesson's policy."""
    return run(task, TurnWithPolicy(client, tools, folder, crash_point), f"sqlite:///{folder / 'dbos.sqlite'}")


def run(task: str, turn: Turn, database: str) -> str:
    """Run `task` under one workflow id: whoever begins it again gets the one that has begun."""
    DBOS(config={"name": "lesson", "system_database_url": database, "log_level": "ERROR"})
    workflow = workflow_of(turn)
    DBOS.launch()
    try:
        with SetWorkflowID("task"):
            answer: str = DBOS.start_workflow(workflow, task).get_result()
            return answer
    finally:
        DBOS.destroy()


def workflow_of(turn: Turn) -> Any:
    """The loop as a workflow: on recovery it runs from its beginning, and a step that is recorded does not run."""

    @DBOS.workflow(name="agent")
    def agent(task: str) -> str:
        messages = [{"role": "user", "content": task}]
        while True:
            messages.append(DBOS.run_step({"name": "ask"}, turn.ask, messages))
            if is_last(messages[-1]):
                return last_text(messages)
            messages.append(DBOS.run_step({"name": "run"}, turn.run, messages[-1]["content"]))

    return agent
