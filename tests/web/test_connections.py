"""Clients that hold connections and bring no requests, over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from app.web import connections
from app.web.connections import GuardedProtocol, is_crowded

PATIENCE = 0.2
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


async def hold(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, takes its time where it is told to, and says whether it is crowded."""
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * PATIENCE)
    body = b"crowded" if is_crowded(scope) else b"welcome"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"7")]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def serving(most: int | None = None) -> AsyncIterator[Connect]:
    config = uvicorn.Config(hold, limit_concurrency=most, log_level="error")
    config.load()
    make = partial(GuardedProtocol, config=config, server_state=ServerState(), app_state={})
    loop = asyncio.get_running_loop()
    opened: list[asyncio.StreamWriter] = []
    async with await loop.create_server(make, "127.0.0.1", 0) as server:

        async def connect() -> Streams:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
            opened.append(writer)
            return reader, writer

        try:
            yield connect
        finally:
            for writer in opened:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()


async def rest(streams: Streams) -> bytes:
    """All that comes until the server closes the connection."""
    return await asyncio.wait_for(streams[0].read(), 20 * PATIENCE)


async def answer(streams: Streams) -> bytes:
    """The next body."""
    await streams[0].readuntil(b"\r\n\r\n")
    return await streams[0].readexactly(7)


async def is_open(streams: Streams, seconds: float = 5 * PATIENCE) -> bool:
    """Nothing comes; unless told otherwise, for much longer than the patience lasts."""
    try:
        await asyncio.wait_for(streams[0].read(1), seconds)
    except TimeoutError:
        return True
    return False


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_PATIENCE", PATIENCE)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\r\n\r\n",
        b"GET",
        b"GET / HTTP/1.1\r\nhost: x\r\nx: y",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nab",
    ],
)
def test_a_request_that_never_comes_whole_is_given_up(said: bytes) -> None:
    async def act() -> bytes:
        async with serving() as connect:
            streams = await connect()
            streams[1].write(said)
            return await rest(streams)

    assert asyncio.run(act()) == b""


def test_nor_is_one_waited_for_that_follows_another() -> None:
    async def act() -> bytes:
        async with serving() as connect:
            streams = await connect()
            streams[1].write(GET)
            assert await answer(streams) == b"welcome"
            streams[1].write(b"GET / HT")
            return await rest(streams)

    assert asyncio.run(act()) == b""


def test_one_that_drips_is_given_up_too() -> None:
    async def act() -> None:
        async with serving() as connect:
            reader, writer = await connect()
            writer.write(b"GET / HTTP/1.1\r\n")
            for _ in range(50):
                writer.write(b"x: y\r\n")
                await asyncio.sleep(PATIENCE / 5)
                if reader.at_eof() or writer.transport.is_closing():  # in order, or with what it didn't read
                    return
            pytest.fail("it is waited for")

    asyncio.run(act())


def test_who_waits_for_an_answer_or_thinks_is_left_alone() -> None:
    async def act() -> None:
        async with serving() as connect:
            slow, thinking = await connect(), await connect()
            slow[1].write(GET.replace(b"/ ", b"/slow "))
            thinking[1].write(GET)
            assert b"welcome" in await thinking[0].readuntil(b"welcome")
            assert b"welcome" in await slow[0].readuntil(b"welcome")
            assert await is_open(thinking), "uvicorn's own time for that is seconds"
            thinking[1].write(GET)
            assert b"welcome" in await thinking[0].readuntil(b"welcome")

    asyncio.run(act())


@pytest.mark.parametrize("more", [b"x: y\r\n", b"y"])
def test_headers_without_end_are_refused(more: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_PATIENCE", 60.0)

    async def act() -> bytes:
        async with serving() as connect:
            streams = await connect()
            streams[1].write(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
            streams[1].write(more * (64_000 // len(more)))
            await asyncio.sleep(0.05)
            assert await is_open(streams, PATIENCE / 4)
            streams[1].write(more * (2000 // len(more)))
            return await rest(streams)

    assert asyncio.run(act()).startswith(b"HTTP/1.1 431 ")


def test_a_long_body_after_short_headers_is_no_long_head() -> None:
    async def act() -> bytes:
        async with serving() as connect:
            streams = await connect()
            for _ in range(3):
                streams[1].write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n" + b"x" * 200_000)
            return await streams[0].readuntil(b"welcome")

    assert asyncio.run(act()).startswith(b"HTTP/1.1 200 ")


def test_over_the_most_connections_the_application_knows_it() -> None:
    async def act() -> list[bytes]:
        async with serving(most=2) as connect:
            answers = []
            links = []
            for _ in range(3):
                links.append(await connect())
                links[-1][1].write(GET)
                answers.append(await answer(links[-1]))
            links[0][1].close()
            await asyncio.sleep(0.05)
            links[1][1].write(GET)
            answers.append(await answer(links[1]))
            return answers

    assert asyncio.run(act()) == [b"welcome", b"welcome", b"crowded", b"welcome"]
