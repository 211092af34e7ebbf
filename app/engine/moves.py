"""Moves: what one is, whether the rules allow it, and what it does.

A move names a card and a place, never an index: there is only one five of hearts, so a request that comes late can
still not hit another card. Legality is written twice on purpose: ``why_not`` judges one move, ``LegalMoves`` lists
them all; the tests hold the two against each other.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from app.engine.board import COLUMNS, Board
from app.engine.cards import CARDS, Card
from app.engine.errors import BadCard, BadMove, Reason, Refused
from app.engine.rules import Rule

FOUNDATION_POINTS: Final = 10
FLIP_POINTS: Final = 5

_KINGS: Final = bytes(card for card in CARDS if card.is_king)


class Place(IntEnum):
    """Where a card can go: a column, or its foundation. Written ``1`` … ``7`` and ``F``."""

    COLUMN_1 = 0
    COLUMN_2 = 1
    COLUMN_3 = 2
    COLUMN_4 = 3
    COLUMN_5 = 4
    COLUMN_6 = 5
    COLUMN_7 = 6
    FOUNDATION = 7

    def __str__(self) -> str:
        return "1234567F"[self]

    def __repr__(self) -> str:
        return f"Place.{self.name}"

    @staticmethod
    def parse(text: str) -> "Place":
        """Raises BadMove for anything but ``1`` … ``7`` and ``F``."""
        try:
            return _PLACE_OF[text]
        except KeyError:
            raise BadMove(f"not a place: {text[:16]!r}") from None


PLACES: Final = tuple(Place)
_PLACE_OF: Final = {str(place): place for place in PLACES}


class Move(NamedTuple):
    """A card, with all the cards on it, to a place. Written ``9S>2`` or ``TD>F``."""

    card: Card
    to: Place

    def __str__(self) -> str:
        return f"{self.card}>{self.to}"

    @staticmethod
    def parse(text: str) -> "Move":
        """The inverse of str. Raises BadMove."""
        card, arrow, place = text.partition(">")
        if not arrow:
            raise BadMove(f"not a move: {text[:16]!r}")
        try:
            return Move(Card.parse(card), Place.parse(place))
        except BadCard as error:
            raise BadMove(str(error)) from None


class Change(NamedTuple):
    """What an accepted move did."""

    move: Move
    source: Place
    group: int
    """How many cards moved."""
    flipped: Card | None
    """The card that the move turned up."""
    points: int


def locate(board: Board, card: int) -> tuple[int, int]:
    """Column (0 … 6) and row of a card, or (7, 0) for one on a foundation."""
    for index, column in enumerate(board.columns):
        row = column.find(card)
        if row >= 0:
            return index, row
    return Place.FOUNDATION, 0


def why_not(board: Board, rule: Rule, move: Move) -> Reason | None:
    """Why the rules forbid a move; None where they allow it.

    A face-down card is told apart from others by nothing but that it lies face down.
    """
    card, to = move
    source, row = locate(board, card)
    on_foundation = source == Place.FOUNDATION
    if not on_foundation and row < board.face_down[source]:
        return Reason.FACE_DOWN
    is_top = on_foundation and board.foundations[card // 13] == card.rank
    if source == to:
        return Reason.NOT_LAST_CARD if on_foundation and not is_top else Reason.SAME_PLACE
    if rule.aces_first and not (to == Place.FOUNDATION and card.is_ace) and _last_aces(board):
        return Reason.ACE_FIRST
    if on_foundation:
        if not rule.take_back:
            return Reason.NO_TAKE_BACK
        if not is_top:
            return Reason.NOT_LAST_CARD
        return _why_not_onto(board, rule, card, to)
    group = len(board.columns[source]) - row
    if to == Place.FOUNDATION:
        if group > 1:
            return Reason.NOT_LAST_CARD
        return None if board.foundations[card // 13] == card.rank - 1 else Reason.FOUNDATION_ORDER
    if rule.group_limit is not None and group > rule.group_limit:
        return Reason.GROUP_TOO_LARGE
    return _why_not_onto(board, rule, card, to)


def _why_not_onto(board: Board, rule: Rule, card: Card, to: int) -> Reason | None:
    column = board.columns[to]
    onto = CARDS[column[-1]] if column else None
    if rule.fits(card, onto):
        return None
    if onto is None:
        return Reason.EMPTY_COLUMN_NEEDS_KING
    return Reason.WRONG_RANK if onto.rank != card.rank + 1 else Reason.WRONG_COLOUR


def _last_aces(board: Board) -> list[Card]:
    return [CARDS[column[-1]] for column in board.columns if column and column[-1] % 13 == 0]


def apply(board: Board, rule: Rule, move: Move) -> tuple[Board, Change]:
    """The board after a move, and what the move did. Raises Refused."""
    reason = why_not(board, rule, move)
    if reason is not None:
        raise Refused(reason)
    return apply_legal(board, move)


def apply_legal(board: Board, move: Move) -> tuple[Board, Change]:
    """``apply`` for a move that is known to be legal here."""
    card, to = move
    source, row = locate(board, card)
    columns = list(board.columns)
    face_down = board.face_down
    foundations = board.foundations
    flipped = None
    points = 0
    if source == Place.FOUNDATION:
        group = bytes((card,))
        foundations = _with(foundations, card // 13, card.rank - 1)
    else:
        column = columns[source]
        group = column[row:]
        columns[source] = column = column[:row]
        if column and row == face_down[source]:
            face_down = _with(face_down, source, row - 1)
            flipped = CARDS[column[-1]]
            points = FLIP_POINTS
    if to == Place.FOUNDATION:
        foundations = _with(foundations, card // 13, card.rank)
        points += FOUNDATION_POINTS
    else:
        columns[to] += group
    change = Change(move, PLACES[source], len(group), flipped, points)
    return Board(tuple(columns), face_down, foundations), change


def revert(board: Board, change: Change) -> Board:
    """The board before a change that led to ``board``."""
    (card, to), source = change.move, change.source
    columns = list(board.columns)
    face_down = board.face_down
    foundations = board.foundations
    if to == Place.FOUNDATION:
        group = bytes((card,))
        foundations = _with(foundations, card // 13, card.rank - 1)
    else:
        column = columns[to]
        group = column[-change.group :]
        columns[to] = column[: -change.group]
    if source == Place.FOUNDATION:
        foundations = _with(foundations, card // 13, card.rank)
    else:
        if change.flipped is not None:
            face_down = _with(face_down, source, face_down[source] + 1)
        columns[source] += group
    return Board(tuple(columns), face_down, foundations)


def _with(values: bytes, index: int, value: int) -> bytes:
    return values[:index] + bytes((value,)) + values[index + 1 :]


class LegalMoves:
    """Every move the rules allow, worked out only as far as it is asked for: iterate, ``in``, ``len``, ``bool``."""

    __slots__ = ("_board", "_rule")

    def __init__(self, board: Board, rule: Rule) -> None:
        self._board = board
        self._rule = rule

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and why_not(self._board, self._rule, move) is None

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __iter__(self) -> Iterator[Move]:
        board, rule = self._board, self._rule
        if rule.aces_first and (aces := _last_aces(board)):
            yield from (Move(ace, Place.FOUNDATION) for ace in aces)
            return
        foundations = board.foundations
        for column in board.columns:
            if column and foundations[column[-1] // 13] == column[-1] % 13:
                yield Move(CARDS[column[-1]], Place.FOUNDATION)
        sources = self._sources()
        for to, column in enumerate(board.columns):
            for number in rule.children[column[-1]] if column else _KINGS:
                if sources.get(number, to) != to:
                    yield Move(CARDS[number], PLACES[to])

    def _sources(self) -> dict[int, int]:
        """Every card that lies free to be taken to a column, with the place where it lies."""
        board, rule = self._board, self._rule
        sources: dict[int, int] = {}
        for index, column in enumerate(board.columns):
            free = board.face_down[index]
            if rule.group_limit is not None:
                free = max(free, len(column) - rule.group_limit)
            sources.update(dict.fromkeys(column[free:], index))
        if rule.take_back:
            for suit, rank in enumerate(board.foundations):
                if rank:
                    sources[suit * 13 + rank - 1] = Place.FOUNDATION
        return sources


def destinations(board: Board, rule: Rule) -> dict[Card, list[Place]]:
    """Every card that can move, with the places it can go to."""
    places: dict[Card, list[Place]] = {}
    for card, to in LegalMoves(board, rule):
        places.setdefault(card, []).append(to)
    return places


def seek(board: Board, rule: Rule, card: Card) -> Place:
    """The place that two quick taps on a card choose.

    Its foundation if it is a last card that fits there; else, among the columns it fits, the one with the most cards
    (the leftmost of equals). A king that is already the first card of its column stays. Raises Refused.
    """
    reason = why_not(board, rule, Move(card, Place.FOUNDATION))
    if reason is None:
        return Place.FOUNDATION
    if reason is Reason.FACE_DOWN:
        raise Refused(reason)
    source, row = locate(board, card)
    reasons = {to: why_not(board, rule, Move(card, PLACES[to])) for to in range(COLUMNS)}
    for wherever in (Reason.ACE_FIRST, Reason.GROUP_TOO_LARGE, Reason.NO_TAKE_BACK):
        if wherever in reasons.values():
            raise Refused(wherever)
    found = [to for to, why in reasons.items() if why is None]
    stays = card.is_king and row == 0 and source != Place.FOUNDATION
    if stays or not found:
        raise Refused(Reason.NO_PLACE)
    return PLACES[max(found, key=lambda to: (len(board.columns[to]), -to))]
