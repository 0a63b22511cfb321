"""The harness: a long agent task that survives the death of its process. See `run_agent`."""

from .answer import AgentStopped
from .calls import run_tool_uses
from .checkpoint import (
    CheckpointError,
    CheckpointMissing,
    CheckpointRejected,
    CheckpointUnreadable,
    load_checkpoint,
    save_checkpoint,
)
from .folder import FolderInUse
from .ledger import LedgerError, load_effects, save_effect
from .loop import run_agent
from .reconcile import reconcile
from .storage import write_atomic
from .timeline import fork_from, load_latest, rewind_to
from .tools import Tool, ToolRefused

__all__ = [
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
