"""Who is let in: requests for this site, not too many from one client, and changes that our own pages ask for."""

from typing import Final

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web import errors
from app.web.connections import is_crowded
from app.web.errors import CrossSite, Crowded, TooMany, WrongHost
from app.web.limits import Limits

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_FOR_MACHINES: Final = frozenset({"/healthz", "/metrics"})  # they ask under whatever name they know
_OWN_SITES: Final = frozenset({b"same-origin", b"none"})  # none: the player typed the address, or opened a bookmark


class Gate:
    """Raises nothing: whoever is turned away is told why, in the form and language they asked for."""

    def __init__(self, app: ASGIApp, hosts: str, limits: Limits) -> None:
        """``hosts``: names with commas between; ``*``: any."""
        self._app = app
        self._limits = limits
        names = [name.strip().lower() for name in hosts.split(",") if name.strip()]
        self._any_host = "*" in names or not names
        self._hosts = frozenset(names)
        self._parents = tuple(name[1:] for name in names if name.startswith("*."))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        error = self._objection(scope)
        if error is None:
            await self._app(scope, receive, send)
        else:
            await errors.tell(Request(scope, receive), error)(scope, receive, send)

    def _objection(self, scope: Scope) -> Exception | None:
        if is_crowded(scope):
            return Crowded()
        if scope["path"].removeprefix(scope.get("root_path", "")) in _FOR_MACHINES:
            return None
        if not self._any_host and not self._knows(scope):
            return WrongHost()
        try:
            self._limits.request(scope)
        except TooMany as error:
            return error
        if scope["method"] not in _SAFE and is_cross_site(scope):
            return CrossSite()
        return None

    def _knows(self, scope: Scope) -> bool:
        host = _without_port(Headers(scope=scope).get("host", "")).lower().rstrip(".")
        return host in self._hosts or host.endswith(self._parents)


def is_cross_site(scope: Scope) -> bool:
    """Whether a browser says that another site than ours makes this request.

    Every browser of today says so in one of two headers; whatever sends neither is none, and carries nobody's cookies.
    """
    said = dict(scope["headers"])
    site = said.get(b"sec-fetch-site")
    if site is not None:
        return site.lower() not in _OWN_SITES
    origin = said.get(b"origin")
    if origin is None:
        return False
    scheme, separator, asked_from = origin.lower().decode("latin-1").partition("://")
    host = said.get(b"host", b"").lower().decode("latin-1")
    # The scheme may differ: a proxy that ends TLS need not say so.
    return not separator or not host or scheme not in ("http", "https") or _cut(asked_from) != _cut(host)


def _cut(host: str) -> str:
    """Without a port that needs no saying."""
    return host.removesuffix(":80").removesuffix(":443")


def _without_port(host: str) -> str:
    name, separator, port = host.rpartition(":")
    return name if separator and (port.isdecimal() or not port) and not name.endswith(":") else host
