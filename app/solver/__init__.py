"""Whether a position can be won by a player who sees every card: a search, compiled, and honest about what it knows.

How it works and why each of its shortcuts is sound: ``docs/solver.md``.
"""

from app.solver.interval import wilson
from app.solver.solving import solve, verdicts, warm_up
from app.solver.verdict import Budget, Status, Stop, Verdict

__all__ = ["Budget", "Status", "Stop", "Verdict", "solve", "verdicts", "warm_up", "wilson"]
