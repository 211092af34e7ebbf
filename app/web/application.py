"""The application, put together."""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app.service import GameService
from app.store import StoreError
from app.web import api, assets, errors, guide, pages, picture, play
from app.web.security import BodyLimit, SecurityHeaders

_SWEEP: Final = 3600.0  # seconds from one look for forgotten games to the next
_LOG: Final = logging.getLogger("yukon")


def create_app(service: GameService | None = None, expire: float | None = None) -> FastAPI:
    """A server around one service; a new, empty one in memory unless given.

    ``expire``: after how many seconds a game is forgotten that nobody plays and nobody has won; None: never.
    """
    if service is None:
        service = GameService()
    app = FastAPI(
        title="Yukon",
        summary="Yukon Solitaire: deals, games and moves.",
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its pages load their code from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(service, expire),
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(GZipMiddleware, minimum_size=500, compresslevel=6),
            Middleware(BodyLimit),
        ],
    )
    # Straight on the app: a router included in it costs each request as much as a move does.
    api.install(app, service)
    play.install(app, service)
    pages.install(app, service)
    picture.install(app)
    guide.install(app)
    app.mount(assets.MOUNT, assets.Assets(), name="static")
    errors.install(app)
    return app


def _lifespan(service: GameService, expire: float | None) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # A store that fails now may be back in a minute. A process that ended would be started again at once, for ever.
        try:
            await service.store.open()
        except StoreError as error:
            _LOG.error("store: %s", error)
        sweeping = asyncio.create_task(_sweep(service, expire)) if expire is not None else None
        yield
        if sweeping is not None:
            sweeping.cancel()
        with contextlib.suppress(StoreError):
            await service.store.close()

    return lifespan


async def _sweep(service: GameService, expire: float) -> None:
    """Forget the games that nobody plays, again and again."""
    while True:
        await asyncio.sleep(_SWEEP * random.uniform(0.1, 1.0))  # noqa: S311 - not all processes at once
        try:
            gone = await service.expire(expire)
        except StoreError as error:
            _LOG.error("store: %s", error)
        else:
            if gone:
                _LOG.info("%d games were forgotten that nobody played", gone)
