"""A position: seven columns and four foundations."""

from dataclasses import dataclass
from typing import Final

from app.engine.cards import CARDS, SUITS, Card
from app.engine.errors import BadBoard, BadCard

COLUMNS: Final = 7


@dataclass(frozen=True, slots=True)
class Board:
    """An immutable position. Cards are stored as their numbers, one byte each.

    ``str`` writes one line per column, first card first, ``-`` before a face-down card, ``.`` for an empty column,
    and a last line with the top card of each foundation. ``parse`` reads that back.
    """

    columns: tuple[bytes, ...]
    """Seven columns, first card (the one dealt first) first."""
    face_down: bytes
    """By column: how many of its first cards lie face down."""
    foundations: bytes
    """By suit, S H D C: the rank of the top card, 0 = empty."""

    @property
    def is_won(self) -> bool:
        return self.foundations == b"\x0d\x0d\x0d\x0d"

    @property
    def face_down_count(self) -> int:
        return sum(self.face_down)

    def visible(self) -> tuple[tuple[Card | None, ...], ...]:
        """The public view of the columns: None for each face-down card."""
        return tuple(
            (None,) * down + tuple(CARDS[number] for number in column[down:])
            for column, down in zip(self.columns, self.face_down, strict=True)
        )

    def top(self, suit_index: int) -> Card | None:
        """The top card of a foundation."""
        rank = self.foundations[suit_index]
        return CARDS[suit_index * 13 + rank - 1] if rank else None

    def __str__(self) -> str:
        lines = []
        for column, down in zip(self.columns, self.face_down, strict=True):
            cards = [("-" if row < down else "") + str(CARDS[number]) for row, number in enumerate(column)]
            lines.append(" ".join(cards) or ".")
        tops = (self.top(suit) for suit in range(4))
        lines.append("F: " + " ".join("." if top is None else str(top) for top in tops))
        return "\n".join(lines)

    @staticmethod
    def parse(text: str) -> "Board":
        """The board that ``str`` wrote. The line of the foundations may be left out: they are empty then.

        Raises BadBoard, by name, for a card that is missing, stands twice or lies face down on a face-up one.
        """
        lines = [line.split() for line in text.strip().splitlines()]
        foundations = bytes(4)
        if lines and lines[-1] and lines[-1][0] == "F:":
            foundations = _parse_foundations(lines.pop()[1:])
        if len(lines) != COLUMNS:
            raise BadBoard(f"a board has {COLUMNS} columns, not {len(lines)}")
        parsed = [_parse_column([] if words == ["."] else words) for words in lines]
        board = Board(tuple(column for column, _ in parsed), bytes(down for _, down in parsed), foundations)
        _check_whole(board)
        return board


def _parse_foundations(words: list[str]) -> bytes:
    if len(words) != len(SUITS):
        raise BadBoard(f"a board has {len(SUITS)} foundations, not {len(words)}")
    ranks = bytearray(4)
    for suit, word in enumerate(words):
        if word == ".":
            continue
        card = _parse_card(word)
        if card.suit_index != suit:
            raise BadBoard(f"{word} does not belong on the foundation of {SUITS[suit]}")
        ranks[suit] = card.rank
    return bytes(ranks)


def _parse_column(words: list[str]) -> tuple[bytes, int]:
    down = sum(word.startswith("-") for word in words)
    if any(word.startswith("-") for word in words[down:]):
        raise BadBoard("a face-down card lies on a face-up one")
    if words and down == len(words):
        raise BadBoard(f"the last card of a column lies face up: {words[-1]}")
    return bytes(_parse_card(word.removeprefix("-")) for word in words), down


def _parse_card(word: str) -> Card:
    try:
        return Card.parse(word)
    except BadCard as error:
        raise BadBoard(str(error)) from None


def _check_whole(board: Board) -> None:
    seen = [number for column in board.columns for number in column]
    seen += [suit * 13 + rank for suit, top in enumerate(board.foundations) for rank in range(top)]
    for card in CARDS:
        count = seen.count(card)
        if count != 1:
            raise BadBoard(f"{card} is missing" if count == 0 else f"{card} stands {count} times")
