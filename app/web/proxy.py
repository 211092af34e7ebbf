"""What stands between a client and this server: proxies, some of which are to be believed, and a path in front."""

from functools import lru_cache
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

TRUSTED: Final = "yukon.trusted"
"""In a scope: the request came through a proxy that is believed."""


class BehindProxy:
    """Makes a request what it was before the proxies: its client and scheme, and its whole path.

    Only those proxies are believed that are named. A proxy may cut off the prefix under which it shows the server or
    leave it on: either way a path has it from here on, as ASGI wants.
    """

    def __init__(self, app: ASGIApp, trusted: str, prefix: str) -> None:
        self._app = app
        self._forwarded = ProxyHeadersMiddleware(app, trusted)  # type: ignore[arg-type]  # the same, in other words
        self._trusts = lru_cache(maxsize=1024)(self._forwarded.trusted_hosts.__contains__)
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            client = scope.get("client")
            scope[TRUSTED] = self._trusts(client[0] if client else None)
            prefix = self._prefix
            if prefix:
                scope["root_path"] = prefix
                if not f"{scope['path']}/".startswith(f"{prefix}/"):
                    scope["path"] = prefix + scope["path"]
        if scope.get(TRUSTED):
            await self._forwarded(scope, receive, send)  # type: ignore[arg-type]
        else:
            await self._app(scope, receive, send)
