"""Templates to HTML: one Jinja environment for each language and mount point."""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, Final

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.web.assets import MOUNT, TEMPLATES, sprite
from app.web.i18n import LANGUAGES
from app.web.visitor import Visitor

# Which page comes back depends on these, should anybody ever store one in spite of no-store.
VARY: Final = "HX-Request, Accept-Language, Cookie"


def render(visitor: Visitor, template: str, context: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """An answer made of a template: a page, or the fragments that htmx asked for."""
    environment = _environment(visitor.language.code, visitor.root)
    html = environment.get_template(template).render(context, visitor=visitor, wishes=visitor.player.preferences)
    return HTMLResponse(html, status, headers={"vary": VARY})


@lru_cache(maxsize=32)
def _environment(language: str, root: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    spoken = LANGUAGES[language]
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # added by the i18n extension
        spoken.gettext, spoken.ngettext, newstyle=True
    )
    environment.globals |= {
        "lang": spoken.code,
        "languages": tuple(LANGUAGES.values()),
        "root": root,
        "assets": root + MOUNT,
        "sprite": Markup(sprite()),  # noqa: S704 - a file of ours
        "cached_card": _cached_card(environment),
    }
    return environment


def _cached_card(environment: Environment) -> Callable[[Hashable], Markup]:
    """The macro of a card in a column, remembered: most of every answer is made of the same few pieces."""

    @lru_cache(maxsize=4096)
    def cached_card(shown: Hashable) -> Markup:
        pieces: Any = environment.get_template("_pieces.html").module
        return Markup(pieces.column_card(shown))  # noqa: S704 - the template has escaped it

    return cached_card
