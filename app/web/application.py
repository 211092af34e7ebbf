"""The application, put together."""

import asyncio
import contextlib
import random
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from fastapi.middleware import Middleware

from app.advice import Advisor
from app.logs import LOG
from app.service import GameService
from app.settings import DEFAULTS, Settings
from app.store import StoreError
from app.web import api, api_advice, assets, errors, guide, pages, picture, play, play_advice
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


def create_app(service: GameService | None = None, settings: Settings = DEFAULTS, *, warm_up: bool = False) -> FastAPI:
    """A server around one service; a new, empty one in memory unless given.

    ``warm_up``: the solver gets ready with the server, not with the first question.
    """
    if service is None:
        service = GameService()
    advisor = Advisor(service, settings.searches, settings.solver_seconds, settings.solver_memory)
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
        lifespan=_lifespan(service, advisor, limits, settings.expire_seconds, warm_up=warm_up),
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
    api.install(app, service, advisor, limits)
    api_advice.install(app, advisor, limits)
    play.install(app, service, limits)
    play_advice.install(app, advisor, limits)
    pages.install(app, advisor, limits)
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
    service: GameService, advisor: Advisor, limits: Limits, expire: float | None, *, warm_up: bool
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        # A store that fails now may be back in a minute. A process that ended would be started again at once, for ever.
        try:
            await service.store.open()
        except StoreError as error:
            LOG.error("store: %s", error)
        sweeping = asyncio.create_task(_sweep(service, expire)) if expire is not None else None
        if warm_up:
            advisor.start()
        with _told_to_end(advisor.stop):
            yield
        if sweeping is not None:
            sweeping.cancel()
        await advisor.close()
        await limits.close()
        with contextlib.suppress(StoreError):
            await service.store.close()

    return lifespan


@contextlib.contextmanager
def _told_to_end(act: Callable[[], None]) -> Iterator[None]:
    """Act as soon as the process is told to end. A server would first wait for the answers that are still due."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(act)
        if callable(handle := before[signal.Signals(number)]):
            handle(number, frame)

    for number in before:
        signal.signal(number, hear)
    yield
    for number, handle in before.items():
        signal.signal(number, handle)


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
