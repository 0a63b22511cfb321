"""It saves A before it pushes the model's message, as lesson 6's text has it: the API refuses what a resume sends."""

from ...harness import reconcile
from ..strategy import Strategy

run_agent = Strategy(ledger="after", settle=reconcile, pushes_first=False)
