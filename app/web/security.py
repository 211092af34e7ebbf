"""What every answer carries, and how much a request may: pure ASGI middleware."""

from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"permissions-policy",  # sharing and the clipboard are ours; of the rest nothing
        b"camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()",
    ),
)
_TLS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
_SAME_ORIGIN: Final = (b"cross-origin-resource-policy", b"same-origin")
_NO_STORE: Final = (b"cache-control", b"no-store")

MAX_BODY: Final = 16 * 1024
"""The most bytes a request may carry."""


class SecurityHeaders:
    """Everything comes from here, nothing is inline, and nobody frames us."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"] = [*message["headers"], *_HEADERS]
                said = {name for name, _ in headers}
                if b"cache-control" not in said:
                    headers.append(_NO_STORE)
                if b"cross-origin-resource-policy" not in said:
                    headers.append(_SAME_ORIGIN)
                if scope["scheme"] == "https":
                    headers.append(_TLS_ONLY)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class BodyLimit:
    """Reads no more than MAX_BODY bytes of a request; over that whoever reads it gets an HTTPException 413.

    FastAPI's own limit answers in plain English text, past the headers above and the player's language.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        taken = MAX_BODY + 1 if declared.isdecimal() and (len(declared) > 9 or int(declared) > MAX_BODY) else 0

        async def receive_limited() -> Message:
            nonlocal taken
            message = await receive() if taken <= MAX_BODY else {}
            taken += len(message.get("body", b""))
            if taken > MAX_BODY:
                raise HTTPException(413)
            return message

        await self._app(scope, receive_limited, send)
