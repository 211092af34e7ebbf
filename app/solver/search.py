"""Best-first search over positions in normal form, with a table of all that was ever seen."""

import numpy as np

from app.solver.jit import Bytes, Ints, Numbers, Words, compiled, wide
from app.solver.layout import CODE, DOWN, FOUND, HOME_CODE, NONE, SIZE, UNDER
from app.solver.moves import FOLLOWERS, VARIANTS, expand
from app.solver.position import decode
from app.solver.reach import reach

BUCKETS = 4096
WON, LOST, OUT_OF_NODES, OUT_OF_MEMORY, OUT_OF_TIME, STOPPED = range(6)


@compiled
def _hash(key: Words) -> int:
    mixed = 0
    for word in key:
        mixed ^= wide(word)
        mixed ^= (mixed >> 31) & 0x1FFFFFFFF
        mixed *= 0x1E3779B97F4A7C15
        mixed ^= (mixed >> 29) & 0x7FFFFFFFF
        mixed *= 0x3F58476D1CE4E5B9
    return (mixed ^ (mixed >> 32)) & 0x7FFFFFFFFFFFFFFF


@compiled
def buried(row: Bytes, home: int) -> int:
    """How many pairs of a card and a lower one of its suit under it in its column."""
    count = 0
    for card in range(52):
        if row[CODE + card] == home:
            continue
        suit = card // 13
        under = wide(row[UNDER + card])
        while under != NONE:
            if under < card and under // 13 == suit:
                count += 1
            under = wide(row[UNDER + under])
    return count


@compiled
def cost_of(problem: Bytes, row: Bytes, above: Words, weights: Ints) -> int:
    """What the search expects to be left to do; -1: lost. The lower the sooner it is looked at."""
    layers = reach(problem, row, above)
    if layers < 0:
        return -1
    left = 52 - home_count(row)
    down = 0
    for card in range(52):
        down += wide(row[DOWN + card])
    cost = wide(weights[0]) * left + wide(weights[1]) * down + wide(weights[3]) * layers
    if weights[2] != 0:
        cost += wide(weights[2]) * buried(row, wide(problem[HOME_CODE]))
    return min(cost, BUCKETS - 1)


@compiled
def search(
    problem: Bytes,
    root: Words,
    weights: Ints,
    room: int,
    most: int,
    stop: Bytes,
    clock: Bytes,
    figures: Ints,
    path: Words,
) -> int:
    """Search from the key ``root``, with room for ``room`` positions, until ``most`` of them have been looked at.

    Ends as soon as ``stop[0]`` or ``clock[0]`` is not 0. ``figures`` gets how many positions were expanded and seen,
    and of a won game the length of the line whose keys are then in ``path``.
    All memory is taken and given back in here, where the interpreter is not held up by it.
    """
    width = root.shape[0]
    keys = np.empty((room, width), np.int64)
    parents = np.empty(room, np.int32)
    links = np.empty(room, np.int32)
    index = np.zeros(1 << 12, np.int32)
    heads = np.full(BUCKETS, -1, np.int32)
    rows = np.zeros((VARIANTS + 1, SIZE), np.int8)
    row_keys = np.zeros((VARIANTS + 1, width), np.int64)
    back = np.zeros((VARIANTS, 3), np.int8)
    fresh = np.zeros((FOLLOWERS, width), np.int64)
    steps = np.zeros((FOLLOWERS, 3), np.int8)
    work = np.zeros(SIZE, np.int8)
    log = np.zeros(256, np.int8)
    above = np.zeros(64, np.int64)
    keys[0] = root
    parents[0], links[0] = -1, -1
    index[_hash(root) & (index.shape[0] - 1)] = 1
    seen, expanded, bucket = 1, 0, 0
    heads[0] = 0
    decode(problem, root, work)
    figures[0], figures[1], figures[2] = 0, 1, 0
    if home_count(work) == 52:
        return _line(keys, parents, 0, figures, path)
    if reach(problem, work, above) < 0:
        return LOST
    while True:
        while bucket < BUCKETS and heads[bucket] < 0:
            bucket += 1
        if bucket == BUCKETS:
            return LOST
        if stop[0] != 0:
            return STOPPED
        if clock[0] != 0:
            return OUT_OF_TIME
        if expanded == most:
            return OUT_OF_NODES
        node = wide(heads[bucket])
        heads[bucket] = links[node]
        expanded += 1
        figures[0], figures[1] = expanded, seen
        count = expand(problem, keys[node], rows, row_keys, back, fresh, steps, work, log)
        if count == FOLLOWERS:  # some may be missing from the list: no proof can come of this
            return OUT_OF_MEMORY
        for i in range(count):
            slot = _find(index, keys, fresh[i])
            if index[slot] != 0:
                continue
            if seen == room:
                return OUT_OF_MEMORY
            index[slot] = seen + 1
            for word in range(width):
                keys[seen, word] = fresh[i, word]
            parents[seen] = node
            decode(problem, fresh[i], work)
            if home_count(work) == 52:
                figures[1] = seen + 1
                return _line(keys, parents, seen, figures, path)
            cost = cost_of(problem, work, above, weights)
            if cost >= 0:
                links[seen] = heads[cost]
                heads[cost] = seen
                bucket = min(bucket, cost)
            seen += 1
        if 3 * seen > 2 * index.shape[0]:
            index = _grow(index, keys, seen, stop, clock)


@compiled
def home_count(row: Bytes) -> int:
    return wide(row[FOUND]) + wide(row[FOUND + 1]) + wide(row[FOUND + 2]) + wide(row[FOUND + 3])


@compiled
def _find(index: Numbers, keys: Words, key: Words) -> int:
    """The slot of a key, or the empty one where it belongs."""
    mask = index.shape[0] - 1
    slot = _hash(key) & mask
    while index[slot] != 0:
        other = wide(index[slot]) - 1
        same = True
        for word in range(key.shape[0]):
            same = same and keys[other, word] == key[word]
        if same:
            break
        slot = (slot + 1) & mask
    return wide(slot)


@compiled
def _grow(index: Numbers, keys: Words, seen: int, stop: Bytes, clock: Bytes) -> Numbers:
    """An index of twice the size. Left unfinished where the search is to stop."""
    index = np.zeros(2 * index.shape[0], np.int32)
    mask = index.shape[0] - 1
    for node in range(seen):
        if node & 4095 == 0 and (stop[0] != 0 or clock[0] != 0):
            break
        slot = _hash(keys[node]) & mask
        while index[slot] != 0:
            slot = (slot + 1) & mask
        index[slot] = node + 1
    return index


@compiled
def _line(keys: Words, parents: Numbers, node: int, figures: Ints, path: Words) -> int:
    """Write the keys from the first to the won position into ``path``."""
    length = 1
    other = node
    while parents[other] >= 0:
        other = wide(parents[other])
        length += 1
    figures[2] = length
    if length > path.shape[0]:
        return OUT_OF_MEMORY
    for place in range(length - 1, -1, -1):
        for word in range(keys.shape[1]):
            path[place, word] = keys[node, word]
        node = wide(parents[node])
    return WON
