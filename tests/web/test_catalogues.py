"""The Dutch and German catalogues say all that the interface says, in the words agreed on.

``babel.cfg`` names the two commands that bring the catalogues up to date after a message has changed.
"""

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from app.engine import CARDS
from app.web.i18n import LANGUAGES, LOCALES

ROOT: Final = Path(__file__).parents[2]
TRANSLATED: Final = ("de", "nl")

HOLE: Final = re.compile(r"%(?:\(\w+\))?.?|\{\w+\}")
"""What the code or a script fills in; and any other percent sign, which would break the filling."""


@cache
def in_source() -> Catalog:
    """Every message of the code and the templates, found as babel.cfg says."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # Babel names no types for it
    catalog = Catalog()
    for path, line, message, _comments, _context in extract_from_dir(ROOT, methods, options):
        catalog.add(message, locations=[(path, line)])
    return catalog


@cache
def translated(code: str) -> Catalog:
    with (LOCALES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


def messages(catalog: Catalog) -> Iterator[Message]:
    """Without the header."""
    return (message for message in catalog if message.id)


def forms(text: Any) -> tuple[str, ...]:
    """One text, or one for each plural form."""
    return (text,) if isinstance(text, str) else tuple(text)


def ids(catalog: Catalog) -> Set[tuple[str, ...]]:
    return {forms(message.id) for message in messages(catalog)}


def holes(text: str) -> list[str]:
    return sorted(HOLE.findall(text))


def stop(text: str) -> str:
    """What ends a sentence, if it is one."""
    return text[-1:] if text[-1:] in ".:!?…" else ""


def told(problem: str, code: str, found: list[Any]) -> str:
    return f"{code}.po: {len(found)} {problem}:\n" + "\n".join(f"  {text!r}" for text in found)


def test_there_is_a_catalogue_for_each_language_but_that_of_the_messages() -> None:
    assert sorted(path.stem for path in LOCALES.glob("*.po")) == sorted(TRANSLATED)
    assert set(LANGUAGES) == {"en", *TRANSLATED}


def test_messages_are_found_in_code_and_templates() -> None:
    examples = {("New game",), ("There is nothing to undo.",), ("%(points)d point.", "%(points)d points.")}
    assert examples <= ids(in_source())


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_message_is_missing(code: str) -> None:
    missing = sorted(ids(in_source()) - ids(translated(code)))
    assert not missing, told("missing", code, missing)


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_message_is_left_over(code: str) -> None:
    catalog = translated(code)
    left = sorted(ids(catalog) - ids(in_source())) + [forms(message.id) for message in catalog.obsolete.values()]
    assert not left, told("no longer used", code, left)


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_translation_is_empty(code: str) -> None:
    catalog = translated(code)
    empty = [
        message.id
        for message in messages(catalog)
        if not all(text.strip() for text in forms(message.string))
        or len(forms(message.string)) != (catalog.num_plurals if message.pluralizable else 1)
    ]
    assert not empty, told("not translated, or not in every plural form", code, empty)


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_translation_is_a_guess(code: str) -> None:
    fuzzy = [message.id for message in messages(translated(code)) if message.fuzzy]
    assert not fuzzy, told("fuzzy", code, fuzzy)


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_placeholders_of_its_message(code: str) -> None:
    differ = []
    for message in messages(translated(code)):
        # Each form is held against the English one that takes its place; there may be more forms than English has.
        wanted = [holes(text) for text in forms(message.id)]
        for number, text in enumerate(forms(message.string)):
            if holes(text) != wanted[min(number, len(wanted) - 1)]:
                differ.append((forms(message.id)[min(number, len(wanted) - 1)], text))
    assert not differ, told("with other placeholders", code, differ)


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_ends_like_its_message(code: str) -> None:
    differ = [
        (message.id, text)
        for message in messages(translated(code))
        for text in forms(message.string)
        if text != text.strip() or stop(text) not in map(stop, forms(message.id))
    ]
    assert not differ, told("with another end", code, differ)


TERMS: Final[Mapping[str, tuple[str, str]]] = {
    "Foundations": ("Basisstapels", "Zielstapel"),
    "Foundation of %(suit)s": ("Basisstapel %(suit)s", "Zielstapel %(suit)s"),
    "Column %(number)d": ("Kolom %(number)d", "Spalte %(number)d"),
    "Classic": ("Klassiek", "Klassisch"),
    "Relaxed": ("Soepel", "Gelockert"),
    "Traditional": ("Traditioneel", "Traditionell"),
    "Placement help": ("Plaatsingshulp", "Ablagehilfe"),
    "Interactive rules": ("Interactieve spelregels", "Interaktive Regeln"),
    "Auto-place": ("Automatisch plaatsen", "Automatische Ablage"),
    "Double click": ("Dubbelklikken", "Doppelklick"),
    "New game": ("Nieuw spel", "Neues Spiel"),
    "Undo": ("Ongedaan maken", "Rückgängig"),
    "Moves": ("Zetten", "Züge"),
    "Score": ("Score", "Punkte"),
    "Time": ("Tijd", "Zeit"),
    "spades": ("schoppen", "Pik"),
    "hearts": ("harten", "Herz"),
    "diamonds": ("ruiten", "Karo"),
    "clubs": ("klaveren", "Kreuz"),
    "ace": ("aas", "Ass"),
    "jack": ("boer", "Bube"),
    "queen": ("vrouw", "Dame"),
    "king": ("heer", "König"),
}


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_the_one_agreed_on(term: str) -> None:
    assert (term,) in ids(in_source()), "no longer a message: bring TERMS up to date"
    assert (LANGUAGES["nl"].gettext(term), LANGUAGES["de"].gettext(term)) == TERMS[term]


@pytest.mark.parametrize(
    ("english", "dutch", "german"),
    [
        (r"\bfoundations?\b", r"basisstapels?\b", r"\bZielstapeln?\b"),
        (r"\bcolumns?\b", r"\bkolom(men)?\b", r"\bSpalten?\b"),
        (r"\bgroups?\b", r"\bgroep(en)?\b", r"\bGruppen?\b"),
        (r"\bdeal codes?\b", r"\bspelcodes?\b", r"\bSpielcodes?\b"),
        (r"\bClassic\b", r"\bKlassieke?\b", r"\bKlassisch(en?)?\b"),
        (r"\bTraditional\b", r"\bTraditione(el|le)\b", r"\bTraditionell(en?)?\b"),
    ],
)
def test_a_term_is_the_same_in_every_sentence(english: str, dutch: str, german: str) -> None:
    for code, word in {"nl": dutch, "de": german}.items():
        strays = [
            (message.id, message.string)
            for message in messages(translated(code))
            if any(re.search(english, text, re.IGNORECASE) for text in forms(message.id))
            and not all(re.search(word, text, re.IGNORECASE) for text in forms(message.string))
        ]
        assert not strays, told(f"without {word}", code, strays)


@pytest.mark.parametrize(
    ("code", "letters", "card"),
    [("en", "AJQK", "six of hearts"), ("nl", "ABVH", "harten zes"), ("de", "ABDK", "Herz-Sechs")],
)
def test_cards_are_named_as_players_name_them(code: str, letters: str, card: str) -> None:
    language = LANGUAGES[code]
    assert "".join(language.rank_letters[rank] for rank in (1, 11, 12, 13)) == letters
    assert [language.rank_letters[rank] for rank in range(2, 11)] == [str(rank) for rank in range(2, 11)]
    assert language.card_names[CARDS[18]] == card
    assert len(set(language.card_names.values())) == 52


@pytest.mark.parametrize(("code", "name"), [("en", "English"), ("nl", "Nederlands"), ("de", "Deutsch")])
def test_a_language_calls_itself_by_its_own_name(code: str, name: str) -> None:
    assert LANGUAGES[code].name == name


@pytest.mark.parametrize(
    ("code", "one", "more"),
    [("en", "1 point.", "5 points."), ("nl", "1 punt.", "5 punten."), ("de", "1 Punkt.", "5 Punkte.")],
)
def test_numbers_take_the_right_form(code: str, one: str, more: str) -> None:
    text = "%(points)d point.", "%(points)d points."
    assert LANGUAGES[code].ngettext(*text, 1) % {"points": 1} == one
    assert LANGUAGES[code].ngettext(*text, 5) % {"points": 5} == more
