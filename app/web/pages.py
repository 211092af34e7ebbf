"""The ways to a board, the settings, and the server's health."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import AfterValidator, BeforeValidator

from app.engine import RULES, BadCode, DealCode
from app.service import GameService
from app.store import StoreError
from app.web import errors
from app.web.forms import FormModel, read_form
from app.web.health import Health
from app.web.i18n import LANGUAGES
from app.web.play import show_table, table_of
from app.web.player import Player, Preferences
from app.web.render import VARY, render
from app.web.visitor import Visitor


def known_language(code: str) -> str:
    """Empty, or a language there is. Raises ValueError."""
    if code and code not in LANGUAGES:
        raise ValueError("no such language")
    return code


Tick = Annotated[bool, BeforeValidator(lambda sent: {"on": True, "": False}.get(sent, sent))]


class NewForm(FormModel):
    """The New game window."""

    rule: Literal["C", "R", "T"] = "C"
    code: str = ""


class SettingsForm(FormModel):
    """The Settings window. A box that isn't ticked is not sent."""

    placement_help: Tick = False
    interactive_rules: Tick = False
    auto_place: Tick = False
    double_click: Tick = False
    four_colours: Tick = False
    mirrored: Tick = False
    large_print: Tick = False
    international: Tick = False
    theme: Literal["", "light", "dark"] = ""
    language: Annotated[str, AfterValidator(known_language)] = ""
    """Empty: as the browser asks."""
    code: str = ""
    """The deal to go back to."""

    @property
    def preferences(self) -> Preferences:
        return Preferences(**self.model_dump(exclude={"language", "code"}))


def back_to(visitor: Visitor, code: str) -> str:
    """The address of a deal; where the code names none, the one that leads to some deal."""
    try:
        return visitor.board(DealCode.parse(code))
    except BadCode:
        return f"{visitor.root}/"


class LanguageForm(FormModel):
    """On a page that was read in a language of its address: to the table, and on in that language."""

    language: Annotated[str, AfterValidator(known_language)]
    code: str = ""
    """The deal to play; empty: the one that is being played, else a new one."""


def install(app: FastAPI, service: GameService) -> None:
    """The routes around a service."""
    store = Health(service.store.check)

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def home(request: Request) -> Response:
        """To the game the player was playing, else to a new deal."""
        visitor = Visitor.of(request)
        code = (await service.latest(visitor.player.id or "")) or service.random_code()
        return RedirectResponse(visitor.board(code), 303, headers={"vary": VARY})

    @app.post("/new", include_in_schema=False)
    async def new_game(request: Request) -> Response:
        """To the deal of a code, else to a random one."""
        visitor = Visitor.of(request)
        form = await read_form(request, NewForm)
        try:
            typed = form.code.strip().rpartition("/play/")[2]  # what Share copies is a whole address
            code = DealCode.parse(typed) if typed else service.random_code(RULES[form.rule])
        except BadCode as error:
            failure = errors.failure_of(error, visitor.language, in_address=False)
            template = "_new_refused.html" if visitor.is_htmx else "new.html"
            context = {"new_message": failure.detail, "typed": form.code, "rule": form.rule}
            return render(visitor, template, context, failure.status)
        if not visitor.is_htmx:
            return RedirectResponse(visitor.board(code), 303)
        response = show_table(visitor, table_of(visitor, await service.get(visitor.seat(code))))
        response.headers["hx-push-url"] = visitor.board(code)
        return response

    @app.api_route("/new", methods=["GET", "HEAD"], include_in_schema=False)
    @app.api_route("/settings", methods=["GET", "HEAD"], include_in_schema=False)
    @app.api_route("/language", methods=["GET", "HEAD"], include_in_schema=False)
    async def to_table(request: Request) -> Response:
        """Where a wrong code left a browser without scripts, say."""
        return RedirectResponse(f"{Visitor.of(request).root}/", 303)

    @app.post("/settings", include_in_schema=False)
    async def keep_settings(request: Request) -> Response:
        """Keep the settings, and go back to the board."""
        visitor = Visitor.of(request)
        form = await read_form(request, SettingsForm)
        response = RedirectResponse(back_to(visitor, form.code), 303)
        Player(visitor.player.id, form.preferences, LANGUAGES.get(form.language)).keep(request, response)
        return response

    @app.post("/language", include_in_schema=False)
    async def keep_language(request: Request) -> Response:
        """Keep the language, and go to the board."""
        visitor = Visitor.of(request)
        form = await read_form(request, LanguageForm)
        response = RedirectResponse(back_to(visitor, form.code), 303)
        replace(visitor.player, language=LANGUAGES.get(form.language)).keep(request, response)
        return response

    @app.api_route("/healthz", methods=["GET", "HEAD"], include_in_schema=False)
    async def health() -> Response:
        """Whether the process can serve, and its store answers."""
        try:
            await store.check()
        except StoreError:
            return JSONResponse({"status": "the store doesn't answer"}, 503)
        return JSONResponse({"status": "ok"})
