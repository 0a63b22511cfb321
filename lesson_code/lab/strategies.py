"""The ways of surviving a death that the lessons compare: each is a harness that `scene.play` can kill."""

from collections.abc import Callable

from ..harness import run_agent
from .broken import b_only, blind, ledger_first
from .strategy import Strategy, call_it_unknown

STRATEGIES: dict[str, Callable[..., str]] = {
    "scratch": Strategy(saves=""),
    "b_only": b_only.run_agent,
    "naive": Strategy(),
    "blind": blind.run_agent,
    "always_unknown": Strategy(settle=call_it_unknown),
    "ledger_first": ledger_first.run_agent,
    "lesson": run_agent,
}
