"""The default store: a file of SQLite, for any number of processes of one machine.

What waits to be stored at one moment is stored in one transaction, and answered when that is on the disk (group
commit). Statements take microseconds and run in the event loop; only the commit, which waits for the disk, goes to a
thread. Were the statements to run there too, the thread would have to wrest Python's lock from a busy event loop for
each. Reads have a connection of their own: in SQLite's WAL mode they wait for no writer.
"""

import asyncio
import contextlib
import os
import random
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Literal

from app.store.base import (
    Addition,
    Conflict,
    Head,
    Record,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnusable,
)
from app.store.events import FORMAT

Synchronous = Literal["FULL", "NORMAL"]

APPLICATION: Final = 0x59756B6F  # "Yuko"
"""Says in a file's header whose it is."""

SCHEMAS: Final = (
    """
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        code TEXT NOT NULL,
        player TEXT,
        rev INTEGER NOT NULL,
        elapsed REAL NOT NULL,
        counted_at REAL NOT NULL,
        events BLOB NOT NULL,
        format INTEGER NOT NULL,
        is_won INTEGER NOT NULL,
        played INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX seats ON games (player, code) WHERE player IS NOT NULL;
    """,
    "ALTER TABLE games ADD COLUMN is_assisted INTEGER NOT NULL DEFAULT 0",
)
"""What brings a file from each version to the next one; the first makes an empty file version 1."""

PATIENCE: Final = 5.0
"""Seconds to wait for another process that writes."""

_LONGEST_PAUSE: Final = 0.002  # seconds between two tries; with longer ones a busy process would leave no gap to hit
_CHECKING: Final = 2.0  # seconds that a start may take to look for damage
_SETTLE: Final = 2000  # changes after which the log is brought into the file, beside the changes that go on
_LONGEST_LOG: Final = 8000  # pages after which they wait until it is, or it might never begin anew
_AT_ONCE: Final = 2000  # games looked at in one step of expiry

_TOUCH: Final = f"PRAGMA user_version = {len(SCHEMAS)}"  # a write, even where it says what is there already
_HEAD: Final = "rev, elapsed, counted_at, is_assisted"
_INSERT: Final = (
    f"INSERT OR IGNORE INTO games (id, code, player, {_HEAD}, events, format, is_won, played) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SAME: Final = "WHERE id = ? AND rev = ? AND elapsed = ? AND counted_at = ? AND is_assisted = ?"
# || makes text of its operands, byte for byte; the cast takes that back.
_APPEND: Final = (
    "UPDATE games SET rev = ?, elapsed = ?, counted_at = ?, is_assisted = ?, "
    f"events = CAST(events || ? AS BLOB), is_won = ?, played = ? {_SAME} AND format = {FORMAT}"
)
_COUNT: Final = f"UPDATE games SET elapsed = ?, counted_at = ?, is_assisted = ? {_SAME}"
_RENEW: Final = f"UPDATE games SET events = ?, format = ? {_SAME}"
_EXPIRE: Final = "DELETE FROM games WHERE number BETWEEN ? AND ? AND played < ? AND NOT is_won"

Connections = tuple[sqlite3.Connection, sqlite3.Connection]
Job = tuple[str, Sequence[Any], asyncio.Future[int]]


class SqliteStore:
    """A GameStore in a file."""

    is_shared = True

    def __init__(self, path: Path, synchronous: Synchronous = "FULL", patience: float = PATIENCE) -> None:
        self._path = path
        self._synchronous = synchronous
        self._patience = patience
        self._connections: Connections | None = None
        self._file: tuple[int, int] = (0, 0)
        self._waiting: list[Job] = []
        self._writing: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, "sqlite")
        self._settler = ThreadPoolExecutor(1, "sqlite-log")
        self._settling: asyncio.Future[None] | None = None
        self._unsettled = 0
        self._failure: StoreError | None = None
        self._failed_at = 0.0

    @property
    def name(self) -> str:
        """Where the file is."""
        return str(self._path.absolute())

    # Opening and closing

    async def open(self) -> None:
        """See GameStore. Raises StoreError for a file that is none of ours, damaged, or can't be written."""
        await asyncio.get_running_loop().run_in_executor(self._disk, self._connect, _CHECKING)

    async def _reconnect(self) -> Connections:
        """Open the file anew, but try no more than once a second. Raises StoreError."""
        if self._failure is not None and time.monotonic() < self._failed_at + 1.0:
            raise self._failure
        try:
            return await asyncio.get_running_loop().run_in_executor(self._disk, self._connect)
        except StoreError as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise

    def _connect(self, checking: float = 0.0) -> Connections:
        """The connections that write and read, made if they are not there."""
        if self._connections is None:
            try:
                writer = self._connection(self._patience)
                try:
                    self._check_whose(writer)
                    if checking:
                        self._look_for_damage(writer, time.monotonic() + checking)
                    self._prepare(writer)
                    writer.execute("PRAGMA busy_timeout = 0")  # from here on ``_begin`` waits
                    self._connections = writer, self._connection(0.1)
                except BaseException:
                    writer.close()
                    raise
                self._file = self._identity()
            except (sqlite3.Error, OSError) as error:
                raise self._told(error) from error
        return self._connections

    def _connection(self, patience: float) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=patience, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LONGEST_LOG}")
        return connection

    def _check_whose(self, writer: sqlite3.Connection) -> None:
        """Nothing is written to a file that isn't ours, or not as we know it. Raises StoreDamaged and StoreTooNew."""
        application: int = writer.execute("PRAGMA application_id").fetchone()[0]
        is_empty = writer.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if application != APPLICATION and not (application == 0 and is_empty):
            raise StoreDamaged(f"{self.name} is a database of another program")
        if writer.execute("PRAGMA user_version").fetchone()[0] > len(SCHEMAS):
            raise StoreTooNew(f"{self.name} was written by a later version of this program")

    def _prepare(self, writer: sqlite3.Connection) -> None:
        """Bring the file to the newest schema, in one transaction."""
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN IMMEDIATE")  # which also shows that the file can be written
        try:
            version: int = writer.execute("PRAGMA user_version").fetchone()[0]
            for schema in SCHEMAS[version:]:
                for statement in filter(str.strip, schema.split(";")):
                    writer.execute(statement)
            if version < len(SCHEMAS):
                writer.execute(f"PRAGMA application_id = {APPLICATION}")
            writer.execute(_TOUCH)
            writer.execute("COMMIT")
        except BaseException:
            _roll_back(writer)
            raise

    def _look_for_damage(self, writer: sqlite3.Connection, until: float) -> None:
        """Read the file through, but no longer than until then (by ``time.monotonic``). Raises StoreDamaged."""
        writer.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        try:
            found: str = writer.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            return
        finally:
            writer.set_progress_handler(None, 0)
        if found != "ok":
            raise StoreDamaged(f"{self.name} is damaged ({' '.join(found.split())})")

    def _identity(self) -> tuple[int, int]:
        found = os.stat(self._path)  # noqa: PTH116 - several times as fast as Path.stat, and done for each commit
        return found.st_dev, found.st_ino

    async def close(self) -> None:
        """See GameStore."""
        busy = [each for each in (self._writing, self._settling) if each is not None]
        if busy:
            await asyncio.wait(busy)
        connections, self._connections = self._connections, None
        if connections is not None:
            await asyncio.get_running_loop().run_in_executor(self._disk, _close, connections)

    # Writing

    async def create(self, record: Record) -> None:
        """See GameStore."""
        rest = record.events, record.format, record.is_won, record.played
        await self._write(_INSERT, (record.id, record.code, record.player, *_values(record.head), *rest))

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        """See GameStore."""
        rest = addition.event, addition.is_won, addition.played
        await self._write(_APPEND, (*_values(addition.head), *rest, record, *_values(before)))

    async def count(self, record: str, before: Head, after: Head) -> None:
        """See GameStore."""
        await self._write(_COUNT, (*_values(after)[1:], record, *_values(before)))

    async def renew(self, record: str, before: Head, events: bytes, form: int) -> None:
        """See GameStore."""
        await self._write(_RENEW, (events, form, record, *_values(before)))

    async def expire(self, before: int) -> int:
        """See GameStore."""
        (last,) = await self._read("SELECT coalesce(max(number), 0) FROM games", ())
        gone = 0
        for number in range(1, last + 1, _AT_ONCE):
            with contextlib.suppress(Conflict):
                gone += await self._write(_EXPIRE, (number, number + _AT_ONCE - 1, before))
            await asyncio.sleep(0.01)  # moves come first
        return gone

    async def _write(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows it changed, once that is on the disk. Raises Conflict where it changed none."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[int] = loop.create_future()
        self._waiting.append((statement, values, answer))
        if self._writing is None:
            self._writing = loop.create_task(self._write_all())
        count = await answer
        if not count:
            raise Conflict
        return count

    async def _write_all(self) -> None:
        """Store what waits, and what comes to wait meanwhile."""
        jobs: list[Job] = []
        try:
            while self._waiting:
                try:
                    writer = await self._begin()
                    jobs, self._waiting = self._waiting, []
                    outcomes = [self._execute(writer, statement, values) for statement, values, _ in jobs]
                    await asyncio.get_running_loop().run_in_executor(self._disk, self._commit, writer)
                except Exception as error:  # whatever it was, somebody waits for an answer
                    if not jobs:
                        jobs, self._waiting = self._waiting, []
                    outcomes = [self._give_up(error)] * len(jobs)
                for (_, _, answer), outcome in zip(jobs, outcomes, strict=True):
                    if answer.done():  # its request was given up
                        continue
                    if isinstance(outcome, int):
                        answer.set_result(outcome)
                    else:
                        answer.set_exception(outcome)
                self._unsettled += len(jobs)
                jobs = []
                if self._unsettled >= _SETTLE and (self._settling is None or self._settling.done()):
                    self._unsettled = 0
                    self._settling = asyncio.get_running_loop().run_in_executor(self._settler, self._settle)
        finally:
            self._writing = None

    async def _begin(self) -> sqlite3.Connection:
        """Begin to write, after other processes if need be. Raises StoreError."""
        writer, _ = self._connections or await self._reconnect()
        until = time.monotonic() + self._patience
        pause = 0.0005
        while True:
            try:
                writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() > until:
                    raise
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - only to get out of step
                pause = min(pause * 1.5, _LONGEST_PAUSE)
            else:
                return writer

    def _execute(self, writer: sqlite3.Connection, statement: str, values: Sequence[Any]) -> int | StoreError:
        """How many rows changed; an error that concerns this statement alone."""
        try:
            return writer.execute(statement, values).rowcount
        except sqlite3.Error as error:
            if not writer.in_transaction:  # SQLite gave up all of it
                raise
            return self._told(error)

    def _commit(self, writer: sqlite3.Connection) -> None:
        # A file that was moved away takes every change, and nobody finds them again.
        try:
            is_there = self._identity() == self._file
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise StoreUnusable(f"{self.name} was moved or deleted while in use")
        writer.execute("COMMIT")

    def _settle(self) -> None:
        """Bring what is in the log into the file. No harm if it fails: it stays in the log."""
        with contextlib.suppress(sqlite3.Error), contextlib.closing(self._connection(0.0)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _give_up(self, error: Exception) -> StoreError:
        """Take back what was not committed."""
        told = self._told(error)
        if self._connections is not None:
            _roll_back(self._connections[0])
            if isinstance(told, StoreUnusable):
                # A new connection sees the file that is there now, and the disk as it is then.
                connections, self._connections = self._connections, None
                _close(connections)
        return told

    # Reading

    async def check(self) -> None:
        """See GameStore."""
        await self._write(_TOUCH, ())
        await self._read("SELECT 1 FROM games LIMIT 1", ())

    async def head(self, record: str) -> Head | None:
        """See GameStore."""
        row = await self._read(f"SELECT {_HEAD} FROM games WHERE id = ?", (record,))
        return None if row is None else _head(*row)

    async def load(self, record: str) -> Record | None:
        """See GameStore."""
        row = await self._read(
            f"SELECT code, player, events, format, is_won, played, {_HEAD} FROM games WHERE id = ?", (record,)
        )
        if row is None:
            return None
        code, player, events, form, is_won, played, *head = row
        return Record(record, code, player, _head(*head), events, form, bool(is_won), played)

    async def find(self, player: str, code: str) -> str | None:
        """See GameStore."""
        row = await self._read("SELECT id FROM games WHERE player = ? AND code = ?", (player, code))
        return None if row is None else row[0]

    async def owned(self, player: str) -> int:
        """See GameStore."""
        count: int = (await self._read("SELECT count(*) FROM games WHERE player = ?", (player,)))[0]
        return count

    async def latest(self, player: str) -> str | None:
        """See GameStore."""
        row = await self._read(
            "SELECT code FROM games WHERE player = ? AND NOT is_won ORDER BY played DESC LIMIT 1", (player,)
        )
        return None if row is None else row[0]

    async def _read(self, statement: str, values: Sequence[Any]) -> Any:  # noqa: ANN401 - as sqlite3 says
        """The first row, or None."""
        _, reader = self._connections or await self._reconnect()
        try:
            return reader.execute(statement, values).fetchone()
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _told(self, error: Exception) -> StoreError:
        """An error of SQLite as one of ours."""
        if isinstance(error, StoreError):
            return error
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        kind, what = _KINDS.get(code, (StoreUnusable, "can't be used"))
        return kind(f"{self.name} {what} ({error})")


_KINDS: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_BUSY: (StoreBusy, "is locked by another process"),
    sqlite3.SQLITE_LOCKED: (StoreBusy, "is locked by another process"),
    sqlite3.SQLITE_FULL: (StoreFull, "can't grow: the disk is full"),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, "can't be written"),
    sqlite3.SQLITE_CORRUPT: (StoreDamaged, "is damaged"),
    sqlite3.SQLITE_NOTADB: (StoreDamaged, "is damaged, or no database"),
    sqlite3.SQLITE_CANTOPEN: (StoreUnusable, "can't be opened"),
}


def _values(head: Head) -> tuple[int, float, float, bool]:
    return head.rev, head.elapsed, head.counted_at, head.is_assisted


def _head(rev: int, elapsed: float, counted_at: float, is_assisted: int) -> Head:
    return Head(rev, elapsed, counted_at, bool(is_assisted))


def _is_busy(error: sqlite3.Error) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _roll_back(writer: sqlite3.Connection) -> None:
    if writer.in_transaction:
        with contextlib.suppress(sqlite3.Error):
            writer.execute("ROLLBACK")


def _close(connections: Sequence[sqlite3.Connection]) -> None:
    for connection in connections:
        with contextlib.suppress(sqlite3.Error):
            connection.close()  # the last one to close moves everything from the log into the file
