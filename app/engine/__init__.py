"""The game of Yukon, and nothing but the game: no web, no store, standard library only.

>>> from app.engine import DealCode, Game, Move
>>> game = Game.new(DealCode.parse("YU1-C-ABFHTIL"))
>>> game, change = game.play(Move.parse("9S>2"))
>>> change.source, change.group, game.score
(Place.COLUMN_5, 5, 5)
"""

from app.engine.board import Board
from app.engine.cards import CARDS, Card, Suit
from app.engine.deal import DEALS, DealCode, deal
from app.engine.errors import BadBoard, BadCard, BadCode, BadLog, BadMove, EngineError, Reason, Refused
from app.engine.game import UNDO_LIMIT, Game
from app.engine.moves import Change, LegalMoves, Move, Place, apply, destinations, seek, why_not
from app.engine.replay import Deed, entry, replay
from app.engine.rules import CLASSIC, RELAXED, RULES, TRADITIONAL, Rule

__all__ = [
    "CARDS",
    "CLASSIC",
    "DEALS",
    "RELAXED",
    "RULES",
    "TRADITIONAL",
    "UNDO_LIMIT",
    "BadBoard",
    "BadCard",
    "BadCode",
    "BadLog",
    "BadMove",
    "Board",
    "Card",
    "Change",
    "DealCode",
    "Deed",
    "EngineError",
    "Game",
    "LegalMoves",
    "Move",
    "Place",
    "Reason",
    "Refused",
    "Rule",
    "Suit",
    "apply",
    "deal",
    "destinations",
    "entry",
    "replay",
    "seek",
    "why_not",
]
