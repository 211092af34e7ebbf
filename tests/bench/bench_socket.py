"""A move over a real socket, with the server in a process of its own, started as ``yukon serve`` starts it.

Baselines: the routes of ``tests.bench.bare``, under the same options.
The games are kept in a file of SQLite, as is the default. Two figures: requests a second as a client sees them, over
several connections that stay open, and requests a second of the server's processor time, which suffers less from what
else the machine does. Linux only: it reads /proc.
"""

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final, cast
from unittest.mock import patch

import uvloop

from app import cli
from tests.bench.bare import API, NOTHING, PAGE, SIGNS, bare_app, bare_moves
from tests.bench.calls import NEW_GAME, Call, api_moves, page_moves
from tests.bench.common import RATES, alternate, rows, show

ROUNDS: Final = 9
CONNECTIONS: Final = 8
GAMES: Final = 3
"""On each connection, in each round."""

HOST: Final = "127.0.0.1"


def wire(call: Call) -> bytes:
    """A request as it is sent."""
    headers = {"host": HOST, "content-length": str(len(call.body)), **call.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {call.path} HTTP/1.1\r\n{head}\r\n".encode() + call.body


class Client(asyncio.Protocol):
    """Sends requests one by one, each after the answer to the one before; no more is read of an answer than need be."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self._requests: Final = requests
        self._at = 0
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self.last: Final[asyncio.Future[bytes]] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._requests[0])

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        self._received += data
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return
        at = self._received.lower().index(b"content-length: ", 0, head) + 16
        if len(self._received) < head + 4 + int(self._received[at : self._received.index(b"\r", at)]):
            return
        if self._received[9:10] != b"2":
            self._fail(f"not a good answer: {self._received[:500]!r}")
            return
        self._at += 1
        if self._at == len(self._requests):
            self.last.set_result(self._received)
            self._transport.close()
            return
        self._received = b""
        self._transport.write(self._requests[self._at])

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"the connection was lost: {exc}")

    def _fail(self, why: str) -> None:
        if not self.last.done():
            self.last.set_exception(RuntimeError(why))


async def send_all(port: int, connections: Sequence[Sequence[bytes]]) -> list[bytes]:
    """The last answer of each connection."""
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(partial(Client, each), HOST, port) for each in connections]
    return await asyncio.gather(*(client.last for _, client in made))


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(name: str) -> Iterator[tuple[int, int]]:
    """A server in another process: its port and its process id."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.bench.bench_socket", name, str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + 30
            while True:
                try:
                    socket.create_connection((HOST, port)).close()
                    break
                except ConnectionRefusedError:
                    if server.poll() is not None or time.monotonic() > until:
                        raise
                    time.sleep(0.05)
            yield port, server.pid
        finally:
            server.terminate()


def serve(name: str, port: str) -> None:
    """``yukon serve``, or the bare application served in just the same way."""
    is_bare = patch.object(cli, "create_app", lambda *_: bare_app())
    with is_bare if name == "bare" else nullcontext(), tempfile.TemporaryDirectory() as directory:
        os.environ |= {"YUKON_LIMIT_REQUESTS": "", "YUKON_LIMIT_NEW_GAMES": ""}  # these players don't stop to think
        store = "memory:" if name == "bare" else f"sqlite:///{directory}/yukon.db"
        cli.main(["serve", "--host", HOST, "--port", port, "--store", store])


def measure(server: tuple[int, int], games: Callable[[], list[Call]], sign: bytes, processor: list[float]) -> float:
    """Requests a second as the client sees them; those a processor second of the server go into ``processor``."""
    port, pid = server
    connections = [[wire(call) for _ in range(GAMES) for call in games()] for _ in range(CONNECTIONS)]
    used, began = processor_seconds(pid), time.perf_counter()
    answers = uvloop.run(send_all(port, connections))
    seconds, used = time.perf_counter() - began, processor_seconds(pid) - used
    for answer in answers:
        if sign not in answer:
            raise RuntimeError(f"not the answer that was due: {answer[:500]!r}")
    count = sum(map(len, connections))
    processor.append(count / used)
    return count / seconds


def new_game(port: int) -> str:
    """The id of a new game."""
    (answer,) = uvloop.run(send_all(port, [[wire(NEW_GAME)]]))
    game: str = json.loads(answer.partition(b"\r\n\r\n")[2])["id"]
    return game


def main() -> None:
    api, page = "API move", "page move (htmx)"
    processor: dict[str, list[float]] = {name: [] for name in (NOTHING, API, api, PAGE, page)}
    with serving("bare") as plain, serving("yukon") as yukon:

        def bare(kind: str) -> Callable[[], float]:
            return lambda: measure(plain, lambda: bare_moves(kind), SIGNS[kind], processor[kind])

        found = alternate(
            ROUNDS,
            {
                NOTHING: bare(NOTHING),
                API: bare(API),
                api: lambda: measure(yukon, lambda: api_moves(new_game(yukon[0])), b'"won":true', processor[api]),
                PAGE: bare(PAGE),
                page: lambda: measure(
                    yukon, lambda: page_moves(secrets.token_urlsafe(16)), b"data-won", processor[page]
                ),
            },
        )
    baselines = {api: API, page: PAGE}
    show("Over a socket, as the client sees it", ("", "a second", *RATES[2:]), rows(found, baselines))
    counted = {name: values[-ROUNDS:] for name, values in processor.items()}
    show("Over a socket, by the server's processor time", RATES, rows(counted, baselines))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve(*sys.argv[1:])
    else:
        main()
