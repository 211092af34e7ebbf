"""The ways to a board, the settings, and the server's health."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.engine import RULES, BadCode, DealCode
from app.service import GameService
from app.web import errors
from app.web.i18n import LANGUAGES
from app.web.play import Show, deal_address, seat_of
from app.web.player import Player, Preferences
from app.web.render import VARY, base_context, is_htmx, language_of, render


def known_language(code: str) -> str:
    """Empty, or a language there is. Raises ValueError."""
    if code and code not in LANGUAGES:
        raise ValueError("no such language")
    return code


class NewForm(BaseModel):
    """The New game window."""

    model_config = ConfigDict(extra="forbid")

    rule: Literal["C", "R", "T"] = "C"
    code: str = Field("", max_length=400)


class SettingsForm(BaseModel):
    """The Settings window. A box that isn't ticked is not sent."""

    model_config = ConfigDict(extra="forbid")

    placement_help: Literal["on", ""] = ""
    interactive_rules: Literal["on", ""] = ""
    auto_place: Literal["on", ""] = ""
    double_click: Literal["on", ""] = ""
    language: Annotated[str, AfterValidator(known_language)] = ""
    """Empty: as the browser asks."""
    code: str = Field("", max_length=64)
    """The deal to go back to."""


def router(service: GameService) -> APIRouter:
    """The routes around a service."""
    routes = APIRouter()
    show = Show(service)

    @routes.api_route("/", methods=["GET", "HEAD"])
    async def home(request: Request) -> Response:
        """To the game the player was playing, else to a new deal."""
        player = Player.of(request)
        code = (service.latest(player.id) if player.id else None) or service.random_code()
        return RedirectResponse(deal_address(request, code), 303, headers={"vary": VARY})

    @routes.post("/new")
    async def new_game(request: Request, form: Annotated[NewForm, Form()]) -> Response:
        """To the deal of a code, else to a random one."""
        try:
            code = DealCode.parse(form.code) if form.code.strip() else service.random_code(RULES[form.rule])
        except BadCode as error:
            failure = errors.failure_of(error, language_of(request), in_address=False)
            template = "_new_refused.html" if is_htmx(request) else "new.html"
            context = {**base_context(request), "new_message": failure.detail, "typed": form.code, "rule": form.rule}
            html = render(language_of(request), template, context)
            return HTMLResponse(html, failure.status, headers={"vary": VARY})
        address = deal_address(request, code)
        if not is_htmx(request):
            return RedirectResponse(address, 303)
        session = service.get(seat_of(Player.of(request), code))
        response = show.page(request, show.table(request, session))
        response.headers["hx-push-url"] = address
        return response

    @routes.post("/settings")
    async def keep_settings(request: Request, form: Annotated[SettingsForm, Form()]) -> Response:
        """Keep the settings, and go back to the board."""
        player = Player.of(request)
        wishes = (form.placement_help, form.interactive_rules, form.auto_place, form.double_click)
        try:
            address = deal_address(request, DealCode.parse(form.code))
        except BadCode:
            address = request.scope.get("root_path", "") + "/"
        response = RedirectResponse(address, 303)
        chosen = Player(player.id, Preferences(*(wish == "on" for wish in wishes)), LANGUAGES.get(form.language))
        chosen.keep(request, response)
        return response

    @routes.api_route("/healthz", methods=["GET", "HEAD"])
    async def health() -> dict[str, str]:
        """That the process can serve."""
        return {"status": "ok"}

    return routes
