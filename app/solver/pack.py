"""From the engine's board and rule to the arrays of the search."""

import numpy as np

from app.engine import Board, Rule
from app.solver.jit import Bytes, Words
from app.solver.layout import (
    ACES_FIRST,
    ALTERNATING,
    BITS,
    HOME_CODE,
    LIMIT,
    NONE,
    OWN_DOWN,
    OWN_ON,
    OWN_UNDER,
    PARENTS,
    PROBLEM,
    TAKE_BACK,
    WIDTH,
)

_NO_LIMIT = 127


def problem_of(board: Board, rule: Rule) -> Bytes:
    """What the search knows of a board and a rule."""
    problem = np.full(PROBLEM, NONE, np.int8)
    problem[OWN_DOWN : OWN_DOWN + 52] = 0
    for column, down in zip(board.columns, board.face_down, strict=True):
        for row, card in enumerate(column):
            if row:
                problem[OWN_UNDER + card] = column[row - 1]
                problem[OWN_ON + column[row - 1]] = card
            problem[OWN_DOWN + card] = row < down
    for card, parents in enumerate(rule.parents):
        problem[PARENTS + 4 * card : PARENTS + 4 * card + len(parents)] = list(parents)
    problem[ALTERNATING] = rule.alternating
    problem[TAKE_BACK] = rule.take_back
    problem[ACES_FIRST] = rule.aces_first
    problem[LIMIT] = _NO_LIMIT if rule.group_limit is None else rule.group_limit
    problem[WIDTH] = 2 if rule.alternating else 4
    problem[BITS] = 2 if rule.alternating else 3
    problem[HOME_CODE] = problem[WIDTH] + 1
    return problem


def key_of(board: Board, problem: Bytes) -> Words:
    """The key of the board that the problem was made of."""
    bits = int(problem[BITS])
    per = 64 // bits
    words = [0] * (2 if bits == 2 else 3)
    for suit, top in enumerate(board.foundations):
        for card in range(suit * 13, suit * 13 + top):
            words[card // per] |= int(problem[HOME_CODE]) << card % per * bits
    return np.array(words, np.uint64).view(np.int64)
