"""With what a run began: noted before the first answer is asked for, and compared at each resume."""

import json
import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lesson_code.harness import AgentStopped, Tool, fork_from, load_checkpoint, rewind_to, run_agent
from lesson_code.harness.folder import archive
from lesson_code.harness.origin import Remembering
from lesson_code.harness.snapshots import keeping
from tests.support import (
    NOT_STRICT,
    TASK,
    Died,
    Events,
    Replies,
    answer,
    call,
    die_at,
    dies_at_step,
    end,
    scene_b,
    snapshot,
    tool,
    write_json,
)

pytestmark = pytest.mark.usefixtures("no_sync")
posix = pytest.mark.skipif(os.name == "nt", reason="fork and links are POSIX")

BEGAN: dict[str, Any] = {"model": "uno", "system": "Sé breve: ñ."}
TOOLS = {"put": tool(lambda n: n, "n"), "get": tool(list)}


def put(number: int) -> Any:
    return answer(call(f"t{number}", "put", n=number))


def go(folder: Path, *replies: Any, tools: Any = TOOLS, **options: Any) -> Events:
    """Run until the replies are over, and give back the warnings."""
    said, silent = Events(), Events()
    given = {**BEGAN, "emit": silent, **options}
    try:
        run_agent(
            Remembering(Replies(*replies, ConnectionError("sin red")), folder, said), TASK, tools, folder, **given
        )
    except AgentStopped as stopped:
        assert "sin red" in str(stopped)
    except Died:
        pass
    return said


def origin(folder: Path) -> Any:
    return json.loads((folder / "origin.json").read_bytes())


NOTED = {
    **BEGAN,
    "tools": [
        {"name": "put", "description": "de prueba", "input_schema": TOOLS["put"].input_schema},
        {"name": "get", "description": "de prueba", "input_schema": TOOLS["get"].input_schema},
    ],
}


# Noting it


def test_it_is_on_disk_before_the_first_answer_is_asked_for(folder: Path) -> None:
    seen: list[Any] = []

    class Looks(Replies):
        def create(self, **request: Any) -> Any:
            seen.append(origin(folder))
            return super().create(**request)

    run_agent(Remembering(Looks(put(1), end()), folder, Events()), TASK, TOOLS, folder, **BEGAN)
    assert seen == [NOTED, NOTED] and list(NOTED) == list(seen[0])
    assert "ñ" in (folder / "origin.json").read_text(encoding="utf-8")


def test_without_a_system_text_it_is_an_empty_one(folder: Path) -> None:
    assert go(folder, put(1), system="") == [] and origin(folder)["system"] == ""
    assert go(folder, end(), system="", resume=True) == []


def test_the_client_is_asked_what_it_would_be_asked_without_it(folder: Path, tmp_path: Path) -> None:
    remembered, plain = Replies(put(1), end()), Replies(put(1), end())
    run_agent(Remembering(remembered, folder, Events()), TASK, TOOLS, folder, **BEGAN)
    run_agent(plain, TASK, TOOLS, tmp_path / "otra", **BEGAN)
    assert remembered.requests == plain.requests and len(plain.requests) == 2


def test_while_nothing_is_answered_the_task_has_not_begun(folder: Path) -> None:
    assert go(folder, model="mal escrito") == []
    assert go(folder, put(1), resume=True) == [] and origin(folder) == NOTED
    assert go(folder, end(), resume=True) == []


def test_a_disk_without_room_for_it_stops_the_run_before_it_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really, client = os.replace, Replies(end())

    def replace(source: Any, target: Any) -> None:
        if Path(target).name == "origin.json":
            raise OSError(28, "lleno")
        really(source, target)

    with monkeypatch.context() as system, pytest.raises(AgentStopped, match="no queda espacio en el disco"):
        system.setattr(os, "replace", replace)
        run_agent(Remembering(client, folder, Events()), TASK, TOOLS, folder, **BEGAN)
    assert client.requests == [] and not (folder / "origin.json").exists() and not list(folder.glob("*.tmp"))
    assert go(folder, end(), resume=True) == []


def test_a_tool_that_changes_the_working_directory_does_not_split_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "otra").mkdir()
    monkeypatch.chdir(folder)
    tools = {"put": tool(lambda n: os.chdir(folder / "otra"), "n", read_only=True)}
    go(Path("tarea"), put(1), tools=tools, crash_point=die_at("after-save-a:1"))
    monkeypatch.chdir(folder)
    assert go(Path("tarea"), end(), tools=tools, resume=True, model="dos").names == ["warning_other_model"]
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("origin.json")] == ["tarea/origin.json"]


# Comparing it


def test_nothing_is_said_where_nothing_changes(folder: Path) -> None:
    go(folder, put(1))
    before = (folder / "origin.json").read_bytes()
    assert go(folder, put(2), resume=True) == go(folder, end(), resume=True) == []
    assert (folder / "origin.json").read_bytes() == before


def changed(**changes: Any) -> dict[str, Tool]:
    return {name: value for name, value in {**TOOLS, **changes}.items() if value}


OTHER_SCHEMA = tool(lambda n: n, "n", "m")
OTHER_WORDS = Tool(print, description="otra", input_schema=TOOLS["get"].input_schema)


@pytest.mark.parametrize(
    "changes, warnings",
    [
        ({"model": "dos"}, [("warning_other_model", {"theirs": "uno", "ours": "dos"})]),
        ({"system": ""}, [("warning_other_system", {})]),
        ({"system": "Sé breve: ñ"}, [("warning_other_system", {})]),
        ({"tools": changed(get=None)}, [("warning_other_tools", {"names": "get"})]),
        ({"tools": changed(new=OTHER_SCHEMA)}, [("warning_other_tools", {"names": "new"})]),
        ({"tools": changed(put=OTHER_SCHEMA)}, [("warning_other_tools", {"names": "put"})]),
        ({"tools": changed(put=OTHER_SCHEMA, get=OTHER_WORDS)}, [("warning_other_tools", {"names": "get, put"})]),
        (
            {"model": "dos", "system": "", "tools": {}},
            [
                ("warning_other_model", {"theirs": "uno", "ours": "dos"}),
                ("warning_other_system", {}),
                ("warning_other_tools", {"names": "get, put"}),
            ],
        ),
    ],
    ids=["model", "no system", "system", "a tool less", "a tool more", "a schema", "words", "all"],
)
def test_what_is_another_one_is_said_once_in_each_run_and_what_it_began_with_stays(
    folder: Path, changes: dict[str, Any], warnings: list[Any]
) -> None:
    go(folder, put(1))
    for replies in ([], [answer(call("t2", "otra")), answer(call("t3", "otra"))], [end()]):
        assert go(folder, *replies, resume=True, **changes) == warnings
        assert origin(folder) == NOTED


def test_a_run_that_is_finished_asks_nothing_and_compares_nothing(folder: Path) -> None:
    go(folder, end())
    assert go(folder, resume=True, model="dos") == []


def test_tools_in_another_order_or_that_only_run_otherwise_are_the_same(folder: Path) -> None:
    go(folder, put(1))
    tools = {"get": tool(print, read_only=True), "put": tool(print, "n")}
    assert go(folder, end(), tools=tools, resume=True) == []


def test_a_file_that_says_the_same_in_another_order_is_the_same(folder: Path) -> None:
    go(folder, put(1))
    write_json(folder / "origin.json", {**NOTED, "tools": [dict(reversed(each.items())) for each in NOTED["tools"]]})
    assert go(folder, end(), resume=True) == []


def test_of_a_folder_without_one_nothing_is_said_and_from_here_on_it_is_known(folder: Path) -> None:
    write_json(folder / "checkpoint.json", scene_b())
    assert go(folder, resume=True) == [] and origin(folder) == NOTED
    assert go(folder, end(), resume=True, model="dos").names == ["warning_other_model"]


WRONG: dict[str, bytes] = {
    **NOT_STRICT,
    **{
        repr(value): json.dumps(value).encode()
        for value in (
            [],
            None,
            7,
            {},
            {"model": "uno"},
            {**NOTED, "tools": 3},
            {**NOTED, "tools": [3]},
            {**NOTED, "tools": ["put"]},
            {**NOTED, "tools": [{}]},
            {**NOTED, "tools": None},
        )
    },
}


@pytest.mark.parametrize("kind", WRONG)
def test_one_that_cannot_be_read_is_said_and_stays_and_the_task_goes_on(folder: Path, kind: str) -> None:
    go(folder, put(1))
    (folder / "origin.json").write_bytes(WRONG[kind])
    said = go(folder, end(), resume=True, model="dos")
    assert said.names == ["warning_origin_unreadable"] and said[0][1]["name"] == "origin.json" and said[0][1]["reason"]
    assert (folder / "origin.json").read_bytes() == WRONG[kind]
    assert load_checkpoint(folder)["messages"][-1]["role"] == "assistant"


@pytest.mark.parametrize("name", [3, None, ["a"], {"a": 1}])
def test_tools_with_names_that_are_none_are_others(folder: Path, name: Any) -> None:
    go(folder, put(1))
    write_json(folder / "origin.json", {**NOTED, "tools": [{**NOTED["tools"][0], "name": name}]})
    assert go(folder, end(), resume=True).names == ["warning_other_tools"]


@posix
@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_is_no_file_is_said_and_stays(folder: Path, kind: str) -> None:
    go(folder, put(1))
    path = folder / "origin.json"
    path.rename(folder.parent / "fuera")
    make: dict[str, Callable[[], Any]] = {
        "link": lambda: path.symlink_to(folder.parent / "fuera"),
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
    }
    make[kind]()
    assert go(folder, end(), resume=True).names == ["warning_origin_unreadable"]
    assert os.path.lexists(path) and not (path.is_file() and not path.is_symlink())


# Going back, starting over, dying


def test_a_fork_takes_it_along_and_a_rewind_leaves_it(folder: Path) -> None:
    go(folder, put(1), put(2), emit=keeping(folder, Events()))
    noted = (folder / "origin.json").read_bytes()
    fork = fork_from(1, "otra", folder)
    rewind_to(1, folder, accept=True)
    for place in (folder, fork):
        assert (place / "origin.json").read_bytes() == noted
        assert go(place, end(), resume=True, model="dos").names == ["warning_other_model"]


def test_a_fork_of_a_folder_without_one_has_none(folder: Path) -> None:
    go(folder, put(1), emit=keeping(folder, Events()))
    (folder / "origin.json").unlink()
    assert not (fork_from(1, "otra", folder) / "origin.json").exists()


def test_a_fresh_start_archives_it_as_it_is_and_has_one_of_its_own(folder: Path) -> None:
    go(folder, put(1))
    (folder / "origin.json").write_bytes(b"{roto")
    assert go(folder, end(), model="dos") == []
    assert (folder / "previous" / "001" / "origin.json").read_bytes() == b"{roto"
    assert origin(folder) == {**NOTED, "model": "dos"}


def is_answered(folder: Path) -> bool:
    path = folder / "checkpoint.json"
    return path.exists() and any(m["role"] == "assistant" for m in load_checkpoint(folder)["messages"])


@posix
def test_a_death_at_any_change_of_a_run_loses_it_with_no_answer_that_was_saved(tmp_path: Path) -> None:
    said = set()
    for step in count(1):
        folder = tmp_path / str(step)
        if not dies_at_step(step, lambda f=folder: go(f, put(1), end()), folder):
            break
        if (folder / "checkpoint.json").exists():
            is_finished = is_answered(folder) and len(load_checkpoint(folder)["messages"]) == 4
            expected = ["warning_other_model"] if is_answered(folder) and not is_finished else []
            assert go(folder, end(), resume=True, model="dos").names == expected, step
            assert origin(folder)["model"] == ("uno" if is_answered(folder) and expected else "dos") or is_finished
            said.add(bool(expected))
    assert said == {True, False} and step > 20


@posix
def test_a_death_at_any_change_of_a_fresh_start_parts_no_checkpoint_from_it(tmp_path: Path) -> None:
    start = tmp_path / "antes"
    go(start, put(1))
    old = {name: (start / name).read_bytes() for name in ("checkpoint.json", "effects.json", "origin.json")}
    for step in count(1):
        folder = Path(shutil.copytree(start, tmp_path / str(step)))
        if not dies_at_step(step, lambda f=folder: go(f, put(2), model="dos"), folder):
            break
        for path in folder.rglob("checkpoint.json"):
            if path.read_bytes() == old["checkpoint.json"] and path.parent.suffix != ".tmp":
                assert (path.parent / "origin.json").read_bytes() == old["origin.json"], step
        if not (folder / "checkpoint.json").exists():
            assert (folder / "previous" / "001" / "origin.json").read_bytes() == old["origin.json"], step
            assert go(folder, put(2), model="tres") == [] and origin(folder)["model"] == "tres"
    assert step > 30


@posix
def test_a_death_at_any_change_of_a_fork_leaves_no_half_of_it(folder: Path, tmp_path: Path) -> None:
    go(folder, put(1), emit=keeping(folder, Events()))
    before = snapshot(folder)
    for step in count(1):
        name = f"otra{step}"
        if not dies_at_step(step, lambda n=name: fork_from(1, n, folder), tmp_path):
            break
        fork = folder.with_name(f"{folder.name}-{name}")
        if not fork.exists():
            fork = fork_from(1, name, folder)
        assert (fork / "origin.json").read_bytes() == before["origin.json"], step
    assert snapshot(folder) == before and step > 10


def test_an_archive_of_an_origin_alone_says_so(folder: Path) -> None:
    (folder / "origin.json").write_bytes(b"{}")
    said = Events()
    archive(folder, said)
    assert said == [("warning_archived", {"place": "previous/001", "pending": "sin llamada colgante"})]
    assert not (folder / "origin.json").exists()
