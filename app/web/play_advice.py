"""What a player asks about the game on the board."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import FastAPI, Request
from fastapi.responses import Response

from app.advice import Advisor, Hinted, Judged
from app.service import Denied, Seat, Session
from app.web import words
from app.web.forms import read_form
from app.web.i18n import Language
from app.web.limits import Limits
from app.web.play import BoardForm, at_seat, show_accepted, show_table, table_of, told
from app.web.render import render
from app.web.visitor import Visitor
from app.web.waiting import unless_gone

Found = TypeVar("Found", bound=Hinted | Judged)
Ask = Callable[[Seat, int, float | None], Awaitable[Found]]
Tell = Callable[[Language, Found], words.Advice]


def show_advice(visitor: Visitor, session: Session, advice: words.Advice) -> Response:
    """For htmx the message alone: the board may go on meanwhile. Else the page, with the proposed card picked up."""
    selected = None if advice.move is None else advice.move.card
    table = table_of(visitor, session, selected=selected, advice=advice, status=advice.status)
    return render(visitor, "advice.html", {"table": table}) if visitor.is_htmx else show_table(visitor, table)


def install(app: FastAPI, advisor: Advisor, limits: Limits) -> None:
    """The routes around an advisor."""
    board = "/play/{code}"

    async def answer(
        request: Request, code: str, do: Callable[[Visitor, Seat, BoardForm], Awaitable[tuple[Session, Response]]]
    ) -> Response:
        form = await read_form(request, BoardForm)
        await limits.verdict(request.scope)
        answering = at_seat(advisor.service, limits, request, code, lambda visitor, seat: do(visitor, seat, form))
        return await unless_gone(request, answering)

    async def advise(request: Request, code: str, ask: Ask[Found], tell: Tell[Found]) -> Response:
        async def do(visitor: Visitor, seat: Seat, form: BoardForm) -> tuple[Session, Response]:
            found = await ask(seat, form.rev, form.seconds)
            return found.session, show_advice(visitor, found.session, tell(visitor.language, found))

        return await answer(request, code, do)

    @app.post(board + "/hint", include_in_schema=False)
    async def hint(request: Request, code: str) -> Response:
        return await advise(request, code, advisor.hint, words.hint)

    @app.post(board + "/verdict", include_in_schema=False)
    async def verdict(request: Request, code: str) -> Response:
        return await advise(request, code, advisor.verdict, words.verdict)

    @app.post(board + "/lost", include_in_schema=False)
    async def lost(request: Request, code: str) -> Response:
        return await advise(request, code, advisor.trace, words.lost)

    async def play_on(visitor: Visitor, seat: Seat, form: BoardForm) -> tuple[Session, Response]:
        judged, accepted = await advisor.show(seat, form.rev, form.seconds)
        if accepted is None:
            return judged.session, show_advice(visitor, judged.session, words.no_line(visitor.language, judged))
        session, change = accepted.session, accepted.change
        if change and not visitor.is_htmx and not session.game.is_won:  # no script plays on by itself
            return session, show_advice(visitor, session, words.played(visitor.language, session, change))
        said = told(visitor.language, accepted, undone=False)
        return judged.session, show_accepted(visitor, accepted, said, status="won")

    @app.post(board + "/show", include_in_schema=False)
    async def show(request: Request, code: str) -> Response:
        """Play the next move of a line that wins."""
        return await answer(request, code, play_on)

    async def light_up(visitor: Visitor, seat: Seat, form: BoardForm) -> tuple[Session, Response]:
        try:
            judged = await advisor.verdict(seat, form.rev, form.seconds)
        except Denied as denied:
            return denied.session, Response(status_code=204)
        if judged.verdict.reason == "replaced":  # the question that did it will say
            return judged.session, Response(status_code=204)
        table = table_of(visitor, judged.session, status=judged.verdict.status)
        return judged.session, render(visitor, "light.html", {"table": table})

    @app.post(board + "/light", include_in_schema=False)
    async def light(request: Request, code: str) -> Response:
        """The verdict without a word; nothing where the board of this ``rev`` is no longer there."""
        return await answer(request, code, light_up)
