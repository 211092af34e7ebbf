"""Answers that take less of the line: pure ASGI middleware."""

import zlib
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SMALLEST: Final = 500
"""Bytes; less fits into a packet anyway."""

_LEVEL: Final = 6
_GZIP: Final = 16 + zlib.MAX_WBITS
_PACKED: Final = (b"text/", b"application/json", b"application/problem+json", b"application/xml")


class Compress:
    """Packs whole bodies of text with gzip for those who can read that. What comes in pieces, or packed, stays so.

    Starlette's own middleware takes four times as long over an answer that it leaves as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepts = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
        start: Message = {}

        async def send_packed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # what its headers say depends on the body
                return
            if start:
                if len(message.get("body", b"")) >= _SMALLEST and not message.get("more_body"):
                    _pack(start, message, accepts)
                begin, start = start, {}
                await send(begin)
            await send(message)

        await self._app(scope, receive, send_packed)


def _pack(start: Message, message: Message, accepts: bool) -> None:
    headers = dict(start["headers"])
    is_chosen = b"content-encoding" in headers or b"Accept-Encoding" in headers.get(b"vary", b"")  # of two files
    if is_chosen or not headers.get(b"content-type", b"").startswith(_PACKED):
        return
    start["headers"].append((b"vary", b"Accept-Encoding"))
    if accepts:
        packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        message["body"] = body = packing.compress(message["body"]) + packing.flush()
        length = b"%d" % len(body)
        kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
        start["headers"] = [*kept, (b"content-encoding", b"gzip"), (b"content-length", length)]
