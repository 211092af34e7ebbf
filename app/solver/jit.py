"""The one way a function here is compiled: without the GIL, kept on disk, and known to mypy by its own type."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator, UserWideCacheLocator
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

Bytes = NDArray[np.int8]
Ints = NDArray[np.int64]
Words = NDArray[np.int64]
Numbers = NDArray[np.int32]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function in machine code. It must not touch Python objects."""
    dispatcher: Any = njit(nogil=True)(function)
    with suppress(RuntimeError):  # where there is no place to write to, it is compiled in each process
        dispatcher._cache = _Kept(function)  # noqa: SLF001
    return cast("Callable[P, R]", dispatcher)


def _digest() -> str:
    """Changes with any source of the solver. Numba looks only at a function's own file, not at what it calls."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


_STAMP: Final = _digest()


class _Beside(InTreeCacheLocator):
    """Beside the sources; also where that is read-only and filled already, as in an image."""

    def ensure_cache_path(self) -> None:
        if not any(Path(self.get_cache_path()).glob("*.nbi")):
            super().ensure_cache_path()

    def get_source_stamp(self) -> str:
        return _STAMP


class _AtHome(UserWideCacheLocator):
    """In the user's cache folder, where the sources belong to another."""

    def get_source_stamp(self) -> str:
        return _STAMP


class _Places(CompileResultCacheImpl):
    _locator_classes = [_Beside, _AtHome]  # noqa: RUF012


class _Kept(FunctionCache):
    _impl_class = _Places

    def save_overload(self, sig: object, data: object) -> None:
        with suppress(OSError):  # a full or read-only disk must not stop a game
            super().save_overload(sig, data)


@compiled
def wide(number: int) -> int:
    """A number of 64 bits. In compiled code ``int`` leaves a byte a byte, and callees would be compiled for both."""
    return np.int64(number)  # type: ignore[return-value]
