"""One table: which failure is which status, reason and message."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.engine import BadCard, BadCode, BadMove
from app.service import Denied, Stale, UnknownGame
from app.web import words
from app.web.i18n import Language
from app.web.render import VARY, base_context, is_htmx, language_of, render

PROBLEM: Final = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as it is told."""

    status: int
    reason: str
    """A reason code of the API."""
    title: str
    detail: str


_HTTP: Final[Mapping[int, tuple[str, str]]] = {
    404: ("not_found", "not_found"),
    405: ("invalid", "method"),
    413: ("invalid", "too_large"),
}


def failure_of(error: Exception, language: Language, *, in_address: bool = True) -> Failure:
    """How an exception is told in a language.

    ``in_address``: what was asked for stands in the address, so that a wrong deal code means there is no such page.
    """
    _ = language.gettext

    def told(status: int, reason: str, key: str, detail: str | None = None) -> Failure:
        title, plain = words.FAILURES[key]
        return Failure(status, reason, _(title), detail or _(plain))

    match error:
        case Stale():
            return told(409, error.reason.value, "stale")
        case Denied():
            return told(422, error.reason.value, "refused", words.why_denied(language, error))
        case UnknownGame():
            return told(404, "not_found", "no_game")
        case BadCode():
            return told(404 if in_address else 422, "bad_code", "bad_code", _(words.BAD_CODE[error.problem]))
        case BadCard() | BadMove() | RequestValidationError():
            return told(422, "invalid", "invalid")
        case HTTPException():
            reason, key = _HTTP.get(error.status_code, ("invalid", "invalid"))
            return told(error.status_code, reason, key)
        case _:
            return told(500, "internal", "internal")


def problem(failure: Failure, headers: Mapping[str, str] | None = None, **more: object) -> JSONResponse:
    """A problem body (RFC 9457)."""
    body = {
        "type": "about:blank",
        "status": failure.status,
        "title": failure.title,
        "detail": failure.detail,
        "reason": failure.reason,
        **more,
    }
    return JSONResponse(body, failure.status, media_type=PROBLEM, headers=headers)


def error_page(request: Request, failure: Failure, headers: Mapping[str, str] | None = None) -> Response:
    """A readable page; for htmx just the message."""
    language = language_of(request)
    template = "changes.html" if is_htmx(request) else "failure.html"
    context = {**base_context(request), "failure": failure, "message": failure.detail}
    html = render(language, template, context)
    return HTMLResponse(html, failure.status, headers={"vary": VARY, **(headers or {})})


def is_api(request: Request) -> bool:
    """Whether a program asks, and wants JSON."""
    root: str = request.scope.get("root_path", "")
    path: str = request.scope["path"]
    return path.removeprefix(root).startswith("/api/")


def tell(request: Request, error: Exception) -> Response:
    """The answer to a failed request, in the caller's form and language."""
    api = is_api(request)
    failure = failure_of(error, language_of(request), in_address=not api or request.method in ("GET", "HEAD"))
    headers = getattr(error, "headers", None)  # such as Allow
    return problem(failure, headers) if api else error_page(request, failure, headers)


def install(app: FastAPI) -> None:
    """Tell every failure through ``tell``, also the ones nobody expected."""

    async def handle(request: Request, error: Exception) -> Response:
        return tell(request, error)

    for kind in (
        Denied, UnknownGame, BadCode, BadCard, BadMove, RequestValidationError, HTTPException, Exception,
    ):  # fmt: skip
        app.add_exception_handler(kind, handle)


def status_phrase(status: int) -> str:
    """For the OpenAPI description."""
    return HTTPStatus(status).phrase
