import inspect
from typing import Any

import pytest

from lesson_code import harness
from lesson_code.harness import (
    AgentStopped,
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    FolderInUse,
    LedgerError,
    Tool,
    ToolRefused,
)

NAMES = [
    "AgentStopped",
    "CheckpointError",
    "CheckpointMissing",
    "CheckpointRejected",
    "CheckpointUnreadable",
    "FolderInUse",
    "LedgerError",
    "Tool",
    "ToolRefused",
    "fork_from",
    "load_checkpoint",
    "load_effects",
    "load_latest",
    "reconcile",
    "rewind_to",
    "run_agent",
    "run_tool_uses",
    "save_checkpoint",
    "save_effect",
    "write_atomic",
]

PARAMETERS = {
    "write_atomic": ("path data", ""),
    "save_checkpoint": ("checkpoint folder", ""),
    "load_checkpoint": ("folder", ""),
    "save_effect": ("tool_use_id entry folder", ""),
    "load_effects": ("folder", ""),
    "run_tool_uses": ("content tools folder", "turn emit crash_point clock"),
    "reconcile": ("checkpoint tools folder", "emit crash_point clock"),
    "run_agent": (
        "client task tools folder",
        "resume max_turns max_tokens_total model max_tokens system emit crash_point clock",
    ),
    "load_latest": ("folder", ""),
    "rewind_to": ("turn folder", "accept"),
    "fork_from": ("turn branch folder", ""),
    "Tool": ("run", "description input_schema read_only"),
}


def test_the_public_names_are_exactly_these() -> None:
    assert sorted(harness.__all__) == NAMES
    assert all(hasattr(harness, name) for name in NAMES)


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_parameters_are_exactly_these(name: str) -> None:
    parameters = inspect.signature(getattr(harness, name)).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    keyword_only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    assert (" ".join(positional), " ".join(keyword_only)) == PARAMETERS[name]


def test_the_defaults_are_those_of_the_contract() -> None:
    defaults = {name: p.default for name, p in inspect.signature(harness.run_agent).parameters.items()}
    assert (defaults["resume"], defaults["max_turns"], defaults["max_tokens"]) == (False, 40, 4096)
    assert (defaults["max_tokens_total"], defaults["system"]) == (None, "")
    assert inspect.signature(harness.run_tool_uses).parameters["turn"].default == 0


def test_a_tool_has_side_effects_unless_it_says_otherwise() -> None:
    assert Tool(print, description="", input_schema={}).read_only is False


@pytest.mark.parametrize("without", ["description", "input_schema"])
def test_a_tool_without_description_or_schema_cannot_be_built(without: str) -> None:
    given: dict[str, Any] = {"description": "", "input_schema": {}}
    del given[without]
    with pytest.raises(TypeError):
        Tool(print, **given)


@pytest.mark.parametrize("error", [CheckpointMissing, CheckpointUnreadable, CheckpointRejected])
def test_the_three_faults_of_a_checkpoint_are_one_family(error: type[Exception]) -> None:
    assert error.__bases__ == (CheckpointError,)


def test_no_error_passes_for_another() -> None:
    errors = [CheckpointError, LedgerError, FolderInUse, AgentStopped, ToolRefused]
    assert all(error.__bases__ == (Exception,) for error in errors)
