"""A position in the arrays of the search: made from a key, changed move by move, with its key kept up to date."""

from app.solver.jit import Bytes, Words, compiled, wide
from app.solver.layout import (
    ALTERNATING,
    BITS,
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
    OWN_DOWN,
    OWN_ON,
    OWN_UNDER,
    PARENTS,
    SIZE,
    TAKE_BACK,
    UNDER,
    WIDTH,
)


@compiled
def copy(source: Bytes, target: Bytes) -> None:
    for i in range(SIZE):
        target[i] = source[i]


@compiled
def decode(problem: Bytes, key: Words, row: Bytes) -> None:
    """The position that a key stands for, written into ``row``."""
    bits = wide(problem[BITS])
    per = 64 // bits
    mask = (1 << bits) - 1
    home = wide(problem[HOME_CODE])
    for card in range(52):
        row[ON + card] = NONE
        row[CODE + card] = wide((key[card // per] >> ((card % per) * bits)) & mask)
    firsts = 0
    for suit in range(4):
        row[FOUND + suit] = 0
    for card in range(52):
        code = wide(row[CODE + card])
        row[DOWN + card] = 0
        if code == home:
            row[UNDER + card] = NONE
            row[FOUND + card // 13] += 1
            continue
        if code == 0:
            under = wide(problem[OWN_UNDER + card])
        elif card % 13 == 12:
            under = NONE
        else:
            under = wide(problem[PARENTS + 4 * card + code - 1])
        row[UNDER + card] = under
        if under == NONE:
            firsts += 1
        else:
            row[ON + under] = card
        if problem[OWN_DOWN + card] == 1 and row[CODE + wide(problem[OWN_ON + card])] == 0:
            row[DOWN + card] = 1
    row[EMPTY] = 7 - firsts


@compiled
def _recode(problem: Bytes, row: Bytes, key: Words, card: int, code: int) -> None:
    bits = wide(problem[BITS])
    per = 64 // bits
    change = wide(row[CODE + card]) ^ code
    key[card // per] ^= change << ((card % per) * bits)
    row[CODE + card] = code


@compiled
def _lift(row: Bytes, card: int) -> None:
    """Take a card, with all on it, off what it lies on; turn that up."""
    under = wide(row[UNDER + card])
    if under == NONE:
        row[EMPTY] += 1
    else:
        row[ON + under] = NONE
        row[DOWN + under] = 0


@compiled
def play(problem: Bytes, row: Bytes, key: Words, card: int, to: int) -> None:
    """Make a legal move: a card, with all on it, onto the card ``to``, to COLUMN or HOME."""
    home = wide(problem[HOME_CODE])
    if row[CODE + card] == home:
        row[FOUND + card // 13] -= 1
    else:
        _lift(row, card)
    if to == HOME:
        row[UNDER + card] = NONE
        row[FOUND + card // 13] += 1
        _recode(problem, row, key, card, home)
    elif to == COLUMN:
        row[UNDER + card] = NONE
        row[EMPTY] -= 1
        _recode(problem, row, key, card, 1)
    else:
        row[UNDER + card] = to
        row[ON + to] = card
        code = 0
        # Back on the card it lay on at first is the first place again, unless that card has been turned up since.
        if problem[OWN_UNDER + card] != to or problem[OWN_DOWN + to] == 1:
            while problem[PARENTS + 4 * card + code] != to:
                code += 1
            code += 1
        _recode(problem, row, key, card, code)


@compiled
def is_red(card: int) -> bool:
    return 13 <= card < 39


@compiled
def last_of(row: Bytes, card: int) -> int:
    """The last card of a card's column."""
    while row[ON + card] != NONE:
        card = wide(row[ON + card])
    return card


@compiled
def group_size(row: Bytes, card: int) -> int:
    size = 1
    while row[ON + card] != NONE:
        card = wide(row[ON + card])
        size += 1
    return size


@compiled
def is_built(problem: Bytes, row: Bytes, card: int) -> bool:
    """Whether a card in a column lies on a face-up parent, so that it could be put back there after a move."""
    under = wide(row[UNDER + card])
    if under == NONE:
        return False
    if row[CODE + card] != 0:
        return True
    if row[DOWN + under] == 1:
        return False
    for i in range(4):
        if problem[PARENTS + 4 * card + i] == under:
            return True
    return False


@compiled
def can_go(problem: Bytes, row: Bytes, card: int, to: int) -> bool:
    """Whether a face-up card of a column may go onto its parent ``to``."""
    if row[ON + to] != NONE or row[CODE + to] == problem[HOME_CODE]:
        return False
    return last_of(row, card) != to and group_size(row, card) <= problem[LIMIT]


@compiled
def is_safe(problem: Bytes, row: Bytes, card: int) -> bool:
    """Whether a last card that fits its foundation may go there without loss. Proofs: docs/solver.md."""
    suit, rank = card // 13, card % 13 + 1
    if problem[ALTERNATING] == 0:
        for other in range(4):
            if row[FOUND + other] < rank - 1:
                return False
        return True
    red = suit == 1 or suit == 2
    for other in range(4):
        if (other == 1 or other == 2) != red:
            if row[FOUND + other] < rank - 1:
                return False
        elif problem[TAKE_BACK] == 1 and row[FOUND + other] < rank - 2:
            return False
    return True


@compiled
def settle(problem: Bytes, row: Bytes, key: Words, log: Bytes) -> None:
    """Send home what safely goes home, aces before all else, and write it into the log."""
    while True:
        card = _safe_card(problem, row)
        if card == NONE:
            return
        play(problem, row, key, card, HOME)
        note(log, card, HOME)


@compiled
def _safe_card(problem: Bytes, row: Bytes) -> int:
    """A card that safely goes home, an ace if there is one; or NONE."""
    for suit in range(4):
        if row[FOUND + suit] == 0 and row[ON + suit * 13] == NONE:
            return suit * 13
    for suit in range(4):
        rank = wide(row[FOUND + suit])
        if rank < 13 and row[ON + suit * 13 + rank] == NONE and is_safe(problem, row, suit * 13 + rank):
            return suit * 13 + rank
    return NONE


@compiled
def note(log: Bytes, card: int, to: int) -> None:
    """Write a move into the log. ``log[0]`` counts what is in it."""
    count = wide(log[0])
    log[1 + 2 * count] = card
    log[2 + 2 * count] = to
    log[0] = count + 1


@compiled
def align(problem: Bytes, row: Bytes, key: Words, log: Bytes) -> None:
    """Of two like parents with one child between them, put the child on the first. It can always go back."""
    if problem[WIDTH] != 2:
        return
    for rank in range(1, 13):
        for red in range(2):
            first = 13 + rank if red else rank
            second = 26 + rank if red else 39 + rank
            if row[ON + first] != NONE or row[ON + second] == NONE:
                continue
            if row[CODE + first] == problem[HOME_CODE]:
                continue
            child = wide(row[ON + second])
            if is_built(problem, row, child) and can_go(problem, row, child, first):
                play(problem, row, key, child, first)
                note(log, child, first)
