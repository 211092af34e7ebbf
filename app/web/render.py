"""Templates to HTML: one Jinja environment for each language and mount point."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
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


def render_changes(
    visitor: Visitor, message: str, status: int = 200, changed: Mapping[str, object] = MappingProxyType({})
) -> HTMLResponse:
    """An answer to htmx that changes the page here and there, see ``changes.html``."""
    macro: Any = _changes(visitor.language.code, visitor.root)
    return HTMLResponse(macro(message, **changed), status, headers={"vary": VARY})


@lru_cache(maxsize=32)
def _changes(language: str, root: str) -> object:
    # Called straight: all that a page knows besides would have to be laid out for it anew.
    return _environment(language, root).get_template("changes.html").module.changes  # type: ignore[attr-defined]


_SAID: Final = re.compile(r"{% trans %}([^{}\n]+){% endtrans %}")


@lru_cache(maxsize=32)
def _environment(language: str, root: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        extensions=["jinja2.ext.i18n", _Said],
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
    }
    environment.filters |= _remembering(environment)
    environment.globals["pieces"] = environment.get_template("_pieces.html").module
    return environment


class _Said(Extension):
    """Puts what is said without variables into a template when it is read, and not for every answer: an environment
    speaks one language.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        gettext = LANGUAGES[str(self.environment.globals["lang"])].gettext
        # As the i18n extension asks for it: there, what is said is a pattern.
        return _SAID.sub(lambda found: gettext(found[1].replace("%", "%%")).replace("%%", "%"), source)


def _remembering(environment: Environment) -> dict[str, Callable[..., Markup]]:
    """Filters that draw cards and foundations, and remember each: every answer is made of the same few pieces."""

    @lru_cache(maxsize=4096)
    def draw(piece: Hashable, macro: str) -> Markup:
        drawn: Markup = getattr(environment.globals["pieces"], macro)(piece)
        return drawn

    def cards(column: Iterable[Hashable]) -> Markup:
        return Markup("".join([draw(card, "column_card") for card in column]))  # noqa: S704 - they are markup

    return {"cards": cards, "remembered": draw}
