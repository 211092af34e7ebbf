"""The moves behind a row of keys, with what is not needed left out."""

import numpy as np

from app.solver.jit import Bytes, Words, compiled, wide
from app.solver.layout import (
    ACES_FIRST,
    CODE,
    COLUMN,
    DOWN,
    EMPTY,
    FOUND,
    HOME,
    HOME_CODE,
    LIMIT,
    NONE,
    ON,
    PARENTS,
    SIZE,
    TAKE_BACK,
    UNDER,
)
from app.solver.moves import FOLLOWERS, VARIANTS, expand
from app.solver.position import align, copy, decode, group_size, last_of, note, play, settle
from app.solver.search import home_count

LONGEST = 16384


@compiled
def normal(problem: Bytes, key: Words, log: Bytes) -> None:
    """Bring a key into the normal form that the search knows, and write the moves into the log."""
    row = np.zeros(SIZE, np.int8)
    decode(problem, key, row)
    log[0] = 0
    settle(problem, row, key, log)
    align(problem, row, key, log)


@compiled
def moves_of(problem: Bytes, path: Words, length: int, out: Bytes) -> int:
    """Write the moves that lead along ``path`` into ``out`` (card, place); returns how many, -1: it is no path."""
    width = path.shape[1]
    rows = np.zeros((VARIANTS + 1, SIZE), np.int8)
    row_keys = np.zeros((VARIANTS + 1, width), np.int64)
    back = np.zeros((VARIANTS, 3), np.int8)
    fresh = np.zeros((FOLLOWERS, width), np.int64)
    steps = np.zeros((FOLLOWERS, 3), np.int8)
    work = np.zeros(SIZE, np.int8)
    log = np.zeros(256, np.int8)
    chain = np.zeros(VARIANTS, np.int64)
    key = np.zeros(width, np.int64)
    total = 0
    for place in range(1, length):
        count = expand(problem, path[place - 1], rows, row_keys, back, fresh, steps, work, log)
        chosen = -1
        for i in range(count):
            same = True
            for word in range(width):
                same = same and fresh[i, word] == path[place, word]
            if same:
                chosen = i
                break
        if chosen < 0 or total + 2 * VARIANTS + 128 > out.shape[0]:
            return -1
        variant = wide(steps[chosen, 0])
        for word in range(width):
            key[word] = row_keys[variant, word]
        copy(rows[variant], work)
        depth = 0
        while variant != 0:
            chain[depth] = variant
            depth += 1
            variant = wide(back[variant, 0])
        for i in range(depth - 1, -1, -1):
            out[total, 0], out[total, 1] = back[chain[i], 1], back[chain[i], 2]
            total += 1
        card, to = wide(steps[chosen, 1]), wide(steps[chosen, 2])
        log[0] = 0
        note(log, card, to)
        play(problem, work, key, card, to)
        same = True
        for word in range(width):
            same = same and key[word] == path[place, word]
        if not same:
            settle(problem, work, key, log)
            align(problem, work, key, log)
        for i in range(wide(log[0])):
            out[total, 0], out[total, 1] = log[1 + 2 * i], log[2 + 2 * i]
            total += 1
    return total


@compiled
def is_legal(problem: Bytes, row: Bytes, card: int, to: int) -> bool:
    """Whether the rule allows a move."""
    home = problem[HOME_CODE]
    at_home = bool(row[CODE + card] == home)
    if at_home and (problem[TAKE_BACK] == 0 or row[FOUND + card // 13] != card % 13 + 1 or to == HOME):
        return False
    if problem[ACES_FIRST] == 1 and not (card % 13 == 0 and to == HOME):
        for suit in range(4):
            if row[ON + suit * 13] == NONE and row[CODE + suit * 13] != home:
                return False
    if row[DOWN + card] == 1:
        return False
    if to == HOME:
        return bool(row[ON + card] == NONE and row[FOUND + card // 13] == card % 13)
    if not at_home and group_size(row, card) > problem[LIMIT]:
        return False
    if to == COLUMN:
        return bool(card % 13 == 12 and row[EMPTY] > 0 and (at_home or row[UNDER + card] != NONE))
    if row[ON + to] != NONE or row[CODE + to] == home or (not at_home and last_of(row, card) == to):
        return False
    for i in range(4):
        if problem[PARENTS + 4 * card + i] == to:
            return True
    return False


@compiled
def _wins(
    problem: Bytes, start: Words, out: Bytes, count: int, skipped: int, other: int, row: Bytes, key: Words
) -> bool:
    for word in range(key.shape[0]):
        key[word] = start[word]
    decode(problem, key, row)
    for i in range(count):
        if i in (skipped, other):
            continue
        card, to = wide(out[i, 0]), wide(out[i, 1])
        if not is_legal(problem, row, card, to):
            return False
        play(problem, row, key, card, to)
    return home_count(row) == 52


@compiled
def shorten(problem: Bytes, start: Words, out: Bytes, count: int) -> int:
    """Leave out moves, one or two of the same card at a time, as long as the rest still wins; returns how many stay."""
    row = np.zeros(SIZE, np.int8)
    key = np.zeros(start.shape[0], np.int64)
    going = True
    while going:
        going = False
        i = count - 1
        while i >= 0:
            gone = -1
            if out[i, 1] != HOME and _wins(problem, start, out, count, i, i, row, key):
                gone = i
            else:
                for j in range(i + 1, count):
                    if out[j, 0] == out[i, 0]:
                        if _wins(problem, start, out, count, i, j, row, key):
                            gone = j
                        break
            if gone >= 0:
                kept = 0
                for j in range(count):
                    if j not in (i, gone):
                        out[kept, 0], out[kept, 1] = out[j, 0], out[j, 1]
                        kept += 1
                count = kept
                going = True
            i = min(i, count) - 1
    return count
