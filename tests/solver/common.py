"""What the tests of the solver share: deals with what is known of them, boards near their end, an exhaustive search."""

import random
from pathlib import Path
from typing import Final

from app.engine import CARDS, Board, LegalMoves, Rule
from app.engine.moves import apply_legal
from app.solver.layouts import read_layouts

KPAT: Final = Rule("K", "kpat", alternating=True, take_back=False, group_limit=None, aces_first=False)
"""KPatience's own rule: Traditional without aces first."""

_DATA: Final = Path(__file__).parent.parent / "data" / "kpat_deals.txt"


def kpat_deals() -> list[tuple[int, str, Board]]:
    """Number, what is known (``won``, ``lost``, ``open``) and board of KPatience's 250 deals."""
    text = _DATA.read_text(encoding="ascii")
    return [(int(name.split()[1]), name.split()[2], board) for name, board in read_layouts(text)]


def late_board(chance: random.Random, left: int) -> Board:
    """A board with ``left`` cards still in the columns, thrown there at random, some face down."""
    ranks = [13, 13, 13, 13]
    while sum(ranks) > 52 - left:
        suit = chance.randrange(4)
        ranks[suit] -= ranks[suit] > 0
    cards = [card for card in CARDS if card.rank > ranks[card.suit_index]]
    chance.shuffle(cards)
    columns: list[list[int]] = [[] for _ in range(7)]
    used = chance.randint(2, 7)
    for card in cards:
        columns[chance.randrange(used)].append(card)
    down = bytes(chance.randint(0, max(0, len(column) - 1)) if chance.random() < 0.5 else 0 for column in columns)
    return Board(tuple(map(bytes, columns)), down, bytes(ranks))


def can_be_won(board: Board, rule: Rule, most: int) -> bool | None:
    """By trying everything, with the engine's own moves and nothing left out; None: more than ``most`` positions."""
    waiting = [sorted_columns(board)]
    seen = set(waiting)
    while waiting:
        now = waiting.pop()
        if now.is_won:
            return True
        for move in reversed(list(LegalMoves(now, rule))):  # those to the foundations are tried first
            after = sorted_columns(apply_legal(now, move)[0])
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > most:
            return None
    return False


def positions(board: Board, rule: Rule, most: int) -> dict[Board, list[Board]]:
    """Every position that can be reached, with what can follow on it; nothing, where there are more than ``most``."""
    waiting = [sorted_columns(board)]
    graph: dict[Board, list[Board]] = {}
    while waiting:
        now = waiting.pop()
        if now in graph:
            continue
        graph[now] = [sorted_columns(apply_legal(now, move)[0]) for move in LegalMoves(now, rule)]
        waiting += graph[now]
        if len(graph) > most:
            return {}
    return graph


def those_that_win(graph: dict[Board, list[Board]]) -> set[Board]:
    """The positions from which a won one can be reached."""
    before: dict[Board, list[Board]] = {}
    for now, after in graph.items():
        for board in after:
            before.setdefault(board, []).append(now)
    waiting = [board for board in graph if board.is_won]
    good = set(waiting)
    while waiting:
        for board in before.get(waiting.pop(), ()):
            if board not in good:
                good.add(board)
                waiting.append(board)
    return good


def sorted_columns(board: Board) -> Board:
    """The board with its columns in one fixed order, which decides nothing."""
    pairs = sorted(zip(board.columns, board.face_down, strict=True))
    return Board(tuple(column for column, _ in pairs), bytes(down for _, down in pairs), board.foundations)
