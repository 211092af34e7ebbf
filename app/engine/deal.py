"""Deal codes, and the layout behind each: a public format that never changes."""

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from app.engine.board import Board
from app.engine.cards import CARDS
from app.engine.errors import BadCode
from app.engine.rules import CLASSIC, RULES, Rule

VERSION: Final = "YU1"
DEALS: Final = 32**7
"""How many deals there are under each rule."""

_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LONGEST: Final = 64
_DASHES: Final = re.compile("[\\s\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+")
_LOOK_ALIKES: Final = str.maketrans("018", "OIB")


@dataclass(frozen=True, slots=True)
class DealCode:
    """A deal's number under a rule. ``str`` gives the canonical text, ``parse`` reads it back.

    >>> str(DealCode.parse(" yu1c–aaaaaab "))
    'YU1-C-AAAAAAB'
    """

    rule: Rule
    number: int
    """0 … DEALS - 1."""

    def __post_init__(self) -> None:
        if not 0 <= self.number < DEALS:
            raise ValueError(f"no such deal number: {self.number}")

    @property
    def payload(self) -> str:
        """The number as seven letters."""
        return "".join(_ALPHABET[self.number >> shift & 31] for shift in range(30, -1, -5))

    def __str__(self) -> str:
        return f"{VERSION}-{self.rule.letter}-{self.payload}"

    @staticmethod
    def parse(text: str) -> "DealCode":
        """The code that a person typed: case, dashes, spaces, and ``0``, ``1``, ``8`` for O, I and B don't matter.

        Seven letters alone are a Classic deal. Raises BadCode for anything else, rather than guess at another deal.
        """
        if len(text) > _LONGEST:
            raise BadCode("too_long", text)
        typed = _DASHES.sub("-", text.strip()).strip("-")
        if not typed.isascii():
            raise BadCode("letters", text)
        typed = typed.upper()
        code = typed.replace("-", "")
        # "YU2-…" is a version, even where what is left would be seven letters, and so a deal of its own.
        if _is_headed(typed, code):
            return _parse_headed(code, text)
        if len(code) == 8 and code[0] in RULES:
            raise BadCode("length", text)
        return DealCode(CLASSIC, _parse_payload(code, text))


def _is_headed(typed: str, code: str) -> bool:
    """Whether a version stands in front, known or not."""
    if not code.startswith("YU"):
        return False
    first, dash, _ = typed.partition("-")
    return code.startswith(VERSION) or len(code) > 8 or (bool(dash) and (len(first) == 3 or code[2:3].isdigit()))


def _parse_headed(code: str, text: str) -> DealCode:
    if not code.startswith(VERSION):
        raise BadCode("version", text)
    rule = RULES.get(code[3:4])
    if rule is None:
        raise BadCode("rule" if len(code) in (10, 11) else "length", text)
    return DealCode(rule, _parse_payload(code[4:], text))


def _parse_payload(payload: str, text: str) -> int:
    letters = payload.translate(_LOOK_ALIKES)
    if any(letter not in _ALPHABET for letter in letters):
        raise BadCode("letters", text)
    if len(letters) != 7:
        raise BadCode("length", text)
    number = 0
    for letter in letters:
        number = number * 32 + _ALPHABET.index(letter)
    return number


def deal(code: DealCode) -> Board:
    """The layout of a deal: Fisher–Yates from the end, fed by SHAKE-128; dealt by hand, row by row."""
    deck = bytearray(CARDS)
    stream = hashlib.shake_128(f"{VERSION}-{code.payload}".encode("ascii"))
    drawn, taken = stream.digest(128), 0
    for i in range(51, 0, -1):
        k = i + 1
        while True:
            if taken == len(drawn):
                drawn = stream.digest(2 * taken)  # the longer output begins with the shorter one
            byte = drawn[taken]
            taken += 1
            if byte < 256 - 256 % k:
                break
        j = byte % k
        deck[i], deck[j] = deck[j], deck[i]
    columns = [bytearray() for _ in range(7)]
    cards = iter(deck)
    for row in range(7):
        for column in columns[row:]:
            column.append(next(cards))
    for _ in range(4):
        for column in columns[1:]:
            column.append(next(cards))
    return Board(tuple(bytes(column) for column in columns), bytes(range(7)), bytes(4))
