"""The task on Burr: a state machine of two actions, whose state is saved in SQLite after each."""

from pathlib import Path
from typing import Any

from burr.core import ApplicationBuilder, State, action, default, expr
from burr.core.persistence import SQLitePersister

from ..harness.tools import Tools
from .turn import Turn, is_last, last_text


def run_agent(client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False) -> str:
    """Run `task`, or go on with it at the action that comes after the last one saved."""
    turn = Turn(client, tools)

    @action(reads=["messages"], writes=["messages", "finished"])
    def ask(state: State) -> State:
        message = turn.ask(state["messages"])
        return state.append(messages=message).update(finished=is_last(message))

    @action(reads=["messages"], writes=["messages"])
    def run(state: State) -> State:
        return state.append(messages=turn.run(state["messages"][-1]["content"]))

    @action(reads=["messages"], writes=[])
    def end(state: State) -> State:
        return state

    with SQLitePersister.from_values(str(folder / "burr.sqlite")) as persister:
        persister.initialize()
        agent = (
            ApplicationBuilder()
            .with_actions(ask, run, end)
            .with_transitions(("ask", "end", expr("finished")), ("ask", "run", default), ("run", "ask", default))
            .with_identifiers(app_id="task", partition_key="lesson")
            .initialize_from(
                persister,
                resume_at_next_action=True,
                default_state={"messages": [{"role": "user", "content": task}]},
                default_entrypoint="ask",
            )
            .with_state_persister(persister)
            .build()
        )
        _, _, state = agent.run(halt_after=["end"])
        return last_text(state["messages"])
