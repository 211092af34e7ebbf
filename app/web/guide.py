"""The pages around the game: rules, examples and questions, and what search engines read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import Response

from app.engine import Card, Game, Move, Refused
from app.service import NotAllowed, Session
from app.web import example, views, words
from app.web.i18n import LANGUAGES, Language
from app.web.render import render
from app.web.visitor import Visitor

PAGES: Final = ("rules", "examples", "faq")
LAST: Final = len(example.MOVES)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a page, and in which language: the address may name one, for this page and those it leads to."""

    visitor: Visitor
    named: str
    """The language that the address names; empty: none that there is."""

    @staticmethod
    def of(request: Request) -> "Reader":
        visitor = Visitor.of(request)
        language = LANGUAGES.get(request.query_params.get("lang", ""))
        if language is None:
            return Reader(visitor, "")
        return Reader(replace(visitor, language=language), language.code)

    def board(self, game: Game, picked: Card | None = None, flipped: Card | None = None) -> views.Table:
        """A position, with a card picked up or none, for one who wants to see where it can go."""
        player = self.visitor.player
        player = replace(player, preferences=replace(player.preferences, placement_help=True))
        return views.Table(Session("", game), self.visitor.language, player, picked, flipped)

    def show(self, page: str, template: str, context: Mapping[str, Any]) -> Response:
        """A page, or a part of one. Links to other pages carry on the language that the address named."""
        query = f"?lang={self.named}" if self.named else ""
        own = {"page": page, "base": self.visitor.site, "named": self.named, "query": query}
        return render(self.visitor, template, {**own, **context})


@dataclass(frozen=True, slots=True)
class Line:
    """A move in the list of moves."""

    number: int
    face: views.Face
    to: str
    told: str


def install(app: FastAPI, kept_days: float) -> None:
    """The routes. Nothing here knows of anybody's game.

    ``kept_days``: for how many days a game is kept that nobody plays and nobody has won; 0: for ever.
    """
    kept = f"{kept_days:g}"

    @app.api_route("/rules", methods=["GET", "HEAD"], include_in_schema=False)
    async def rules(request: Request) -> Response:
        """The whole of the rules, with boards."""
        reader = Reader.of(request)
        return reader.show("rules", f"guide/rules.{reader.visitor.language.code}.html", rules_boards(reader))

    @app.api_route("/examples", methods=["GET", "HEAD"], include_in_schema=False)
    async def examples(request: Request) -> Response:
        """A game, after the move of this number; to a script that board alone."""
        reader = Reader.of(request)
        step = shown_step(reader, move_number(request.query_params.get("move", "")))
        if reader.visitor.is_htmx:
            return reader.show("examples", "guide/_step.html", step)
        template = f"guide/examples.{reader.visitor.language.code}.html"
        return reader.show("examples", template, {**step, "lines": list(lines(reader)), **take_back_boards(reader)})

    @app.api_route("/faq", methods=["GET", "HEAD"], include_in_schema=False)
    async def faq(request: Request) -> Response:
        """Questions and answers."""
        reader = Reader.of(request)
        return reader.show("faq", f"guide/faq.{reader.visitor.language.code}.html", {"kept_days": kept})

    @app.api_route("/sitemap.xml", methods=["GET", "HEAD"], include_in_schema=False)
    async def sitemap(request: Request) -> Response:
        """Every page in every language, each with the others."""
        return Response(sitemap_of(Visitor.of(request).site), media_type="application/xml")

    @app.api_route("/robots.txt", methods=["GET", "HEAD"], include_in_schema=False)
    async def robots(request: Request) -> Response:
        """Everybody may read everything."""
        base = Visitor.of(request).site
        return Response(f"User-agent: *\nAllow: /\n\nSitemap: {base}/sitemap.xml\n", media_type="text/plain")


def move_number(text: str) -> int:
    """The move that an address names: 0 … LAST, whatever it says."""
    try:
        return min(max(int(text), 0), LAST)
    except ValueError:
        return 0


def rules_boards(reader: Reader) -> Mapping[str, views.Table]:
    """The positions that the rules show, from the game of the examples."""
    games = [step.game for step in example.steps()]
    return {
        "dealt": reader.board(games[0]),
        "group": reader.board(games[1], Card.parse("TD")),
        "group_after": reader.board(games[2]),
        "empty": reader.board(games[46], Card.parse("KC")),
        "empty_after": reader.board(games[47]),
        "home": reader.board(games[50], Card.parse("6H")),
    }


def shown_step(reader: Reader, number: int) -> Mapping[str, Any]:
    """A step of the game, with what it explains."""
    game, change = example.steps()[number]
    stop = example.STOPS.get(number, "")
    language = reader.visitor.language
    is_attempt = stop == "refused"
    return {
        "number": number,
        "last": LAST,
        "code": str(example.CODE),
        "stop": stop,
        "told": words.announce(language, change) if change else "",
        "table": reader.board(game, example.ATTEMPT.card if is_attempt else None, change.flipped if change else None),
        "stops": example.STOPS,
        "attempt": str(example.ATTEMPT.to) if is_attempt else "",
        "refusal": refusal(language, game, example.ATTEMPT) if is_attempt else "",
    }


def refusal(language: Language, game: Game, move: Move) -> str:
    """What the game says to a move that its rules forbid."""
    try:
        game.play(move)
    except Refused as refused:
        return words.why_denied(language, NotAllowed(Session("", game), refused.reason, move.card, move.to))
    raise ValueError(f"a legal move: {move}")


def lines(reader: Reader) -> Iterator[Line]:
    """The list of moves."""
    language = reader.visitor.language
    faces = views.faces(language, international=reader.visitor.player.preferences.international)
    for number, step in enumerate(example.steps()):
        if step.change is not None:
            move = step.change.move
            yield Line(number, faces[move.card], str(move.to), words.announce(language, step.change))


def take_back_boards(reader: Reader) -> Mapping[str, Any]:
    """The four pictures of the second example."""
    code = example.TAKE_BACK_CODE
    games = [step.game for step in example.steps(code, example.TAKE_BACK_MOVES)]
    return {
        "take_back_code": str(code),
        "back": [
            reader.board(games[4], Card.parse("3H")),
            reader.board(games[5], Card.parse("2C")),
            reader.board(games[6]),
            reader.board(games[9]),
        ],
    }


def sitemap_of(base: str) -> str:
    """The sitemap, with each page's other languages beside it."""

    def address(page: str, language: str = "") -> str:
        return escape(f"{base}/{page}" + (f"?lang={language}" if language else ""))

    def alternate(page: str, name: str, language: str = "") -> str:
        return f'<xhtml:link rel="alternate" hreflang="{name}" href="{address(page, language)}"/>'

    urls = []
    for page in PAGES:
        others = [*(alternate(page, code, code) for code in LANGUAGES), alternate(page, "x-default")]
        urls += [f"<url><loc>{address(page, code)}</loc>{''.join(others)}</url>" for code in LANGUAGES]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
            *urls,
            "</urlset>",
            "",
        ]
    )
