"""Positions and games as a test would draw them on a napkin."""

from dataclasses import replace

from app.engine import RULES, Board, Card, DealCode, Game, Move, Refused
from tests.engine.naive import DECK, RANKS, SUITS


def table(*columns: str, home: str = ". . . .") -> Board:
    """A position, column by column; those left out are empty. ``…`` stands for every card that is named nowhere.

    ``home`` names the top card of each foundation, S H D C.
    """
    named = {word.removeprefix("-") for column in columns for word in column.split()}
    for suit, top in zip(SUITS, home.split(), strict=True):
        named.update(rank + suit for rank in RANKS[: RANKS.find(top[0]) + 1])
    rest = " ".join(card for card in DECK if card not in named)
    lines = [column.replace("…", rest) or "." for column in columns] + ["."] * (7 - len(columns))
    return Board.parse("\n".join(lines) + f"\nF: {home}")


def game_at(board: Board, letter: str) -> Game:
    """A game under a rule that stands at a position."""
    return Game(DealCode(RULES[letter], 0), board)


def refusal(board: Board, letter: str, move: str) -> str | None:
    """Why a move is refused at a position; None: it is allowed."""
    game = game_at(board, letter)
    before = replace(game)
    named = Move.parse(move)
    try:
        game.play(named)
    except Refused as error:
        assert game == before
        assert named not in game.legal_moves
        return error.reason.value
    assert named in game.legal_moves
    return None


def sought(board: Board, letter: str, card: str) -> str:
    """The place that two quick taps on a card choose, or why they choose none."""
    try:
        return str(game_at(board, letter).seek(Card.parse(card)))
    except Refused as error:
        return error.reason.value


def play(game: Game, *moves: str) -> Game:
    for move in moves:
        game, _ = game.play(Move.parse(move))
    return game
