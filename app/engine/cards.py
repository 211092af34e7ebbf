"""The 52 cards, written as rank and suit: ``TD`` is the ten of diamonds."""

from enum import StrEnum
from typing import Final

from app.engine.errors import BadCard

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
KING: Final = 13


class Suit(StrEnum):
    """A suit; iterating gives the order of the foundations."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Card(int):
    """A card, as its number in an ordered deck: AS = 0 … KS = 12, AH = 13 … KC = 51.

    Being a number, a card packs into one byte: a column is a ``bytes`` of cards. There is one object per card
    (``CARDS[number]``); parse and str are inverses.

    >>> Card.parse("TD").rank, str(CARDS[35])
    (10, 'TD')
    """

    __slots__ = ()

    @property
    def suit(self) -> Suit:
        return _SUIT_OF[self]

    @property
    def suit_index(self) -> int:
        """0 … 3 in the order of the foundations."""
        return self // 13

    @property
    def rank(self) -> int:
        """1 (ace) … 13 (king)."""
        return self % 13 + 1

    @property
    def is_red(self) -> bool:
        return 13 <= self < 39

    @property
    def is_king(self) -> bool:
        return self % 13 == 12

    @property
    def is_ace(self) -> bool:
        return self % 13 == 0

    def __str__(self) -> str:
        return _TEXT_OF[self]

    def __repr__(self) -> str:
        return f"Card({_TEXT_OF[self]!r})"

    @staticmethod
    def parse(text: str) -> "Card":
        """The card written as rank and suit, ``A23456789TJQK`` and ``SHDC``.

        Raises BadCard for any other text.
        """
        try:
            return _CARD_OF[text]
        except KeyError:
            raise BadCard(f"not a card: {text[:16]!r}") from None


CARDS: Final = tuple(Card(number) for number in range(52))
"""Every card, in the order of their numbers."""

_SUIT_OF: Final = tuple(Suit(suit) for suit in SUITS for _ in RANKS)
_TEXT_OF: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARD_OF: Final = dict(zip(_TEXT_OF, CARDS, strict=True))
