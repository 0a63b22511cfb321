"""It notes the call before the tool runs. Killed in between, it tells what never was; at ② the result is lost."""

from ...harness import reconcile
from ..strategy import Strategy

run_agent = Strategy(ledger="before", settle=reconcile)
