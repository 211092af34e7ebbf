"""The requests of the example game, as a program and as a page send them; and how to ask them without a socket."""

import asyncio
import json
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message, Scope

from tests.bench.common import example_game

CODE, MOVES = example_game()

JSON_TYPE: Final = {"content-type": "application/json"}
HTMX: Final = {
    "content-type": "application/x-www-form-urlencoded",
    "hx-request": "true",
    "sec-fetch-site": "same-origin",
    "accept": "text/html",
    "accept-language": "en",
}


@dataclass(frozen=True, slots=True)
class Call:
    """A POST request."""

    path: str
    headers: dict[str, str]
    body: bytes


NEW_GAME: Final = Call("/api/v1/games", JSON_TYPE, json.dumps({"code": str(CODE)}).encode())


def api_moves(game: str) -> list[Call]:
    """The moves of the example game, for a game made by ``NEW_GAME``."""
    return [
        Call(
            f"/api/v1/games/{game}/moves",
            JSON_TYPE,
            json.dumps({"rev": rev, "card": str(move.card), "to": str(move.to)}).encode(),
        )
        for rev, move in enumerate(MOVES)
    ]


def page_moves(player: str) -> list[Call]:
    """The same, as htmx sends them from the page of a player: 22 characters."""
    headers = {**HTMX, "cookie": f"yukon={player}.11010000.."}
    return [
        Call(
            f"/play/{CODE}/move",
            headers,
            urlencode({"card": str(move.card), "to": str(move.to), "rev": rev, "visible": "900"}).encode(),
        )
        for rev, move in enumerate(MOVES)
    ]


def scope_of(call: Call) -> Scope:
    """What uvicorn would make of a request."""
    headers = {"host": "localhost:8000", "content-length": str(len(call.body)), **call.headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": call.path,
        "raw_path": call.path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }


async def answer(app: ASGIApp, call: Call) -> bytes:
    """The body of a successful answer."""
    messages: list[Message] = []
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()
        asked = True
        return {"type": "http.request", "body": call.body, "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    await app(scope_of(call), receive, send)
    body = b"".join(message.get("body", b"") for message in messages[1:])
    if messages[0]["status"] >= 300:
        raise RuntimeError(f"{call.path}: {messages[0]['status']} {body[:300]!r}")
    return body
