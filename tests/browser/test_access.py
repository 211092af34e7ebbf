"""Everybody can play: checked by axe, walked by keys, and heard through the accessibility tree."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.test_ways_to_move import play, walk_to
from tests.example import CODE, MOVES

LANGUAGES = {"en": "en-GB", "nl": "nl-NL", "de": "de-DE"}
PAGES = [f"/play/{CODE}", f"/play/{CODE}?card=9S", "/rules", "/examples", "/faq", "/nowhere"]
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}


def faults(person: Person) -> list[tuple[str, list[str]]]:
    """What axe finds: the rule, and where."""
    # An animation caught half-way has colours that nobody was meant to read.
    person.page.evaluate("() => document.getAnimations().forEach(animation => animation.finish?.call(animation))")
    found = Axe().run(person.page).response["violations"]
    return [(fault["id"], [str(node["target"]) for node in fault["nodes"]]) for fault in found]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("device", ["desktop", "portrait"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_on_any_page(visit: Callable[..., Person], language: str, device: str, look: str) -> None:
    person = visit(device, locale=LANGUAGES[language], reduced_motion="reduce", **LOOKS[look])
    for address in PAGES:
        person.page.goto(address)
        assert faults(person) == [], address
    person.open(CODE)
    for window in ("new", "help", "settings"):
        person.action(window).click()
        for question in person.page.locator("dialog[open] summary").all():
            question.click()
        assert faults(person) == [], window
        person.press("Escape")


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_after_a_refusal_and_at_the_win(visit: Callable[..., Person], look: str) -> None:
    person = visit(reduced_motion="reduce", **LOOKS[look])
    person.open(CODE)
    person.drag("9S", "3")
    expect(person.message).to_contain_text("nine of spades")
    assert faults(person) == []
    win(person)
    expect(person.page.get_by_role("heading", name="You won!")).to_be_visible()
    assert faults(person) == []


def win(person: Person, but: int = 0) -> None:
    """Have the example game played, all but its last few moves."""
    for rev, move in enumerate(MOVES[: len(MOVES) - but]):
        card, to = move.split(">")
        form: dict[str, str | float | bool] = {"card": card, "to": to, "rev": rev}
        person.page.request.post(f"/play/{CODE}/move", form=form, max_redirects=0)
    person.open(CODE)


def heard(person: Person) -> str:
    """What the live region says now, as a screen reader is given it."""
    nodes = cast("list[dict[str, Any]]", person.session.send("Accessibility.getFullAXTree")["nodes"])
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node: dict[str, Any]) -> str:
        if node.get("role", {}).get("value") == "StaticText":
            return str(node["name"]["value"])
        return "".join(text(by_id[child]) for child in node.get("childIds", []) if child in by_id)

    status = next(node for node in nodes if node.get("role", {}).get("value") == "status")
    return text(status).strip()


def control(person: Person) -> tuple[str, str]:
    """Role and name of what has the focus."""
    nodes = person.session.send("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        if any(p["name"] == "focused" and p["value"]["value"] for p in node.get("properties", [])) and node.get("name"):
            if node["role"]["value"] == "RootWebArea":
                continue
            return node["role"]["value"], node["name"]["value"]
    return "", ""


def test_a_walk_by_keys_is_told_in_words(person: Person) -> None:
    person.open(CODE)
    person.card("9S").focus()
    assert control(person) == ("button", "nine of spades")
    person.press("Enter")
    expect(person.message).to_contain_text("Picked up")
    assert heard(person) == "Picked up: nine of spades and 4 more. Places: 1."
    walk_to(person, "TH")
    person.press("Enter")
    person.sees_rev(1)
    assert heard(person) == "Nine of spades with 4 cards to column 2. Uncovered: two of spades. 5 points."
    assert control(person) == ("button", "nine of spades")
    person.press("u")
    person.sees_rev(2)
    assert heard(person) == "Put back: nine of spades with 4 cards to column 5."
    person.press("Enter")
    walk_to(person, "8C")
    person.press("Enter")
    expect(person.message).to_contain_text("doesn't go on the eight of clubs")
    assert heard(person) == (
        "The nine of spades doesn't go on the eight of clubs: that takes only a card one rank lower."
    )
    person.press("Escape")
    person.press("r")
    person.sees_rev(3)


def test_the_win_is_told_in_words(person: Person) -> None:
    win(person, but=1)
    person.card("KD").focus()
    person.press("f")
    person.sees_rev(83)
    expect(person.message).to_contain_text("You won!")
    assert heard(person).startswith("You won! 625 points in 83 moves")


def test_every_column_says_how_many_cards_lie_face_down(person: Person) -> None:
    person.open(CODE)
    nodes = person.session.send("Accessibility.getFullAXTree")["nodes"]
    lists = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "list"]
    labels = ["Column 1", *(f"Column {number}, {number - 1} face down" for number in range(2, 8))]
    assert [name for name in lists if name.startswith("Column")] == labels


def test_one_tab_stop_leads_to_the_board_and_one_back_out(person: Person) -> None:
    person.open(CODE)
    stops = "() => document.querySelectorAll('#board button:not([tabindex=\"-1\"])').length"
    assert person.page.evaluate(stops) == 1
    play(person, 2)
    assert person.page.evaluate(stops) == 1


def test_the_focus_can_be_seen_on_cards_and_on_the_felt(person: Person) -> None:
    person.open(CODE)
    person.press("Tab")
    while person.page.evaluate("!document.activeElement.closest('#board')"):
        person.press("Tab")
    person.press("ArrowRight")
    outline = person.page.evaluate(
        "() => { const style = getComputedStyle(document.activeElement);"
        " return [style.outlineStyle, parseFloat(style.outlineWidth), style.boxShadow]; }"
    )
    assert (outline[0] != "none" and outline[1] >= 2) or outline[2] != "none"


def test_at_200_percent_zoom_a_whole_board_can_be_played(visit: Callable[..., Person]) -> None:
    person = visit(viewport={"width": 640, "height": 400})
    person.open(CODE)
    play(person, 10)
    assert person.rev == 10


def test_without_motion_nothing_flies(visit: Callable[..., Person]) -> None:
    person = visit(reduced_motion="reduce")
    person.open(CODE)
    person.card("9S").focus()
    person.press("p")
    person.sees_rev(1)
    assert person.page.evaluate("document.getAnimations().filter(a => a.effect.target.closest('.tableau')).length") == 0
