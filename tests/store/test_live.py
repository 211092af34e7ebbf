"""A server that is killed, several at once, and a Redis that goes away: no acknowledged move is lost.

These are short; ``python -m tests.bench.crash`` does the same 50 times.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.store.live import Link, Player, Server, crash, race, serving
from tests.store.redis_server import RedisServer, need_redis

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a store of this kind."""
    if kind == "redis":
        pytest.importorskip("redis")
        server: RedisServer = request.getfixturevalue("redis_server")
        return server.address
    return "memory:" if kind == "memory" else f"sqlite:///{tmp_path}/yukon.db"


@pytest.mark.parametrize(("kind", "workers"), [("sqlite", 1), ("sqlite", 2), ("redis", 2)], indirect=["kind"])
async def test_whoever_kills_the_server_no_acknowledged_move_is_lost(place: str, workers: int) -> None:
    server = Server(place, workers, held_games="5")
    try:
        table = await crash(server, times=2 if workers > 1 else 3, players=12, seed=workers)
    finally:
        server.kill()
    assert sum(player.acknowledged for player in table) > 50


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"], indirect=True)
async def test_of_many_at_one_game_each_rev_has_one(place: str, kind: str) -> None:
    servers = [Server(place) for _ in range(1 if kind == "memory" else 2)]
    with serving(*servers):
        order, game = await race([server.port for server in servers], clients=64, until=25)
    assert sorted(order) == list(range(1, game.rev + 1))
    assert game.rev >= 20


async def test_a_server_that_is_stopped_ends_soon_and_keeps_every_move(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/yukon.db")
    with serving(server):
        table = [Player(Link(server.port), random.Random(number)) for number in range(8)]
        playing = [asyncio.create_task(player.play()) for player in table]
        await asyncio.sleep(0.5)
        began = time.monotonic()
        await asyncio.to_thread(server.stop)
        assert time.monotonic() - began < 10
        await asyncio.gather(*playing)
        assert not (tmp_path / "yukon.db-wal").exists()  # all of it is in the file
        server.start()
        for player in table:
            await player.arrive()
            await player.link.close()


async def test_workers_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/yukon.db", workers=2)
    with serving(server):
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(10)
        await asyncio.sleep(2)
        server.start()  # which needs the port


async def test_redis_goes_away_and_comes_back_while_all_play(tmp_path: Path) -> None:
    need_redis()
    pytest.importorskip("redis")
    redis = RedisServer(tmp_path)
    redis.start()
    servers = Server(redis.address), Server(redis.address)
    try:
        with serving(*servers):
            table = [Player(Link(servers[n % 2].port), random.Random(n)) for n in range(10)]
            visitor = Link(servers[0].port)
            enough = asyncio.Event()
            playing = [asyncio.create_task(player.play(enough)) for player in table]
            for how in (signal.SIGTERM, signal.SIGKILL):
                await asyncio.sleep(0.7)
                await asyncio.to_thread(redis.stop, how)
                await asyncio.sleep(0.5)
                status, health = await visitor.ask("GET", "/healthz")
                assert (status, health) == (503, {"status": "the store doesn't answer"})
                await asyncio.to_thread(redis.start)
            before = [player.acknowledged for player in table]
            await asyncio.sleep(1)
            enough.set()
            await visitor.close()
            await asyncio.gather(*playing)
            for player, count in zip(table, before, strict=True):
                assert player.refused > 0
                assert player.acknowledged > count, "play goes on by itself"
                await player.arrive()
                await player.link.close()
    finally:
        redis.stop(signal.SIGKILL)


def test_a_file_without_rights_stops_the_start() -> None:
    """Root has all rights, so it becomes somebody else; what it imports it has read before."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    place = Path(f"/tmp/yukon-{os.getpid()}")  # noqa: S108 - the directories of pytest can be read by nobody else
    place.mkdir(mode=0o755)
    try:
        file = place / "yukon.db"
        file.touch(mode=0o444)
        program = f"import os, app.cli; os.setuid(65534); app.cli.main(['serve', '--store', 'sqlite:///{file}'])"
        command = [sys.executable, "-c", program]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    finally:
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
    assert result.returncode == 1
    assert "can't be written" in result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
