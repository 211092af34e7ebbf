"""What uvicorn leaves open: clients that open more connections than there is room for, say nothing, or never end."""

import asyncio
from typing import Any, Final

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_PATIENCE: Final = 10.0  # seconds; a request that takes up to twice as long to arrive is given up
_LONGEST_HEAD: Final = 64 * 1024  # bytes
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_CROWDED: Final = "yukon.crowded"


def is_crowded(scope: Scope) -> bool:
    """Whether there were too many connections when a request came."""
    return _CROWDED in scope


class GuardedProtocol(HttpToolsProtocol):
    """One connection.

    Takes ``limit_concurrency`` over from uvicorn, which answers in plain English and writes a line for each. Closes a
    connection on which a request, also the first one, doesn't arrive in time, or has no end to its headers.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **options)
        self._most, self.limit_concurrency = self.limit_concurrency, None
        self._head = 0  # bytes
        self._in_head = False
        self._watching: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Watch it."""
        super().connection_made(transport)
        self._watching = self.loop.call_later(_PATIENCE, self._watch, self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Watch it no more."""
        if self._watching is not None:
            self._watching.cancel()
        super().connection_lost(exc)

    def _watch(self, awaited: object) -> None:
        """``awaited``: which request was awaited a while ago."""
        # A timer of each connection that looks now and then costs requests nothing, as one of each request would.
        awaits = self._awaits()
        if awaits is not None and awaits is awaited:
            self.transport.close()
        else:
            self._watching = self.loop.call_later(_PATIENCE, self._watch, awaits)

    def _awaits(self) -> object:
        """What tells the request that has begun to arrive, or is to be the first, from others; None: there is none."""
        cycle = self.cycle
        if cycle is None:
            return self
        if cycle.response_complete:  # then uvicorn counts the time until the next one begins
            return cycle.message_event if self.timeout_keep_alive_task is None else None
        return cycle if cycle.more_body else None

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > _LONGEST_HEAD and not self.transport.is_closing():
                self.transport.write(_TOO_LONG)
                self.transport.close()

    def on_message_begin(self) -> None:
        """A request arrives."""
        super().on_message_begin()
        self._head, self._in_head = 0, True
        if self._most is not None and len(self.connections) > self._most:
            self.scope[_CROWDED] = True  # type: ignore[typeddict-unknown-key]  # for ``is_crowded``

    def on_headers_complete(self) -> None:
        """The rest is its body."""
        self._in_head = False
        super().on_headers_complete()
