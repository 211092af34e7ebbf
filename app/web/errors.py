"""One table: which failure is which status, reason and message."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from app.engine import BadCard, BadCode, BadMove
from app.logs import Seldom
from app.service import Denied, Stale, TooMuch, UnknownGame
from app.store import StoreAway, StoreBusy, StoreError
from app.web import words
from app.web.i18n import Language
from app.web.render import render, render_changes
from app.web.visitor import Visitor

PROBLEM: Final = "application/problem+json"

_RETRY_AFTER: Final = "2"  # seconds; a store that is away is mostly soon back
_DAY: Final = "86400"
_FIELD: Final = 40  # characters; a field that is known here has fewer

_TROUBLE: Final = Seldom(logging.ERROR)
_CROWD: Final = Seldom(logging.WARNING)


class WrongHost(Exception):
    """The request is for a site that isn't ours."""


class CrossSite(Exception):
    """Another site asks for a change, in the name of whoever looks at it."""


class Ending(Exception):
    """The server ends before the request has come to its end."""

    headers: Final = {"retry-after": _RETRY_AFTER, "connection": "close"}


class Crowded(Exception):
    """There are more connections than the process takes."""

    headers: Final = {"retry-after": _RETRY_AFTER, "connection": "close"}  # which makes one less


class TooMany(Exception):
    """The client has asked for too much, and may ask again after so many seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__(wait)
        self.headers: Final = {"retry-after": str(math.ceil(wait))}
        self.minutes: Final = math.ceil(wait / 60)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as it is told."""

    status: int
    reason: str
    """A reason code of the API."""
    title: str
    detail: str
    field: str | None = None
    """What of the request makes no sense, where that is one field."""


_HTTP: Final[Mapping[int, tuple[str, str]]] = {
    404: ("not_found", "not_found"),
    405: ("invalid", "method"),
    413: ("invalid", "too_large"),
}


def failure_of(error: Exception, language: Language, *, in_address: bool = True) -> Failure:  # noqa: C901 - a row for each kind of failure
    """How an exception is told in a language.

    ``in_address``: what was asked for stands in the address, so that a wrong deal code means there is no such page.
    """
    _ = language.gettext

    def told(status: int, reason: str, key: str, detail: str | None = None, field: str | None = None) -> Failure:
        title, plain = words.FAILURES[key]
        return Failure(status, reason, _(title), detail or _(plain), field)

    match error:
        case Stale():
            return told(409, error.reason.value, "stale")
        case Denied():
            return told(422, error.reason.value, "refused", words.why_denied(language, error))
        case UnknownGame():
            return told(404, "not_found", "no_game")
        case BadCode():
            return told(404 if in_address else 422, "bad_code", "bad_code", _(words.BAD_CODE[error.problem]))
        case ClientDisconnect():  # nobody hears it
            return told(400, "invalid", "invalid")
        case BadCard() | BadMove() | RequestValidationError():
            field = _field_of(error)
            detail = _(words.BAD_FIELD) % {"field": field} if field else None
            return told(422, "invalid", "invalid", detail, field)
        case HTTPException():
            reason, key = _HTTP.get(error.status_code, ("invalid", "invalid"))
            return told(error.status_code, reason, key)
        case WrongHost():
            return told(400, "invalid", "wrong_host")
        case CrossSite():
            return told(403, "forbidden", "cross_site")
        case TooMany():
            return told(429, "too_many", "too_many", words.wait(language, error.minutes))
        case TooMuch():
            return told(429, "too_many", error.what)
        case Crowded():
            return told(503, "unavailable", "crowded")
        case StoreAway() | StoreBusy() | Ending():
            return told(503, "unavailable", "store_away")
        case StoreError():
            return told(503, "unavailable", "store_broken")
        case _:
            return told(500, "internal", "internal")


def _field_of(error: Exception) -> str | None:
    match error:
        case BadCard():
            return "card"
        case BadMove():
            return "to"
        case RequestValidationError():
            places = (fault["loc"] for fault in error.errors())
            return next((place[0][:_FIELD] for place in places if place and isinstance(place[0], str)), None)
    return None


def problem(failure: Failure, **more: object) -> JSONResponse:
    """A problem body (RFC 9457)."""
    body = {
        "type": "about:blank",
        "status": failure.status,
        "title": failure.title,
        "detail": failure.detail,
        "reason": failure.reason,
        **({} if failure.field is None else {"field": failure.field}),
        **more,
    }
    return JSONResponse(body, failure.status, media_type=PROBLEM)


def error_page(visitor: Visitor, failure: Failure) -> Response:
    """A readable page; for htmx just the message."""
    if visitor.is_htmx:
        return render_changes(visitor, failure.detail, failure.status)
    return render(visitor, "failure.html", {"failure": failure}, failure.status)


def is_api(request: Request) -> bool:
    """Whether a program asks, and wants JSON."""
    root: str = request.scope.get("root_path", "")
    path: str = request.scope["path"]
    return path.removeprefix(root).startswith("/api/")


def tell(request: Request, error: Exception) -> Response:
    """The answer to a failed request, in the caller's form and language."""
    visitor = Visitor.of(request)
    in_api = is_api(request)
    in_address = not in_api or request.method in ("GET", "HEAD")
    failure = failure_of(error, visitor.language, in_address=in_address)
    response = problem(failure) if in_api else error_page(visitor, failure)
    response.headers.update(getattr(error, "headers", None) or {})  # such as Allow
    match error:
        case TooMuch():
            response.headers["retry-after"] = _DAY  # by then the limit may have been raised, or old games forgotten
        case StoreError():
            response.headers["retry-after"] = _RETRY_AFTER
            _TROUBLE.say(f"store: {error}")
        case Crowded():
            _CROWD.say("there are more connections than YUKON_MAX_CONNECTIONS, so requests are answered with 503")
    return response


def install(app: FastAPI) -> None:
    """Tell every failure through ``tell``, also the ones nobody expected."""

    async def handle(request: Request, error: Exception) -> Response:
        return tell(request, error)

    for kind in (
        Denied, UnknownGame, BadCode, BadCard, BadMove, RequestValidationError, HTTPException, StoreError, TooMany,
        TooMuch, ClientDisconnect, Exception,
    ):  # fmt: skip
        app.add_exception_handler(kind, handle)


def status_phrase(status: int) -> str:
    """For the OpenAPI description."""
    return HTTPStatus(status).phrase
