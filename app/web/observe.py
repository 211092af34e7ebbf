"""What is known of each request: its id, how it ended and how long it took. Neither who asked nor for which game."""

import asyncio
import random
import re
import time
from typing import TYPE_CHECKING, Final

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.logs import LOG
from app.web import errors
from app.web.errors import Ending
from app.web.proxy import TRUSTED

if TYPE_CHECKING:
    from app.web.metrics import Metrics  # an extra

_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


class Observe:
    """Names each request in ``X-Request-Id``, and notes what came of it.

    An id is taken over from a proxy that is believed, else made anew. A mistake of ours is told from here, since past
    the middleware an answer would lack its headers; then it goes on its way into the log.
    """

    def __init__(self, app: ASGIApp, log: bool, metrics: "Metrics | None") -> None:
        self._app = app
        self._log = log
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        name = _given(scope) or b"%016x" % random.getrandbits(64)
        status = 0

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", name)]
            await send(message)

        try:
            await self._app(scope, receive, send_named)
        except asyncio.CancelledError:  # the server ends, and has waited for this request as long as it can
            if not status:
                await errors.tell(Request(scope, receive), Ending())(scope, receive, send_named)
        except Exception as error:
            if not status:
                await errors.tell(Request(scope, receive), error)(scope, receive, send_named)
            raise
        finally:
            if self._log or self._metrics is not None:
                self._note(scope, name.decode(), status, time.perf_counter() - began)

    def _note(self, scope: Scope, name: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"  # a client could make up thousands
        route = _route(scope)
        if self._metrics is not None:
            self._metrics.note(method, route, status, seconds)
        if self._log:
            fields = {"id": name, "method": method, "route": route, "status": status, "ms": round(seconds * 1000, 2)}
            LOG.info("request", extra={"fields": fields})


def _given(scope: Scope) -> bytes | None:
    if not scope.get(TRUSTED):
        return None
    given: bytes = dict(scope["headers"]).get(b"x-request-id", b"")
    return given if _ID.fullmatch(given) else None


def _route(scope: Scope) -> str:
    """The pattern of an address, such as ``/play/{code}/move``; the rest would say which game it was."""
    route = scope.get("route")
    path: str | None = getattr(route, "path", None)
    return path or ("static" if "/static/" in scope["path"] else "none")
