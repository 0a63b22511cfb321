"""The outside world of the workers' tasks, in PostgreSQL: a line is committed at once, and DBOS knows nothing of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg

from ..harness import Tool, ToolRefused
from ..lab.board import EFFECT
from ..lab.tools import NOTES, make_tools
from ..lab.world import World
from ..words import say

TABLES = """
CREATE SCHEMA outside;
CREATE TABLE outside.lines (number bigserial PRIMARY KEY, task text NOT NULL, line jsonb NOT NULL);
CREATE INDEX ON outside.lines (task);
CREATE TABLE outside.files (task text, path text, content text NOT NULL, PRIMARY KEY (task, path));
CREATE TABLE outside.requests (task text PRIMARY KEY, messages jsonb NOT NULL);
CREATE TABLE outside.taken (task text NOT NULL, dead text NOT NULL, by text NOT NULL);
"""
WRITE = """
WITH written AS (
    INSERT INTO outside.files VALUES (%(task)s, %(path)s, %(content)s)
    ON CONFLICT (task, path) DO UPDATE SET content = %(content)s
)
INSERT INTO outside.lines (task, line) VALUES (%(task)s, %(line)s)
"""
PATIENCE = {
    "connect_timeout": 5,
    "tcp_user_timeout": 5000,  # milliseconds: a worker whose network is cut must notice it before the server does
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "options": "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2",
}


def connect(database: str) -> Any:
    """A connection that commits each statement by itself, and may be used by several threads. Raises psycopg.Error."""
    return psycopg.connect(database, autocommit=True, **PATIENCE)


class Outside(World):
    """The evidence of one task, and its files: a notes file, and what its tools write."""

    def __init__(self, connection: Any, task: str) -> None:
        self.connection, self.task = connection, task

    def read(self, path: str) -> str:
        """The content of a file. Raises ToolRefused."""
        asked = "SELECT content FROM outside.files WHERE task = %s AND path = %s"
        found = self.connection.execute(asked, (self.task, path)).fetchone()
        if found:
            return str(found[0])
        if path == NOTES:
            return say("sample_notes") + "\n"
        raise ToolRefused(say("path_missing", path=path))

    def write(self, path: str, content: str) -> None:
        """An effect: the file is written whole and its line noted, both or neither, in one statement."""
        asked = [line["asked"] for line in self.calls() if line["name"] == EFFECT]
        line = json.dumps({"done": asked[-1] if asked else None, "name": EFFECT, "about": path})
        self.connection.execute(WRITE, {"task": self.task, "path": path, "content": content, "line": line})

    def note_request(self, messages: list[dict[str, Any]]) -> None:
        """Keep what the model was told last."""
        new = "INSERT INTO outside.requests VALUES (%s, %s) ON CONFLICT (task) DO UPDATE SET messages = %s"
        self.connection.execute(new, (self.task, json.dumps(messages), json.dumps(messages)))

    def last_request(self) -> list[dict[str, Any]]:
        """What the model was told last."""
        asked = "SELECT messages FROM outside.requests WHERE task = %s"
        found = self.connection.execute(asked, (self.task,)).fetchone()
        return list(found[0]) if found else []

    def _lines(self) -> list[dict[str, Any]]:
        asked = "SELECT line FROM outside.lines WHERE task = %s ORDER BY number"
        return [line for (line,) in self.connection.execute(asked, (self.task,))]

    def _append(self, line: dict[str, Any]) -> None:
        self.connection.execute("INSERT INTO outside.lines (task, line) VALUES (%s, %s)", (self.task, json.dumps(line)))


def tools_of(world: Outside) -> dict[str, Tool]:
    """The three tools of the course, at work in the database."""
    tools = make_tools(Path(), world)

    def write_report(path: str, content: str) -> str:
        world.write(path, content)
        return say("report_written", path=path)

    return {
        **tools,
        "read_notes": replace(tools["read_notes"], run=lambda path: world.read(path)),
        EFFECT: replace(tools[EFFECT], run=write_report),
    }
