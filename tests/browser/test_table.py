"""The table stays readable, current and honest: on every screen, in several tabs, and when the net is gone."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person, Spot
from tests.browser.test_ways_to_move import play, split
from tests.example import CODE

LONG = "YU1-C-EHHUJU7"
TO_25_CARDS = ["4H>7", "3C>7", "6S>4", "2H>7", "7S>7", "AH>7"]

# For each face-up card: is all of its corner inside the screen, big enough, and the thing one hits there?
READ_INDEXES = """() => [...document.querySelectorAll('.tableau [data-card]')].map(card => {
    const index = card.querySelector('.index'), parts = [...index.children].map(part => part.getBoundingClientRect());
    const isHit = ({left, top, width, height}) =>
        document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-card]') === card;
    const strip = card.closest('li').getBoundingClientRect();
    return {
        card: card.dataset.card,
        height: Math.min(...parts.map(part => part.height)),
        strip: strip.height,
        inside: parts.every(({left, top, right, bottom}) =>
            left >= 0 && right <= innerWidth && top >= strip.top - 1 && bottom <= strip.bottom + 1
            && bottom <= innerHeight),
        hit: parts.every(isHit),
    };
})"""

FIND_COVERED = """() => [...document.querySelectorAll('button, [data-card]')].filter(button => {
    const {left, top, width, height} = button.getBoundingClientRect();
    if (!width || !button.checkVisibility() || button.closest('dialog')) return false;
    if (button.matches('[data-card]')) return false;  // cards overlap: READ_INDEXES looks at them
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return !button.contains(hit);
}).map(button => button.dataset.action ?? button.id)"""

SCREENS = [(360, 640), (667, 375), (640, 400), (320, 568), (768, 1024), (1280, 800), (2560, 1440)]


def at(visit: Callable[..., Person], size: tuple[int, int], **options: Any) -> Person:
    width, height = size
    return visit(viewport={"width": width, "height": height}, **options)


@pytest.mark.parametrize("size", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_of_25_cards_in_a_column_can_be_read_and_hit(visit: Callable[..., Person], size: tuple[int, int]) -> None:
    person = at(visit, size)
    person.open(LONG)
    for rev, move in enumerate(TO_25_CARDS, start=1):
        person.drag(*split(move))
        person.sees_rev(rev)
    person.spot("AH")  # wait until all lie still
    assert len(person.columns[6]) == 25
    for index in cast("list[dict[str, Any]]", person.page.evaluate(READ_INDEXES)):
        assert index["inside"], index
        assert index["hit"], index
        assert index["height"] >= 8, index
        assert index["strip"] >= 11, index
    assert person.page.evaluate(FIND_COVERED) == []


@pytest.mark.parametrize("size", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_table_fills_the_window_and_nothing_scrolls(visit: Callable[..., Person], size: tuple[int, int]) -> None:
    person = at(visit, size)
    person.open(CODE)
    assert person.page.evaluate(
        "[document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
    ) == [True, True]
    assert person.page.evaluate(FIND_COVERED) == []


def test_the_opening_deal_shows_broad_strips_on_a_small_phone(visit: Callable[..., Person]) -> None:
    person = visit("portrait")
    person.open(CODE)
    assert min(index["strip"] for index in person.page.evaluate(READ_INDEXES)) >= 25


@pytest.mark.parametrize("size", [(360, 640), (667, 375), (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_message_covers_no_card_and_no_button(visit: Callable[..., Person], size: tuple[int, int]) -> None:
    person = at(visit, size)
    person.open(LONG)
    for rev, move in enumerate(TO_25_CARDS, start=1):
        person.drag(*split(move))
        person.sees_rev(rev)
    person.drag("AH", "1")
    expect(person.message).to_contain_text("ace of hearts")
    person.spot("AH")
    for index in person.page.evaluate(READ_INDEXES):
        assert index["hit"], index
    assert person.page.evaluate(FIND_COVERED) == []


@pytest.mark.parametrize("size", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("locale", ["en-GB", "nl-NL", "de-DE"])
def test_every_button_is_broad_enough_for_a_thumb(
    visit: Callable[..., Person], size: tuple[int, int], locale: str
) -> None:
    person = at(visit, size, locale=locale)
    person.open(CODE)
    least = 44 if min(size) < 700 else 40
    for button in person.page.locator(".action").all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 44, button.text_content()
        assert box["height"] >= least, button.text_content()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert button.evaluate("button => button.scrollWidth <= button.clientWidth"), button.text_content()


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (667, 375)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("locale", ["en-GB", "nl-NL", "de-DE"])
def test_with_scripts_off_what_a_picked_card_asks_covers_nothing(
    visit: Callable[..., Person], size: tuple[int, int], locale: str
) -> None:
    person = at(visit, size, locale=locale, java_script_enabled=False, reduced_motion="reduce")
    person.page.goto(f"/play/{CODE}?card=9S")
    asked = person.page.locator(".toast").bounding_box()
    assert asked is not None
    for part in (".figures", ".code", ".actions", ".foundations", ".tableau"):
        box = person.page.locator(part).bounding_box()
        assert box is not None
        apart = (
            asked["x"] + asked["width"] <= box["x"] + 1 or box["x"] + box["width"] <= asked["x"] + 1
            or asked["y"] + asked["height"] <= box["y"] + 1 or box["y"] + box["height"] <= asked["y"] + 1
        )  # fmt: skip
        assert apart, part


def test_an_empty_column_takes_a_king_over_its_whole_height(person: Person) -> None:
    person.open(CODE)
    play(person, 24)
    empty = next(number for number, column in enumerate(person.columns, start=1) if not column)
    box = person.place(str(empty)).bounding_box()
    assert box is not None
    for rev, height in ((25, 0.03), (27, 0.97)):
        person.drag("KH", Spot(box["x"] + box["width"] / 2, box["y"] + box["height"] * height))
        person.sees_rev(rev)
        assert person.columns[empty - 1][0] == "KH"
        person.press("u")
        person.sees_rev(rev + 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("forced", ["none", "active"])
def test_black_suits_stand_out_on_their_cards(visit: Callable[..., Person], scheme: str, forced: str) -> None:
    person = visit(color_scheme=scheme, forced_colors=forced)
    person.open(CODE)
    ink, paper = person.card("9S").evaluate(
        """card => {
            const parse = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
            const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
            const suit = card.querySelector('.index svg');
            return [light(parse(getComputedStyle(suit).color)), light(parse(getComputedStyle(card).backgroundColor))];
        }"""
    )
    assert abs(ink - paper) > 120


def test_suits_are_drawn_and_never_typed(person: Person) -> None:
    person.open(CODE)
    text = person.page.locator("#board").inner_text()
    assert not set(text) & set("♠♥♦♣♤♡♢♧")


def test_a_page_that_runs_from_right_to_left_takes_drops_where_they_fall(person: Person) -> None:
    person.open(CODE)
    person.page.evaluate("document.documentElement.dir = 'rtl'")
    person.drag("9S", "2")
    person.sees_rev(1)
    assert person.columns[1][-1] == "TC"


# Tabs and history


def second_tab(person: Person) -> Person:
    return Person(person.context)


def test_a_move_in_a_tab_that_is_behind_brings_it_up_to_date(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    other = second_tab(person)
    other.open(CODE)
    person.drag("TD", "6")
    person.sees_rev(2)
    other.drag("TD", "6")
    other.sees_rev(2)
    assert other.columns == person.columns
    expect(other.message).to_contain_text("had changed")
    other.drag("6D", "1")
    other.sees_rev(3)


def test_back_and_forward_show_whole_and_current_pages(person: Person) -> None:
    person.open(CODE)
    play(person, 2)
    board = person.columns
    person.press("n")
    field = person.page.locator('#new-game input[name="code"]:not([type="hidden"])')
    field.fill("yu1-c-aaaaaab")
    field.press("Enter")
    person.page.wait_for_url("**/play/YU1-C-AAAAAAB")
    expect(person.card("TS")).to_be_visible()
    expect(person.page.locator("dialog#new-game")).to_be_hidden()
    person.page.go_back()
    person.page.wait_for_url(f"**/play/{CODE}")
    person.sees_rev(2)
    assert person.columns == board
    expect(person.page.locator("header.bar")).to_be_visible()
    assert person.page.title().endswith(CODE)
    person.page.go_forward()
    person.page.wait_for_url("**/play/YU1-C-AAAAAAB")
    person.sees_rev(0)
    assert person.columns[0] == ["TS"]


def test_back_from_elsewhere_shows_the_board_of_now(person: Person) -> None:
    person.open(CODE)
    other = second_tab(person)
    other.open(CODE)
    person.page.goto("/healthz")
    other.drag("9S", "2")
    other.sees_rev(1)
    person.page.go_back()
    person.sees_rev(1)


def test_reloading_keeps_the_game(person: Person) -> None:
    person.open(CODE)
    play(person, 5)
    board, score = person.columns, person.value("score")
    person.page.reload()
    assert (person.columns, person.value("score"), person.rev) == (board, score, 5)


def test_a_friend_who_is_sent_the_address_gets_the_same_deal(visit: Callable[..., Person]) -> None:
    sender, friend = visit(), visit()
    sender.page.goto("/")
    dealt = sender.columns
    friend.page.goto(sender.page.url)
    assert friend.columns == dealt


def test_a_wrong_code_is_told_in_the_window(person: Person) -> None:
    person.open(CODE)
    person.action("new").click()
    field = person.page.locator('#new-game input[name="code"]:not([type="hidden"])')
    field.fill("YU2-C-AAAAAAB")
    field.press("Enter")
    expect(person.page.locator("#new-message")).to_contain_text("version")
    expect(person.page.locator("dialog#new-game")).to_be_visible()
    assert person.page.url.endswith(CODE)


def test_a_new_game_under_another_rule_is_dealt_at_random(person: Person) -> None:
    person.open(CODE)
    person.action("new").click()
    person.page.get_by_label("Traditional").check()
    person.page.get_by_role("button", name="Deal at random").click()
    person.page.wait_for_url("**/play/YU1-T-*")
    expect(person.page.locator("[data-card]:visible").first).to_be_visible()
    assert sum(len(column) for column in person.columns) == 52


# The net


def test_without_a_net_a_move_is_told_and_the_cards_go_home_until_it_is_back(person: Person) -> None:
    person.open(CODE)
    before = person.columns
    person.context.set_offline(True)
    person.drag("9S", "2")
    expect(person.message).to_contain_text("No connection")
    assert person.columns == before
    person.context.set_offline(False)
    person.page.wait_for_timeout(500)
    person.drag("9S", "2")
    person.sees_rev(1)


def test_a_server_that_does_not_answer_is_told_within_seconds(person: Person) -> None:
    person.open(CODE)
    person.page.route("**/move", lambda _route: None)
    person.drag("9S", "2")
    expect(person.message).to_contain_text("doesn't answer", timeout=8000)
    person.page.unroute_all(behavior="ignoreErrors")
    person.drag("9S", "2")
    person.sees_rev(1)


def test_an_accepted_move_whose_answer_was_lost_is_found_again(person: Person) -> None:
    person.open(CODE)

    def swallow(route: Any) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/move", swallow)
    person.drag("9S", "2")
    expect(person.message).not_to_be_empty()
    person.page.unroute_all(behavior="ignoreErrors")
    person.sees_rev(1)
    assert person.columns[1][-1] == "TC"


# The clock


def test_the_clock_waits_for_the_first_move_and_then_runs(person: Person) -> None:
    person.open(CODE)
    clock = person.page.locator("[data-clock]")
    person.page.wait_for_timeout(1500)
    expect(clock).to_have_text("0:00")
    play(person, 1)
    expect(clock).not_to_have_text("0:00", timeout=4000)


def test_the_clock_rests_while_the_page_is_hidden(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    hide = """hidden => {
        const state = hidden ? 'hidden' : 'visible';
        Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => state});
        Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
        document.dispatchEvent(new Event('visibilitychange', {bubbles: true}));
    }"""
    person.page.evaluate(hide, True)
    person.page.wait_for_timeout(3000)
    person.page.evaluate(hide, False)
    person.drag("TD", "6")
    person.sees_rev(2)
    assert float(person.value("clock")) < 2.5


def seconds(person: Person) -> int:
    """What the bar shows."""
    minutes, second = person.page.locator("[data-clock]").inner_text().split(":")
    return 60 * int(minutes) + int(second)


def test_the_clock_does_not_fall_back_when_the_page_is_loaded_again(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    person.page.wait_for_timeout(3000)
    for _ in range(4):
        before = seconds(person)
        assert before >= 2
        person.page.reload()
        assert before <= seconds(person) <= before + 2


def test_each_game_keeps_its_own_time(person: Person) -> None:
    person.open("YU1-C-AAAAAAB")
    legal = person.value("places").split()[0]
    person.card(legal[:2]).focus()
    person.press("p")
    person.sees_rev(1)
    deal(person, CODE)
    play(person, 1)
    person.page.wait_for_timeout(4000)
    deal(person, "YU1-C-AAAAAAB")
    assert seconds(person) <= 2
    deal(person, CODE)
    assert seconds(person) >= 4


def deal(person: Person, code: str) -> None:
    """Type a code into the New game window."""
    person.press("n")
    field = person.page.locator('#new-game input[name="code"]:not([type="hidden"])')
    field.fill(code)
    field.press("Enter")
    person.page.wait_for_url(f"**/play/{code}")
    assert person.page.title() == f"Yukon {code}"


def test_a_lost_answer_does_not_count_time_twice(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    person.page.wait_for_timeout(3000)

    def swallow(route: Any) -> None:
        route.fetch()
        route.abort()

    person.page.route("**/undo", swallow)
    before = seconds(person)
    person.press("u")
    person.page.wait_for_timeout(500)
    person.page.unroute_all(behavior="ignoreErrors")
    person.sees_rev(2)
    assert seconds(person) <= before + 4


def test_a_net_that_comes_back_leaves_an_open_window_alone(person: Person) -> None:
    person.open(CODE)
    person.press("n")
    field = person.page.locator('#new-game input[name="code"]:not([type="hidden"])')
    field.fill("YU1-C-AB")
    person.context.set_offline(True)
    person.page.wait_for_timeout(300)
    person.context.set_offline(False)
    person.page.wait_for_timeout(1500)
    expect(field).to_have_value("YU1-C-AB")


def test_a_new_game_without_a_net_is_told_in_its_window(person: Person) -> None:
    person.open(CODE)
    person.press("n")
    person.context.set_offline(True)
    person.page.get_by_role("button", name="Deal at random").click()
    expect(person.page.locator("#deal-message")).to_contain_text("No connection")


@pytest.mark.parametrize("status", [200, 403, 429, 502])
def test_a_stranger_who_answers_in_the_servers_place_is_not_let_onto_the_table(person: Person, status: int) -> None:
    person.open(CODE)
    before = person.columns
    page = "<html><body><h1>Please log in</h1></body></html>"
    person.page.route("**/move", lambda route: route.fulfill(status=status, body=page, content_type="text/html"))
    person.drag("9S", "2")
    expect(person.message).to_contain_text("doesn't answer")
    assert person.columns == before
    person.page.unroute_all(behavior="ignoreErrors")
    person.drag("9S", "2")
    person.sees_rev(1)


def test_the_deal_can_be_shared_by_one_click(visit: Callable[..., Person]) -> None:
    person = visit(permissions=["clipboard-read", "clipboard-write"])
    person.open(CODE)
    person.action("share").click()
    expect(person.message).to_contain_text("copied")
    assert person.page.evaluate("navigator.clipboard.readText()") == person.page.url


def test_a_message_goes_by_itself(person: Person) -> None:
    person.open(CODE)
    person.drag("9S", "3")
    expect(person.message).to_contain_text("nine of spades")
    expect(person.message).to_be_empty(timeout=9000)


def test_settings_are_kept_and_the_game_with_them(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    person.action("settings").click()
    person.page.get_by_label("Placement help").uncheck()
    person.page.get_by_role("combobox", name="Language").select_option("nl")
    person.page.get_by_role("button", name="Save").click()
    expect(person.page.locator("html")).to_have_attribute("lang", "nl")
    person.sees_rev(1)
    start = person.spot("TD")
    person.page.mouse.move(start.x, start.y)
    person.page.mouse.down()
    person.page.mouse.move(start.x + 40, start.y + 10, steps=3)
    expect(person.page.locator("[data-legal]")).to_have_count(0)
    person.page.mouse.up()
