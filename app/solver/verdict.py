"""What is asked of the solver, and what it answers."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from app.engine import Move
from app.solver.jit import Bytes


class Status(StrEnum):
    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


class Stop:
    """A flag that ends the searches it was given to, from any thread, within milliseconds.

    >>> stop = Stop()
    >>> stop.set()
    >>> stop.is_set
    True
    """

    __slots__ = ("flag",)

    def __init__(self) -> None:
        self.flag: Bytes = np.zeros(1, np.int8)

    def set(self) -> None:
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        return bool(self.flag[0])


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may use. None: no such limit."""

    seconds: float | None = 1.0
    """By the clock on the wall."""
    nodes: int | None = None
    """Positions that are looked at."""
    memory: int = 256
    """Megabytes (2**20 bytes) for what the search has seen."""
    stop: Stop = field(default_factory=Stop, compare=False)

    def covers(self, other: "Budget") -> bool:
        """Whether everything that ``other`` allows is allowed here."""
        return (
            _at_least(self.seconds, other.seconds)
            and _at_least(self.nodes, other.nodes)
            and self.memory >= other.memory
        )


def _at_least(mine: float | None, theirs: float | None) -> bool:
    return mine is None or (theirs is not None and mine >= theirs)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a position can be won by a player who sees every card."""

    status: Status
    moves: tuple[Move, ...] = ()
    """Won: moves that the engine accepts, from the position to the win."""
    nodes: int = 0
    """Positions that were looked at."""
    seconds: float = 0.0
    reason: str = ""
    """Lost: ``exhausted``, or ``blocked`` where the first look proves it. Unknown: the budget that ended, ``time``,
    ``nodes``, ``memory`` or ``stopped``."""
