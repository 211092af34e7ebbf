"""Who plays, and how they like it: one cookie, and nothing on the server."""

import re
from dataclasses import astuple, dataclass, replace
from typing import Final

from fastapi import Request
from starlette.responses import Response

from app.web.i18n import LANGUAGES, Language

COOKIE: Final = "yukon"
_COOKIE_FORM: Final = re.compile(r"([A-Za-z0-9_-]{22})?\.([01]{8}|[01]{10})\.(light|dark)?\.([a-z]{2})?", re.ASCII)
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings a player can choose."""

    theme: str = ""
    """``light``, ``dark``, or empty: as the system."""
    placement_help: bool = True
    """The places a lifted card can go to are marked."""
    interactive_rules: bool = True
    """A refused move says which rule refused it."""
    auto_place: bool = False
    """A card let go anywhere goes to the place that two quick taps would choose."""
    double_click: bool = True
    """Two quick taps seek a place on the tableau."""
    four_colours: bool = False
    """Each suit has a colour of its own."""
    mirrored: bool = False
    """The table is laid out for the left hand."""
    large_print: bool = False
    """Larger letters in the corners of the cards."""
    international: bool = False
    """A J Q K in the corners, whatever the language."""
    live_light: bool = False
    """A light says after each move whether the game can still be won."""
    only_winnable: bool = False
    """What the New game window deals at random can certainly be won."""


@dataclass(frozen=True, slots=True)
class Player:
    """What the cookie says."""

    id: str | None = None
    """22 characters, 128 random bits; None: has not played yet."""
    preferences: Preferences = Preferences()
    language: Language | None = None
    """None: as the browser asks."""

    @staticmethod
    def of(request: Request) -> "Player":
        """The player that sent a request. A cookie that makes no sense counts as none."""
        # Cookies of before there were the last two wishes are shorter.
        match = _COOKIE_FORM.fullmatch(request.cookies.get(COOKIE, ""))
        if match is None:
            return Player()
        token, flags, theme, language = match.groups()
        preferences = Preferences(theme or "", *(flag == "1" for flag in flags))
        return Player(token, preferences, LANGUAGES.get(language or ""))

    def keep(self, request: Request, response: Response) -> None:
        """Write the cookie, for a year."""
        theme, *flags = astuple(self.preferences)
        language = self.language.code if self.language else ""
        value = ".".join((self.id or "", "".join("01"[flag] for flag in flags), theme, language))
        response.set_cookie(
            COOKIE,
            value,
            max_age=_YEAR,
            path=request.scope.get("root_path") or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )

    def named(self, player: str) -> "Player":
        """The same player, with an id."""
        return replace(self, id=player)
