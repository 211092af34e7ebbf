"""A copy of the file, made as the README says while games are played, is whole and can be played on."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from app.engine import Card, DealCode, Place
from app.service import GameService
from app.store import SqliteStore
from tests.example import CODE, MOVES

pytestmark = pytest.mark.anyio


def vacuum(source: Path, copy: Path) -> None:
    connection = sqlite3.connect(source)
    connection.execute("VACUUM INTO ?", (str(copy),))
    connection.close()


def backup(source: Path, copy: Path) -> None:
    """What ``.backup`` of the program sqlite3 does."""
    one, other = sqlite3.connect(source), sqlite3.connect(copy)
    one.backup(other)
    one.close()
    other.close()


@pytest.mark.parametrize("make", [vacuum, backup])
async def test_a_copy_made_while_games_are_played_is_whole(make: Callable[[Path, Path], None], tmp_path: Path) -> None:
    source, copy = tmp_path / "yukon.db", tmp_path / "copy.db"
    store = SqliteStore(source)
    service = GameService(store)
    games = [(await service.open(DealCode.parse(CODE))).id for _ in range(20)]

    async def play(game: str, begin: int, end: int) -> None:
        for rev in range(begin, end):
            card, to = MOVES[rev].split(">")
            await service.move(game, rev, Card.parse(card), Place.parse(to))

    await asyncio.gather(*(play(game, 0, 20) for game in games))
    playing = asyncio.gather(*(play(game, 20, 60) for game in games))
    await asyncio.to_thread(make, source, copy)
    await playing
    await store.close()

    restored = SqliteStore(copy)
    service = GameService(restored)
    for game in games:
        rev = (await service.get(game)).game.rev
        assert 20 <= rev <= 60, "what was acknowledged before the copy began is in it"
        await play(game, rev, rev + 1)
    await restored.close()
