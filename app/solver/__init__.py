"""Whether a position can be won by a player who sees every card: a search, compiled, and honest about what it knows.

How it works and why each of its shortcuts is sound: ``docs/solver.md``.
"""

from app.solver.solve import solve, verdicts
from app.solver.verdict import Budget, Status, Stop, Verdict
from app.solver.warm import warm_up
from app.solver.wilson import wilson

__all__ = ["Budget", "Status", "Stop", "Verdict", "solve", "verdicts", "warm_up", "wilson"]
