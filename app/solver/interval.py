"""How sure a share is."""

from math import sqrt
from typing import Final

_Z: Final = 1.959963984540054  # the two-sided 95 % point of the normal distribution


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share, each end 0 … 1. With nothing counted: anything.

    >>> [round(end, 3) for end in wilson(90, 100)]
    [0.826, 0.945]
    """
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    scale = 1 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / scale
    half = _Z / scale * sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    return max(0.0, middle - half), min(1.0, middle + half)
