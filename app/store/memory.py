"""A store that ends with its process: for tests, and for games that nobody wants to keep."""

from dataclasses import replace

from app.store.base import Addition, Conflict, Head, Record
from app.store.events import FORMAT


class MemoryStore:
    """A GameStore in a dictionary."""

    name = "memory (games end with the server)"
    is_shared = False

    def __init__(self) -> None:
        self._games: dict[str, Record] = {}
        self._seats: dict[str, dict[str, str]] = {}  # player -> deal code -> id

    def __len__(self) -> int:
        return len(self._games)

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    async def check(self) -> None:
        """It always works."""

    async def create(self, record: Record) -> None:
        """See GameStore."""
        if record.id in self._games:
            raise Conflict
        if record.player is not None:
            seats = self._seats.setdefault(record.player, {})
            if record.code in seats:
                raise Conflict
            seats[record.code] = record.id
        self._games[record.id] = record

    def _current(self, record: str, before: Head) -> Record:
        held = self._games.get(record)
        if held is None or held.head != before:
            raise Conflict
        return held

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        """See GameStore."""
        held = self._current(record, before)
        if held.format != FORMAT:
            raise Conflict
        events = held.events + addition.event
        self._games[record] = Record(
            held.id,
            held.code,
            held.player,
            addition.head,
            events,
            held.format,
            addition.is_won,
            addition.played,
        )

    async def count(self, record: str, before: Head, after: Head) -> None:
        """See GameStore."""
        self._games[record] = replace(self._current(record, before), head=after)

    async def renew(self, record: str, before: Head, events: bytes, form: int) -> None:
        """See GameStore."""
        self._games[record] = replace(self._current(record, before), events=events, format=form)

    async def head(self, record: str) -> Head | None:
        """See GameStore."""
        held = self._games.get(record)
        return None if held is None else held.head

    async def load(self, record: str) -> Record | None:
        """See GameStore."""
        return self._games.get(record)

    async def find(self, player: str, code: str) -> str | None:
        """See GameStore."""
        return self._seats.get(player, {}).get(code)

    async def owned(self, player: str) -> int:
        """See GameStore."""
        return len(self._seats.get(player, {}))

    async def latest(self, player: str) -> str | None:
        """See GameStore."""
        running = [
            held for held in map(self._games.__getitem__, self._seats.get(player, {}).values()) if not held.is_won
        ]
        return max(running, key=lambda held: held.played).code if running else None

    async def expire(self, before: int) -> int:
        """See GameStore."""
        old = [held for held in self._games.values() if held.played < before and not held.is_won]
        for held in old:
            del self._games[held.id]
            if held.player is not None:
                del self._seats[held.player][held.code]
        return len(old)
