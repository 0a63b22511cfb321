"""It saves only when a turn is over. Killed at ② it asks again, and the effect happens a second time."""

from ..strategy import Strategy

run_agent = Strategy(saves="B")
