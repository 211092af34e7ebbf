"""Help on the table: hints, how the game stands, where it was lost, a way to win, and the light."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.person import Person
from tests.browser.test_access import LANGUAGES, LOOKS, faults, heard
from tests.browser.test_ways_to_move import play, split
from tests.example import CODE, LOSING, MOVES

pytestmark = pytest.mark.usefixtures("solver")

SETTINGS: dict[str, str | float | bool] = {"placement_help": "on", "interactive_rules": "on", "double_click": "on"}


def have_played(person: Person, moves: list[str]) -> None:
    """Have these moves played, and look at the board."""
    for rev, move in enumerate(moves):
        card, to = split(move)
        form: dict[str, str | float | bool] = {"card": card, "to": to, "rev": rev}
        person.page.request.post(f"/play/{CODE}/move", form=form, max_redirects=0)
    person.open(CODE)
    person.sees_rev(len(moves))


def ask(person: Person, question: str) -> None:
    person.action("help").click()
    person.page.get_by_role("button", name=question).click()


def slow(person: Person, question: str, ms: int) -> None:
    """Let the answers to a question come late."""

    def wait(route: Route) -> None:
        person.page.wait_for_timeout(ms)
        route.continue_()

    person.page.route(f"**/{question}", wait)


# Hints


def test_a_hint_marks_a_card_and_its_place_until_the_next_move(person: Person) -> None:
    person.open(CODE)
    person.card("9S").focus()
    person.press("h")
    expect(person.message).to_have_text("From what lies face up: nine of spades with 4 cards to column 2.")
    assert heard(person) == "From what lies face up: nine of spades with 4 cards to column 2."
    expect(person.page.locator(".hinted")).to_have_count(5)
    expect(person.page.locator("[data-hinted]")).to_have_attribute("data-column", "2")
    assert (person.focused(), person.rev) == ("9S", 0)
    expect(person.page.locator("dt")).to_contain_text(["With help"])
    person.drag("9S", "2")
    person.sees_rev(1)
    expect(person.page.locator(".hinted, [data-hinted]")).to_have_count(0)
    person.action("hint").click()
    expect(person.message).to_contain_text("From what lies face up")
    person.press("u")
    person.sees_rev(2)
    expect(person.page.locator(".hinted, [data-hinted]")).to_have_count(0)


def test_hints_alone_are_never_refused_by_hand(person: Person) -> None:
    person.open(CODE)
    for rev in range(1, 13):
        person.press("h")
        hint = person.page.locator("#message [data-hint-card]")
        expect(hint).to_have_attribute("data-at", str(rev - 1))
        card, to = hint.get_attribute("data-hint-card"), hint.get_attribute("data-hint-to")
        assert card
        assert to
        person.drag(card, to)
        person.sees_rev(rev)


def test_with_scripts_off_a_hint_comes_with_its_card_picked_up(visit: Callable[..., Person]) -> None:
    person = visit("portrait", java_script_enabled=False)
    person.open(CODE)
    person.action("hint").click()
    expect(person.message).to_contain_text("nine of spades")
    expect(person.card("9S")).to_have_attribute("aria-pressed", "true")
    person.page.locator('button[form="play"][name="to"][value="2"]').last.click(position={"x": 20, "y": 3})
    person.sees_rev(1)


# How it stands


def test_whether_it_can_be_won_is_asked_and_told(person: Person) -> None:
    person.open(CODE)
    ask(person, "Can I still win?")
    expect(person.page.locator("dialog[open]")).to_have_count(0)
    expect(person.message).to_have_text("Yes, this can still be won. (Looked under the cards.)")
    assert heard(person) == "Yes, this can still be won. (Looked under the cards.)"
    expect(person.action("help")).to_be_focused()
    assert person.rev == 0


def test_a_lost_position_is_found_and_gone_back_to(person: Person) -> None:
    have_played(person, LOSING)
    ask(person, "Can I still win?")
    expect(person.message).to_contain_text("No, this can't be won any more.")
    ask(person, "Where did I lose it?")
    expect(person.message).to_contain_text("1 move back it could still be won.")
    person.page.get_by_role("button", name="Go back there").press("Enter")
    person.sees_rev(len(LOSING) + 1)
    ask(person, "Can I still win?")
    expect(person.message).to_contain_text("Yes, this can still be won.")


@pytest.mark.parametrize(
    ("question", "address"), [("Can I still win?", "verdict"), ("Where did I lose it?", "lost"), ("Show me", "show")]
)
def test_what_takes_a_while_says_so_and_a_move_ends_it(person: Person, question: str, address: str) -> None:
    person.open(CODE)
    slow(person, address, 1500)
    ask(person, question)
    expect(person.message).to_have_text("Thinking…")
    person.drag("9S", "2")
    person.sees_rev(1)
    expect(person.message).to_contain_text("Nine of spades")
    person.page.wait_for_timeout(2000)
    expect(person.message).to_contain_text("Nine of spades")
    person.drag("TD", "6")
    person.sees_rev(2)


def test_a_question_about_a_board_that_is_gone_brings_the_one_of_now(person: Person) -> None:
    person.open(CODE)
    other = Person(person.context)
    other.open(CODE)
    other.drag("9S", "2")
    other.sees_rev(1)
    ask(person, "Can I still win?")
    expect(person.message).to_contain_text("had changed in the meantime")
    person.sees_rev(1)
    person.drag("TD", "6")
    person.sees_rev(2)


def test_a_question_without_a_net_is_told_and_leaves_the_board_alone(person: Person) -> None:
    person.open(CODE)
    person.context.set_offline(True)
    person.press("h")
    expect(person.message).to_contain_text("No connection")
    person.context.set_offline(False)
    person.drag("9S", "2")
    person.sees_rev(1)


# Show me


def test_the_rest_of_a_game_is_shown_to_the_win_and_counts_as_helped(person: Person) -> None:
    have_played(person, MOVES[:66])
    ask(person, "Show me")
    expect(person.page.get_by_role("heading", name="You won!")).to_be_visible(timeout=40000)
    expect(person.page.locator("#finish p")).to_contain_text(re.compile("625 points .*, with help"))
    expect(person.message).to_have_text(re.compile(r"with help\.$"))


@pytest.mark.parametrize("how", ["Escape", "u", "f", "tap"])
def test_a_press_stops_what_is_shown_and_does_nothing_else(person: Person, how: str) -> None:
    person.open(CODE)
    ask(person, "Show me")
    expect(person.page.locator(".watch")).to_be_visible()
    expect(person.page.locator('[data-rev="0"]')).to_have_count(0)
    if how == "tap":
        spot = person.spot("7H")
        person.page.mouse.click(spot.x, spot.y)
    else:
        person.press(how)
    person.page.wait_for_timeout(600)  # what was under way is still shown
    rev = person.rev
    person.page.wait_for_timeout(2000)
    assert person.rev == rev
    expect(person.page.locator(".watch")).to_have_count(0)
    expect(person.page.locator("#board [aria-pressed]")).to_have_count(0)
    person.press("u")
    person.sees_rev(rev + 1)


def test_where_nothing_wins_nothing_is_shown(person: Person) -> None:
    have_played(person, LOSING)
    ask(person, "Show me")
    expect(person.message).to_contain_text("No, this can't be won any more.")
    person.page.wait_for_timeout(1000)
    assert person.rev == len(LOSING)


def test_with_scripts_off_each_question_is_a_page(visit: Callable[..., Person]) -> None:
    person = visit(java_script_enabled=False)
    have_played(person, LOSING)
    ask(person, "Can I still win?")
    expect(person.message).to_contain_text("No, this can't be won any more.")
    ask(person, "Where did I lose it?")
    person.page.get_by_role("button", name="Go back there").click()
    person.sees_rev(len(LOSING) + 1)
    ask(person, "Show me")
    for rev in (2, 3, 4):
        person.sees_rev(len(LOSING) + rev)
        expect(person.message).to_contain_text("Played for you: ")
        person.page.get_by_role("button", name="Next move").click()


# The light


def with_light(person: Person) -> None:
    person.page.request.post("/settings", form={**SETTINGS, "live_light": "on"}, max_redirects=0)


def test_the_light_is_off_until_it_is_wished(person: Person) -> None:
    person.open(CODE)
    expect(person.page.locator("#light")).to_have_count(0)
    person.action("settings").click()
    person.page.get_by_label("Live light").check()
    person.page.get_by_role("button", name="Save").click()
    expect(person.page.get_by_role("button", name="Help Can be won")).to_be_visible()
    expect(person.page.locator("#assisted").get_by_text("With help")).to_have_count(1)
    expect(person.message).to_be_empty()


def test_the_light_follows_the_game_without_a_word(person: Person) -> None:
    with_light(person)
    have_played(person, LOSING[:-1])
    light = person.page.locator("#light")
    expect(light).to_have_attribute("data-light", "won")
    person.drag(*split(LOSING[-1]))
    expect(light).to_have_attribute("data-light", "lost")
    expect(light).to_have_attribute("aria-label", "Can't be won")
    assert "won" not in heard(person)
    person.press("u")
    expect(light).to_have_attribute("data-light", "won")


def test_a_slow_light_holds_nothing_up(person: Person) -> None:
    with_light(person)
    person.page.route("**/light", lambda _route: None)
    person.open(CODE)
    play(person, 8)
    assert person.rev == 8
    person.page.unroute_all(behavior="ignoreErrors")
    person.press("u")
    person.sees_rev(9)
    expect(person.page.locator("#light")).to_have_attribute("data-light", "won")


# Only winnable deals


def test_only_winnable_deals_is_kept_for_the_next_time(person: Person) -> None:
    person.open(CODE)
    slow(person, "new", 800)
    person.press("n")
    person.page.get_by_label("Only winnable deals").check()
    person.page.get_by_role("button", name="Deal at random").click()
    expect(person.page.get_by_text("Looking for a deal that can be won…")).to_be_visible()
    person.page.wait_for_url(lambda url: not url.endswith(CODE))
    ask(person, "Can I still win?")
    expect(person.message).to_contain_text("Yes, this can still be won.")
    person.press("n")
    expect(person.page.get_by_label("Only winnable deals")).to_be_checked()
    person.page.reload()
    person.press("n")
    expect(person.page.get_by_label("Only winnable deals")).to_be_checked()


# For everybody


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_where_help_was_given(visit: Callable[..., Person], language: str, look: str) -> None:
    options: dict[str, Any] = {"locale": LANGUAGES[language], "reduced_motion": "reduce", **LOOKS[look]}
    person = visit("portrait", **options)
    with_light(person)
    have_played(person, LOSING)
    person.press("h")
    expect(person.page.locator("[data-advice=hint]")).to_be_visible()
    expect(person.page.locator("[data-light]")).to_be_visible()
    assert faults(person) == [], "hint"
    person.action("help").click()
    person.page.locator("[data-ask=lost]").click()
    expect(person.page.locator("[data-advice=lost] button")).to_be_visible()
    assert faults(person) == [], "lost"


@pytest.mark.parametrize("size", [(360, 640), (667, 375), (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_covers_no_card_and_no_button(
    visit: Callable[..., Person], size: tuple[int, int], language: str
) -> None:
    width, height = size
    person = visit(viewport={"width": width, "height": height}, locale=LANGUAGES[language], reduced_motion="reduce")
    have_played(person, LOSING)
    person.action("help").click()
    person.page.locator("[data-ask=lost]").click()
    toast = person.page.locator("[data-advice=lost]")
    expect(toast).to_be_visible()
    box = toast.bounding_box()
    assert box is not None
    for part in person.page.locator(".action, .code, [data-card], .figures").all():
        other = part.bounding_box()
        assert other is not None
        apart = (
            box["x"] + box["width"] <= other["x"] + 1
            or other["x"] + other["width"] <= box["x"] + 1
            or box["y"] + box["height"] <= other["y"] + 1
            or other["y"] + other["height"] <= box["y"] + 1
        ) or (width > 700 and "figures" in (part.get_attribute("class") or ""))  # part of the felt there
        assert apart, part.get_attribute("class")
