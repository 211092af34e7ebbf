"""What the templates see. A face-down card ends here: a view knows how many there are, and nothing of which."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from app.engine import CARDS, Card, Game, Place, destinations
from app.engine.cards import SUITS
from app.service import Session
from app.web import words
from app.web.i18n import Language
from app.web.player import Preferences

_COURTS: Final = {11: "J", 12: "Q", 13: "K"}


@dataclass(frozen=True, slots=True)
class Face:
    """A face-up card."""

    text: str
    """As in the API: ``5H``."""
    name: str
    """In words."""
    rank: str
    """What its corner shows."""
    suit: str
    mark: str
    """The picture in its middle."""
    style: str
    """CSS classes."""


@cache
def faces(language: Language) -> Mapping[int, Face]:
    """Every card, by number."""
    return {
        int(card): Face(
            text=str(card),
            name=language.card_names[card],
            rank=language.rank_letters[card.rank],
            suit=card.suit.value,
            mark=_COURTS.get(card.rank, card.suit.value),
            style=("red" if card.is_red else "black") + (" court" if card.rank in _COURTS else ""),
        )
        for card in CARDS
    }


@dataclass(frozen=True, slots=True)
class Column:
    number: int
    label: str
    face_down: int
    cards: tuple[Face, ...]
    is_legal: bool
    """The selected card may go here."""
    held_from: int | None
    """Where in ``cards`` the selected group begins."""


@dataclass(frozen=True, slots=True)
class Foundation:
    suit: str
    label: str
    card: Face | None
    is_legal: bool


@dataclass(frozen=True)
class Table:
    """A game on the table, as one player sees it in one language."""

    session: Session
    elapsed: float
    language: Language
    preferences: Preferences = field(default_factory=Preferences)
    selected: Card | None = None
    flipped: Card | None = None
    """The card that the last move turned up."""
    shown: str = ""
    """A message to read."""
    said: str = ""
    """A sentence to hear only."""
    new_message: str = ""
    """What is wrong with the deal code typed into the New game window."""
    typed: str = ""
    """That deal code."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def code(self) -> str:
        return str(self.game.code)

    @property
    def clock(self) -> str:
        return words.clock(self.elapsed)

    @property
    def won(self) -> str:
        return words.won(self.language, self.game, self.elapsed)

    @property
    def flip(self) -> str:
        return str(self.flipped) if self.flipped is not None else ""

    @property
    def picked(self) -> str:
        return str(self.selected) if self.selected is not None else ""

    @property
    def places(self) -> str:
        """Where each card can go: ``5H:24F 6D:1``."""
        if self.game.is_won:
            return ""
        found = destinations(self.game.board, self.game.rule)
        return " ".join(f"{card}:{''.join(map(str, places))}" for card, places in found.items())

    def columns(self, only: frozenset[int] | None = None) -> Iterator[Column]:
        """The seven columns, or some of them, by index."""
        board = self.game.board
        legal = self._legal()
        shown = faces(self.language)
        for index, (column, down) in enumerate(zip(board.columns, board.face_down, strict=True)):
            if only is not None and index not in only:
                continue
            up = column[down:]
            held = up.find(self.selected) if self.selected is not None else -1
            yield Column(
                number=index + 1,
                label=self._column_label(index + 1, len(column), down),
                face_down=down,
                cards=tuple(shown[number] for number in up),
                is_legal=PLACES[index] in legal,
                held_from=held if held >= 0 else None,
            )

    def foundations(self, only: frozenset[int] | None = None) -> Iterator[Foundation]:
        """The four foundations, or some of them, by index."""
        legal = Place.FOUNDATION in self._legal()
        shown = faces(self.language)
        for index, suit in enumerate(SUITS):
            if only is not None and index not in only:
                continue
            top = self.game.board.top(index)
            name = self.language.suit_names[index]
            label = self.language.gettext("Foundation of %(suit)s") % {"suit": name}
            if top is None:
                label = self.language.gettext("Foundation of %(suit)s, empty") % {"suit": name}
            yield Foundation(
                suit=suit,
                label=label,
                card=None if top is None else shown[top],
                is_legal=legal and self.selected is not None and self.selected.suit_index == index,
            )

    def _legal(self) -> tuple[Place, ...]:
        if self.selected is None or not self.preferences.placement_help:
            return ()
        return tuple(destinations(self.game.board, self.game.rule).get(self.selected, ()))

    def _column_label(self, number: int, cards: int, down: int) -> str:
        _ = self.language.gettext
        if not cards:
            return _("Column %(number)d, empty") % {"number": number}
        if not down:
            return _("Column %(number)d") % {"number": number}
        return _("Column %(number)d, %(down)d face down") % {"number": number, "down": down}


PLACES: Final = tuple(Place)


def changed(before: Game, after: Game) -> tuple[frozenset[int], frozenset[int]]:
    """The columns and the foundations that differ, by index."""
    columns = zip(before.board.columns, after.board.columns, strict=True)
    foundations = zip(before.board.foundations, after.board.foundations, strict=True)
    downs = zip(before.board.face_down, after.board.face_down, strict=True)
    return (
        frozenset(i for i, ((old, new), (d, e)) in enumerate(zip(columns, downs, strict=True)) if old != new or d != e),
        frozenset(i for i, (old, new) in enumerate(foundations) if old != new),
    )


def is_pickable(game: Game, card: Card) -> bool:
    """Whether a card lies face up in a column or on top of its foundation."""
    board = game.board
    if board.foundations[card.suit_index] == card.rank:
        return True
    return any(card in column[down:] for column, down in zip(board.columns, board.face_down, strict=True))
