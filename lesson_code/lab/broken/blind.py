"""It saves A and B, and a resume runs the dangling call again, whatever it is. Killed at ② the effect happens twice."""

from ..strategy import Strategy, run_again

run_agent = Strategy(settle=run_again)
