"""Best-first search over positions in normal form, with a table of all that was ever seen."""

import numpy as np

from app.solver.jit import Bytes, Ints, Words, compiled
from app.solver.layout import CODE, DOWN, FOUND, HOME_CODE, NONE, ON, SIZE, UNDER
from app.solver.moves import FOLLOWERS, VARIANTS, expand
from app.solver.position import decode
from app.solver.reach import reach

BUCKETS = 4096
WON, LOST, OUT_OF_NODES, OUT_OF_MEMORY, STOPPED = 0, 1, 2, 3, 4


@compiled
def _hash(key: Words) -> int:
    mixed = np.uint64(0)
    for i in range(key.shape[0]):
        mixed ^= key[i]
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed >> np.uint64(1))


@compiled
def buried(row: Bytes, home: int) -> int:
    """How many pairs of a card and a lower one of its suit under it in its column."""
    count = 0
    for card in range(52):
        if row[CODE + card] == home:
            continue
        suit = card // 13
        under = np.int64(row[UNDER + card])
        while under != NONE:
            if under < card and under // 13 == suit:
                count += 1
            under = np.int64(row[UNDER + under])
    return count


@compiled
def cost_of(problem: Bytes, row: Bytes, above: Words, weights: Ints) -> int:
    """What the search expects to be left to do; -1: lost. The lower the sooner it is looked at."""
    layers = reach(problem, row, above)
    if layers < 0:
        return -1
    left = 52 - (np.int64(row[FOUND]) + row[FOUND + 1] + row[FOUND + 2] + row[FOUND + 3])
    down = 0
    for card in range(52):
        down += row[DOWN + card]
    cost = weights[0] * left + weights[1] * down + weights[3] * layers
    if weights[2] != 0:
        cost += weights[2] * buried(row, np.int64(problem[HOME_CODE]))
    return min(cost >> weights[7], BUCKETS - 1)


@compiled
def search(
    problem: Bytes, root: Words, weights: Ints, keys: Words, parents: Ints, links: Ints, most: int, stop: Bytes,
    figures: Ints,
) -> int:
    """Search from the key ``root``. ``keys``, ``parents`` and ``links`` are room for as many positions as they are long.

    ``figures``: expanded, seen, and the number of the won position. Looks at no more than ``most`` positions.
    """
    width = keys.shape[1]
    room = keys.shape[0]
    size = 1 << 12
    index = np.zeros(size, np.int32)
    heads = np.full(BUCKETS, -1, np.int32)
    rows = np.zeros((VARIANTS + 1, SIZE), np.int8)
    row_keys = np.zeros((VARIANTS + 1, width), np.uint64)
    back = np.zeros((VARIANTS, 3), np.int8)
    fresh = np.zeros((FOLLOWERS, width), np.uint64)
    steps = np.zeros((FOLLOWERS, 3), np.int8)
    work = np.zeros(SIZE, np.int8)
    log = np.zeros(256, np.int8)
    above = np.zeros(64, np.uint64)
    for i in range(width):
        keys[0, i] = root[i]
    parents[0] = -1
    index[_hash(root) & (size - 1)] = 1
    seen = 1
    expanded = 0
    decode(problem, root, work)
    figures[0], figures[1], figures[2] = 0, 1, 0
    if np.int64(work[FOUND]) + work[FOUND + 1] + work[FOUND + 2] + work[FOUND + 3] == 52:
        return WON
    if reach(problem, work, above) < 0:
        return LOST
    links[0] = -1
    bucket = 0
    heads[0] = 0
    while True:
        while bucket < BUCKETS and heads[bucket] < 0:
            bucket += 1
        if bucket == BUCKETS:
            return LOST
        node = np.int64(heads[bucket])
        heads[bucket] = links[node]
        expanded += 1
        figures[0], figures[1] = expanded, seen
        if stop[0] != 0:
            return STOPPED
        if expanded > most:
            return OUT_OF_NODES
        count = expand(problem, keys[node], rows, row_keys, back, fresh, steps, work, log)
        if count == FOLLOWERS:
            return OUT_OF_MEMORY
        for i in range(count):
            slot = _hash(fresh[i]) & (size - 1)
            while index[slot] != 0:
                other = np.int64(index[slot]) - 1
                same = True
                for word in range(width):
                    same = same and keys[other, word] == fresh[i, word]
                if same:
                    break
                slot = (slot + 1) & (size - 1)
            if index[slot] != 0:
                continue
            if seen == room:
                return OUT_OF_MEMORY
            index[slot] = seen + 1
            for word in range(width):
                keys[seen, word] = fresh[i, word]
            parents[seen] = node
            decode(problem, fresh[i], work)
            if np.int64(work[FOUND]) + work[FOUND + 1] + work[FOUND + 2] + work[FOUND + 3] == 52:
                figures[1], figures[2] = seen + 1, seen
                return WON
            cost = cost_of(problem, work, above, weights)
            if cost >= 0:
                links[seen] = heads[cost]
                heads[cost] = seen
                bucket = min(bucket, cost)
            seen += 1
            if 2 * seen > size:
                index, size = _grow(index, keys, seen)


@compiled
def _grow(index: Ints, keys: Words, seen: int) -> tuple[Ints, int]:
    size = 4 * index.shape[0]
    index = np.zeros(size, np.int32)
    for node in range(seen):
        slot = _hash(keys[node]) & (size - 1)
        while index[slot] != 0:
            slot = (slot + 1) & (size - 1)
        index[slot] = node + 1
    return index, size
