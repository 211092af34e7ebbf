"""Every kind of store, real and empty."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from app.store import GameStore, MemoryStore, SqliteStore
from tests.store.redis_server import RedisServer

Make = Callable[[], GameStore]
KINDS = ("memory", "sqlite", "redis")


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


@pytest.fixture
def make(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Make:
    """A store at the same place each time it is called."""
    if kind == "memory":
        only = MemoryStore()
        return lambda: only
    if kind == "sqlite":
        return lambda: SqliteStore(tmp_path / "yukon.db", patience=1.0)
    pytest.importorskip("redis", reason="the extra redis is not installed")
    from app.store.redis import RedisStore

    server: RedisServer = request.getfixturevalue("redis_server")
    return lambda: RedisStore(server.address, expire=1000.0, prefix=f"{tmp_path.name}:{id(request.node)}:")


@pytest.fixture
async def store(make: Make) -> AsyncIterator[GameStore]:
    found = make()
    await found.open()
    yield found
    await found.close()
