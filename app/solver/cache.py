"""Verdicts that are known already, by position."""

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Final, NamedTuple

from app.engine import Board, Move, Rule
from app.engine.moves import apply_legal
from app.solver.verdict import Budget, Status, Verdict

_Key = tuple[bytes, ...]


class _Known(NamedTuple):
    verdict: Verdict
    budget: Budget
    offset: int  # the moves of the verdict that lead to this position


class Cache:
    """The verdicts used last, at most ``size`` positions. Every position of a winning line is known with the line."""

    def __init__(self, size: int) -> None:
        self.size: Final = size
        self._known: OrderedDict[_Key, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def clear(self) -> None:
        with self._lock:
            self._known.clear()

    def get(self, board: Board, rule: Rule, budget: Budget) -> Verdict | None:
        """What is known, unless it is *unknown* and this budget allows more than the one before."""
        key = _key(board, rule)
        with self._lock:
            known = self._known.get(key)
            if known is None:
                return None
            verdict = known.verdict
            if verdict.status is Status.UNKNOWN and not known.budget.covers(budget):
                return None
            self._known.move_to_end(key)
        return replace(verdict, moves=verdict.moves[known.offset :]) if known.offset else verdict

    def put(self, board: Board, rule: Rule, budget: Budget, verdict: Verdict) -> None:
        if verdict.reason == "stopped":
            return
        entries = [(_key(board, rule), _Known(verdict, budget, 0))]
        for offset, move in enumerate(verdict.moves, 1):
            board = _after(board, move)
            entries.append((_key(board, rule), _Known(verdict, budget, offset)))
        with self._lock:
            for key, known in reversed(entries):
                self._known[key] = known
                self._known.move_to_end(key)
            while len(self._known) > self.size:
                self._known.popitem(last=False)


def _after(board: Board, move: Move) -> Board:
    return apply_legal(board, move)[0]


def _key(board: Board, rule: Rule) -> _Key:
    limit = 0 if rule.group_limit is None else rule.group_limit
    flags = bytes((rule.alternating, rule.take_back, limit, rule.aces_first))
    return (*board.columns, board.face_down, board.foundations, flags)
