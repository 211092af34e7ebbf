"""Players, while twenty verdicts are asked at once.

Eight players play the example deal over sockets at one process with the default store, each move a moment after the
answer to the last. In every other round twenty clients ask, all at the same time, whether a deal can be won that the
solver doesn't decide in a minute, and wait for the answer throughout the round. Baseline: the rounds between, without
questions. The aim is that the slowest of a hundred moves takes less than half as long again.
"""

import asyncio
import statistics
import tempfile
import time
from typing import Any, Final

from app.engine import CLASSIC, DealCode
from tests.bench.bench_load import percentile
from tests.bench.calls import CODE, MOVES
from tests.bench.common import show
from tests.store.live import Link, Server

ROUNDS: Final = 6
SECONDS: Final = 5.0
PLAYERS: Final = 8
PAUSE: Final = 0.02  # seconds
ASKED: Final = 20
HARD: Final = (78, 108, 109, 128, 144, 162)


class Player:
    """Plays the example game, over and over."""

    def __init__(self, port: int) -> None:
        self._link = Link(port)
        self._game: dict[str, Any] = {}

    async def play(self, until: float) -> list[float]:
        """The seconds that each move took."""
        taken = []
        if not self._game:
            _, self._game = await self._link.ask("POST", "/api/v1/games", {"code": str(CODE)})
        address = f"/api/v1/games/{self._game['id']}"
        while time.perf_counter() < until:
            rev = {"rev": self._game["rev"]}
            if self._game["won"]:
                _, self._game = await self._link.ask("POST", f"{address}/restart", rev)
                continue
            move = MOVES[self._game["moves"]]
            began = time.perf_counter()
            status, self._game = await self._link.ask(
                "POST", f"{address}/moves", {**rev, "card": str(move.card), "to": str(move.to)}
            )
            taken.append(time.perf_counter() - began)
            assert status == 200
            await asyncio.sleep(PAUSE)
        return taken

    async def close(self) -> None:
        await self._link.close()


async def ready(port: int) -> None:
    """Wait until the solver has compiled."""
    link = Link(port)
    while (await link.ask("GET", f"/api/v1/deals/{CODE}/verdict"))[1]["reason"] == "warming":
        pass  # each waits for a while
    await link.close()


async def ask(port: int, number: int, answered: list[str]) -> None:
    """One question about a game that is hard to decide."""
    link = Link(port)
    try:
        code = str(DealCode(CLASSIC, HARD[number % len(HARD)]))
        _, game = await link.ask("POST", "/api/v1/games", {"code": code})
        _, verdict = await link.ask("POST", f"/api/v1/games/{game['id']}/verdict", {"rev": 0})
        answered.append(verdict["reason"])
    finally:
        await link.close()


async def measure(port: int) -> tuple[list[list[float]], list[list[float]]]:
    """The seconds of the moves of each round without questions, and with them."""
    await ready(port)
    players = [Player(port) for _ in range(PLAYERS)]
    quiet: list[list[float]] = []
    beside: list[list[float]] = []
    for turn in range(2 * ROUNDS + 1):
        has_questions = turn % 2 == 1
        answered: list[str] = []
        asked = [asyncio.create_task(ask(port, n, answered)) for n in range(ASKED * has_questions)]
        until = time.perf_counter() + SECONDS
        found = await asyncio.gather(*(player.play(until) for player in players))
        assert not answered, f"the questions were too easy: {answered}"
        for task in asked:
            task.cancel()
        if asked:
            await asyncio.wait(asked)
        if turn:  # the first round is to get warm
            (beside if has_questions else quiet).append([taken for one in found for taken in one])
    for player in players:
        await player.close()
    return quiet, beside


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        server = Server(f"sqlite:///{directory}/yukon.db", solver_threads="1", solver_seconds="60", limit_verdicts="")
        try:
            server.start()
            quiet, beside = asyncio.run(measure(server.port))
        finally:
            server.kill()
    body = []
    for name, rounds in (("without verdicts", quiet), (f"beside {ASKED} verdicts", beside)):
        taken = [each for one in rounds for each in one]
        shares = (percentile(taken, share) for share in (0.5, 0.9, 0.99, 0.999))
        body.append((name, f"{len(taken):,}", *shares, f"{max(taken) * 1000:.1f}"))
    show(f"Moves of {PLAYERS} players, in ms", ("", "moves", "p50", "p90", "p99", "p99.9", "worst"), body)
    ratios = [
        sorted(one)[int(len(one) * 0.99)] / sorted(other)[int(len(other) * 0.99)]
        for one, other in zip(beside, quiet, strict=True)
    ]
    print(f"p99 of a round beside that of the one after it: {statistics.median(ratios):.2f} times, ", end="")
    print(f"from {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
