"""A move through the whole application, called in process without a socket.

Baseline: ``bare route``, a FastAPI application with one POST route that returns a constant, called in the same way
with the same body.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from app.web import create_app
from tests.bench.calls import NEW_GAME, Call, api_moves, bare_moves, page_moves
from tests.bench.common import RATES, alternate, bare_app, rows, show

ROUNDS = 9
GAMES = 10


def scope_of(call: Call) -> Scope:
    """What uvicorn would make of a request."""
    headers = {"host": "localhost:8000", "content-length": str(len(call.body)), **call.headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": call.path,
        "raw_path": call.path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }


async def answer(app: ASGIApp, call: Call) -> bytes:
    """The body of a successful answer."""
    messages: list[Message] = []
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()
        asked = True
        return {"type": "http.request", "body": call.body, "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    await app(scope_of(call), receive, send)
    body = b"".join(message.get("body", b"") for message in messages[1:])
    if messages[0]["status"] >= 300:
        raise RuntimeError(f"{call.path}: {messages[0]['status']} {body[:300]!r}")
    return body


async def play(app: ASGIApp, games: Sequence[Sequence[Call]], sign: bytes) -> float:
    """Moves a second of processor time; the last answer of every game must bear the sign."""
    began = time.process_time()
    for calls in games:
        body = b""
        for call in calls:
            body = await answer(app, call)
        if sign not in body:
            raise RuntimeError(f"{calls[-1].path}: not the answer that was due: {body[:300]!r}")
    return sum(map(len, games)) / (time.process_time() - began)


async def bare() -> float:
    return await play(bare_app(), [bare_moves()] * GAMES, b"ok")


async def api() -> float:
    app = create_app()
    ids = [json.loads(await answer(app, NEW_GAME))["id"] for _ in range(GAMES)]
    return await play(app, [api_moves(game) for game in ids], b'"won":true')


async def page() -> float:
    return await play(create_app(), [page_moves(secrets.token_urlsafe(16)) for _ in range(GAMES)], b"data-won")


def main() -> None:
    with asyncio.Runner() as runner:

        def running(measure: Callable[[], Coroutine[Any, Any, float]]) -> Callable[[], float]:
            return lambda: runner.run(measure())

        found = alternate(
            ROUNDS,
            {"bare route": running(bare), "API move": running(api), "page move (htmx)": running(page)},
        )
    show("A request in process", RATES, rows(found, dict.fromkeys(("API move", "page move (htmx)"), "bare route")))


if __name__ == "__main__":
    main()
