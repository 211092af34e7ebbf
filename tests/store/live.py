"""Real servers in processes of their own, killed as one likes, and players that know what they were promised."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from app.engine import DealCode, Game, Move
from app.web.api import columns_out
from tests.example import CODE
from tests.store.redis_server import free_port

HOST = "127.0.0.1"
AWAY = (OSError, EOFError)
"""What a client sees of a server that is killed."""


class Server:
    """``yukon serve``, with all its processes."""

    def __init__(self, store: str, workers: int = 1, **settings: str) -> None:
        self.port = free_port()
        self._command = [sys.executable, "-m", "app", "serve", "--host", HOST, "--port", str(self.port)]
        self._command += ["--store", store, "--workers", str(workers)]
        # These clients don't stop to think, and few ask for advice.
        settings = {"limit_requests": "", "limit_new_games": "", "solver_threads": "0", **settings}
        self._settings = {f"YUKON_{name.upper()}": value for name, value in settings.items()}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Ready when this returns."""
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **self._settings},
            start_new_session=True,
        )
        until = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None, "the server ended at once"
            assert time.monotonic() < until, "the server doesn't answer"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port), 1) as link:
                link.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                return link.recv(12) == b"HTTP/1.1 200"
        except OSError:
            return False

    def kill(self) -> None:
        """All of its processes at once, with no time for a last word."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
            self.process = None

    def stop(self) -> int:
        """In good order; its exit code."""
        assert self.process is not None
        self.process.terminate()
        code = self.process.wait(15)
        self.process = None
        return code


@contextmanager
def serving(*servers: Server) -> Iterator[None]:
    try:
        for server in servers:
            server.start()
        yield
    finally:
        for server in servers:
            server.kill()


class Link:
    """A connection that stays open. Everything raises one of AWAY when the server is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: {HOST}\r\ncontent-type: application/json\r\n"
        try:
            writer.write(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
            lines = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(lines.partition(b"content-length: ")[2].partition(b"\r")[0])
            answer = await reader.readexactly(length)
        except AWAY:
            await self.close()
            raise
        return int(lines[9:12]), json.loads(answer)

    async def close(self) -> None:
        if self._streams is not None:
            (_, writer), self._streams = self._streams, None
            writer.close()
            with suppress(*AWAY):
                await writer.wait_closed()


@dataclass
class Player:
    """Plays whatever is legal, and holds the server to what it acknowledged."""

    link: Link
    chance: random.Random
    game: Game = field(default_factory=lambda: Game.new(DealCode.parse(CODE)))
    """As it was acknowledged last."""
    pending: Game | None = None
    """As it is if the last request, which was not answered, was done all the same."""
    id: str = ""
    acknowledged: int = 0
    recovered: int = 0
    """How many requests were done and not answered."""
    refused: int = 0
    """How many were answered with 503."""

    @property
    def path(self) -> str:
        return f"/api/v1/games/{self.id}"

    async def arrive(self) -> None:
        """Make the game, if it isn't made, and see that it is as it should be; as soon as the server can say."""
        while not await self._arrive():
            self.refused += 1
            await asyncio.sleep(0.05)

    async def _arrive(self) -> bool:
        if not self.id:
            status, made = await self.link.ask("POST", "/api/v1/games", {"code": CODE})
            if status == 503:
                return False
            assert status == 201, made
            self.id = made["id"]
        status, found = await self.link.ask("GET", self.path)
        if status == 503:
            return False
        assert status == 200, f"an acknowledged game is gone: {found}"
        if self.pending is not None and found["rev"] == self.pending.rev:
            self.game, self.recovered = self.pending, self.recovered + 1
        self.pending = None
        assert shown(found) == expected(self.game), "the game is not as it was acknowledged"
        return True

    async def step(self) -> None:
        """One more move, undo, redo or restart."""
        game = self.game
        moves = list(game.legal_moves)
        choice = self.chance.random()
        body: dict[str, Any] = {"rev": game.rev}
        if game.is_won or not moves or choice < 0.01:
            path, after = "restart", game.restart()
        elif choice < 0.15 and game.undo_steps:
            path, after = "undo", game.undo()[0]
        elif choice < 0.3 and game.redo_steps:
            path, after = "redo", game.redo()[0]
        else:
            move: Move = self.chance.choice(moves)
            path, after = "moves", game.play(move)[0]
            body |= {"card": str(move.card), "to": str(move.to)}
        self.pending = after
        status, answer = await self.link.ask("POST", f"{self.path}/{path}", body)
        if status == 503:
            self.refused += 1
            await self.arrive()
            return
        assert status == 200, (status, answer)
        assert shown(answer) == expected(after)
        self.game, self.pending = after, None
        self.acknowledged += 1

    async def play(self, until: asyncio.Event | None = None) -> None:
        """Until then, or until the server is gone; after a visit to see that all is as it was."""
        try:
            await self.arrive()
            while until is None or not until.is_set():
                await self.step()
        except AWAY:
            return


def shown(answer: Any) -> tuple[Any, ...]:
    return tuple(answer[name] for name in ("rev", "score", "moves", "columns", "undo", "redo", "won"))


def expected(game: Game) -> tuple[Any, ...]:
    columns = columns_out(game.board)
    steps = (0, 0) if game.is_won else (game.undo_steps, game.redo_steps)
    return (game.rev, game.score, game.moves, columns, *steps, game.is_won)


async def crash(server: Server, times: int, players: int, seed: int) -> list[Player]:
    """Kill the server at random moments while all play, and start it again; see that nobody lost anything."""
    chance = random.Random(seed)
    table = [Player(Link(server.port), random.Random(seed * 1000 + number)) for number in range(players)]
    for _ in range(times):
        await asyncio.to_thread(server.start)
        playing = [asyncio.create_task(player.play()) for player in table]
        await asyncio.sleep(chance.uniform(0.05, 0.6))
        server.kill()
        await asyncio.gather(*playing)
    await asyncio.to_thread(server.start)
    for player in table:
        await player.arrive()
        await player.link.close()
    return table


async def race(ports: list[int], clients: int, until: int) -> tuple[list[int], Game]:
    """All play one game at once, through any of the ports, until it has so many revs: the revs that were accepted in
    the order of the answers, and the game that comes of the accepted moves, one after the other.
    """
    link = Link(ports[0])
    _, made = await link.ask("POST", "/api/v1/games", {"code": CODE})
    path = f"/api/v1/games/{made['id']}"
    accepted: dict[int, Move] = {}
    order: list[int] = []

    async def client(number: int) -> None:
        chance = random.Random(number)
        line = Link(ports[number % len(ports)])
        rev = 0
        while rev < until:
            status, found = await line.ask("GET", f"{path}/moves")
            assert status == 200
            rev = found["rev"]
            if not found["moves"]:
                break
            move = chance.choice(found["moves"])
            status, answer = await line.ask("POST", f"{path}/moves", {"rev": rev, **move})
            if status == 200:
                assert answer["rev"] == rev + 1
                assert rev + 1 not in accepted, "one rev was given to two moves"
                accepted[rev + 1] = Move.parse(f"{move['card']}>{move['to']}")
                order.append(rev + 1)
            else:
                assert status == 409, (status, answer)
                assert answer["reason"] == "stale"
                assert answer["game"]["rev"] > rev, "a stale answer has the board of now"
                rev = answer["game"]["rev"]
        await line.close()

    await asyncio.gather(*map(client, range(clients)))
    game = Game.replay(DealCode.parse(CODE), [accepted[rev] for rev in sorted(accepted)])
    for port in ports:
        line = Link(port)
        _, found = await line.ask("GET", path)
        assert shown(found) == expected(game), "each process shows the one game"
        await line.close()
    await link.close()
    return order, game
