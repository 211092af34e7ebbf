"""Templates to HTML: one Jinja environment for each language."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.web.assets import MOUNT, TEMPLATES
from app.web.i18n import LANGUAGES, Language
from app.web.player import Player, language_of

HTML: Final = "text/html; charset=utf-8"
# Which page comes back depends on these, should anybody ever store one in spite of no-store.
VARY: Final = "HX-Request, Accept-Language, Cookie"


@cache
def _environment(code: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    language = LANGUAGES[code]
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # added by the i18n extension
        language.gettext, language.ngettext, newstyle=True
    )
    environment.globals["lang"] = language.code
    environment.globals["languages"] = tuple(LANGUAGES.values())
    return environment


def render(language: Language, template: str, context: Mapping[str, Any]) -> str:
    """A whole template, or what is left of one that holds only fragments."""
    return _environment(language.code).get_template(template).render(context)


def is_htmx(request: Request) -> bool:
    """Whether htmx asks, and so wants fragments."""
    return request.headers.get("hx-request") == "true"


def base_context(request: Request) -> dict[str, Any]:
    """What every template may use: where the app is mounted, where its static files are, and who plays."""
    root = request.scope.get("root_path", "")
    return {"root": root, "assets": root + MOUNT, "player": Player.of(request)}


__all__ = ["HTML", "VARY", "base_context", "is_htmx", "language_of", "render"]
