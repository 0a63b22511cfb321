"""It writes the new checkpoint over the old one. Killed while it writes, it has neither of them."""

from ...harness import reconcile
from ..strategy import Strategy, save_in_place

run_agent = Strategy(ledger="after", settle=reconcile, save=save_in_place)
