"""The board of a deal, and what a player does on it."""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BeforeValidator, Field

from app.advice import Status
from app.engine import UNDO_LIMIT, BadCard, Card, DealCode, Game, Place
from app.service import Accepted, Denied, GameService, Seat, Session, Stale
from app.web import errors, views, words
from app.web.forms import FormModel, read_form
from app.web.i18n import Language
from app.web.limits import Limits
from app.web.render import render, render_changes
from app.web.visitor import Visitor

_LONGEST_VISIBLE = 2**53  # milliseconds; what a browser can count

Milliseconds = Annotated[int, Field(ge=-_LONGEST_VISIBLE, le=_LONGEST_VISIBLE)]


class BoardForm(FormModel):
    """The one form of the board, whichever of its buttons sends it."""

    rev: int
    card: str = ""
    to: str = ""
    steps: Annotated[int, Field(ge=1, le=UNDO_LIMIT)] = 1
    """How many to undo."""
    visible: Annotated[Milliseconds | None, BeforeValidator(lambda text: text or None)] = None
    """For how long the page was in view since it last told; None where no script counts."""

    @property
    def seconds(self) -> float | None:
        return None if self.visible is None else self.visible / 1000


class LookForm(FormModel):
    """What a page tells when it goes out of view."""

    visible: Milliseconds


class Leads(Exception):
    """The deal code in the address is not in its canonical form."""

    def __init__(self, code: DealCode) -> None:
        super().__init__(str(code))
        self.code = code


@lru_cache(maxsize=4096)
def canonical(code: str) -> DealCode:
    """The deal of an address. Raises BadCode, and Leads for a code that is written in another form."""
    parsed = DealCode.parse(code)
    if str(parsed) != code:
        raise Leads(parsed)
    return parsed


def show_table(visitor: Visitor, table: views.Table, status: int = 200) -> Response:
    """The whole page; for htmx the table alone, wherever in the page the request came from."""
    if not visitor.is_htmx:
        return render(visitor, "play.html", {"table": table}, status)
    response = render(visitor, "_table.html", {"table": table}, status)
    response.headers["hx-retarget"] = "#table"
    response.headers["hx-reswap"] = "outerHTML"
    return response


def show_changes(visitor: Visitor, table: views.Table, before: Game) -> Response:
    """What differs from the board before."""
    columns, foundations = views.changed(before.board, table.game.board)
    changed = {"table": table, "columns": table.columns(columns), "foundations": table.foundations(foundations)}
    return render_changes(visitor, "", changed=changed)


def show_denied(visitor: Visitor, denied: Denied) -> Response:
    """Why nothing was changed; with the table of now for one who saw another."""
    failure = errors.failure_of(denied, visitor.language)
    # Undo and redo say why they did nothing in any case: nothing on the board would show it.
    silent = denied.card is not None and not visitor.player.preferences.interactive_rules
    is_stale = isinstance(denied, Stale)
    message = "" if silent and not is_stale else failure.detail
    if is_stale and visitor.player.id is None:
        message = visitor.language.gettext(words.NO_COOKIE)
    if visitor.is_htmx and not is_stale:
        return render_changes(visitor, message, failure.status)
    return show_table(visitor, table_of(visitor, denied.session, shown=message), failure.status)


def table_of(
    visitor: Visitor,
    session: Session,
    *,
    selected: Card | None = None,
    flipped: Card | None = None,
    shown: str = "",
    said: str = "",
    advice: words.Advice | None = None,
    status: Status | None = None,
) -> views.Table:
    """A game on the table, as a visitor sees it."""
    return views.Table(session, visitor.language, visitor.player, selected, flipped, shown, said, advice, status)


def show_accepted(
    visitor: Visitor, result: Accepted, said: str, *, undone: bool = False, status: Status | None = None
) -> Response:
    """The board after an accepted change."""
    if not visitor.is_htmx:
        return RedirectResponse(visitor.board(result.session.game.code), 303)
    flipped = result.change.flipped if result.change and not undone else None
    table = table_of(visitor, result.session, flipped=flipped, said=said, status=status)
    whole = result.change is None or table.game.is_won
    return show_table(visitor, table) if whole else show_changes(visitor, table, result.before)


async def at_seat(
    service: GameService,
    limits: Limits,
    request: Request,
    code: str,
    do: Callable[[Visitor, Seat], Awaitable[tuple[Session, Response]]],
) -> Response:
    """Do something at a player's seat. What makes a game gives a newcomer the cookie."""
    deal = canonical(code)
    visitor = Visitor.of(request)
    player = visitor.player if visitor.player.id else visitor.player.named(service.new_player())
    seat = Seat(player.id or "", deal)
    if await service.is_new(seat):
        await limits.new_game(request.scope)
    try:
        session, response = await do(visitor, seat)
    except Denied as denied:
        return show_denied(visitor, denied)
    if session.id and player is not visitor.player:
        player.keep(request, response)
    return response


def install(app: FastAPI, service: GameService, limits: Limits) -> None:
    """The routes around a service."""
    board = "/play/{code}"

    async def act(
        request: Request, code: str, do: Callable[[Seat], Awaitable[Accepted]], *, undone: bool = False
    ) -> Response:
        """Do something at a player's board, and answer in the form that was asked for."""

        async def change(visitor: Visitor, seat: Seat) -> tuple[Session, Response]:
            result = await do(seat)
            said = told(visitor.language, result, undone=undone)
            return result.session, show_accepted(visitor, result, said, undone=undone)

        return await at_seat(service, limits, request, code, change)

    @app.post(board + "/move", include_in_schema=False)
    async def move(request: Request, code: str) -> Response:
        form = await read_form(request, BoardForm)
        card = Card.parse(form.card)
        to = None if form.to == "auto" else Place.parse(form.to)
        return await act(request, code, lambda seat: service.move(seat, form.rev, card, to, form.seconds))

    @app.post(board + "/undo", include_in_schema=False)
    async def undo(request: Request, code: str) -> Response:
        form = await read_form(request, BoardForm)
        return await act(
            request, code, lambda seat: service.undo(seat, form.rev, form.seconds, form.steps), undone=True
        )

    @app.post(board + "/redo", include_in_schema=False)
    async def redo(request: Request, code: str) -> Response:
        form = await read_form(request, BoardForm)
        return await act(request, code, lambda seat: service.redo(seat, form.rev, form.seconds))

    @app.post(board + "/restart", include_in_schema=False)
    async def restart(request: Request, code: str) -> Response:
        form = await read_form(request, BoardForm)
        return await act(request, code, lambda seat: service.restart(seat, form.rev))

    for action in ("move", "undo", "redo", "restart", "hint", "verdict", "lost", "show", "light"):
        # Where a refusal left a browser without scripts: whoever opens that address again means the board.
        @app.api_route(f"{board}/{action}", methods=["GET", "HEAD"], include_in_schema=False)
        async def to_board(request: Request, code: str) -> Response:
            return RedirectResponse(Visitor.of(request).board(canonical(code)), 303)

    @app.api_route(board, methods=["GET", "HEAD"], include_in_schema=False)
    async def read_board(request: Request, code: str) -> Response:
        """The board; with ``card`` in the query, that card is picked up."""
        card = request.query_params.get("card", "")
        visitor = Visitor.of(request)
        session = await service.get(visitor.seat(canonical(code)))
        return show_table(visitor, table_of(visitor, session, selected=_picked(session.game, card)))

    @app.post(board + "/clock", include_in_schema=False)
    async def look(request: Request, code: str) -> Response:
        """The page went out of view: count the time until now."""
        form = await read_form(request, LookForm)
        await service.look(Visitor.of(request).seat(canonical(code)), form.visible / 1000)
        return Response(status_code=204)

    app.add_exception_handler(Leads, lead)


def _picked(game: Game, text: str) -> Card | None:
    """The card that a page without scripts asks to pick up, where it can be."""
    try:
        card = Card.parse(text)
    except BadCard:
        return None
    return card if views.is_pickable(game, card) else None


def told(language: Language, result: Accepted, *, undone: bool) -> str:
    """What is told of an accepted change."""
    if result.change is None:
        return language.gettext("The deal starts anew.")
    if undone:
        return words.announce_undone(language, result.change, result.steps)
    session = result.session
    if session.game.is_won:
        return f"{language.gettext('You won!')} {words.won(language, session)}."
    return words.announce(language, result.change)


async def lead(request: Request, leads: Exception) -> Response:
    """The answer to Leads: the same address with the canonical code."""
    assert isinstance(leads, Leads)  # noqa: S101 - it is registered for no other
    visitor = Visitor.of(request)
    rest = request.scope["path"].removeprefix(visitor.root).split("/", 3)[3:]
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse("/".join([visitor.board(leads.code), *rest]) + query, 308)
