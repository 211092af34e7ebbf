"""What the templates see. A face-down card ends here: a view knows how many there are, and nothing of which."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple

from app.engine import CARDS, Board, Card, Game, LegalMoves, Place, destinations
from app.engine.board import COLUMNS
from app.engine.cards import SUITS
from app.engine.moves import PLACES
from app.service import Session
from app.web import words
from app.web.i18n import LANGUAGES, Language
from app.web.player import Player

_COURTS: Final = {11: "J", 12: "Q", 13: "K"}


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """How a card looks and is called. There is one for each card and language."""

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
def faces(language: Language, *, international: bool = False) -> Mapping[int, Face]:
    """Every card, by number; with the face letters of the language or A J Q K."""
    letters = LANGUAGES["en"].rank_letters if international else language.rank_letters
    return {
        int(card): Face(
            text=str(card),
            name=language.card_names[card],
            rank=letters[card.rank],
            suit=card.suit.value,
            mark=_COURTS.get(card.rank, card.suit.value),
            style=("red" if card.is_red else "black") + (" court" if card.rank in _COURTS else ""),
        )
        for card in CARDS
    }


class Shown(NamedTuple):
    """A face-up card where it lies."""

    face: Face
    put: str
    """The place where a tap puts the picked card down; empty: a tap picks this card up."""
    is_last: bool = False
    is_held: bool = False
    """Belongs to the group that is picked up."""
    is_picked: bool = False
    """Leads that group."""
    is_flipped: bool = False
    """The last move turned it up."""


@dataclass(frozen=True, slots=True)
class Column:
    number: int
    label: str
    face_down: int
    cards: tuple[Shown, ...]
    put: str
    is_legal: bool
    """The picked card may go here."""


class Foundation(NamedTuple):
    suit: str
    label: str
    card: Shown | None
    put: str
    is_legal: bool


@dataclass(frozen=True)
class Table:
    """A game on the table, as one player sees it in one language."""

    session: Session
    language: Language
    player: Player
    selected: Card | None = None
    flipped: Card | None = None
    """The card that the last move turned up."""
    shown: str = ""
    """A message to read."""
    said: str = ""
    """A sentence to hear only."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def code(self) -> str:
        return str(self.game.code)

    @property
    def rule(self) -> str:
        return self.language.gettext(words.RULES[self.game.rule.letter])

    @property
    def clock(self) -> str:
        return words.clock(self.session.clock.elapsed)

    @property
    def won(self) -> str:
        return words.won(self.language, self.game, self.session.clock.elapsed)

    @property
    def picked(self) -> str:
        return str(self.selected) if self.selected is not None else ""

    @property
    def places(self) -> str:
        """Where each card can go: ``5H:24F 6D:1``."""
        if self.game.is_won:
            return ""
        found: dict[Card, str] = {}
        for card, to in LegalMoves(self.game.board, self.game.rule):
            found[card] = found.get(card, "") + str(to)
        return " ".join([f"{card}:{places}" for card, places in found.items()])

    def columns(self, only: Collection[int] = range(COLUMNS)) -> Iterator[Column]:
        """The seven columns, or some of them, by index."""
        board = self.game.board
        for index in only:
            column, down = board.columns[index], board.face_down[index]
            cards = tuple(self._shown(index, column, down))
            yield Column(
                number=index + 1,
                label=self._column_label(index + 1, len(column), down),
                face_down=down,
                cards=cards,
                put="" if self.selected is None or self.selected in column else str(index + 1),
                is_legal=PLACES[index] in self._legal,
            )

    def _shown(self, index: int, column: bytes, down: int) -> Iterator[Shown]:
        known = self._faces
        picked = -1 if self.selected is None else column.find(self.selected)
        put = "" if self.selected is None or picked >= 0 else str(index + 1)
        for row in range(down, len(column)):
            number = column[row]
            is_held = 0 <= picked <= row
            yield Shown(known[number], put, row == len(column) - 1, is_held, row == picked, number == self.flipped)

    def foundations(self, only: Collection[int] = range(len(SUITS))) -> Iterator[Foundation]:
        """The four foundations, or some of them, by index."""
        _ = self.language.gettext
        for index in only:
            top, name = self.game.board.top(index), self.language.suit_names[index]
            is_picked = top is not None and top == self.selected
            put = "F" if self.selected is not None and not is_picked else ""
            label = _("Foundation of %(suit)s") if top is not None else _("Foundation of %(suit)s, empty")
            yield Foundation(
                suit=SUITS[index],
                label=label % {"suit": name},
                card=None if top is None else Shown(self._faces[top], put, is_picked=is_picked),
                put=put,
                is_legal=Place.FOUNDATION in self._legal
                and self.selected is not None
                and self.selected.suit_index == index,
            )

    @property
    def _faces(self) -> Mapping[int, Face]:
        return faces(self.language, international=self.player.preferences.international)

    @cached_property
    def _legal(self) -> tuple[Place, ...]:
        if self.selected is None or not self.player.preferences.placement_help:
            return ()
        return tuple(destinations(self.game.board, self.game.rule).get(self.selected, ()))

    def _column_label(self, number: int, cards: int, down: int) -> str:
        _ = self.language.gettext
        if not cards:
            return _("Column %(number)d, empty") % {"number": number}
        if not down:
            return _("Column %(number)d") % {"number": number}
        return _("Column %(number)d, %(down)d face down") % {"number": number, "down": down}


def changed(before: Board, after: Board) -> tuple[list[int], list[int]]:
    """The columns and the foundations that differ, by index."""
    columns = zip(before.columns, after.columns, before.face_down, after.face_down, strict=True)
    foundations = zip(before.foundations, after.foundations, strict=True)
    return (
        [i for i, (old, new, down, still) in enumerate(columns) if old != new or down != still],
        [i for i, (old, new) in enumerate(foundations) if old != new],
    )


def is_pickable(game: Game, card: Card) -> bool:
    """Whether a card can be taken up: it lies face up in a column or on top of its foundation."""
    board = game.board
    if board.is_won:
        return False
    if board.foundations[card.suit_index] == card.rank:
        return True
    return any(card in column[down:] for column, down in zip(board.columns, board.face_down, strict=True))
