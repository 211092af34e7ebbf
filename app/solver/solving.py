"""The one way in: ``solve``."""

import threading
import time
from typing import Final

import numpy as np

from app.engine import RULES, Board, Move, Place, Refused, Rule, apply
from app.engine.cards import CARDS
from app.solver.cache import Cache
from app.solver.jit import Bytes, Ints, Words
from app.solver.layout import COLUMN, HOME
from app.solver.line import LONGEST, moves_of, normal, shorten
from app.solver.pack import key_of, problem_of
from app.solver.plan import STAGES, Stage, room_for
from app.solver.search import LOST, OUT_OF_MEMORY, OUT_OF_NODES, OUT_OF_TIME, STOPPED, WON, search
from app.solver.verdict import Budget, Status, Verdict

_REASONS: Final = {OUT_OF_NODES: "nodes", OUT_OF_MEMORY: "memory", OUT_OF_TIME: "time", STOPPED: "stopped"}
_ENDLESS: Final = 2**62

verdicts: Final = Cache(size=4096)
"""Shared by every thread."""


def solve(board: Board, rule: Rule, budget: Budget | None = None, *, cache: Cache | None = verdicts) -> Verdict:
    """Whether ``board`` can be won under ``rule``, seeing all cards, within a budget (a second, if none is given).

    *won* carries moves that the engine has accepted one by one; *lost* is a proof; *unknown* names the budget that
    ended. The search holds no lock and releases the GIL: call it from any thread.

    >>> from app.engine import DealCode, deal
    >>> code = DealCode.parse("YU1-C-ABFHTIL")
    >>> solve(deal(code), code.rule).status.value
    'won'
    """
    if not _warm.is_set():
        warm_up()  # its time is nobody's budget
    budget = budget or Budget()
    if cache is not None and (known := cache.get(board, rule, budget)) is not None:
        return known
    began = time.perf_counter()
    verdict = _Search(board, rule, budget, began).run()
    if cache is not None:
        cache.put(board, rule, budget, verdict)
    return verdict


_NEARLY_WON: Final = "QS\nKS\nKH\nKD\nKC\n.\n.\nF: JS QH QD QC"
_warming: Final = threading.Lock()
_warm: Final = threading.Event()


def warm_up() -> None:
    """Compile all of the solver, or load what an earlier run compiled: some 20 seconds the first time, then 0.2.

    Whoever asks for a verdict meanwhile waits for it.
    """
    with _warming:
        if not _warm.is_set():
            board = Board.parse(_NEARLY_WON)
            for rule in RULES.values():
                _Search(board, rule, Budget(seconds=None, nodes=100, memory=1), time.perf_counter()).run()
            _warm.set()


class _Search:
    """The search from one position: its stages, one after the other, within one budget."""

    def __init__(self, board: Board, rule: Rule, budget: Budget, began: float) -> None:
        self.board, self.rule, self.budget, self.began = board, rule, budget, began
        self.problem: Bytes = problem_of(board, rule)
        self.start: Words = key_of(board, self.problem)
        self.clock: Bytes = np.zeros(1, np.int8)
        self.path: Words = np.zeros((LONGEST, len(self.start)), np.int64)
        self.nodes = 0

    def run(self) -> Verdict:
        timer: threading.Timer | None = None
        if self.budget.seconds is not None and self.budget.seconds < threading.TIMEOUT_MAX:
            timer = threading.Timer(max(0.0, self.budget.seconds), self._ring)
            timer.daemon = True
            timer.start()
        try:
            return self._run()
        finally:
            if timer is not None:
                timer.cancel()

    def _ring(self) -> None:
        self.clock[0] = 1

    def _run(self) -> Verdict:
        log: Bytes = np.zeros(256, np.int8)
        root = self.start.copy()
        normal(self.problem, root, log)
        reason = "nodes"
        for stage in STAGES[self.rule.alternating]:
            status, length = self._stage(root, stage)
            if status == WON:
                return self._verdict(Status.WON, "", self._moves(log, length))
            if status == LOST:
                return self._verdict(Status.LOST, "exhausted" if self.nodes else "blocked")
            reason = _REASONS[status]
            if status in (STOPPED, OUT_OF_TIME) or self._left() == 0:
                break
        return self._verdict(Status.UNKNOWN, reason)

    def _left(self) -> int:
        return _ENDLESS if self.budget.nodes is None else self.budget.nodes - self.nodes

    def _stage(self, root: Words, stage: Stage) -> tuple[int, int]:
        figures: Ints = np.zeros(4, np.int64)
        most = min(stage.nodes or _ENDLESS, self._left())
        room = room_for(self.budget.memory, len(root), stage)
        status = search(
            self.problem, root, stage.weights, room, most, self.budget.stop.flag, self.clock, figures, self.path
        )
        self.nodes += int(figures[0])
        return status, int(figures[2])

    def _verdict(self, status: Status, reason: str, moves: tuple[Move, ...] = ()) -> Verdict:
        return Verdict(status, moves, self.nodes, time.perf_counter() - self.began, reason)

    def _moves(self, log: Bytes, length: int) -> tuple[Move, ...]:
        """The moves of the path that was found, accepted by the engine."""
        steps: Bytes = np.zeros((2 * LONGEST, 2), np.int8)
        first = int(log[0])
        steps[:first] = log[1 : 1 + 2 * first].reshape(first, 2)
        count = moves_of(self.problem, self.path, length, steps[first:])
        if count < 0:
            raise AssertionError("the line of a won position cannot be played")
        count = shorten(self.problem, self.start, steps, first + count)
        return replay(self.board, self.rule, [(int(card), int(to)) for card, to in steps[:count]])


def replay(board: Board, rule: Rule, steps: list[tuple[int, int]]) -> tuple[Move, ...]:
    """Steps of the search as moves of the engine, which has accepted each and sees a win at the end.

    Where the way leads round to a position that was there before, but for the order of its columns, it is cut short.
    """
    moves: list[Move] = []
    boards = [board]
    found = {_position(board): 0}
    for card, to in steps:
        move = Move(CARDS[card], place_of(boards[-1], to))
        try:
            board, _ = apply(boards[-1], rule, move)
        except Refused as refused:
            raise AssertionError(f"the engine refuses {move}: {refused}") from None
        before = found.get(_position(board))
        if before is None:
            moves.append(move)
            boards.append(board)
            found[_position(board)] = len(moves)
        else:
            for left_out in boards[before + 1 :]:
                del found[_position(left_out)]
            del moves[before:], boards[before + 1 :]
    if not boards[-1].is_won:
        raise AssertionError("the line does not win")
    return tuple(moves)


def _position(board: Board) -> tuple[object, ...]:
    """What is worth the same has the same."""
    return *sorted(zip(board.columns, board.face_down, strict=True)), board.foundations


def place_of(board: Board, to: int) -> Place:
    """The engine's name for a place of the search: HOME, COLUMN, or the last card of a column."""
    if to == HOME:
        return Place.FOUNDATION
    for index, column in enumerate(board.columns):
        if (not column) if to == COLUMN else (column and column[-1] == to):
            return Place(index)
    raise AssertionError(f"no column ends with card {to}")
