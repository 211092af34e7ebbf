"""The player's language: gettext catalogues, and the words for cards."""

import gettext
import io
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.engine import CARDS, Card

LOCALES: Final = Path(__file__).parent.parent / "locales"
DEFAULT: Final = "en"


def N_(message: str) -> str:  # noqa: N802 - the name that gettext's tools know
    """Mark a message that is translated where it is used."""
    return message


RANK_NAMES: Final = (
    N_("ace"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"),
    N_("eight"), N_("nine"), N_("ten"), N_("jack"), N_("queen"), N_("king"),
)  # fmt: skip
SUIT_NAMES: Final = (N_("spades"), N_("hearts"), N_("diamonds"), N_("clubs"))
# Face letters are names of ranks cut short: each language has its own.
FACE_LETTERS: Final = {
    1: N_("A|face letter of the ace"),
    11: N_("J|face letter of the jack"),
    12: N_("Q|face letter of the queen"),
    13: N_("K|face letter of the king"),
}


class Language:
    """One language of the interface."""

    def __init__(self, code: str, translations: gettext.NullTranslations) -> None:
        self.code = code
        self.translations = translations
        self.gettext = translations.gettext
        self.ngettext = translations.ngettext

    @property
    def name(self) -> str:
        """What the language calls itself."""
        return Locale.parse(self.code).get_display_name(self.code) or self.code

    @cached_property
    def card_names(self) -> Mapping[Card, str]:
        """In words: "six of hearts"."""
        _ = self.gettext
        return {
            card: _("%(rank)s of %(suit)s")
            % {"rank": _(RANK_NAMES[card.rank - 1]), "suit": _(SUIT_NAMES[card.suit_index])}
            for card in CARDS
        }

    @cached_property
    def rank_letters(self) -> Mapping[int, str]:
        """By rank: what a card's corner shows."""
        letters = {rank: str(rank) for rank in range(2, 11)}
        letters.update({rank: self.gettext(letter).split("|")[0] for rank, letter in FACE_LETTERS.items()})
        return letters

    @cached_property
    def suit_names(self) -> tuple[str, ...]:
        """In the order of the foundations."""
        return tuple(self.gettext(name) for name in SUIT_NAMES)


def _load(code: str) -> Language:
    with (LOCALES / f"{code}.po").open("rb") as file:
        catalog = read_po(file, locale=code)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Language(code, gettext.GNUTranslations(compiled))


LANGUAGES: Final[Mapping[str, Language]] = {
    "en": Language("en", gettext.NullTranslations()),
    **{code: _load(code) for code in sorted(path.stem for path in LOCALES.glob("*.po"))},
}
"""By code. English is the language of the messages themselves."""


_WISH: Final = re.compile(r"\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d*)?)\s*)?", re.ASCII | re.IGNORECASE)


def negotiate(accept_language: str) -> Language:
    """The best language for an ``Accept-Language`` header; English where none fits."""
    return _best(accept_language[:1000])


@lru_cache(maxsize=1024)
def _best(accept_language: str) -> Language:
    wishes: list[tuple[float, int, str]] = []
    for position, part in enumerate(accept_language.split(",")):
        wish = _WISH.fullmatch(part)
        if wish is None:
            continue
        code, weight = wish[1].lower(), float(wish[2] or 1)
        if code in LANGUAGES and weight > 0:
            wishes.append((-weight, position, code))
    return LANGUAGES[min(wishes)[2] if wishes else DEFAULT]
