"""A game: a board with its history, score and counter."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.engine.board import Board
from app.engine.cards import CARDS, Card
from app.engine.deal import DealCode, deal
from app.engine.errors import Reason, Refused
from app.engine.moves import (
    FLIP_POINTS,
    FOUNDATION_POINTS,
    PLACES,
    Change,
    LegalMoves,
    Move,
    Place,
    apply,
    revert,
    seek,
)
from app.engine.rules import Rule

UNDO_LIMIT: Final = 100

_STEP: Final = 2  # bytes


@dataclass(frozen=True, slots=True)
class Game:
    """An immutable game: every accepted action gives a new one, a refused one raises and leaves this one as it is."""

    code: DealCode
    board: Board
    score: int = 0
    moves: int = 0
    """Accepted moves; undo does not bring it down, redo does not raise it."""
    rev: int = 0
    """Accepted changes of any kind since the game was made. It never falls, not even at a restart."""
    line: bytes = b""
    """The steps that lead from the deal to the board, two bytes each (see ``_pack``)."""
    undo_steps: int = 0
    """How many of the last steps can be undone; none once the game is won."""
    undone: bytes = b""
    """The steps that can be redone, the next one last."""

    @staticmethod
    def new(code: DealCode) -> "Game":
        """The deal as it lies before the first move."""
        return Game(code, deal(code))

    @staticmethod
    def replay(code: DealCode, moves: Iterable[Move]) -> "Game":
        """The game after these moves. Raises Refused at the first that the rules forbid."""
        game = Game.new(code)
        for move in moves:
            game, _ = game.play(move)
        return game

    @property
    def rule(self) -> Rule:
        return self.code.rule

    @property
    def is_won(self) -> bool:
        return self.board.is_won

    @property
    def redo_steps(self) -> int:
        return len(self.undone) // _STEP

    @property
    def legal_moves(self) -> LegalMoves | tuple[()]:
        """Every move that can be made now; none once the game is won."""
        return () if self.is_won else LegalMoves(self.board, self.rule)

    @property
    def history(self) -> list[Move]:
        """The moves that lead from the deal to the board."""
        return [_unpack(self.line[at : at + _STEP])[0] for at in range(0, len(self.line), _STEP)]

    def seek(self, card: Card) -> Place:
        """The place that two quick taps choose for a card. Raises Refused."""
        self._check_running()
        return seek(self.board, self.rule, card)

    def play(self, move: Move) -> tuple["Game", Change]:
        """The game after a move, and what the move did. Raises Refused."""
        self._check_running()
        board, change = apply(self.board, self.rule, move)
        game = Game(
            self.code,
            board,
            self.score + change.points,
            self.moves + 1,
            self.rev + 1,
            self.line + _pack(change),
            0 if board.is_won else min(self.undo_steps + 1, UNDO_LIMIT),
        )
        return game, change

    def undo(self) -> tuple["Game", Change]:
        """The game before the last step, and the change that was taken back. Raises Refused."""
        self._check_running()
        if not self.undo_steps:
            raise Refused(Reason.NOTHING_TO_UNDO)
        step = self.line[-_STEP:]
        change = _change(self.board, step)
        game = Game(
            self.code,
            revert(self.board, change),
            self.score - change.points,
            self.moves,
            self.rev + 1,
            self.line[:-_STEP],
            self.undo_steps - 1,
            self.undone + step,
        )
        return game, change

    def redo(self) -> tuple["Game", Change]:
        """The game after the step that was undone last, and what it did. Raises Refused."""
        self._check_running()
        if not self.undone:
            raise Refused(Reason.NOTHING_TO_REDO)
        step = self.undone[-_STEP:]
        board, change = apply(self.board, self.rule, _unpack(step)[0])
        game = Game(
            self.code,
            board,
            self.score + change.points,
            self.moves,
            self.rev + 1,
            self.line + step,
            0 if board.is_won else self.undo_steps + 1,
            self.undone[:-_STEP],
        )
        return game, change

    def restart(self) -> "Game":
        """The same deal anew. Allowed at any time, also after the win."""
        return Game(self.code, deal(self.code), rev=self.rev + 1)

    def _check_running(self) -> None:
        if self.is_won:
            raise Refused(Reason.GAME_OVER)


def _pack(change: Change) -> bytes:
    """A step in 13 bits: card, target, source, and whether a card was turned up.

    The size of the group is not kept: it is what lies on the card where the move put it.
    """
    (card, to), source, _, flipped, _ = change
    return (card | to << 6 | source << 9 | (flipped is not None) << 12).to_bytes(_STEP, "little")


def _unpack(step: bytes) -> tuple[Move, Place, bool]:
    bits = int.from_bytes(step, "little")
    return Move(CARDS[bits & 63], PLACES[bits >> 6 & 7]), PLACES[bits >> 9 & 7], bool(bits >> 12)


def _change(board: Board, step: bytes) -> Change:
    """The change that a step made, seen from the board it led to."""
    move, source, flips = _unpack(step)
    group, points = 1, FOUNDATION_POINTS
    if move.to != Place.FOUNDATION:
        column = board.columns[move.to]
        group, points = len(column) - column.find(move.card), 0
    flipped = CARDS[board.columns[source][-1]] if flips else None
    return Change(move, source, group, flipped, points + (FLIP_POINTS if flips else 0))
