"""Where things lie in the arrays of the search.

A position is a row of ``SIZE`` bytes: what lies on each card, what each card lies on, how it came there (its *code*),
whether it lies face down, the foundations, and how many columns are empty. Columns have no number here: seven
columns in another order are the same position.

The code of a card says all there is to say about its place, given the board that the search began with:
0 where it lay then, 1 … on a parent (the first, the second …; a king: in an empty column), ``home`` on its foundation.
52 codes make the *key*: two positions are the same exactly when their keys are. No hash stands in for a position.
"""

from typing import Final

# Offsets in a row.
ON: Final = 0  # by card: the card that lies on it, or NONE
UNDER: Final = 64  # by card: the card it lies on; NONE: it is the first of its column
CODE: Final = 128
DOWN: Final = 192  # by card: 1 while it lies face down
FOUND: Final = 244  # by suit: the rank of the top card
EMPTY: Final = 248  # how many columns are empty
SIZE: Final = 256

NONE: Final = 63
HOME: Final = 62  # as the place a move goes to: the foundation
COLUMN: Final = 61  # as the place a move goes to: an empty column

# What a search knows of its board and rule: one row of bytes.
OWN_UNDER: Final = 0  # by card: what it lay on at first, or NONE
OWN_ON: Final = 64  # by card: what lay on it at first, or NONE
OWN_DOWN: Final = 128  # by card: 1 if it lay face down at first
PARENTS: Final = 192  # by card, four each: the cards it may lie on, or NONE
ALTERNATING: Final = 400
TAKE_BACK: Final = 401
LIMIT: Final = 402  # the most cards in a group; 127: no limit
WIDTH: Final = 403  # how many parents a card can have
BITS: Final = 404  # of a code in a key
HOME_CODE: Final = 405
ACES_FIRST: Final = 406
PROBLEM: Final = 416
