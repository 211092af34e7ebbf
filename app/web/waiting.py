"""Answers that take a while, and clients that don't wait for them."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

T = TypeVar("T")


async def unless_gone(request: Request, answer: Coroutine[Any, Any, T]) -> T:
    """An answer; it is given up when its client goes away. Raises ClientDisconnect then.

    The body has been read, or there is none.
    """
    answering = asyncio.ensure_future(answer)
    leaving = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            leaving.result()  # raises what was wrong with a body that nobody asked for
            raise ClientDisconnect
        return answering.result()
    finally:
        answering.cancel()
        leaving.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
