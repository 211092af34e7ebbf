"""What can be wrong: bad notation (``Bad…``) and a move that is not allowed here (``Refused``)."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a well-formed request is refused. The values are public: API and pages use them."""

    FACE_DOWN = "face_down"
    NOT_LAST_CARD = "not_last_card"
    FOUNDATION_ORDER = "foundation_order"
    WRONG_RANK = "wrong_rank"
    WRONG_COLOUR = "wrong_colour"
    EMPTY_COLUMN_NEEDS_KING = "empty_column_needs_king"
    GROUP_TOO_LARGE = "group_too_large"
    NO_TAKE_BACK = "no_take_back"
    ACE_FIRST = "ace_first"
    SAME_PLACE = "same_place"
    NO_PLACE = "no_place"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    GAME_OVER = "game_over"
    STALE = "stale"


class EngineError(Exception):
    """The root of everything the engine raises on purpose."""


class BadCard(EngineError, ValueError):
    """The text is no card."""


class BadMove(EngineError, ValueError):
    """The text is no move."""


class BadBoard(EngineError, ValueError):
    """The text is no board, or one that cannot be: a card missing or twice, say."""


class BadCode(EngineError, ValueError):
    """The text is no deal code.

    ``problem`` is one of ``too_long``, ``version``, ``rule``, ``length`` and ``letters``.
    """

    def __init__(self, problem: str, text: str) -> None:
        super().__init__(f"bad deal code ({problem}): {text[:64]!r}")
        self.problem = problem


class BadLog(EngineError, ValueError):
    """A log says what cannot have been."""


class Refused(EngineError):
    """The rules don't allow this here. Nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
