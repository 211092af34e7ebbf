"""Routes that stand between a request and its endpoint as little as can be."""

from collections.abc import Callable
from inspect import signature
from typing import Any, Final

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

_REQUEST: Final = "request"


class PlainRoute(APIRoute):
    """Calls an endpoint straight if all it takes is the request and parts of the path; others go FastAPI's way.

    Such an endpoint is async, reads the body itself (see ``forms``) and gives a response, so there is nothing for
    FastAPI to solve, check or close, which costs as much as a move does. It is described in OpenAPI as any other.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401 - FastAPI's
        super().__init__(path, endpoint, **options)
        self._head: Final = path.partition("{")[0]
        takes = set(signature(endpoint).parameters)
        if takes <= {_REQUEST, *self.param_convertors}:
            self.app = _straight(endpoint, _REQUEST in takes)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As APIRoute; most requests are for another route, which is seen sooner here."""
        return super().matches(scope) if self._head in scope["path"] else (Match.NONE, {})


def _straight(endpoint: Callable[..., Any], takes_request: bool) -> Callable[[Scope, Receive, Send], Any]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        parts = scope["path_params"]
        if takes_request:
            response = await endpoint(**parts, request=Request(scope, receive, send))
        else:
            response = await endpoint(**parts)
        await response(scope, receive, send)

    return app
