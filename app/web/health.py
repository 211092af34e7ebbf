"""Whether the store answers, for whoever watches the server."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

PERIOD: Final = 1.0
"""Seconds for which an answer counts."""


class Health:
    """Asks a store at most once a period, however many want to know: to answer it writes, and moves come first."""

    def __init__(self, check: Callable[[], Awaitable[None]], period: float = PERIOD) -> None:
        self._check = check
        self._period = period
        self._asked: asyncio.Future[None] | None = None
        self._counts_until = 0.0

    async def check(self) -> None:
        """Raises what the store raised when it was asked last."""
        now = time.monotonic()
        if self._asked is None or (self._asked.done() and now >= self._counts_until):
            self._asked = asyncio.ensure_future(self._check())
            self._counts_until = now + self._period
        await asyncio.shield(self._asked)
