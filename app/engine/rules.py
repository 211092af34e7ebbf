"""The three rules, as data."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from app.engine.cards import CARDS, Card


def _parents(card: Card, alternating: bool) -> bytes:
    """Every card that ``card`` may lie on in a column."""
    return bytes(
        other for other in CARDS if other.rank == card.rank + 1 and (not alternating or other.is_red != card.is_red)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One way to play; there are just the three below. Deal, scoring and all the rest are the same under each."""

    letter: str
    """``C``, ``R`` or ``T``, as in a deal code."""
    name: str
    alternating: bool
    """A column takes only cards of the other colour."""
    take_back: bool
    """A foundation's top card may go back to a column."""
    group_limit: int | None
    """The most cards that move at once; None: no limit."""
    aces_first: bool
    """An ace that is the last card of a column must go to its foundation before any other move."""
    parents: tuple[bytes, ...] = field(init=False, repr=False)
    """By card number: the cards it may lie on in a column."""
    children: tuple[bytes, ...] = field(init=False, repr=False)
    """By card number: the cards that may lie on it in a column."""

    def __post_init__(self) -> None:
        parents = tuple(_parents(card, self.alternating) for card in CARDS)
        children = tuple(bytes(c for c in CARDS if card in parents[c]) for card in CARDS)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "children", children)

    def __reduce__(self) -> tuple[Callable[[str], "Rule"], tuple[str]]:
        """A copy, also in another process, is the rule itself."""
        return _rule_of, (self.letter,)

    def fits(self, card: int, onto: int | None) -> bool:
        """Whether a group led by ``card`` may go onto ``onto``, a column's last card; None: an empty column."""
        if onto is None:
            return card % 13 == 12
        return onto in self.parents[card]


def _rule_of(letter: str) -> Rule:
    return RULES[letter]


CLASSIC: Final = Rule("C", "classic", alternating=True, take_back=True, group_limit=20, aces_first=False)
RELAXED: Final = Rule("R", "relaxed", alternating=False, take_back=True, group_limit=20, aces_first=False)
TRADITIONAL: Final = Rule("T", "traditional", alternating=True, take_back=False, group_limit=None, aces_first=True)

RULES: Final = {rule.letter: rule for rule in (CLASSIC, RELAXED, TRADITIONAL)}
"""By letter."""
