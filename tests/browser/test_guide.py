"""The Examples page steps through its game, with scripts and without; the text pages fit every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person
from tests.example import MOVES


def sees_move(page: Page, number: int) -> None:
    expect(page.locator(f'[data-moves="{number}"]')).to_have_count(1)


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


def test_buttons_step_through_the_game(person: Person) -> None:
    page = person.page
    page.goto("/examples")
    sees_move(page, 0)
    press(page, "Next")
    sees_move(page, 1)
    press(page, "Next")
    sees_move(page, 2)
    assert person.columns[5][-5:] == ["JS", "TD", "5H", "QD", "8S"]
    expect(person.message).to_contain_text("Ten of diamonds with 3 cards to column 6.")
    press(page, "Back")
    sees_move(page, 1)
    press(page, "Last")
    sees_move(page, len(MOVES))
    expect(page.locator("[data-score]")).to_have_attribute("data-score", "625")
    press(page, "First")
    sees_move(page, 0)


def test_the_arrow_keys_step_too_and_the_focus_stays(person: Person) -> None:
    page = person.page
    page.goto("/examples")
    page.get_by_role("button", name="Next", exact=True).focus()
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        sees_move(page, number)
    page.keyboard.press("ArrowLeft")
    sees_move(page, 2)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("End")
    sees_move(page, len(MOVES))
    expect(page.get_by_role("button", name="Next", exact=True)).to_have_attribute("aria-disabled", "true")


def test_an_arrow_key_held_down_ends_where_it_should(person: Person) -> None:
    page = person.page
    page.goto("/examples")
    page.get_by_role("button", name="Next", exact=True).focus()
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    sees_move(page, 15)


def test_a_step_has_an_address_that_leads_back_to_it(person: Person) -> None:
    page = person.page
    page.goto("/examples#17")
    sees_move(page, 17)
    press(page, "Next")
    sees_move(page, 18)
    assert page.url.endswith("/examples#18")
    page.reload()
    sees_move(page, 18)
    page.evaluate("location.hash = '#83'")
    sees_move(page, 83)


def test_any_move_can_be_named_or_chosen(person: Person) -> None:
    page = person.page
    page.goto("/examples")
    page.get_by_label("To move").fill("40")
    press(page, "Go")
    sees_move(page, 40)
    page.locator('.moves [data-move="12"]').click()
    sees_move(page, 12)
    expect(page.locator('.moves [aria-current="step"]')).to_have_attribute("data-move", "12")


def test_it_plays_by_itself_until_there_is_something_to_tell(person: Person) -> None:
    page = person.page
    page.goto("/examples#2")
    sees_move(page, 2)
    press(page, "Play")
    sees_move(page, 4)  # an ace comes home: the page explains, and waits
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_timeout(1600)
    sees_move(page, 4)
    press(page, "Play")
    sees_move(page, 5)
    press(page, "Stop")
    page.wait_for_timeout(1600)
    sees_move(page, 5)


def test_a_refused_group_is_shown_with_the_rule_that_refused_it(person: Person) -> None:
    person.page.goto("/examples#20")
    sees_move(person.page, 20)
    expect(person.page.locator(".toast")).to_have_text(
        "The queen of spades can't start an empty column: only a king can."
    )
    expect(person.page.locator("#board .held")).to_have_count(11)


def test_a_lost_connection_is_told_and_leaves_the_board_as_it_is(person: Person) -> None:
    page = person.page
    page.goto("/examples")
    page.context.set_offline(True)
    press(page, "Next")
    expect(person.message).to_contain_text("No connection")
    sees_move(page, 0)
    page.context.set_offline(False)
    press(page, "Next")
    sees_move(page, 1)


def test_with_scripts_off_the_same_buttons_and_links_do_it(visit: Callable[..., Person]) -> None:
    page = visit(java_script_enabled=False).page
    page.goto("/examples?lang=de")
    press(page, "Weiter")
    sees_move(page, 1)
    press(page, "Weiter")
    sees_move(page, 2)
    page.locator('.moves [data-move="83"]').click()
    sees_move(page, 83)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Abspielen")).to_have_count(0)


def test_covered_cards_show_the_whole_of_their_corners_on_a_phone(visit: Callable[..., Person]) -> None:
    page = visit("portrait").page
    page.goto("/examples")
    for number, least in ((0, 16), (20, 9.5), (40, 16)):  # after move 20 a column has 29 cards
        page.goto(f"/examples#{number}")
        sees_move(page, number)
        found = page.evaluate(
            """[...document.querySelectorAll('#felt .up')].map(li => [
                li.getBoundingClientRect().height,
                parseFloat(getComputedStyle(li.querySelector(".index")).fontSize)])"""
        )
        for strip, letters in found:
            assert strip >= least
            assert letters <= strip - 2


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_of_a_page_goes_along_to_the_table(visit: Callable[..., Person], scripts: bool) -> None:
    page = visit(java_script_enabled=scripts).page
    page.goto("/rules?lang=nl")
    page.get_by_role("button", name="Spelen", exact=True).click()
    page.wait_for_url("**/play/*")
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    page.goto("/examples?lang=de")
    page.get_by_role("button", name="Dieses Spiel spielen").last.click()
    page.wait_for_url("**/play/YU1-C-OIHOOSL")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_game_shown_can_be_played(person: Person) -> None:
    person.page.goto("/examples")
    person.page.get_by_role("link", name="Play this deal").first.click()
    expect(person.page.locator('[data-rev="0"]')).to_have_count(1)


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
@pytest.mark.parametrize("language", ["en", "nl", "de"])
def test_no_page_is_wider_than_the_window(person: Person, width: int, language: str) -> None:
    person.page.set_viewport_size({"width": width, "height": 700})
    for page in ("rules", "examples", "faq"):
        person.page.goto(f"/{page}?lang={language}")
        assert person.page.evaluate("document.documentElement.scrollWidth") == width


def test_a_keyboard_reaches_the_text_first(person: Person) -> None:
    person.page.goto("/rules")
    person.press("Tab")
    expect(person.page.get_by_role("link", name="To the text")).to_be_focused()
    person.press("Enter", "Tab")
    assert person.page.evaluate("!!document.activeElement.closest('main')")
