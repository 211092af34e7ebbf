"""The one way a function here is compiled: without the GIL, kept on disk, and known to mypy by its own type."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

Bytes = NDArray[np.int8]
Ints = NDArray[np.int32]
Words = NDArray[np.uint64]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function in machine code. It must not touch Python objects."""
    return cast(Callable[P, R], njit(nogil=True, cache=True, boundscheck=False)(function))
