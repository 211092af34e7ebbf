"""What every store does, and how it says that it can't."""

from dataclasses import dataclass
from typing import Protocol


class Conflict(Exception):
    """The game in the store is not the one the caller saw. Nothing was stored."""


class StoreError(Exception):
    """The store can't do its work now. The message is one line for the person who runs the server.

    Nothing was acknowledged; what was stored before is as it was.
    """


class StoreBusy(StoreError):
    """Something else holds the store for longer than one can wait."""


class StoreAway(StoreError):
    """The store can't be reached."""


class StoreFull(StoreError):
    """There is no room for more."""


class StoreReadOnly(StoreError):
    """Nothing can be written."""


class StoreDamaged(StoreError):
    """What is stored makes no sense: a file or a record that was damaged, or is none of ours."""


class StoreTooNew(StoreError):
    """A later version of this program wrote that."""


class StoreUnusable(StoreError):
    """Anything else: no such directory, no rights, a failing disk."""


@dataclass(frozen=True, slots=True)
class Head:
    """What changes from one moment to the next. Two heads of a game are equal only if nothing was done between."""

    rev: int
    elapsed: float
    """Seconds played until ``counted_at``."""
    counted_at: float
    """Seconds since 1970."""
    is_assisted: bool = False
    """The player asked for help. That stays so."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is stored."""

    id: str
    code: str
    """The deal code, in its canonical form."""
    player: str | None
    """Whose game it is, at the player's seat of this deal; None: it is known by its id alone."""
    head: Head
    events: bytes = b""
    """See ``app.store.events``."""
    format: int = 2
    """How ``events`` is written."""
    is_won: bool = False
    played: int = 0
    """When a change was accepted last: microseconds since 1970, never the same twice in one process."""


@dataclass(frozen=True, slots=True)
class Addition:
    """An accepted change."""

    event: bytes
    head: Head
    """As it is after the change."""
    is_won: bool
    played: int


class GameStore(Protocol):
    """Games that outlive the process. Everything may raise StoreError."""

    @property
    def name(self) -> str:
        """Where the games are, for people: no secrets in it."""

    is_shared: bool
    """Several processes can use it at once."""

    async def open(self) -> None:
        """Get ready; what fails here is tried again with the first call after it."""

    async def close(self) -> None:
        """Finish what has begun, and let go."""

    async def check(self) -> None:
        """Whether games can be read and stored now."""

    async def create(self, record: Record) -> None:
        """Store a new game. Raises Conflict where its id is known or its seat is taken."""

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        """Store a change of the game of this id. Raises Conflict where its head is no longer ``before``, or
        its events are in an older format.
        """

    async def count(self, record: str, before: Head, after: Head) -> None:
        """Store what the clock says and whether the game is assisted, at the same rev. Raises Conflict where the head
        is no longer ``before``.
        """

    async def renew(self, record: str, before: Head, events: bytes, form: int) -> None:
        """Replace the events of a game by the same ones in another format. Raises Conflict as ``append`` does."""

    async def head(self, record: str) -> Head | None:
        """The head of the game of this id; None: there is none."""

    async def load(self, record: str) -> Record | None:
        """The game of this id."""

    async def find(self, player: str, code: str) -> str | None:
        """The id of a player's game of a deal."""

    async def owned(self, player: str) -> int:
        """How many games a player has; those that are just being forgotten may be among them."""

    async def latest(self, player: str) -> str | None:
        """The deal code of the running game that a player played last."""

    async def expire(self, before: int) -> int:
        """Forget the games that were played last before this (in microseconds) and are not won; how many.

        A store that forgets by itself does nothing.
        """
