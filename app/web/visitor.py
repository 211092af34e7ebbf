"""Who sends a request, how they like it, and in what form they want the answer."""

from dataclasses import dataclass, replace

from fastapi import Request

from app.engine import DealCode
from app.service import Seat
from app.web.i18n import Language, negotiate
from app.web.player import Player, Preferences


@dataclass(frozen=True, slots=True)
class Visitor:
    """What a request says of its sender."""

    player: Player
    language: Language
    """The player's choice, else what the browser asks for, else English."""
    is_htmx: bool
    """htmx asks, and so wants fragments."""
    root: str
    """Where the application is mounted: empty, or a path like ``/yukon``."""
    request: Request

    @staticmethod
    def of(request: Request) -> "Visitor":
        player = Player.of(request)
        headers = request.headers
        language = player.language or negotiate(",".join(headers.getlist("accept-language")))
        is_htmx = headers.get("hx-request") == "true"
        return Visitor(player, language, is_htmx, request.scope.get("root_path", ""), request)

    @property
    def site(self) -> str:
        """The whole address of the site, for those who read a page elsewhere."""
        url = self.request.url
        return f"{url.scheme}://{url.netloc}{self.root}"

    def wishing(self, preferences: Preferences) -> "Visitor":
        """The same visitor, with other preferences."""
        return replace(self, player=replace(self.player, preferences=preferences))

    def seat(self, code: DealCode) -> Seat:
        """The player's seat at a deal; one that has not played yet sits where nobody does."""
        return Seat(self.player.id or "", code)

    def board(self, code: DealCode) -> str:
        """The address where a deal is played."""
        return f"{self.root}/play/{code}"
