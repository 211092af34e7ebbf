"""A game from the log of what was done to it, without judging each move a second time.

An entry of a log is a number of 15 bits: a step of ``Game.line`` (13 bits), and above it the kind of deed.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from app.engine.board import COLUMNS, Board
from app.engine.deal import DealCode, deal
from app.engine.errors import BadLog
from app.engine.game import UNDO_LIMIT, Game
from app.engine.moves import FLIP_POINTS, FOUNDATION_POINTS

_STEP: Final = 0x1FFF
_KIND: Final = 13


class Deed(IntEnum):
    """What was done to a game."""

    MOVE = 0
    UNDO = 1
    REDO = 2
    RESTART = 3


UNDO: Final = Deed.UNDO << _KIND
REDO: Final = Deed.REDO << _KIND
RESTART: Final = Deed.RESTART << _KIND


def entry(deed: Deed, after: Game) -> int:
    """What the log says of a deed that led to the game ``after``."""
    return deed << _KIND | (int.from_bytes(after.line[-2:], "little") if deed is Deed.MOVE else 0)


def replay(code: DealCode, log: Sequence[int]) -> Game:
    """The game after every entry of a log.

    Raises BadLog for one that cannot be: a card that lies elsewhere or face down, or nothing to undo. Whether the
    rules allowed each move is not asked again; no log, whatever is in it, makes a board with a card missing or twice.
    """
    # Nothing before the last restart shows on the board.
    begin = next((at for at in range(len(log), 0, -1) if log[at - 1] == RESTART), 0)
    table = _Table(code)
    try:
        for number in log[begin:]:
            table.do(number)
    except (ValueError, IndexError) as error:
        raise BadLog(f"{code}: {error}") from None
    return table.game(len(log))


class _Table:
    """A game that changes in place, which is several times as fast."""

    def __init__(self, code: DealCode) -> None:
        self._code = code
        board = deal(code)
        self._columns = [*map(bytearray, board.columns)]
        self._face_down = bytearray(board.face_down)
        self._foundations = bytearray(board.foundations)
        self._line: list[int] = []
        self._undone: list[int] = []
        self._score = self._moves = self._undo_steps = 0

    def game(self, rev: int) -> Game:
        """The game as it lies now."""
        board = Board(tuple(map(bytes, self._columns)), bytes(self._face_down), bytes(self._foundations))
        line, undone = (b"".join(step.to_bytes(2, "little") for step in steps) for steps in (self._line, self._undone))
        return Game(self._code, board, self._score, self._moves, rev, line, self._undo_steps, undone)

    def do(self, number: int) -> None:
        """Raises ValueError and IndexError for what cannot be."""
        if number <= _STEP:
            self._forward(number)
            self._undone.clear()
            self._moves += 1
            self._undo_steps = min(self._undo_steps + 1, UNDO_LIMIT)
        elif number == UNDO:
            if not self._undo_steps:
                raise ValueError("there is nothing to undo")
            self._back(self._line[-1])
            self._undone.append(self._line.pop())
            self._undo_steps -= 1
        elif number == REDO:
            self._forward(self._undone.pop())
            self._undo_steps += 1
        else:
            raise ValueError(f"not an entry: {number}")

    def _forward(self, step: int) -> None:
        card, to, source, flips = step & 63, step >> 6 & 7, step >> 9 & 7, step >> 12
        if source == to:
            raise ValueError("a card stays where it is")
        if source == COLUMNS:
            self._take(card)
            self._columns[to].append(card)
        else:
            column = self._columns[source]
            row = column.index(card)
            if row < self._face_down[source] or flips != (0 < row == self._face_down[source]):
                raise ValueError("a card lies otherwise")
            group = column[row:]
            if to == COLUMNS:
                if len(group) > 1:
                    raise ValueError("a group goes to no foundation")
                self._put(card)
                self._score += FOUNDATION_POINTS
            else:
                self._columns[to] += group
            del column[row:]
            self._face_down[source] -= flips
            self._score += FLIP_POINTS * flips
        self._line.append(step)

    def _back(self, step: int) -> None:
        card, to, source, flips = step & 63, step >> 6 & 7, step >> 9 & 7, step >> 12
        if to == COLUMNS:
            self._take(card)
            self._score -= FOUNDATION_POINTS
            group = bytearray((card,))
        else:
            row = self._columns[to].index(card)
            group = self._columns[to][row:]
            del self._columns[to][row:]
        if source == COLUMNS:
            self._put(card)
        else:
            self._columns[source] += group
            self._face_down[source] += flips
            self._score -= FLIP_POINTS * flips

    def _put(self, card: int) -> None:
        if self._foundations[card // 13] != card % 13:
            raise ValueError("a foundation is out of order")
        self._foundations[card // 13] += 1

    def _take(self, card: int) -> None:
        if self._foundations[card // 13] != card % 13 + 1:
            raise ValueError("a card is not on its foundation")
        self._foundations[card // 13] -= 1
