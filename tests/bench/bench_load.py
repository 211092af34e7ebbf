"""Players who never think, at one process with the default store, while more and more games are held.

Each of 32 players plays games of the example deal from the middle to the win, one move after the other, each game
another one of all that are held; first as programs do, then as pages do. Baselines: the routes of ``tests.bench.bare``,
asked in the same way in the same rounds. The games lie in the file of SQLite and come into memory one by one;
how long the first look at each takes, and by how much the process grows, is measured on the way. Linux only.

``python -m tests.bench.bench_load 100000`` goes up to that many games; without a number up to 10,000.
"""

import asyncio
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import uvloop

from app.engine import Deed, Game, entry
from app.store import Head, Record, SqliteStore
from app.store.events import pack
from tests.bench.bare import API, NOTHING, PAGE, bare_moves
from tests.bench.bench_socket import HOST, Client, processor_seconds, serving, wire
from tests.bench.calls import CODE, MOVES, Call, api_moves, page_moves
from tests.bench.common import show
from tests.store.live import Server

ROUNDS: Final = 5
PLAYERS: Final = 32
MIDDLE: Final = len(MOVES) // 2
STEPS: Final = (100, 1_000, 10_000, 100_000)


class Timed(Client):
    """A client that knows how long each answer took, in seconds."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        super().__init__(requests)
        self.taken: list[float] = []
        self._sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._sent = time.perf_counter()
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        now, before = time.perf_counter(), self._at
        super().data_received(data)
        if self._at > before:
            self.taken.append(now - self._sent)
            self._sent = now


class Measured(NamedTuple):
    """Of some requests."""

    rate: float
    """A second, as the clients see it."""
    taken: list[float]
    """Seconds."""
    processor: float
    """Seconds of the server's processor, each."""


async def _ask(port: int, connections: Sequence[Sequence[bytes]]) -> list[float]:
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(partial(Timed, each), HOST, port) for each in connections]
    await asyncio.gather(*(client.last for _, client in made))
    return [taken for _, client in made for taken in client.taken]


def ask(server: tuple[int, int], connections: Sequence[Sequence[bytes]]) -> Measured:
    """Every request of each connection, one after the other."""
    port, pid = server
    used, began = processor_seconds(pid), time.perf_counter()
    taken = uvloop.run(_ask(port, connections))
    seconds, used = time.perf_counter() - began, processor_seconds(pid) - used
    return Measured(len(taken) / seconds, taken, used / len(taken))


def resident(pid: int) -> int:
    """Bytes of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def store_games(file: str, count: int) -> list[str]:
    """Games in the middle, in a new file: their ids, which are their players' names, too."""
    game, events = Game.new(CODE), b""
    for move in MOVES[:MIDDLE]:
        game, _ = game.play(move)
        events += pack(entry(Deed.MOVE, game), 3.0)
    store = SqliteStore(Path(file), "NORMAL")
    head = Head(game.rev, 3.0 * MIDDLE, time.time())
    ids = [secrets.token_urlsafe(16) for _ in range(count)]
    for at in range(0, count, 1000):
        records = [Record(name, str(CODE), name, head, events, played=1) for name in ids[at : at + 1000]]
        await asyncio.gather(*map(store.create, records))
    await store.close()
    return ids


def look(game: str) -> bytes:
    return f"GET /api/v1/games/{game} HTTP/1.1\r\nhost: {HOST}\r\n\r\n".encode()


def percentile(values: Sequence[float], share: float) -> str:
    """In milliseconds."""
    return f"{sorted(values)[int(len(values) * share)] * 1000:.1f}"


def main(most: int) -> None:
    steps = [step for step in STEPS if step <= most]
    body: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as directory:
        file = f"{directory}/yukon.db"
        unplayed = uvloop.run(store_games(file, steps[-1] + PLAYERS + 1))
        yukon = Server(f"sqlite:///{file}", held_games=str(2 * most))
        with serving("bare") as bare:
            try:
                yukon.start()
                assert yukon.process is not None
                server = yukon.port, yukon.process.pid
                # Whatever is made only once.
                ask(server, [[look(unplayed.pop())] for _ in range(PLAYERS)])
                ask(server, [[*map(wire, page_moves(unplayed.pop())[MIDDLE:])]])
                at_first, held = resident(server[1]), 0
                hold: list[str] = []
                for step in steps:
                    new = [unplayed.pop() for _ in range(step - held)]
                    looked = ask(server, [[look(game) for game in new[n::8]] for n in range(8)])
                    again = ask(server, [[look(game) for game in new[n::8]] for n in range(8)])
                    held, grown = step, (resident(server[1]) - at_first) / step
                    hold += new
                    rounds = [play(server, bare, hold) for _ in range(ROUNDS if step > 2 * PLAYERS * ROUNDS else 1)]
                    found = {name: [each[name] for each in rounds] for name in rounds[0]}
                    resume = f"{(looked.processor - again.processor) * 1e6:.0f}"
                    body.append((f"{step:,} held", *("",) * 5, resume, f"{grown:,.0f}", f"{1e8 / grown:,.0f}"))
                    body += [row(name, found) for name in found]
            finally:
                yukon.kill()
    head = ("", "a second", "of bare", "p50 ms", "p99 ms", "CPU us", "resume us", "bytes each", "in 100 MB")
    show(f"Moves of {PLAYERS} players who never think", head, body)


BASELINES: Final = {"API": API, "page": PAGE}


def row(name: str, found: dict[str, list[Measured]]) -> tuple[str, ...]:
    """Of the table: the medians of some rounds, and the median of their ratios to those of the baseline."""
    rounds = found[name]
    taken = [each for measured in rounds for each in measured.taken]
    ratio = ""
    if name in BASELINES:
        pairs = zip(rounds, found[BASELINES[name]], strict=True)
        ratio = f"{statistics.median(one.rate / other.rate for one, other in pairs):.2f}"
    return (
        f"  {name}",
        f"{statistics.median(one.rate for one in rounds):,.0f}",
        ratio,
        percentile(taken, 0.5),
        percentile(taken, 0.99),
        f"{statistics.median(one.processor for one in rounds) * 1e6:.0f}",
        *("",) * 3,
    )


def play(server: tuple[int, int], bare: tuple[int, int], games: list[str]) -> dict[str, Measured]:
    """A game for each player, as programs and as pages send the moves, and as many requests of the bare routes."""

    def measured(where: tuple[int, int], calls: Callable[[str], list[Call]], chosen: Sequence[str]) -> Measured:
        return ask(where, [[*map(wire, calls(game)[MIDDLE:])] for game in chosen])

    def some() -> list[str]:
        return [games.pop(secrets.randbelow(len(games))) for _ in range(PLAYERS)]

    nobody = [""] * PLAYERS
    return {
        "API": measured(server, api_moves, some()),
        API: measured(bare, lambda _: bare_moves(API), nobody),
        "page": measured(server, page_moves, some()),
        PAGE: measured(bare, lambda _: bare_moves(PAGE), nobody),
        NOTHING: measured(bare, lambda _: bare_moves(NOTHING), nobody),
    }


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
