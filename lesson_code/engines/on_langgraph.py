"""The task on LangGraph: a graph of two nodes, whose state is saved in SQLite after each."""

import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

from ..harness.ports import CrashPoint, go_on
from ..harness.tools import Tools
from .turn import Turn, TurnWithPolicy, is_last, last_text


class State(TypedDict):
    messages: Annotated[list[Any], operator.add]


def run_agent(client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False) -> str:
    """Run `task`, or go on with it: the state is on disk before the next node begins."""
    return run(task, Turn(client, tools), folder, "sync", resume)


def in_async(client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False) -> str:
    """The same with LangGraph's default: the state is written while the next node runs."""
    return run(task, Turn(client, tools), folder, "async", resume)


def with_policy(
    client: Any, task: str, tools: Tools, folder: Path, *, resume: bool = False, crash_point: CrashPoint = go_on
) -> str:
    """The same as `run_agent` with the lesson's policy."""
    return run(task, TurnWithPolicy(client, tools, folder, crash_point), folder, "sync", resume)


def run(task: str, turn: Turn, folder: Path, durability: str, resume: bool) -> str:
    graph = StateGraph(State)
    graph.add_node("ask", lambda state: {"messages": [turn.ask(state["messages"])]})
    graph.add_node("run", lambda state: {"messages": [turn.run(state["messages"][-1]["content"])]})
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", lambda state: END if is_last(state["messages"][-1]) else "run")
    graph.add_edge("run", "ask")
    with SqliteSaver.from_conn_string(str(folder / "langgraph.sqlite")) as saver:
        agent = graph.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": "task"}, "recursion_limit": 10_000}
        begun = resume and agent.get_state(config).created_at
        start = None if begun else {"messages": [{"role": "user", "content": task}]}
        return last_text(agent.invoke(start, config, durability=durability)["messages"])
