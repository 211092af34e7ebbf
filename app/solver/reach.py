"""Relaxed reachability: what could happen if nothing ever got in the way again."""

from app.solver.jit import Bytes, Words, compiled, wide
from app.solver.layout import (
    ALTERNATING,
    CODE,
    DOWN,
    EMPTY,
    FOUND,
    HOME_CODE,
    NONE,
    ON,
    PARENTS,
    TAKE_BACK,
    UNDER,
)

LIFTED = (0xFFF << 13) | 0xFFF | (0xFFF << 26) | (0xFFF << 39)


@compiled
def _children(alternating: bool, free: int) -> int:
    """Every card that may lie on one of the cards in ``free`` (sets of cards are 52 bits)."""
    low = (free >> 1) & LIFTED
    if not alternating:
        low = (low | low >> 13 | low >> 26 | low >> 39) & 0x1FFF
        return low | low << 13 | low << 26 | low << 39
    red = ((low >> 13) | (low >> 26)) & 0x1FFF
    black = (low | (low >> 39)) & 0x1FFF
    return red | red << 39 | black << 13 | black << 26


@compiled
def reach(problem: Bytes, row: Bytes, above: Words) -> int:
    """The sum of the layers at which the cards can go home; -1 if some card never can: the position is lost.

    ``above`` is room for 64 words.
    """
    home_code = problem[HOME_CODE]
    alternating = problem[ALTERNATING] == 1
    zero = 0
    one = 1
    free = zero  # can be the last card of a column
    up = zero  # face up, or could be
    table = zero
    for card in range(52):
        if row[CODE + card] == home_code:
            continue
        table |= one << card
        if row[DOWN + card] == 0:
            up |= one << card
        if row[ON + card] == NONE:
            free |= one << card
            mask = zero
            below = card
            while below != NONE:
                above[below] = mask
                mask |= one << below
                below = wide(row[UNDER + below])
    moved = zero
    empty = row[EMPTY] > 0
    kings = (one << 12) | (one << 25) | (one << 38) | (one << 51)
    f0, f1, f2, f3 = wide(row[FOUND]), wide(row[FOUND + 1]), wide(row[FOUND + 2]), wide(row[FOUND + 3])
    b0, b1, b2, b3 = f0, f1, f2, f3
    total = 0
    layer = 0
    while True:
        layer += 1
        new = zero
        # Onto a parent, or a king to an empty column.
        fits = _children(alternating, free)
        if empty:
            fits |= kings
        fits &= up & table & ~moved
        rest = fits
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            card = _index(bit)
            if empty and card % 13 == 12:
                new |= bit
                continue
            over = wide(above[card])
            for i in range(4):
                parent = wide(problem[PARENTS + 4 * card + i])
                if parent == NONE:
                    break
                if (free >> parent) & 1 == 0:
                    continue
                # A parent further up the same column must first leave it, led by some card in between.
                if (over >> parent) & 1 == 0 or (over & ~wide(above[parent]) & moved) != 0:
                    new |= bit
                    break
        # Home.
        homed = zero
        while f0 < 13 and (free >> f0) & 1:
            homed |= one << f0
            f0 += 1
        while f1 < 13 and (free >> (13 + f1)) & 1:
            homed |= one << (13 + f1)
            f1 += 1
        while f2 < 13 and (free >> (26 + f2)) & 1:
            homed |= one << (26 + f2)
            f2 += 1
        while f3 < 13 and (free >> (39 + f3)) & 1:
            homed |= one << (39 + f3)
            f3 += 1
        rest = homed & table
        while rest != 0:
            rest &= rest - 1
            total += layer
        if f0 + f1 + f2 + f3 == 52:
            return total
        gone = homed & table
        fresh = (new | gone) & ~moved
        found = zero
        grown = False
        rest = new | gone
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            card = _index(bit)
            below = wide(row[UNDER + card])
            if below != NONE:
                found |= one << below
            elif not empty and (card % 13 != 12 or gone & bit):
                empty = True
                grown = True
        moved |= new | gone
        # Back from a foundation.
        if problem[TAKE_BACK] == 1:
            fits = _children(alternating, free)
            if empty:
                fits |= kings
            while b0 > 0 and (fits >> (b0 - 1)) & 1:
                b0 -= 1
                found |= one << b0
            while b1 > 0 and (fits >> (12 + b1)) & 1:
                b1 -= 1
                found |= one << (13 + b1)
            while b2 > 0 and (fits >> (25 + b2)) & 1:
                b2 -= 1
                found |= one << (26 + b2)
            while b3 > 0 and (fits >> (38 + b3)) & 1:
                b3 -= 1
                found |= one << (39 + b3)
        found &= ~free
        if found == 0 and fresh == 0 and homed == 0 and not grown:
            return -1
        free |= found
        up |= found


@compiled
def _index(bit: int) -> int:
    """The place of the one bit that is set."""
    n = 0
    if bit & 0xFFFFFFFF == 0:
        n += 32
        bit >>= 32
    if bit & 0xFFFF == 0:
        n += 16
        bit >>= 16
    if bit & 0xFF == 0:
        n += 8
        bit >>= 8
    if bit & 0xF == 0:
        n += 4
        bit >>= 4
    if bit & 3 == 0:
        n += 2
        bit >>= 2
    if bit & 1 == 0:
        n += 1
    return n
