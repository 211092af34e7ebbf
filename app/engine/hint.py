"""A good next move, from what the player can see and nothing else.

A hint leads by the shortest way to the next card turned up; where none is in sight, to the next card that goes home for
good. Each hint that is followed brings that nearer, until it is done; so hints never go in circles. For this to hold,
what is looked at from one position must be looked at from the next one, too: hence a search goes from level to level,
and gives up between two levels only, when it has seen too much.

Cards that can be sent home at no risk are, before all else; such a card is never missed. Proofs: ``docs/solver.md``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from app.engine.cards import CARDS, Card
from app.engine.moves import PLACES, Move, Place
from app.engine.rules import Rule

MOST: Final = 400
"""Positions seen, after which no further level is looked at."""

_HIDDEN: Final = 255  # a card of which nothing is known but that it lies there
_TURNED: Final = bytes((_HIDDEN,))  # how a column ends that has such a card to turn up
_KINGS: Final = bytes(range(12, 52, 13))

_Columns = list[bytes]
_Step = tuple[int, int, int, _Columns, bytes]  # what is moved, where to, from which column, and what comes of it


def hint(columns: Sequence[Sequence[Card | None]], foundations: bytes, rule: Rule) -> Move | None:
    """The next move towards something good; None where nothing good is in sight.

    ``columns`` and ``foundations``: as ``Board.visible`` shows them, None for a card that lies face down.
    """
    seen = [bytes(_HIDDEN if card is None else card for card in column) for column in columns]
    safe = _safe_card(seen, foundations, rule)
    if safe is not None:
        return Move(CARDS[safe], Place.FOUNDATION)
    for way in (_Way(rule, take_back=rule.take_back, turns=True), _Way(rule, take_back=False, turns=False)):
        move = way.find(seen, foundations)
        if move is not None:
            return move
    return None


class _Way:
    """The shortest way to one of two aims."""

    def __init__(self, rule: Rule, *, take_back: bool, turns: bool) -> None:
        """``turns``: the aim is a card turned up; else one more card home will do, too."""
        self._rule = rule
        self._take_back = take_back
        self._turns = turns

    def find(self, columns: _Columns, foundations: bytes) -> Move | None:
        """The first move of it, if it is in sight."""
        level: list[tuple[_Columns, bytes, Move | None]] = [(columns, foundations, None)]
        seen = {_key(columns, foundations)}
        while level and len(seen) <= MOST:
            following: list[tuple[_Columns, bytes, Move | None]] = []
            for at, home, first in level:
                for card, to, bare, then, then_home in self._steps(at, home):
                    move = first or Move(CARDS[card], PLACES[to])
                    if to == Place.FOUNDATION or _goes_home(then[bare], then_home, self._rule):
                        then_home = _settle(then, then_home, self._rule)
                        turned = any(column[-1:] == _TURNED for column in then)
                    else:
                        turned = then[bare][-1:] == _TURNED
                    if turned or (not self._turns and sum(then_home) > sum(home)):
                        return move
                    key = _key(then, then_home)
                    if key not in seen:
                        seen.add(key)
                        following.append((then, then_home, move))
            level = following
        return None

    def _steps(self, columns: _Columns, foundations: bytes) -> Iterator[_Step]:
        """Every move from a position in which no card goes home at no risk."""
        limit = self._rule.group_limit or 52
        children = self._rule.children
        has_empty = False
        for to, column in enumerate(columns):
            if column:
                last = column[-1]
                if foundations[last // 13] == last % 13:
                    then = columns.copy()
                    then[to] = column[:-1]
                    yield last, Place.FOUNDATION, to, then, _with(foundations, last // 13, last % 13 + 1)
                leads = children[last]
            elif not has_empty:
                has_empty, leads = True, _KINGS
            else:
                continue
            for card in leads:
                if card % 13 < foundations[card // 13]:
                    if self._take_back and foundations[card // 13] == card % 13 + 1:
                        then = columns.copy()
                        then[to] = column + bytes((card,))
                        yield card, to, to, then, _with(foundations, card // 13, card % 13)
                    continue
                source, row = _find(columns, card)
                if source != to and row >= (not column) and len(columns[source]) - row <= limit:
                    then = columns.copy()
                    then[source], then[to] = columns[source][:row], column + columns[source][row:]
                    yield card, to, source, then, foundations


def _find(columns: _Columns, card: int) -> tuple[int, int]:
    """Column and row of a card; (0, -1) for one that lies face down."""
    for index, column in enumerate(columns):
        row = column.find(card)
        if row >= 0:
            return index, row
    return 0, -1


def _key(columns: _Columns, foundations: bytes) -> tuple[bytes, ...]:
    """The same for positions that differ in the order of their columns."""
    return (*sorted(columns), foundations)


def _goes_home(column: bytes, foundations: bytes, rule: Rule) -> bool:
    """Whether the last card of a column goes home at no risk."""
    card = column[-1] if column else _HIDDEN
    return card != _HIDDEN and foundations[card // 13] == card % 13 and _is_safe(card, foundations, rule)


def _settle(columns: _Columns, foundations: bytes, rule: Rule) -> bytes:
    """Send home what goes there at no risk, until a hidden card shows; the foundations after it."""
    while True:
        card = _safe_card(columns, foundations, rule)
        if card is None:
            return foundations
        index, row = _find(columns, card)
        columns[index] = columns[index][:row]
        foundations = _with(foundations, card // 13, card % 13 + 1)


def _safe_card(columns: _Columns, foundations: bytes, rule: Rule) -> int | None:
    """A last card that goes home at no risk, of the lowest rank that there is."""
    safe = [column[-1] for column in columns if _goes_home(column, foundations, rule)]
    return min(safe, key=lambda card: (card % 13, card)) if safe else None


def _is_safe(card: int, foundations: bytes, rule: Rule) -> bool:
    rank = card % 13 + 1
    if not rule.alternating:
        return min(foundations) >= rank - 1
    suit = card // 13
    own, others = ((1, 2), (0, 3)) if suit in (1, 2) else ((0, 3), (1, 2))
    if min(foundations[other] for other in others) < rank - 1:
        return rank == 1
    return not rule.take_back or min(foundations[other] for other in own) >= rank - 2


def _with(values: bytes, index: int, value: int) -> bytes:
    return values[:index] + bytes((value,)) + values[index + 1 :]
