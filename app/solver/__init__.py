"""Whether a position can be won by a player who sees every card: a search, compiled, and honest about what it knows.

How it works and why each of its shortcuts is sound: ``docs/solver.md``.
"""

from app.solver.interval import wilson
from app.solver.solving import solve, verdicts
from app.solver.verdict import Budget, Status, Stop, Verdict
from app.solver.warm import warm_up

__all__ = ["Budget", "Status", "Stop", "Verdict", "solve", "verdicts", "warm_up", "wilson"]
