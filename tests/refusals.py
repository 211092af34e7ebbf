"""Every reason for a refusal, each on a road that leads to it from a deal. One table for API and pages."""

from tests.example import CODE, MOVES

TRADITIONAL = CODE.replace("-C-", "-T-")
GREAT_GROUP = "YU1-C-HBYNO6E"
TO_GREAT_GROUP = [
    "2H>7", "JD>4", "AS>7", "TC>4", "7D>6", "6C>6", "3H>5", "4D>4", "6C>5",
    "9S>2", "TH>3", "8C>2", "4C>6", "7S>7", "6H>7", "5C>7", "TC>7", "JS>7",
]  # fmt: skip

REFUSALS: list[tuple[str, str, list[str], str, str]] = [
    # reason, deal, the moves before, what is refused (a move, undo or redo), what the page says of it
    ("face_down", CODE, [], "AS>F", "face down"),
    ("not_last_card", CODE, [], "AC>F", "last card"),
    ("foundation_order", CODE, [], "8S>F", "begins with its ace"),
    ("foundation_order", CODE, MOVES[:9], "3D>F", "the two of diamonds comes first"),
    ("wrong_rank", CODE, [], "8S>1", "eight of spades doesn't go on the seven of spades"),
    ("wrong_colour", CODE, [], "7S>3", "red goes on black"),
    ("empty_column_needs_king", CODE, MOVES[:24], "QS>{empty}", "only a king"),
    ("group_too_large", GREAT_GROUP, TO_GREAT_GROUP, "{first}>1", "no more than 20"),
    ("no_take_back", TRADITIONAL, MOVES[:4], "AD>5", "stays there"),
    ("ace_first", TRADITIONAL, MOVES[:3], "7H>6", "ace of diamonds must go"),
    ("ace_first", "YU1-T-V4GA26F", [], "AH>auto", "ace of spades must go"),
    ("same_place", CODE, [], "7S>1", "already"),
    ("no_place", CODE, [], "KS>auto", "fits nowhere"),
    ("nothing_to_undo", CODE, [], "undo", "nothing to undo"),
    ("nothing_to_redo", CODE, MOVES[:2], "redo", "nothing to redo"),
    ("game_over", CODE, MOVES, "KS>1", "won"),
]


def spell(action: str, columns: list[list[str]]) -> str:
    """Fill in what depends on the board: the first empty column, and the first face-up card of the last column."""
    empty = next((str(number) for number, column in enumerate(columns, start=1) if not column), "")
    first = next((card for card in columns[6] if card != "??"), "")
    return action.format(empty=empty, first=first)
