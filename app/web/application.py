"""The application, put together."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from fastapi.middleware import Middleware

from app.logs import LOG
from app.service import GameService
from app.settings import DEFAULTS, Settings
from app.store import StoreError
from app.web import api, assets, errors, guide, pages, picture, play
from app.web.compress import Compress
from app.web.gate import Gate
from app.web.limits import Limits
from app.web.observe import Observe
from app.web.proxy import BehindProxy
from app.web.routes import PlainRoute
from app.web.security import BodyLimit, SecurityHeaders

if TYPE_CHECKING:
    from app.web.metrics import Metrics  # an extra

_SWEEP: Final = 3600.0  # seconds from one look for forgotten games to the next


def create_app(service: GameService | None = None, settings: Settings = DEFAULTS) -> FastAPI:
    """A server around one service; a new, empty one in memory unless given."""
    if service is None:
        service = GameService()
    limits = Limits(settings)
    metrics = _metrics(service) if settings.metrics else None
    app = api.App(
        title="Yukon",
        summary="Yukon Solitaire: deals, games and moves.",
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its pages load their code from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        # Of what goes on, paths tell the games' ids: nobody else is to collect them.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        lifespan=_lifespan(service, limits, settings.expire_seconds),
        middleware=[
            Middleware(BehindProxy, trusted=settings.forwarded_allow_ips, prefix=settings.root_path),
            Middleware(SecurityHeaders),
            Middleware(Observe, log=settings.log == "json", metrics=metrics),
            Middleware(Compress),
            Middleware(Gate, hosts=settings.hosts, limits=limits),
            Middleware(BodyLimit),
        ],
    )
    app.router.route_class = PlainRoute
    # Straight on the app: a router included in it costs each request as much as a move does.
    api.install(app, service, limits)
    play.install(app, service, limits)
    pages.install(app, service)
    picture.install(app, limits)
    guide.install(app, settings.expire_days)
    app.mount(assets.MOUNT, assets.Assets(), name="static")
    if metrics is not None:
        metrics.install(app)
    errors.install(app)
    return app


def _metrics(service: GameService) -> "Metrics":
    from app.web.metrics import Metrics

    return Metrics(service)


def _lifespan(
    service: GameService, limits: Limits, expire: float | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # A store that fails now may be back in a minute. A process that ended would be started again at once, for ever.
        try:
            await service.store.open()
        except StoreError as error:
            LOG.error("store: %s", error)
        sweeping = asyncio.create_task(_sweep(service, expire)) if expire is not None else None
        yield
        if sweeping is not None:
            sweeping.cancel()
        await limits.close()
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
            LOG.error("store: %s", error)
        else:
            if gone:
                LOG.info("%d games were forgotten that nobody played", gone)
