"""Every position that can follow on a position, and the moves that lead there."""

from app.solver.jit import Bytes, Words, compiled, wide
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
from app.solver.position import align, can_go, copy, decode, group_size, is_built, is_red, last_of, play, settle

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
        rank = wide(row[FOUND + suit])
        if rank < 13 and row[ON + suit * 13 + rank] == NONE:
            count = _emit(problem, row, key, variant, suit * 13 + rank, HOME, count, keys, steps, work, log)
    for card in range(52):
        if row[CODE + card] == home:
            continue
        if row[DOWN + card] == 1:
            continue
        if card % 13 == 12:
            if row[UNDER + card] != NONE and row[EMPTY] > 0 and group_size(row, card) <= problem[LIMIT]:
                count = _emit(problem, row, key, variant, card, COLUMN, count, keys, steps, work, log)
            continue
        built = 2
        for i in range(4):
            to = wide(problem[PARENTS + 4 * card + i])
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
def _new_moves(
    problem: Bytes,
    rows: Bytes,
    row_keys: Words,
    variant: int,
    back: Bytes,
    count: int,
    keys: Words,
    steps: Bytes,
    work: Bytes,
    log: Bytes,
) -> int:
    """The moves that a variant has and the one before it has not, up to swaps: those that its swap made possible.

    The swap took a child off a parent, which is bare now, and split that column. So what is new goes onto the bare
    parent, takes it home, or goes from its column onto the last card of the child's. Proof: docs/solver.md.
    """
    row, key = rows[variant], row_keys[variant]
    child = wide(back[variant, 1])
    bare = wide(rows[wide(back[variant, 0])][UNDER + child])
    end = last_of(row, child)
    limit = wide(problem[LIMIT])
    if row[FOUND + bare // 13] == bare % 13:
        count = _emit(problem, row, key, variant, bare, HOME, count, keys, steps, work, log)
    for to in (bare, end):
        rank = to % 13
        if rank == 0:
            continue
        for other in range(2):
            card = rank - 1 + 13 * (3 * other if is_red(to) else 1 + other)
            if row[CODE + card] == problem[HOME_CODE] or row[DOWN + card] == 1 or is_built(problem, row, card):
                continue
            last = last_of(row, card)
            # The group that the swap moves may be too large for it after this move: then this is new, too.
            if last != to and (to == bare or last == bare or limit < 52) and group_size(row, card) <= limit:
                count = _emit(problem, row, key, variant, card, to, count, keys, steps, work, log)
    if limit >= 52:
        return count
    # The groups that end with the bare card are smaller now, and may have been too large before.
    card, size, before = bare, 1, group_size(row, child) + 1
    while card != NONE and row[DOWN + card] == 0 and size <= limit:
        if before > limit and not is_built(problem, row, card):
            if card % 13 == 12 and row[EMPTY] > 0 and row[UNDER + card] != NONE:
                count = _emit(problem, row, key, variant, card, COLUMN, count, keys, steps, work, log)
            for i in range(2):
                to = wide(problem[PARENTS + 4 * card + i])
                if to not in (NONE, bare) and row[ON + to] == NONE and row[CODE + to] != problem[HOME_CODE]:
                    count = _emit(problem, row, key, variant, card, to, count, keys, steps, work, log)
        card = wide(row[UNDER + card])
        size += 1
        before += 1
    return count


@compiled
def _take_backs(
    problem: Bytes, row: Bytes, key: Words, variant: int, count: int, keys: Words, steps: Bytes, work: Bytes, log: Bytes
) -> int:
    home = problem[HOME_CODE]
    for suit in range(4):
        card = suit * 13 + wide(row[FOUND + suit]) - 1
        if row[FOUND + suit] == 0:
            continue
        if card % 13 == 12:
            if row[EMPTY] > 0:
                count = _emit(problem, row, key, variant, card, COLUMN, count, keys, steps, work, log)
            continue
        for i in range(4):
            to = wide(problem[PARENTS + 4 * card + i])
            if to == NONE:
                break
            if row[ON + to] == NONE and row[CODE + to] != home:
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
    for rank in range(1, 13):
        for pair in range(4):  # from the first to the second of two like parents, and back
            to = rank + 13 * (1, 0, 2, 3)[pair]
            if row[ON + to] != NONE or row[CODE + to] == problem[HOME_CODE]:
                continue
            card = wide(row[ON + rank + 13 * (2, 3, 1, 0)[pair]])
            if card == NONE or not is_built(problem, row, card) or not can_go(problem, row, card, to):
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
        if variant == 0:
            count = _each_move(problem, rows[0], row_keys[0], variant, count, keys, steps, work, log)
        else:
            count = _new_moves(problem, rows, row_keys, variant, back, count, keys, steps, work, log)
        if problem[TAKE_BACK] == 1:
            count = _take_backs(problem, rows[variant], row_keys[variant], variant, count, keys, steps, work, log)
        if problem[WIDTH] == 2:
            variants, count = _swaps(problem, rows, row_keys, variant, variants, back, keys, count, steps)
        variant += 1
    return count
