"""Every way to move leads to the same game: dragging, tapping, keys, and plain forms."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.person import Person, Spot
from tests.example import CODE, MOVES

WON = {"S": "KS", "H": "KH", "D": "KD", "C": "KC"}


def split(move: str) -> tuple[str, str]:
    card, to = move.split(">")
    return card, to


def assert_won(person: Person) -> None:
    expect(person.page.get_by_role("heading", name="You won!")).to_be_visible()
    assert person.foundations == WON
    assert (person.value("score"), person.value("moves")) == ("625", "83")
    expect(person.page.locator("#finish")).to_contain_text("625")


def play(person: Person, count: int) -> None:
    """The first moves of the example game, by the mouse."""
    for rev, move in enumerate(MOVES[:count], start=person.rev + 1):
        person.drag(*split(move))
        person.sees_rev(rev)


def test_a_whole_game_is_won_by_dragging(person: Person) -> None:
    person.open(CODE)
    play(person, 83)
    assert_won(person)


@pytest.mark.parametrize("device", ["portrait", "landscape"])
def test_a_whole_game_is_won_by_swiping_on_a_phone(visit: Callable[..., Person], device: str) -> None:
    person = visit(device)
    person.open(CODE)
    for rev, move in enumerate(MOVES, start=1):
        person.swipe(*split(move))
        person.sees_rev(rev)
    assert_won(person)


def walk_to(person: Person, card: str) -> None:
    """By arrow keys from wherever the focus is."""
    for _ in range(80):
        if person.focused() == card:
            return
        person.press(person.page.evaluate(NEXT_KEY, card))
    raise AssertionError(f"the arrow keys don't lead to {card}")


# Which arrow leads nearer: sideways to the column first, then along it.
NEXT_KEY = """card => {
    const columnOf = element => element?.closest('[data-column]')?.dataset.column ?? null;
    const wanted = document.querySelector(`[data-card="${card}"]`) ?? document.getElementById(card);
    const now = document.activeElement, from = columnOf(now), to = columnOf(wanted);
    if (now.closest('#board') === null) return 'ArrowRight';
    if (to === null) return from === null ? 'ArrowRight' : 'ArrowUp';
    if (from === null) return 'ArrowDown';
    if (from !== to) return Number(from) < Number(to) ? 'ArrowRight' : 'ArrowLeft';
    return now.getBoundingClientRect().top < wanted.getBoundingClientRect().top ? 'ArrowDown' : 'ArrowUp';
}"""


def test_a_whole_game_is_won_by_keys_alone(person: Person) -> None:
    person.open(CODE)
    person.press("Tab")
    while person.page.evaluate("!document.activeElement.closest('#board')"):
        person.press("Tab")
    for rev, move in enumerate(MOVES, start=1):
        card, to = split(move)
        walk_to(person, card)
        if to == "F":
            person.press("f")
        else:
            person.press("Enter")
            last = person.columns[int(to) - 1][-1:]
            walk_to(person, last[0] if last else f"slot-{to}")
            person.press("Space")
        person.sees_rev(rev)
        if rev < 83:
            assert person.focused() == card, "the focus stays with the card that moved"
    assert_won(person)


def test_a_whole_game_is_won_by_tapping_card_and_place(visit: Callable[..., Person]) -> None:
    person = visit("portrait")
    person.open(CODE)
    for rev, move in enumerate(MOVES, start=1):
        card, to = split(move)
        person.tap(card)
        if to != "F":  # a last card that fits goes up by the first tap
            person.tap(person.middle(to))
        person.sees_rev(rev)
    assert_won(person)


def test_a_whole_game_is_won_with_scripts_off(visit: Callable[..., Person]) -> None:
    person = visit(java_script_enabled=False)
    person.open(CODE)
    for rev, move in enumerate(MOVES, start=1):
        card, to = split(move)
        person.card(card).click(position={"x": 20, "y": 3})
        place = person.page.locator(f'button[form="play"][name="to"][value="{to}"]').last
        place.click(position={"x": 20, "y": 3})
        expect(person.page.locator(f'[data-rev="{rev}"]')).to_have_count(1)
    expect(person.page.get_by_role("heading", name="You won!")).to_be_visible()


def test_with_scripts_off_undo_redo_and_restart_work_by_their_buttons(visit: Callable[..., Person]) -> None:
    person = visit(java_script_enabled=False)
    person.open(CODE)
    person.card("9S").click(position={"x": 20, "y": 3})
    person.page.locator('button[form="play"][name="to"][value="2"]').last.click(position={"x": 20, "y": 3})
    person.action("undo").click()
    expect(person.page.locator("[data-score]").first).to_have_attribute("data-score", "0")
    person.action("redo").click()
    expect(person.page.locator("[data-score]").first).to_have_attribute("data-score", "5")
    person.action("new").click()
    person.page.locator("dialog summary").click()
    person.page.locator('dialog [data-action="restart"]').click()
    expect(person.page.locator("[data-moves]").first).to_have_attribute("data-moves", "0")


# Dragging


def test_a_refused_drop_flies_home_and_says_why(person: Person) -> None:
    person.open(CODE)
    before = person.columns
    person.drag("9S", "3")
    expect(person.message).to_contain_text("The nine of spades doesn't go on the eight of clubs")
    assert (person.columns, person.rev) == (before, 0)


def test_a_card_dropped_on_its_own_column_is_no_move(person: Person) -> None:
    person.open(CODE)
    person.drag("9S", "5")
    person.page.wait_for_timeout(300)
    assert (person.rev, person.value("moves")) == (0, "0")
    expect(person.message).to_be_empty()


def test_a_drop_beside_the_table_is_no_move(person: Person) -> None:
    person.open(CODE)
    person.drag("9S", Spot(3, 400))
    person.page.wait_for_timeout(300)
    assert person.rev == 0


def test_a_last_card_goes_home_wherever_on_the_foundations_it_is_dropped(person: Person) -> None:
    person.open(CODE)
    play(person, 3)
    hearts = person.page.locator('[data-foundation="H"]').bounding_box()
    assert hearts is not None
    person.drag("AD", Spot(hearts["x"] + 20, hearts["y"] + 20))
    person.sees_rev(4)
    assert person.foundations["D"] == "AD"


def test_a_foundation_gives_its_top_card_back(person: Person) -> None:
    person.open(CODE)
    play(person, 20)
    person.drag("2S", "4")  # onto the three of diamonds
    person.sees_rev(21)
    assert person.foundations["S"] == "AS"
    assert person.columns[3][-1] == "2S"
    assert person.value("score") == "80"  # as before


def test_a_tall_group_goes_where_the_pointer_is(person: Person) -> None:
    """Grabbed at its very edge it lies over other columns; the pointer decides."""
    person.open(CODE)
    box = person.card("9S").bounding_box()
    assert box is not None
    grabbed = Spot(box["x"] + box["width"] - 3, box["y"] + 10)
    target = person.place("2").bounding_box()
    assert target is not None
    mouse = person.page.mouse
    mouse.move(grabbed.x, grabbed.y)
    mouse.down()
    mouse.move(target["x"] + target["width"] - 6, target["y"] + 200, steps=5)
    mouse.up()
    person.sees_rev(1)
    assert person.columns[1][-5:] == ["9S", "7D", "KC", "JH", "TC"]


def test_the_places_a_lifted_card_can_go_to_light_up(person: Person) -> None:
    person.open(CODE)
    start = person.spot("7D")  # it goes on 8C and 8S
    person.page.mouse.move(start.x, start.y)
    person.page.mouse.down()
    person.page.mouse.move(start.x + 30, start.y + 10, steps=3)
    lit = person.page.locator("[data-legal]")
    assert [place.get_attribute("data-column") for place in lit.all()] == ["3", "7"]
    person.press("Escape")
    expect(lit).to_have_count(0)
    person.page.mouse.up()
    person.page.wait_for_timeout(200)
    assert person.rev == 0


def test_a_second_finger_ends_a_drag_without_a_move(visit: Callable[..., Person]) -> None:
    person = visit("portrait")
    person.open(CODE)
    start, end = person.spot("9S"), person.middle("2")
    person.touch("touchStart", start)
    person.touch("touchMove", Spot(start.x - 30, start.y))
    person.touch("touchStart", Spot(start.x - 30, start.y), Spot(100, 500))
    person.touch("touchMove", end, Spot(100, 450))
    person.touch("touchEnd")
    person.page.wait_for_timeout(300)
    assert person.rev == 0


def test_while_an_answer_is_under_way_the_next_move_waits_its_turn(person: Person) -> None:
    person.open(CODE)

    def dawdle(route: Route) -> None:
        person.page.wait_for_timeout(300)
        route.continue_()

    person.page.route("**/move", dawdle)
    for move in MOVES[:3]:
        person.drag(*split(move))
    person.sees_rev(3)
    assert person.value("moves") == "3"


# Tapping


def test_a_tap_on_a_last_card_sends_it_home(person: Person) -> None:
    person.open(CODE)
    play(person, 3)
    person.click("AD")
    person.sees_rev(4)
    assert person.foundations["D"] == "AD"


def test_two_quick_taps_find_a_place_on_the_tableau(person: Person) -> None:
    person.open(CODE)
    person.page.mouse.dblclick(person.spot("9S").x, person.spot("9S").y)
    person.sees_rev(1)
    assert person.columns[1][-5:] == ["9S", "7D", "KC", "JH", "TC"]


def test_three_quick_clicks_move_at_most_once(person: Person) -> None:
    person.open(CODE)
    for _ in range(2):
        spot = person.spot("9S")
        rev = person.rev
        for count in (1, 2, 3):
            person.page.mouse.click(spot.x, spot.y, click_count=count)
        person.page.wait_for_timeout(500)
        assert person.rev <= rev + 1
        person.page.wait_for_timeout(400)


def test_the_second_tap_does_nothing_once_the_first_has_moved_the_card(person: Person) -> None:
    person.open(CODE)
    play(person, 3)
    spot = person.spot("AD")
    person.page.mouse.dblclick(spot.x, spot.y)
    person.sees_rev(4)
    person.page.wait_for_timeout(400)
    assert person.rev == 4
    assert person.page.locator('[aria-pressed="true"]').count() == 0


def test_without_the_setting_two_quick_taps_move_nothing(person: Person) -> None:
    person.open(CODE)
    person.action("settings").click()
    person.page.get_by_label("Double click").uncheck()
    person.page.get_by_role("button", name="Save").click()
    spot = person.spot("9S")
    person.page.mouse.dblclick(spot.x, spot.y)
    person.page.wait_for_timeout(400)
    assert person.rev == 0


def test_with_auto_place_a_card_let_go_anywhere_finds_its_place(person: Person) -> None:
    person.open(CODE)
    person.action("settings").click()
    person.page.get_by_label("Auto-place").check()
    person.page.get_by_role("button", name="Save").click()
    person.drag("9S", Spot(3, 400))
    person.sees_rev(1)
    assert person.columns[1][-5:] == ["9S", "7D", "KC", "JH", "TC"]


def test_phones_neither_zoom_at_two_taps_nor_lose_the_pinch(visit: Callable[..., Person]) -> None:
    person = visit("portrait")
    person.open(CODE)
    touch = "element => getComputedStyle(element).touchAction"
    assert person.card("9S").evaluate(touch) in ("none", "pinch-zoom")
    assert person.page.locator("body").evaluate(touch) in ("auto", "manipulation")
    assert "user-scalable" not in (person.page.locator('meta[name="viewport"]').get_attribute("content") or "")


def test_a_long_press_opens_no_menu(visit: Callable[..., Person]) -> None:
    person = visit("portrait")
    person.open(CODE)
    prevented = person.card("9S").evaluate(
        """card => !card.dispatchEvent(
            new PointerEvent('contextmenu', {bubbles: true, cancelable: true, pointerType: 'touch'}))"""
    )
    callout = person.card("9S").evaluate("card => getComputedStyle(card).userSelect")
    assert prevented
    assert callout == "none"


# Keys


def test_keys_undo_redo_and_open_the_windows(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    person.press("u")
    person.sees_rev(2)
    person.press("Control+Shift+Z")
    person.sees_rev(3)
    person.press("Control+z")
    person.sees_rev(4)
    person.press("r")
    person.sees_rev(5)
    assert person.columns[1][-1] == "TC"
    person.press("?")
    expect(person.page.locator("dialog#help")).to_contain_text("To the foundation")
    person.press("Escape")
    person.press("n")
    expect(person.page.locator("dialog#new-game")).to_be_visible()


def test_a_restart_is_asked_for_twice(person: Person) -> None:
    person.open(CODE)
    dealt = person.columns
    play(person, 2)
    person.press("n")
    restart = person.page.locator('#new-game [data-action="restart"]')
    expect(restart).to_be_hidden()
    person.page.locator("#new-game summary").press("Enter")
    expect(restart).to_be_in_viewport()
    person.press("Escape", "n")
    expect(restart).to_be_hidden()
    person.page.locator("#new-game summary").press("Enter")
    person.press("Tab", "Enter")
    person.sees_rev(3)
    assert person.columns == dealt
    assert person.value("moves") == "0"


def test_a_key_seeks_a_place_for_a_group(person: Person) -> None:
    person.open(CODE)
    person.card("9S").focus()
    person.press("p")
    person.sees_rev(1)
    assert person.focused() == "9S"


def test_letters_typed_into_the_code_field_are_only_letters(person: Person) -> None:
    person.open(CODE)
    play(person, 1)
    person.press("n")
    field = person.page.locator('#new-game input[name="code"]:not([type="hidden"])')
    field.fill("")
    field.press_sequentially("purfn")
    expect(field).to_have_value("purfn")
    assert person.rev == 1
