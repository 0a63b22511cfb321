"""What another process would read while this one writes: whole files, or the first that is torn."""

import json
import os
from pathlib import Path

import pytest

from lesson_code.harness import run_agent, save_checkpoint, save_effect, write_atomic
from lesson_code.lab.broken import in_place
from lesson_code.lab.disk import example
from lesson_code.lab.model import ScriptedModel
from lesson_code.lab.reading import reading
from lesson_code.lab.tools import TASK, make_tools
from lesson_code.lab.world import World


def test_a_whole_run_of_the_lesson_s_harness_can_be_read_at_every_step(folder: Path) -> None:
    with reading(folder) as torn:
        run_agent(ScriptedModel(), TASK, make_tools(folder, World(folder)), folder)
    assert torn == []


def test_a_checkpoint_that_is_written_over_the_old_one_is_torn(folder: Path) -> None:
    with reading(folder) as torn:
        in_place.run_agent(ScriptedModel(), TASK, make_tools(folder, World(folder)), folder)
    assert torn[0].name == "checkpoint.json" and "No se puede leer" in torn[0].reason


def test_a_ledger_that_is_written_over_the_old_one_is_torn(folder: Path) -> None:
    save_effect("toolu_1", {"name": "x", "result": ""}, folder)
    with reading(folder) as torn:
        (folder / "effects.json").write_text(json.dumps({}), encoding="utf-8")
    assert [each.name for each in torn] == ["effects.json"]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_checkpoint_may_be_missing_only_before_the_first(folder: Path, is_there: bool) -> None:
    if is_there:
        save_checkpoint(example(1), folder)
    with reading(folder) as torn:
        if is_there:
            os.unlink(folder / "checkpoint.json")
        else:
            save_checkpoint(example(1), folder)
    assert [each.name for each in torn] == ["checkpoint.json"] * is_there


def test_a_checkpoint_that_is_whole_may_say_anything(folder: Path) -> None:
    with reading(folder) as torn:
        write_atomic(folder / "checkpoint.json", b"{}")
    assert torn == []


def test_what_is_written_afterwards_is_not_read(folder: Path) -> None:
    file = open(folder / "other.txt", "w", encoding="utf-8")
    with reading(folder) as torn:
        late = open(folder / "effects.json", "w", encoding="utf-8")
        torn.clear()
    late.write("{")
    late.close()
    file.close()
    assert torn == []
