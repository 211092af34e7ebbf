"""A file that an older version made is carried over, with all that is in it."""

import asyncio
import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from app.store import Addition, Head, Record, SqliteStore
from app.store.sqlite import APPLICATION, SCHEMAS
from tests.example import CODE

pytestmark = pytest.mark.anyio

# As version 1 made it; that stays as it is for ever.
VERSION_1 = f"""
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
    INSERT INTO games VALUES
        (NULL, 'AAAAAAAAAAAAAAAAAAAAAA', '{CODE}', 'anna', 3, 12.5, 1000.25, x'000102030405060708', 2, 0, 7);
    INSERT INTO games VALUES (NULL, 'BBBBBBBBBBBBBBBBBBBBBB', '{CODE}', NULL, 0, 0.0, 1000.0, x'', 2, 1, 8);
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = 1;
"""
GAMES = (
    Record("A" * 22, CODE, "anna", Head(3, 12.5, 1000.25), bytes(range(9)), 2, is_won=False, played=7),
    Record("B" * 22, CODE, None, Head(0, 0.0, 1000.0), b"", 2, is_won=True, played=8),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "yukon.db"
    with contextlib.closing(sqlite3.connect(path)) as older:
        older.executescript(VERSION_1)
    return path


def version(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(file)) as reader:
        found: int = reader.execute("PRAGMA user_version").fetchone()[0]
        return found


async def test_its_games_are_there_and_go_on_and_none_is_assisted(file: Path) -> None:
    store = SqliteStore(file)
    await store.open()
    for game in GAMES:
        assert await store.load(game.id) == game
    running = GAMES[0]
    assert await store.latest("anna") == CODE
    helped = replace(running.head, is_assisted=True)
    await store.count(running.id, running.head, helped)
    after = replace(helped, rev=4)
    await store.append(running.id, helped, Addition(b"abc", after, is_won=False, played=9))
    await store.close()
    assert version(file) == len(SCHEMAS)
    again = SqliteStore(file)
    assert await again.load(running.id) == replace(running, head=after, events=running.events + b"abc", played=9)
    assert await again.load(GAMES[1].id) == GAMES[1]
    await again.close()


async def test_processes_that_start_together_carry_it_over_once(file: Path) -> None:
    stores = [SqliteStore(file) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    for store in stores:
        assert await store.load(GAMES[0].id) == GAMES[0]
    for store in stores:
        await store.close()
