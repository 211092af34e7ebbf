"""Yukon a second time, as the rules page tells it: lists of card texts, no speed, and nothing from the engine.

The tests play this game and the engine's side by side. A card is a text such as ``"TD"``, with a leading ``-`` while
it lies face down; a place is ``"1"`` … ``"7"`` or ``"F"``; a move is ``"9S>2"``.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
PLACES = "1234567F"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
UNDO_LIMIT = 100
GROUP_LIMIT = 20


class NotAllowedError(Exception):
    """The rules don't allow it; ``reasons`` holds everything that is wrong with it."""

    def __init__(self, reasons: set[str]) -> None:
        super().__init__(", ".join(sorted(reasons)))
        self.reasons = reasons


def code_of(letter: str, number: int) -> str:
    """The canonical deal code."""
    payload = ""
    for _ in range(7):
        number, digit = divmod(number, 32)
        payload = ALPHABET[digit] + payload
    return f"YU1-{letter}-{payload}"


def layout(code: str) -> list[list[str]]:
    """The seven columns behind a canonical deal code."""
    deck = list(DECK)
    stream = iter(hashlib.shake_128(b"YU1-" + code[-7:].encode()).digest(4096))
    for i in range(51, 0, -1):
        k = i + 1
        byte = next(stream)
        while byte >= 256 - 256 % k:
            byte = next(stream)
        j = byte % k
        deck[i], deck[j] = deck[j], deck[i]
    columns: list[list[str]] = [[] for _ in range(7)]
    for row in range(1, 8):
        for column in range(row, 8):
            columns[column - 1].append(deck.pop(0))
    for _ in range(4):
        for column in range(2, 8):
            columns[column - 1].append(deck.pop(0))
    return [
        ["-" + card if place < index else card for place, card in enumerate(column)]
        for index, column in enumerate(columns)
    ]


def value(card: str) -> int:
    """1 (ace) … 13 (king)."""
    return RANKS.index(card[0]) + 1


def is_red(card: str) -> bool:
    return card[1] in "HD"


@dataclass
class Position:
    """What undo brings back: the cards, which of them are face up, and the score."""

    columns: list[list[str]]
    foundations: dict[str, list[str]] = field(default_factory=lambda: {suit: [] for suit in SUITS})
    score: int = 0
    legal: list[str] | None = None
    """The legal moves, once they have been asked for."""

    def copy(self) -> "Position":
        piles = {suit: list(pile) for suit, pile in self.foundations.items()}
        return Position([list(column) for column in self.columns], piles, self.score, self.legal)

    def __str__(self) -> str:
        tops = [pile[-1] if pile else "." for pile in self.foundations.values()]
        return "\n".join([" ".join(column) or "." for column in self.columns] + ["F: " + " ".join(tops)])


class NaiveGame:
    """A game that changes in place, and keeps a copy of every position it has left."""

    def __init__(self, letter: str, columns: list[list[str]]) -> None:
        self.letter = letter
        self.dealt = columns
        self.changes = 0
        self._begin()

    def _begin(self) -> None:
        self.now = Position([list(column) for column in self.dealt])
        self.counter = 0
        self.past: list[tuple[Position, str]] = []
        self.future: list[tuple[Position, str]] = []
        self.undoable = 0

    @staticmethod
    def of(code: str) -> "NaiveGame":
        return NaiveGame(code[4], layout(code))

    @property
    def is_won(self) -> bool:
        return not any(self.now.columns)

    @property
    def history(self) -> list[str]:
        return [move for _, move in self.past]

    # What may be done

    def place_of(self, card: str) -> str:
        """Where a card lies, face up or face down."""
        for index, column in enumerate(self.now.columns):
            if card in column or "-" + card in column:
                return PLACES[index]
        return "F"

    def waiting_aces(self) -> list[str]:
        return [column[-1] for column in self.now.columns if column and column[-1][0] == "A"]

    def objections(self, card: str, place: str) -> set[str]:
        """Everything that is wrong with a move; empty: it is allowed.

        A card that lies face down is only said to lie face down: any more would tell which card it is.
        """
        if self.is_won:
            return {"game_over"}
        source = self.place_of(card)
        column = self.now.columns[PLACES.index(source)] if source != "F" else self.now.foundations[card[1]]
        if "-" + card in column:
            return {"face_down"}
        wrong = {"same_place"} if source == place else set()
        aces = self.waiting_aces()
        if self.letter == "T" and aces and not (card in aces and place == "F"):
            wrong.add("ace_first")
        if source == "F" and self.letter == "T" and place != "F":
            wrong.add("no_take_back")
        if card != column[-1] and "F" in (source, place):
            wrong.add("not_last_card")
        group = len(column) - column.index(card)
        if source != "F" and place != "F" and self.letter != "T" and group > GROUP_LIMIT:
            wrong.add("group_too_large")
        return wrong | self._misfits(card, place)

    def _misfits(self, card: str, place: str) -> set[str]:
        """What keeps a card from lying there, wherever it comes from."""
        if place == "F":
            return set() if len(self.now.foundations[card[1]]) == value(card) - 1 else {"foundation_order"}
        column = self.now.columns[PLACES.index(place)]
        if not column:
            return set() if value(card) == 13 else {"empty_column_needs_king"}
        wrong = set()
        if value(column[-1]) != value(card) + 1:
            wrong.add("wrong_rank")
        if self.letter != "R" and is_red(column[-1]) == is_red(card):
            wrong.add("wrong_colour")
        return wrong

    def legal_moves(self) -> list[str]:
        if self.now.legal is None:
            every = ((card, place) for card in DECK for place in PLACES)
            self.now.legal = [f"{card}>{place}" for card, place in every if not self.objections(card, place)]
        return self.now.legal

    # What is done

    def play(self, move: str) -> None:
        card, place = move.split(">")
        wrong = self.objections(card, place)
        if wrong:
            raise NotAllowedError(wrong)
        self.past.append((self.now.copy(), move))
        self.future = []
        self.undoable = min(self.undoable + 1, UNDO_LIMIT)
        self.counter += 1
        self.changes += 1
        self._carry(card, place)

    def _carry(self, card: str, place: str) -> None:
        self.now.legal = None
        source = self.place_of(card)
        pile = self.now.foundations[card[1]] if source == "F" else self.now.columns[PLACES.index(source)]
        start = pile.index(card)
        group = pile[start:]
        del pile[start:]
        if place == "F":
            self.now.foundations[card[1]] += group
            self.now.score += 10
        else:
            self.now.columns[PLACES.index(place)] += group
        if pile and pile[-1].startswith("-"):
            pile[-1] = pile[-1][1:]
            self.now.score += 5

    def play_all(self, moves: Iterable[str]) -> "NaiveGame":
        for move in moves:
            self.play(move)
        return self

    def undo(self) -> None:
        if self.is_won:
            raise NotAllowedError({"game_over"})
        if not self.undoable:
            raise NotAllowedError({"nothing_to_undo"})
        before, move = self.past.pop()
        self.future.append((self.now, move))
        self.now = before
        self.undoable -= 1
        self.changes += 1

    def redo(self) -> None:
        if self.is_won:
            raise NotAllowedError({"game_over"})
        if not self.future:
            raise NotAllowedError({"nothing_to_redo"})
        after, move = self.future.pop()
        self.past.append((self.now, move))
        self.now = after
        self.undoable += 1
        self.changes += 1

    def restart(self) -> None:
        self._begin()
        self.changes += 1

    def seek(self, card: str) -> str | None:
        """The place that two quick taps choose; None where they choose none."""
        if not self.objections(card, "F"):
            return "F"
        columns = self.now.columns
        if value(card) == 13 and any(column and column[0] == card for column in columns):
            return None
        fitting = [place for place in PLACES[:7] if not self.objections(card, place)]
        return max(fitting, key=lambda place: len(columns[PLACES.index(place)]), default=None)


def perft(game: NaiveGame, depth: int) -> int:
    """How many different rows of ``depth`` moves there are from here."""
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        game.play(move)
        total += perft(game, depth - 1)
        game.undo()
    return total


def with_aces_first(code: str, moves: Iterable[str]) -> list[str]:
    """A row of moves made fit for the Traditional rule: each ace goes home the moment it can, and not again later."""
    game = NaiveGame.of(code)
    played: list[str] = []

    def play(move: str) -> None:
        game.play(move)
        played.append(move)

    for move in moves:
        while aces := game.waiting_aces():
            play(f"{aces[0]}>F")
        if not move.startswith("A"):
            play(move)
    return played
