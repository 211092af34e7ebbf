"""The two games of the Examples page. Every board on it comes from here, by replay."""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from app.engine import Change, DealCode, Game, Move


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split()))


CODE: Final = DealCode.parse("YU1-C-ABFHTIL")
MOVES: Final = _moves(
    """9S>2 TD>6 6D>1 AD>F 7H>6 7D>3 9D>3 JH>2 QH>3 2S>4 4D>1 8D>2
    3C>1 2S>5 JS>3 2D>1 AC>F AS>F 7S>2 2S>F KH>1 QS>1 3H>2 9H>3
    KD>5 QC>5 8S>3 5H>7 9C>1 AH>F 2C>F 2H>F 3H>F 3S>F 4S>F 2D>F
    3C>F 3D>F 4H>F 4D>F 6C>3 5C>1 5S>F 6S>F 4C>F 5C>F KC>7 TH>2
    QD>5 5H>F 6H>F 6C>F 7H>F 8H>F 5D>F 6D>F 7S>F 7C>F 7D>F 8C>F
    8D>F 8S>F 9H>F 9C>F 9S>F TH>F KS>6 9D>F TC>F TD>F JC>F TS>F
    JD>F JH>F QC>F JS>F QH>F QS>F KH>F QD>F KS>F KC>F KD>F"""
)
"""A whole game: 83 moves to 625 points."""

STOPS: Final[Mapping[int, str]] = {
    0: "deal",
    1: "hidden",
    2: "group",
    4: "foundation",
    20: "refused",
    21: "king",
    len(MOVES): "won",
}
"""After which moves the page explains something, and what."""

ATTEMPT: Final = Move.parse("QS>1")
"""What is tried, and refused, at the stop of that name: column 1 is empty, and a queen is no king."""

TAKE_BACK_CODE: Final = DealCode.parse("YU1-C-OIHOOSL")
TAKE_BACK_MOVES: Final = _moves("AH>F 2H>F 3H>F 6C>5 3H>4 2C>4 AC>F 2C>F 3H>F")
"""The three of hearts comes back for the two of clubs, under which an ace lies, and goes home again."""


class Step(NamedTuple):
    """A game after some of its moves, and what the last of them did."""

    game: Game
    change: Change | None


@cache
def steps(code: DealCode = CODE, moves: tuple[Move, ...] = MOVES) -> tuple[Step, ...]:
    """The game from the deal on, one step for each move. Raises Refused."""
    found = [Step(Game.new(code), None)]
    for move in moves:
        found.append(Step(*found[-1].game.play(move)))
    return tuple(found)
