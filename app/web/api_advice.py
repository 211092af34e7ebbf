"""The part of the JSON API that tells how a game or a deal stands."""

from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field

from app.advice import Advisor, Judged, Status, Verdict
from app.engine import DealCode, Move
from app.web.api import ROOT, AtRev, GameId, MoveOut, problems
from app.web.forms import described, read_json
from app.web.limits import Limits
from app.web.visitor import Visitor
from app.web.waiting import unless_gone

STATUS = Field(description="`won`: it can be won; `lost`: it certainly cannot; `unknown`: `reason` says why.")
REASON = Field(
    description="Of `lost`: `exhausted` or `blocked`. Of `unknown`: the budget that ended (`time`, `nodes`, `memory`); "
    "`stopped` with the server; `replaced` by a later question about the game; `busy`, `warming`: ask again soon; "
    "`failed`; `off`: no verdicts are searched here."
)
UNDER = Field(description="Face-down cards were looked at.")
MARKED = Field(description="The game is marked: only a question that nothing looked into leaves no mark.")


class HintOut(BaseModel):
    """What to do next on the board of this ``rev``, by what lies face up."""

    rev: int
    hint: MoveOut | None = Field(description="null: nothing that turns a card up or brings one home is in sight.")
    assisted: Literal[True]


class DealVerdictOut(BaseModel):
    """Whether a deal can be won by a player who sees every card."""

    code: str
    status: Status = STATUS
    reason: str = REASON
    nodes: int = Field(description="Positions that were looked at.")
    seconds: float


class VerdictOut(BaseModel):
    """Whether the board of this ``rev`` can still be won by a player who sees every card."""

    rev: int
    status: Status = STATUS
    reason: str = REASON
    nodes: int = Field(description="Positions that were looked at.")
    seconds: float
    looked_under: bool = UNDER
    assisted: bool = MARKED


class SolutionOut(VerdictOut):
    """The same, with a line that wins. No other answer names cards that lie face down."""

    moves: list[MoveOut] = Field(description="To the win, one after the other; empty unless the status is `won`.")


class TraceOut(VerdictOut):
    """Where a game was lost, within the moves that can be undone; and whether this board can still be won."""

    undo: int | None = Field(
        description="How many undos lead to the last board that can be won; 0: it is this one. "
        "null: none of them can, as far as is known."
    )
    certain: bool = Field(description="Whether all boards after that one are lost; for null, all there are.")


def install(app: FastAPI, advisor: Advisor, limits: Limits) -> None:
    """The routes around an advisor."""
    game = ROOT + "/games/{id}"
    asked = problems(403, 404, 409, 413, 422, 429, 503)

    @app.post(game + "/hint", responses={200: {"model": HintOut}, **asked}, openapi_extra=described(AtRev))
    async def give_hint(request: Request, id: GameId) -> Response:
        """What to do next, from what the player can see. Marks the game as assisted, as every answer below does."""
        at = await read_json(request, AtRev)
        await limits.verdict(request.scope)
        hinted = await unless_gone(request, advisor.hint(id, at.rev))
        move = None if hinted.move is None else _move(hinted.move)
        return JSONResponse({"rev": at.rev, "hint": move, "assisted": True})

    @app.post(game + "/verdict", responses={200: {"model": VerdictOut}, **asked}, openapi_extra=described(AtRev))
    async def give_verdict(request: Request, id: GameId) -> Response:
        """Whether it can still be won."""
        judged = await _judged(request, id)
        return JSONResponse(_about(judged))

    @app.post(game + "/solution", responses={200: {"model": SolutionOut}, **asked}, openapi_extra=described(AtRev))
    async def give_solution(request: Request, id: GameId) -> Response:
        """A whole line that wins, where one is known: this names cards that lie face down."""
        judged = await _judged(request, id)
        return JSONResponse({**_about(judged), "moves": [*map(_move, judged.verdict.moves)]})

    async def _judged(request: Request, id: str) -> Judged:
        at = await read_json(request, AtRev)
        await limits.verdict(request.scope)
        return await unless_gone(request, advisor.verdict(id, at.rev))

    @app.post(game + "/trace", responses={200: {"model": TraceOut}, **asked}, openapi_extra=described(AtRev))
    async def trace(request: Request, id: GameId) -> Response:
        """Where it was lost."""
        at = await read_json(request, AtRev)
        await limits.verdict(request.scope)
        traced = await unless_gone(request, advisor.trace(id, at.rev))
        rest = {"undo": traced.back, "certain": traced.is_certain}
        return JSONResponse({**_about(traced), **rest})

    @app.get(
        ROOT + "/deals/{code}/verdict",
        responses={
            200: {"model": DealVerdictOut},
            308: {"description": "The canonical address"},
            **problems(404, 413, 429),
        },
    )
    async def judge_deal(request: Request, code: str) -> Response:
        """Whether a deal can be won."""
        parsed = DealCode.parse(code)
        if code != str(parsed):
            return RedirectResponse(f"{Visitor.of(request).root}{ROOT}/deals/{parsed}/verdict", 308)
        await limits.verdict(request.scope)
        verdict = await unless_gone(request, advisor.judge_deal(parsed))
        headers = {} if verdict.status == "unknown" else {"cache-control": "public, max-age=86400"}
        return JSONResponse({"code": code, **_figures(verdict)}, headers=headers)


def _move(move: Move) -> dict[str, str]:
    return {"card": str(move.card), "to": str(move.to)}


def _figures(verdict: Verdict) -> dict[str, Any]:
    return {
        "status": verdict.status,
        "reason": verdict.reason,
        "nodes": verdict.nodes,
        "seconds": verdict.seconds,
    }


def _about(judged: Judged) -> dict[str, Any]:
    rest = {"looked_under": judged.looked_under, "assisted": judged.session.is_assisted}
    return {"rev": judged.session.game.rev, **_figures(judged.verdict), **rest}
