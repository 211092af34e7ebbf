"""Kill the server 50 times while many play, with each store that outlives it; see that no acknowledged move is lost.

The tests do the same a few times. ``python -m tests.bench.crash 10`` does it ten times.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.common import show
from tests.store.live import Server, crash
from tests.store.redis_server import PROGRAM, RedisServer

TIMES: Final = 50
PLAYERS: Final = 24


async def main(times: int) -> None:
    body = []
    with tempfile.TemporaryDirectory() as directory:
        redis = RedisServer(Path(directory))
        if PROGRAM is not None:
            redis.start()
        kinds = [("SQLite", 1), ("SQLite", 2), ("Redis", 2)]
        try:
            for kind, workers in kinds if PROGRAM is not None else kinds[:2]:
                file = f"{directory}/{kind}{workers}.db"
                # Few are held in memory, so most come back from the store.
                place = redis.address if kind == "Redis" else f"sqlite:///{file}"
                server = Server(place, workers, held_games="10")
                began = time.monotonic()
                try:
                    table = await crash(server, times, PLAYERS, seed=workers)
                finally:
                    server.kill()
                counts = (sum(player.acknowledged for player in table), sum(player.recovered for player in table))
                seconds = time.monotonic() - began
                body.append((f"{kind}, {workers} processes", f"{times}", *map(str, counts), "0", f"{seconds:.0f}"))
        finally:
            redis.stop()
    head = ("", "kills", "acknowledged", "stored, answer lost", "lost", "seconds")
    show(f"{PLAYERS} players at a server that is killed", head, body)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
