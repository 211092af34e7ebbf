"""Which searches are run, in which order, with which weights."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.solver.jit import Ints

_INDEX_BYTES: Final = 18  # at most, by position, while the index is made larger


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """One search from the start."""

    weights: Ints
    """Of a card not home, a face-down card, a buried pair and a layer of the relaxed reachability."""
    nodes: int | None
    """It gives up after so many positions."""


def _weights(*numbers: int) -> Ints:
    return np.array([*numbers, *(0,) * (8 - len(numbers))], np.int64)


STAGES: Final = {
    True: (
        Stage(_weights(2, 2, 1, 0), 150),
        Stage(_weights(4, 8, 8, 1), 300),
        Stage(_weights(1, 2, 3, 0), 2500),
        Stage(_weights(4, 8, 8, 1), 10_000),
        Stage(_weights(5, 3, 2, 1), None),
    ),
    False: (
        Stage(_weights(5, 3, 2, 0), 150),
        Stage(_weights(10, 5, 5, 1), 150),
        Stage(_weights(5, 6, 2, 1), 150),
        Stage(_weights(2, 2, 1, 0), 1500),
        Stage(_weights(5, 6, 2, 1), 2000),
        Stage(_weights(10, 5, 5, 1), 5000),
        Stage(_weights(2, 2, 1, 0), None),
    ),
}
"""By whether the rule alternates colours."""


def room_for(memory: int, width: int, stage: Stage) -> int:
    """How many positions fit into so many megabytes, and no more than the stage can use."""
    room = memory * 2**20 // (8 * width + 8 + _INDEX_BYTES)
    if stage.nodes is not None:
        room = min(room, 64 * stage.nodes)
    return max(64, min(room, 2**31 - 2))
