"""Every position that can follow on a position, and the moves that lead there."""

from app.solver.jit import Bytes, Words, compiled
from app.solver.layout import (
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
    TAKE_BACK,
    UNDER,
    WIDTH,
)
from app.solver.position import align, can_go, copy, decode, group_size, is_built, play, settle

VARIANTS = 64
FOLLOWERS = 4096


@compiled
def _emit(
    problem: Bytes,
    row: Bytes,
    key: Words,
    variant: int,
    card: int,
    to: int,
    count: int,
    keys: Words,
    steps: Bytes,
    work: Bytes,
    log: Bytes,
) -> int:
    """Make a move on a copy, bring the result into its normal form, and put its key on the list."""
    if count == FOLLOWERS:
        return count
    target = keys[count]
    for i in range(key.shape[0]):
        target[i] = key[i]
    copy(row, work)
    log[0] = 0
    play(problem, work, target, card, to)
    settle(problem, work, target, log)
    align(problem, work, target, log)
    steps[count, 0] = variant
    steps[count, 1] = card
    steps[count, 2] = to
    return count + 1


@compiled
def _each_move(
    problem: Bytes, row: Bytes, key: Words, variant: int, count: int, keys: Words, steps: Bytes, work: Bytes, log: Bytes
) -> int:
    home = problem[HOME_CODE]
    swaps = problem[WIDTH] == 2  # they are in the variants
    for suit in range(4):
        rank = int(row[FOUND + suit])
        if rank < 13 and row[ON + suit * 13 + rank] == NONE:
            count = _emit(problem, row, key, variant, suit * 13 + rank, HOME, count, keys, steps, work, log)
    for card in range(52):
        if row[CODE + card] == home:
            if problem[TAKE_BACK] == 0 or row[FOUND + card // 13] != card % 13 + 1:
                continue
            if card % 13 == 12:
                if row[EMPTY] > 0:
                    count = _emit(problem, row, key, variant, card, COLUMN, count, keys, steps, work, log)
                continue
            for i in range(4):
                to = int(problem[PARENTS + 4 * card + i])
                if to == NONE:
                    break
                if row[ON + to] == NONE and row[CODE + to] != home:
                    count = _emit(problem, row, key, variant, card, to, count, keys, steps, work, log)
            continue
        if row[DOWN + card] == 1:
            continue
        if card % 13 == 12:
            if row[UNDER + card] != NONE and row[EMPTY] > 0 and group_size(row, card) <= problem[LIMIT]:
                count = _emit(problem, row, key, variant, card, COLUMN, count, keys, steps, work, log)
            continue
        built = 2
        for i in range(4):
            to = int(problem[PARENTS + 4 * card + i])
            if to == NONE:
                break
            if row[ON + to] != NONE or row[CODE + to] == home:
                continue
            if swaps:
                if built == 2:
                    built = 1 if is_built(problem, row, card) else 0
                if built == 1:
                    break
            if can_go(problem, row, card, to):
                count = _emit(problem, row, key, variant, card, to, count, keys, steps, work, log)
    return count


@compiled
def _swaps(
    problem: Bytes,
    rows: Bytes,
    row_keys: Words,
    variant: int,
    variants: int,
    back: Bytes,
    keys: Words,
    count: int,
    steps: Bytes,
) -> tuple[int, int]:
    """Add the variants that one swap makes of a variant. Returns how many variants and followers there are."""
    row, key = rows[variant], row_keys[variant]
    home = problem[HOME_CODE]
    for card in range(52):
        if row[CODE + card] == home or row[DOWN + card] == 1 or card % 13 == 12:
            continue
        for i in range(2):
            to = int(problem[PARENTS + 4 * card + i])
            if row[ON + to] != NONE or row[CODE + to] == home:
                continue
            if not is_built(problem, row, card) or not can_go(problem, row, card, to):
                continue
            full = variants == VARIANTS
            fresh_row = rows[VARIANTS] if full else rows[variants]
            fresh_key = row_keys[VARIANTS] if full else row_keys[variants]
            copy(row, fresh_row)
            for word in range(key.shape[0]):
                fresh_key[word] = key[word]
            play(problem, fresh_row, fresh_key, card, to)
            known = False
            for other in range(variants):
                same = True
                for word in range(key.shape[0]):
                    same = same and row_keys[other, word] == fresh_key[word]
                known = known or same
            if known:
                continue
            if full:  # no room: it becomes a position of its own
                if count < FOLLOWERS:
                    for word in range(key.shape[0]):
                        keys[count, word] = fresh_key[word]
                    steps[count, 0] = variant
                    steps[count, 1] = card
                    steps[count, 2] = to
                    count += 1
                continue
            back[variants, 0] = variant
            back[variants, 1] = card
            back[variants, 2] = to
            variants += 1
    return variants, count


@compiled
def expand(
    problem: Bytes,
    key: Words,
    rows: Bytes,
    row_keys: Words,
    back: Bytes,
    keys: Words,
    steps: Bytes,
    work: Bytes,
    log: Bytes,
) -> int:
    """Write the keys of all that can follow on a position into ``keys``; returns how many.

    ``steps`` says for each: the variant, the card and the place; ``back`` says for each variant the one before it, the
    card and the place. ``rows``, ``row_keys``, ``work`` and ``log`` are room to work in.
    """
    for word in range(key.shape[0]):
        row_keys[0, word] = key[word]
    decode(problem, key, rows[0])
    variants, count = 1, 0
    variant = 0
    while variant < variants:
        count = _each_move(problem, rows[variant], row_keys[variant], variant, count, keys, steps, work, log)
        if problem[WIDTH] == 2:
            variants, count = _swaps(problem, rows, row_keys, variant, variants, back, keys, count, steps)
        variant += 1
    return count
