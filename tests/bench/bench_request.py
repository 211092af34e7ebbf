"""A move through the whole application, called in process without a socket.

Baselines: the routes of ``tests.bench.bare``, called in the same way.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from starlette.types import ASGIApp

from app.web import create_app
from tests.bench.bare import API, NOTHING, PAGE, SIGNS, bare_app, bare_moves
from tests.bench.calls import NEW_GAME, Call, answer, api_moves, page_moves
from tests.bench.common import RATES, alternate, rows, show

ROUNDS = 9
GAMES = 10


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


async def api() -> float:
    app = create_app()
    ids = [json.loads(await answer(app, NEW_GAME))["id"] for _ in range(GAMES)]
    return await play(app, [api_moves(game) for game in ids], b'"won":true')


async def page() -> float:
    return await play(create_app(), [page_moves(secrets.token_urlsafe(16)) for _ in range(GAMES)], b"data-won")


def main() -> None:
    app = bare_app()
    with asyncio.Runner() as runner:

        def running(measure: Callable[[], Coroutine[Any, Any, float]]) -> Callable[[], float]:
            return lambda: runner.run(measure())

        def bare(kind: str) -> Callable[[], float]:
            return running(lambda: play(app, [bare_moves(kind)] * GAMES, SIGNS[kind]))

        found = alternate(
            ROUNDS,
            {
                NOTHING: bare(NOTHING),
                API: bare(API),
                "API move": running(api),
                PAGE: bare(PAGE),
                "page move (htmx)": running(page),
            },
        )
    show("A request in process", RATES, rows(found, {"API move": API, "page move (htmx)": PAGE}))


if __name__ == "__main__":
    main()
