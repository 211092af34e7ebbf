"""How much one client may ask for, so that one can't take the server from all the others.

Requests are counted by each process for itself, since asking anybody else would cost more than most requests do. What
stays or takes long, a new game or a picture, is counted in Redis where the games are there: for all processes at once.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_network
from typing import Any, Final, Protocol

import limits
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from limits.storage import storage_from_string
from starlette.types import Scope

from app.settings import Settings
from app.web.errors import TooMany

_PATIENCE: Final = 1.0  # seconds; who can't be counted is let by
_NETWORK: Final = 64  # bits; what a household or a phone has of IPv6


def client_of(scope: Scope) -> str:
    """Who asks: an address, or of IPv6 the network around it; empty where nobody knows."""
    client = scope.get("client")
    address: str = client[0] if client else ""
    if ":" not in address:
        return address
    try:
        mapped = IPv6Address(address).ipv4_mapped
        return str(mapped or ip_network(f"{address}/{_NETWORK}", strict=False))
    except ValueError:  # with a zone
        return address


class Counter(Protocol):
    """Counts what clients ask for."""

    async def hit(self, client: str) -> float:
        """Count one more, or say in how many seconds to try again."""

    async def close(self) -> None:
        """Let go of whatever counts."""


class Window:
    """A Counter in memory: so many for each client, from one full period to the next. Costs the same for any number of
    clients (the memory of ``limits`` looks at each of them every time) and forgets them with every period.
    """

    def __init__(self, rate: limits.RateLimitItem, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._period, self._now = rate.amount, rate.get_expiry(), now
        self._counts: dict[str, int] = {}
        self._ends = 0.0

    def count(self, client: str) -> float:
        """As ``hit``."""
        now = self._now()
        if now >= self._ends:
            self._counts, self._ends = {}, now + self._period
        count = self._counts.get(client, 0)
        if count >= self._most:
            return self._ends - now
        self._counts[client] = count + 1
        return 0.0

    async def hit(self, client: str) -> float:
        """See Counter."""
        return self.count(client)

    async def close(self) -> None:
        """See Counter."""


class SharedWindow:
    """A Counter in Redis."""

    def __init__(self, rate: limits.RateLimitItem, name: str, address: str) -> None:
        self._storage: Any = storage_from_string(
            f"async+{address}" if not address.startswith("unix:") else f"async+redis+{address}",
            wrap_exceptions=True,
            implementation="redispy",
            key_prefix="yukon:limits",
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
        )
        self._limiter = FixedWindowRateLimiter(self._storage)
        self._rate, self._name = rate, name

    async def hit(self, client: str) -> float:
        """See Counter."""
        try:
            if await self._limiter.hit(self._rate, self._name, client):
                return 0.0
            stats = await self._limiter.get_window_stats(self._rate, self._name, client)
        except StorageError:
            return 0.0
        return max(1.0, stats.reset_time - time.time())

    async def close(self) -> None:
        """See Counter."""
        await self._storage.bridge.storage.aclose()


class Limits:
    """What the settings allow. Everything raises TooMany."""

    def __init__(self, settings: Settings) -> None:
        shared = settings.store if settings.store.partition(":")[0] in ("redis", "rediss", "unix") else None

        def counter(rate: str, name: str) -> Counter | None:
            if not rate:
                return None
            parsed = limits.parse(rate)
            return Window(parsed) if shared is None else SharedWindow(parsed, name, shared)

        self._requests = Window(limits.parse(settings.limit_requests)) if settings.limit_requests else None
        self._new_games = counter(settings.limit_new_games, "new-games")
        self._pictures = counter(settings.limit_pictures, "pictures")
        self._verdicts = counter(settings.limit_verdicts, "verdicts")

    def request(self, scope: Scope) -> None:
        """Count a request."""
        if self._requests is not None and (client := client_of(scope)):
            _check(self._requests.count(client))

    async def new_game(self, scope: Scope) -> None:
        """Count a game that is about to be made."""
        await _hit(self._new_games, scope)

    async def picture(self, scope: Scope) -> None:
        """Count a picture that is about to be drawn."""
        await _hit(self._pictures, scope)

    async def verdict(self, scope: Scope) -> None:
        """Count a verdict that is about to be searched."""
        await _hit(self._verdicts, scope)

    async def close(self) -> None:
        """Let go of whatever counts."""
        for counter in (self._new_games, self._pictures, self._verdicts):
            if counter is not None:
                await counter.close()


async def _hit(counter: Counter | None, scope: Scope) -> None:
    if counter is not None and (client := client_of(scope)):
        _check(await counter.hit(client))


def _check(wait: float) -> None:
    if wait > 0:
        raise TooMany(wait)
