"""Compiled before anyone waits for it."""

from app.engine import RULES, Board
from app.solver.solving import solve
from app.solver.verdict import Budget

_NEARLY_WON = "QS\nKS\nKH\nKD\nKC\n.\n.\nF: JS QH QD QC"


def warm_up() -> None:
    """Compile all of the solver, or load what an earlier run compiled. Seconds the first time, then milliseconds."""
    board = Board.parse(_NEARLY_WON)
    for rule in RULES.values():
        solve(board, rule, Budget(seconds=None, nodes=100, memory=1), cache=None)
