"""The requests of the example game, as a program and as a page send them."""

import json
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

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


def bare_moves() -> list[Call]:
    """The same bodies for the bare route."""
    return [Call("/", JSON_TYPE, call.body) for call in api_moves("")]
