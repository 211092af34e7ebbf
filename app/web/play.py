"""The board of a deal, and what a player does on it."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.engine import BadCard, Card, DealCode, Game, Place, Reason
from app.service import Accepted, Denied, GameService, Seat, Session, Stale
from app.web import errors, views, words
from app.web.player import Player
from app.web.render import VARY, base_context, is_htmx, language_of, render

_LONGEST_VISIBLE = 2**53  # milliseconds; what a browser can count

Milliseconds = Annotated[
    int | None,
    BeforeValidator(lambda text: None if text == "" else text),
    Field(ge=-_LONGEST_VISIBLE, le=_LONGEST_VISIBLE),
]


class BoardForm(BaseModel):
    """The one form of the board, whichever of its buttons sends it."""

    model_config = ConfigDict(extra="forbid")

    rev: int
    card: str = Field("", max_length=8)
    to: str = Field("", max_length=8)
    visible: Milliseconds = None
    """For how long the page was in view since it last told; None where no script counts."""

    @property
    def seconds(self) -> float | None:
        return None if self.visible is None else self.visible / 1000


class LookForm(BaseModel):
    """What a page tells when it goes out of view."""

    model_config = ConfigDict(extra="forbid")

    visible: Annotated[int, Field(ge=-_LONGEST_VISIBLE, le=_LONGEST_VISIBLE)]


class Leads(Exception):
    """The deal code in the address is not in its canonical form."""

    def __init__(self, code: DealCode) -> None:
        super().__init__(str(code))
        self.code = code


def canonical(code: str) -> DealCode:
    """The deal of an address. Raises BadCode, and Leads for a code that is written in another form."""
    parsed = DealCode.parse(code)
    if str(parsed) != code:
        raise Leads(parsed)
    return parsed


def deal_address(request: Request, code: DealCode) -> str:
    """Where a deal is played."""
    return f"{request.scope.get('root_path', '')}/play/{code}"


def seat_of(player: Player, code: DealCode) -> Seat:
    """A player's seat at a deal; one that has not played yet sits where nobody does."""
    return Seat(player.id or "", code)


class Show:
    """Answers with the table, whole or in part."""

    def __init__(self, service: GameService) -> None:
        self._service = service

    def table(self, request: Request, session: Session, **more: object) -> views.Table:
        player = Player.of(request)
        elapsed = session.clock.elapsed
        return views.Table(session, elapsed, language_of(request), player.preferences, **more)  # type: ignore[arg-type]

    def page(self, request: Request, table: views.Table, status: int = 200) -> Response:
        """The whole page; for htmx the table alone, wherever the request came from."""
        template, headers = "play.html", {"vary": VARY}
        if is_htmx(request):
            template = "_table.html"
            headers |= {"hx-retarget": "#table", "hx-reswap": "outerHTML"}
        html = render(table.language, template, {**base_context(request), "table": table})
        return HTMLResponse(html, status, headers=headers)

    def changes(self, request: Request, table: views.Table, before: Game) -> Response:
        """What differs from the board before."""
        columns, foundations = views.changed(before, table.game)
        context = {
            **base_context(request),
            "table": table,
            "columns": table.columns(columns),
            "foundations": table.foundations(foundations),
            "message": "",
            "said": table.said,
        }
        return HTMLResponse(render(table.language, "changes.html", context), headers={"vary": VARY})


def router(service: GameService) -> APIRouter:
    """The routes around a service."""
    routes = APIRouter(prefix="/play/{code}")
    show = Show(service)

    def act(request: Request, code: str, do: Callable[[Seat], Accepted], *, undone: bool = False) -> Response:
        """Do something at a player's board, and answer in the form that was asked for."""
        deal = canonical(code)
        player = Player.of(request)
        named = player if player.id else player.named(service.new_player())
        try:
            result = do(seat_of(named, deal))
        except Denied as denied:
            return answer_denied(request, player, denied)
        table = show.table(request, result.session, **_told(request, result, undone=undone))
        response: Response
        if not is_htmx(request):
            response = RedirectResponse(deal_address(request, deal), 303)
        elif result.change is None or table.game.is_won:
            response = show.page(request, table)
        else:
            response = show.changes(request, table, result.before)
        if result.session.id and not player.id:
            named.keep(request, response)
        return response

    def answer_denied(request: Request, player: Player, denied: Denied) -> Response:
        failure = errors.failure_of(denied, language_of(request))
        # Undo and redo say why they did nothing in any case: nothing on the board would show it.
        silent = not player.preferences.interactive_rules and denied.card is not None
        message = "" if silent and not isinstance(denied, Stale) else failure.detail
        if is_htmx(request) and denied.reason is not Reason.STALE:
            html = render(language_of(request), "changes.html", {**base_context(request), "message": message})
            return HTMLResponse(html, failure.status, headers={"vary": VARY})
        return show.page(request, show.table(request, denied.session, shown=message), failure.status)

    @routes.api_route("", methods=["GET", "HEAD"])
    async def read_board(request: Request, code: str, card: str = "") -> Response:
        """The board; with ``card``, that card is picked up."""
        deal = canonical(code)
        session = service.get(seat_of(Player.of(request), deal))
        try:
            selected = Card.parse(card) if card else None
        except BadCard:
            selected = None
        if selected is None or not views.is_pickable(session.game, selected) or session.game.is_won:
            return show.page(request, show.table(request, session))
        return show.page(request, show.table(request, session, selected=selected))

    @routes.post("/move")
    async def move(request: Request, code: str, form: Annotated[BoardForm, Form()]) -> Response:
        card = Card.parse(form.card)
        to = None if form.to == "auto" else Place.parse(form.to)
        return act(request, code, lambda seat: service.move(seat, form.rev, card, to, form.seconds))

    @routes.post("/undo")
    async def undo(request: Request, code: str, form: Annotated[BoardForm, Form()]) -> Response:
        return act(request, code, lambda seat: service.undo(seat, form.rev, form.seconds), undone=True)

    @routes.post("/redo")
    async def redo(request: Request, code: str, form: Annotated[BoardForm, Form()]) -> Response:
        return act(request, code, lambda seat: service.redo(seat, form.rev, form.seconds))

    @routes.post("/restart")
    async def restart(request: Request, code: str, form: Annotated[BoardForm, Form()]) -> Response:
        return act(request, code, lambda seat: service.restart(seat, form.rev))

    @routes.post("/clock")
    async def look(request: Request, code: str, form: Annotated[LookForm, Form()]) -> Response:
        """The page went out of view: count the time until now."""
        service.look(seat_of(Player.of(request), canonical(code)), form.visible / 1000)
        return Response(status_code=204)

    return routes


def _told(request: Request, result: Accepted, *, undone: bool) -> dict[str, object]:
    """What is told of an accepted change, and which card it turned up."""
    language = language_of(request)
    if result.change is None:
        return {"said": language.gettext("The deal starts anew.")}
    if undone:
        return {"said": words.announce_undone(language, result.change)}
    said = words.announce(language, result.change)
    return {"said": said, "flipped": result.change.flipped}


async def lead(request: Request, leads: Exception) -> Response:
    """The answer to Leads: the same address with the canonical code."""
    assert isinstance(leads, Leads)  # noqa: S101 - it is registered for no other
    rest = request.scope["path"].removeprefix(request.scope.get("root_path", "")).split("/", 3)[3:]
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse("/".join([deal_address(request, leads.code), *rest]) + query, 308)
