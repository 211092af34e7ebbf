"""The JSON API, under ``/api/v1``."""

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator
from pydantic_core import to_json

from app.engine import CARDS, RULES, Board, Card, DealCode, Place, deal
from app.engine.cards import SUITS
from app.service import GameService, Session, Stale
from app.web import errors
from app.web.forms import described, read_json
from app.web.limits import Limits
from app.web.visitor import Visitor

CardText = Annotated[str, Field(pattern="^([A23456789TJQK][SHDC])$", examples=["5H"])]
ShownCard = Annotated[str, Field(pattern=r"^([A23456789TJQK][SHDC]|\?\?)$", examples=["5H", "??"])]
GameId = Annotated[str, Path(description="128 random bits, from `POST /games`.")]
_TEXTS = tuple(map(str, CARDS))
Target = Literal["1", "2", "3", "4", "5", "6", "7", "F"]


class In(BaseModel):
    """A body that a client sends: nothing in it is guessed at, and nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGame(In):
    """Either a deal code, or a rule for a random deal (Classic when nothing is said)."""

    code: StrictStr | None = Field(None, max_length=200, examples=["YU1-C-ABFHTIL"])
    rule: Literal["C", "R", "T"] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "NewGame":
        if self.code is not None and self.rule is not None:
            raise ValueError("a code names its rule itself")
        return self


class AtRev(In):
    """An action on the board of this ``rev``."""

    rev: StrictInt


class NewMove(AtRev):
    """A move of a card, with those on it, on the board of this ``rev``."""

    card: CardText
    to: Target | Literal["auto"] = Field(description="`auto`: what two quick taps do.")


class DealOut(BaseModel):
    """A layout as dealt; ``??`` is a face-down card."""

    code: str
    number: int
    rule: str
    columns: list[list[ShownCard]]


class GameOut(BaseModel):
    """A game as its player sees it; ``??`` is a face-down card."""

    id: str
    code: str
    rule: str
    rev: int
    score: int
    moves: int
    elapsed: float = Field(description="Seconds.")
    won: bool
    columns: list[list[ShownCard]] = Field(description="Seven, first card first.")
    foundations: dict[Literal["S", "H", "D", "C"], int] = Field(description="Rank of the top card; 0: empty.")
    undo: int = Field(description="How many steps can be undone.")
    redo: int = Field(description="How many steps can be redone.")


class MoveOut(BaseModel):
    card: CardText
    to: Target


class MovesOut(BaseModel):
    """Every legal move on the board of this ``rev``."""

    rev: int
    moves: list[MoveOut]


class ProblemOut(BaseModel):
    """What went wrong (RFC 9457). With ``stale`` comes the game as it is now."""

    type: str
    status: int
    title: str
    detail: str
    reason: str
    field: str | None = Field(None, description="With `invalid`: the field that makes no sense, or is missing.")
    game: GameOut | None = None


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"$ref": "#/components/schemas/ProblemOut"}}
    return {
        status: {"description": errors.status_phrase(status), "content": {errors.PROBLEM: schema}}
        for status in statuses
    }


class App(FastAPI):
    """A FastAPI whose description says how failures are told here, and not how FastAPI would tell them."""

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        if self.openapi_schema is None:
            whole = super().openapi()
            schemas = whole["components"]["schemas"]
            own = ProblemOut.model_json_schema(ref_template="#/components/schemas/{model}")
            del own["$defs"]  # there already
            schemas["ProblemOut"] = own
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            for path in whole["paths"].values():
                for call in path.values():
                    if "HTTPValidationError" in str(call["responses"].get("422")):
                        del call["responses"]["422"]
        return super().openapi()


def columns_out(board: Board) -> list[list[str]]:
    """The columns, first card first, with ``??`` for what lies face down."""
    return [
        ["??"] * down + [_TEXTS[number] for number in column[down:]]
        for column, down in zip(board.columns, board.face_down, strict=True)
    ]


def game_out(service: GameService, session: Session) -> dict[str, Any]:
    """A GameOut, as a plain dictionary: what the engine made needs no second check."""
    game = session.game
    return {
        "id": session.id,
        "code": str(game.code),
        "rule": game.rule.letter,
        "rev": game.rev,
        "score": game.score,
        "moves": game.moves,
        "elapsed": round(service.elapsed(session), 3),
        "won": game.is_won,
        "columns": columns_out(game.board),
        "foundations": dict(zip(SUITS, game.board.foundations, strict=True)),
        "undo": game.undo_steps,
        "redo": game.redo_steps,
    }


def install(app: FastAPI, service: GameService, limits: Limits) -> None:
    """The routes around a service, and the current game with every stale answer."""
    root = "/api/v1"
    changes: dict[int | str, dict[str, Any]] = {200: {"model": GameOut}, **_problems(403, 404, 409, 413, 422, 429, 503)}

    def shown(session: Session, status: int = 200) -> Response:
        return Response(to_json(game_out(service, session)), status, media_type="application/json")

    @app.post(root + "/games/{id}/moves", responses=changes, openapi_extra=described(NewMove))
    async def make_move(request: Request, id: GameId) -> Response:
        """Move a card, with the cards on it."""
        move = await read_json(request, NewMove)
        to = None if move.to == "auto" else Place.parse(move.to)
        accepted = await service.move(id, move.rev, Card.parse(move.card), to)
        return shown(accepted.session)

    @app.get(
        root + "/deals/{code}",
        responses={200: {"model": DealOut}, 308: {"description": "The canonical address"}, **_problems(404, 429)},
    )
    async def read_deal(request: Request, code: str) -> Response:
        """A deal's layout; a code that is not written in full leads to the one that is."""
        parsed = DealCode.parse(code)
        if code != str(parsed):
            return RedirectResponse(f"{Visitor.of(request).root}{root}/deals/{parsed}", 308)
        layout = columns_out(deal(parsed))
        return JSONResponse(
            {"code": code, "number": parsed.number, "rule": parsed.rule.letter, "columns": layout},
            headers={"cache-control": "public, max-age=86400"},
        )

    @app.post(
        root + "/games",
        status_code=201,
        responses={201: {"model": GameOut}, **_problems(403, 413, 422, 429, 503)},
        openapi_extra=described(NewGame),
    )
    async def create_game(request: Request) -> Response:
        """Make a game of a deal."""
        new = await read_json(request, NewGame)
        code = service.random_code(RULES[new.rule or "C"]) if new.code is None else DealCode.parse(new.code)
        await limits.new_game(request.scope)
        session = await service.open(code)
        response = shown(session, 201)
        response.headers["location"] = f"{Visitor.of(request).root}{root}/games/{session.id}"
        return response

    @app.get(root + "/games/{id}", responses={200: {"model": GameOut}, **_problems(404, 429, 503)})
    async def read_game(id: GameId) -> Response:
        """The game as it is now."""
        return shown(await service.get(id))

    @app.get(root + "/games/{id}/moves", responses={200: {"model": MovesOut}, **_problems(404, 429, 503)})
    async def read_moves(id: GameId) -> Response:
        """Every move that can be made now."""
        game = (await service.get(id)).game
        moves = [{"card": str(move.card), "to": str(move.to)} for move in game.legal_moves]
        return JSONResponse({"rev": game.rev, "moves": moves})

    @app.post(root + "/games/{id}/undo", responses=changes, openapi_extra=described(AtRev))
    async def undo(request: Request, id: GameId) -> Response:
        """Take the last step back; up to 100 of them."""
        at = await read_json(request, AtRev)
        accepted = await service.undo(id, at.rev)
        return shown(accepted.session)

    @app.post(root + "/games/{id}/redo", responses=changes, openapi_extra=described(AtRev))
    async def redo(request: Request, id: GameId) -> Response:
        """Play an undone step again."""
        at = await read_json(request, AtRev)
        accepted = await service.redo(id, at.rev)
        return shown(accepted.session)

    @app.post(root + "/games/{id}/restart", responses=changes, openapi_extra=described(AtRev))
    async def restart(request: Request, id: GameId) -> Response:
        """Deal the same cards anew."""
        at = await read_json(request, AtRev)
        accepted = await service.restart(id, at.rev)
        return shown(accepted.session)

    async def tell_stale(request: Request, error: Exception) -> Response:
        if not isinstance(error, Stale) or not errors.is_api(request):
            return errors.tell(request, error)
        failure = errors.failure_of(error, Visitor.of(request).language)
        return errors.problem(failure, game=game_out(service, error.session))

    app.add_exception_handler(Stale, tell_stale)
