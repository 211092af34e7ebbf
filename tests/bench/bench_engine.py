"""The engine alone: moves applied, lists of legal moves, undo and redo, over the example game.

Baselines: ``list splice`` makes the same moves on plain lists, with no rules and no new board; ``every pair tried``
lists the legal moves by asking about each card and each place.
"""

from app.engine import CARDS, Board, Game, Move, Place, apply, why_not
from app.engine.moves import locate
from app.engine.rules import Rule
from tests.bench.common import RATES, alternate, example_game, rate, rows, show

ROUNDS = 7
GAMES = 40

CODE, MOVES = example_game()


def positions() -> list[Board]:
    """Every board of the example game from which a move was made."""
    boards, game = [], Game.new(CODE)
    for move in MOVES:
        boards.append(game.board)
        game, _ = game.play(move)
    return boards


BOARDS = positions()
SPLICES = [(*locate(board, move.card), int(move.to)) for board, move in zip(BOARDS, MOVES, strict=True)]


def splice() -> None:
    for _ in range(GAMES):
        piles = [*map(list, BOARDS[0].columns), []]
        for source, row, to in SPLICES:
            pile = piles[source]
            piles[to] += pile[row:]
            del pile[row:]


def apply_all() -> None:
    for _ in range(GAMES):
        board = BOARDS[0]
        for move in MOVES:
            board, _change = apply(board, CODE.rule, move)


def play_all() -> None:
    start = Game.new(CODE)
    for _ in range(GAMES):
        game = start
        for move in MOVES:
            game, _change = game.play(move)


def undo_redo() -> None:
    """From the last move but one (a won game is over) back to the deal, and forth again."""
    start = Game.replay(CODE, MOVES[:-1])
    for _ in range(GAMES):
        game = start
        for _step in MOVES[:-1]:
            game, _change = game.undo()
        for _step in MOVES[:-1]:
            game, _change = game.redo()


def pairs(board: Board, rule: Rule) -> list[Move]:
    return [move for card in CARDS for to in Place if why_not(board, rule, move := Move(card, to)) is None]


def list_all() -> None:
    for _ in range(GAMES):
        for board in BOARDS:
            list(Game(CODE, board).legal_moves)


def try_all() -> None:
    for board in BOARDS:
        pairs(board, CODE.rule)


def main() -> None:
    count = GAMES * len(MOVES)
    found = alternate(
        ROUNDS,
        {
            "list splice": lambda: rate(count, splice),
            "apply": lambda: rate(count, apply_all),
            "Game.play": lambda: rate(count, play_all),
            "Game.undo or redo": lambda: rate(2 * GAMES * (len(MOVES) - 1), undo_redo),
            "every pair tried": lambda: rate(len(BOARDS), try_all),
            "legal_moves, listed": lambda: rate(count, list_all),
        },
    )
    moves = dict.fromkeys(("apply", "Game.play", "Game.undo or redo"), "list splice")
    show("Engine", RATES, rows(found, {**moves, "legal_moves, listed": "every pair tried"}))


if __name__ == "__main__":
    main()
