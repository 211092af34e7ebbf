"""Where games are kept: one protocol, and a store in memory, in a file of SQLite, and in Redis."""

from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from app.store.base import (
    Addition,
    Conflict,
    GameStore,
    Head,
    Record,
    StoreAway,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnusable,
)
from app.store.memory import MemoryStore
from app.store.sqlite import SqliteStore, Synchronous

__all__ = [
    "Addition",
    "BadAddress",
    "Conflict",
    "GameStore",
    "Head",
    "MemoryStore",
    "Record",
    "SqliteStore",
    "StoreAway",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreUnusable",
    "open_store",
]

_SYNCHRONOUS: Final[dict[str, Synchronous]] = {"full": "FULL", "normal": "NORMAL"}


class BadAddress(ValueError):
    """That is no address of a store."""


def open_store(address: str, expire: float | None = None) -> GameStore:
    """The store at an address: ``memory:``, ``sqlite:///PATH`` (an absolute path begins with a fourth slash) or
    ``redis://…``. It connects with its first use, or when its ``open`` is awaited.

    ``expire``: after how many seconds a store that forgets by itself forgets a game that nobody plays; None: never.
    Raises BadAddress.
    """
    scheme, _, rest = address.partition(":")
    if scheme == "memory" and not rest.strip("/"):
        return MemoryStore()
    if scheme == "sqlite":
        return _sqlite(address)
    if scheme in ("redis", "rediss", "unix"):
        return _redis(address, expire)
    shown = address.partition("://")[0][:20]
    raise BadAddress(f"no store is called {shown!r}: it is memory:, sqlite:///PATH or redis://HOST:PORT/NUMBER")


def _sqlite(address: str) -> GameStore:
    parts = urlsplit(address)
    options = dict(parse_qsl(parts.query))
    synchronous = _SYNCHRONOUS.get(options.pop("synchronous", "full").lower())
    path = parts.path.removeprefix("/")
    if parts.netloc or not path or synchronous is None or options or "\0" in path:
        raise BadAddress("a file of SQLite is given as sqlite:///PATH, or sqlite:////PATH from the root directory")
    return SqliteStore(Path(path), synchronous)


def _redis(address: str, expire: float | None) -> GameStore:
    try:
        from app.store.redis import RedisStore
    except ModuleNotFoundError:
        raise BadAddress("Redis wants the extra of that name: pip install 'yukon-solitaire[redis]'") from None
    try:
        return RedisStore(address, expire)
    except ValueError as error:
        raise BadAddress(f"not an address of Redis: {error}") from None
