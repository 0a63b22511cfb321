"""What several tests need: real folders, the cases, and a client that answers what a test wrote down."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lesson_code.harness import Tool
from lesson_code.lab.model import Block, Response, Usage

TASK = "Convierte sales-notes.txt en un reporte breve y escríbelo en report.txt."
CASES = Path(__file__).parent / "cases"
ROOT = Path(__file__).parents[1]


def case(name: str) -> Any:
    """A case of `tests/cases`, parsed."""
    return json.loads((CASES / name).read_text(encoding="utf-8"))


def answer(*content: dict[str, Any], stop_reason: str = "tool_use", tokens: tuple[int, int] = (10, 5)) -> Response:
    """A response of the API with these blocks."""
    return Response([Block(block) for block in content], stop_reason, Usage(*tokens))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(tool_use_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": tool_use_id, "name": name, "input": given}


def end(words: str = "Listo.") -> Response:
    return answer(text(words), stop_reason="end_turn")


class Replies:
    """A client that gives the written answers in order, raises those that are exceptions, and keeps the requests."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []

    @property
    def messages(self) -> "Replies":
        return self

    def create(self, **request: Any) -> Any:
        self.requests.append(json.loads(json.dumps(request)))
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


def tool(run: Any, *names: str, read_only: bool = False) -> Tool:
    """A tool whose schema asks for `names`."""
    properties = {name: {} for name in names}
    schema = {"type": "object", "properties": properties, "required": list(names)}
    return Tool(run, description="de prueba", input_schema=schema, read_only=read_only)


def write_json(path: Path, value: Any) -> bytes:
    """Write `value` as any program would, and give back the bytes to compare with later."""
    data = json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")
    path.write_bytes(data)
    return data


def scene_b() -> dict[str, Any]:
    """What save B leaves after one turn."""
    messages = [
        {"role": "user", "content": TASK},
        {"role": "assistant", "content": [text("Leo."), call("t1", "read", path="sales-notes.txt")]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "enero: 10\n"}]},
    ]
    return {"version": 1, "task": TASK, "turns": 1, "tokensUsed": 15, "messages": messages, "pendingToolUse": None}


def scene_a(name: str = "write", tool_use_id: str = "t2", **given: Any) -> dict[str, Any]:
    """What save A leaves in the second turn, with this call pending."""
    scene = scene_b()
    scene["messages"].append({"role": "assistant", "content": [text("Sigo."), call(tool_use_id, name, **given)]})
    pending = {"id": tool_use_id, "name": name, "input": given}
    return {**scene, "turns": 2, "tokensUsed": 30, "pendingToolUse": pending}


class Events(list[tuple[str, dict[str, Any]]]):
    """A listener that keeps what it was told."""

    def __call__(self, event: str, **fields: Any) -> None:
        self.append((event, fields))

    @property
    def names(self) -> list[str]:
        return [event for event, _ in self]


class Died(BaseException):
    """A death in this process, which no `except Exception` survives."""


def die_at(label: str) -> Any:
    """A crash point that dies at `label`."""

    def crash_point(reached: str) -> None:
        if reached == label:
            raise Died(label)

    return crash_point


def snapshot(folder: Path) -> dict[str, Any]:
    """All that is in `folder`: the bytes of each file, the target of each link, None for the rest."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        found[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


def child(code: str, *arguments: Any, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run Python `code` in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    settings = {"cwd": ROOT, "env": environment, "capture_output": True, "encoding": "utf-8", "timeout": 60}
    return subprocess.run(command, **{**settings, **options})


DROP_RIGHTS = """
import os
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""


def let_others_in(folder: Path) -> None:
    """Open the way to `folder`: pytest keeps what it makes from other users, and they would be stopped before it."""
    for place in folder.parents:
        if place.stat().st_uid == os.getuid() and place.is_relative_to(tempfile.gettempdir()):
            place.chmod(place.stat().st_mode | 0o011)


def need_small_disks(place: Path) -> None:
    """Skip, or fail where `CI` is set, if nobody may mount a disk of one's own at the folder `place`."""
    import pytest  # the children that use this module need not wait for it

    needs = "A disk of one's own needs Linux, unshare (of util-linux) and a system that lets anybody mount."
    has = sys.platform == "linux" and shutil.which("unshare")
    if not has or subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", place]).returncode:
        if os.environ.get("CI") and sys.platform == "linux":
            pytest.fail(needs)  # where the tests must run, what is missing is an error
        pytest.skip(needs)


def dies_at_step(step: int, run: Any, folder: Path) -> bool:
    """Fork, call `run()` and die at its `step`-th change of `folder`; False if it ended before. Only on POSIX."""
    process = os.fork()
    if process == 0:
        left = [step]

        def count(event: str, details: tuple[Any, ...]) -> None:
            if event in STEPS and not isinstance(details[0], int) and str(folder) in os.fsdecode(details[0]):
                left[0] -= 1
                if left[0] == 0:
                    os._exit(137)

        code = 1
        try:
            sys.addaudithook(count)
            run()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert code in (0, 137)
    return code == 137


STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.scandir")

NOT_STRICT = {
    "empty": b"",
    "blank": b" \n",
    "NUL bytes": b"\0" * 100,
    "BOM": b"\xef\xbb\xbf{}",
    "Latin-1": '{"task": "ñ"}'.encode("latin-1"),
    "UTF-16": '{"task": "ñ"}'.encode("utf-16"),
    "encoded surrogate": b'{"a": "\xed\xb3\xb1"}',
    "escaped lone surrogate": b'{"a": "\\udcf1"}',
    "escaped lone surrogate in a key": b'{"a\\ud83d": 1}',
    "truncated": b'{"version": 1, "turns": 3, "pendingT',
    "cut inside a character": '{"task": "ñ'.encode()[:-1],
    "repeated key": b'{"a": 1, "a": 1}',
    "repeated key inside": b'{"a": [{"b": 1, "b": 2}]}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": Infinity}',
    "-Infinity": b'{"a": -Infinity}',
    "1e999": b'{"a": 1e999}',
    "-1e999": b'{"a": -1e999}',
    "200,000 lists": b"[" * 200_000 + b"]" * 200_000,
    "200,000 objects": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
    "150 levels": b"[" * 150 + b"]" * 150,
    "5,000 digits": b'{"a": ' + b"9" * 5000 + b"}",
    "two values": b"{}{}",
    "trailing comma": b'{"a": 1,}',
    "comment": b"{} // listo",
    "single quotes": b"{'a': 1}",
    "line feed in a string": b'{"a": "1\n2"}',
}
