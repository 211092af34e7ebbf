"""The baselines: what an author of FastAPI would write if a move did nothing.

Two routes take the bodies that the real ones take, checked by FastAPI and pydantic in their ordinary way (a model for a
parameter), and answer with as much of the same type: ``POST /api/moves/{id}`` with a game as a model, always the same,
``POST /play/{code}/move`` with as many letters of HTML as the answers to the example game have on average. Nothing is
looked up, played, stored or drawn, and none of our middleware stands before them. ``POST /`` reads nothing and answers
with a constant of fifteen bytes; nothing is compared with it, it shows what uvicorn and FastAPI cost by themselves.
"""

import asyncio
from typing import Annotated, Final

from fastapi import FastAPI, Form
from fastapi.responses import HTMLResponse

from app.engine import Game
from app.service import GameService, Session
from app.web import create_app
from app.web.api import GameOut, NewMove, game_out
from app.web.play import BoardForm
from tests.bench.calls import CODE, JSON_TYPE, MOVES, Call, answer, api_moves, page_moves

API: Final = "bare API route"
PAGE: Final = "bare page route"
NOTHING: Final = "route that reads nothing"

SIGNS: Final = {API: b'"won":false', PAGE: b"</p>", NOTHING: b"ok"}
"""What each of their answers bears."""


def bare_app() -> FastAPI:
    """An application with these three routes, and nothing else. To be called while no event loop runs."""
    app = FastAPI(openapi_url=None)
    session = Session("A" * 22, Game.replay(CODE, MOVES[: len(MOVES) // 2]))
    game = GameOut(**game_out(GameService(), session))
    page = f"<p>{'x' * (asyncio.run(_page_size()) - 7)}</p>"

    @app.post("/")
    async def constant() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/api/moves/{id}")
    async def api_move(id: str, move: NewMove) -> GameOut:  # noqa: ARG001 - they are read, that is the point
        return game

    @app.post("/play/{code}/move")
    async def page_move(code: str, form: Annotated[BoardForm, Form()]) -> HTMLResponse:  # noqa: ARG001
        return HTMLResponse(page)

    return app


async def _page_size() -> int:
    """Bytes of an answer to htmx in the example game, on average."""
    app = create_app()
    calls = page_moves("A" * 22)
    return sum([len(await answer(app, call)) for call in calls]) // len(calls)


def bare_moves(kind: str) -> list[Call]:
    """The requests of the example game for one of the baselines."""
    if kind == PAGE:
        return page_moves("A" * 22)
    path = "/" if kind == NOTHING else "/api/moves/" + "A" * 22
    return [Call(path, JSON_TYPE, call.body) for call in api_moves("")]
