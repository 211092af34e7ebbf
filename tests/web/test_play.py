"""People play on pages: with htmx, and with plain forms where scripts are off."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.engine import Card, DealCode, Game, Move
from app.store import MemoryStore
from tests.example import CODE, MOVES
from tests.refusals import REFUSALS, spell
from tests.time import Time
from tests.web.player import HTMX, Browser, Page


def play_all(browser: Browser, moves: list[str], code: str = CODE) -> Page:
    for rev, move in enumerate(moves):
        page = browser.move(code, move, rev)
        assert page.status == 200, (move, page.text)
    return browser.look(code)


def hidden_cards(moves: list[str], code: str = CODE) -> list[str]:
    board = Game.replay(DealCode.parse(code), map(Move.parse, moves)).board
    return [
        str(Card(card)) for column, down in zip(board.columns, board.face_down, strict=True) for card in column[:down]
    ]


# Ways in


def test_a_newcomer_is_led_to_a_new_classic_deal(browser: Browser) -> None:
    first, second = browser.get("/"), browser.get("/")
    assert first.status == 303
    assert re.fullmatch(r"/play/YU1-C-[A-Z2-7]{7}", first.response.headers["location"])
    assert first.response.headers["location"] != second.response.headers["location"]


def test_a_player_is_led_back_to_the_running_game(browser: Browser) -> None:
    browser.move(CODE, MOVES[0], 0)
    assert browser.get("/").response.headers["location"] == f"/play/{CODE}"


def test_a_player_whose_game_is_won_is_led_to_a_new_deal(browser: Browser) -> None:
    play_all(browser, MOVES)
    assert browser.get("/").response.headers["location"] != f"/play/{CODE}"


def test_the_page_of_a_deal_shows_it_as_dealt_to_whoever_has_not_played_it(
    arrive: Callable[[], Browser],
) -> None:
    player, friend = arrive(), arrive()
    dealt = player.look(CODE)
    assert (dealt.status, dealt.rev, dealt.score, dealt.moves, dealt.clock) == (200, 0, 0, 0, 0)
    player.move(CODE, MOVES[0], 0)
    assert friend.look(CODE).columns == dealt.columns
    assert player.look(CODE).columns != dealt.columns


@pytest.mark.parametrize("typed", ["yu1-c-abfhtil", "YU1CABFHTIL", "%20abfhtil%20", "YU1–C–ABFHTIL", "YU1-C-ABFHT1L"])
def test_a_code_in_another_form_leads_to_the_canonical_address(browser: Browser, typed: str) -> None:
    page = browser.get(f"/play/{typed}")
    assert (page.status, page.response.headers["location"]) == (308, f"/play/{CODE}")


def test_a_code_in_another_form_keeps_what_was_asked_for(browser: Browser) -> None:
    assert browser.get("/play/abfhtil?card=9S").response.headers["location"] == f"/play/{CODE}?card=9S"
    undo = browser.act("abfhtil", "undo", 0)
    assert (undo.status, undo.response.headers["location"]) == (308, f"/play/{CODE}/undo")


@pytest.mark.parametrize("code", ["YU2-C-ABFHTIL", "YU1-Q-ABFHTIL", "YU1-C-ABFHTI", "АBFHTIL", "A" * 300, "%00", "1"])
def test_an_address_without_a_deal_is_not_found_and_says_why(browser: Browser, code: str) -> None:
    page = browser.get(f"/play/{code}")
    assert page.status == 404
    assert page.is_whole
    assert "YU1" in page.text


def test_reading_stores_nothing(browser: Browser, store: MemoryStore) -> None:
    browser.get("/")
    page = browser.look(CODE)
    browser.client.head(f"/play/{CODE}")
    browser.move(CODE, "8S>F", 0)  # refused: no game is made of it
    assert len(store) == 0
    assert "set-cookie" not in page.response.headers


# A move and what comes back


def test_a_move_brings_only_what_changed(browser: Browser) -> None:
    before = browser.look(CODE)
    answer = browser.move(CODE, "9S>2", 0)
    assert answer.status == 200
    assert not answer.is_whole
    assert set(answer.marks.columns) == {"2", "5"}
    assert answer.marks.foundations == {}
    assert (answer.rev, answer.score, answer.moves) == (1, 5, 1)
    after = browser.look(CODE)
    assert after.columns[1] == answer.marks.columns["2"] == [*before.columns[1], "9S", "7D", "KC", "JH", "TC"]
    assert after.columns[4] == answer.marks.columns["5"] == ["??", "??", "??", "2S"]


def test_a_move_to_a_foundation_brings_the_foundation(browser: Browser) -> None:
    play_all(browser, MOVES[:3])
    answer = browser.move(CODE, "AD>F", 3)
    assert answer.marks.foundations == {"D": "AD"}


def test_every_page_says_it_must_not_be_stored(browser: Browser) -> None:
    for answer in (browser.look(CODE), browser.get("/"), browser.move(CODE, MOVES[0], 0), browser.get("/nowhere")):
        assert answer.response.headers["cache-control"] == "no-store"


def test_htmx_gets_the_table_and_a_browser_the_page_of_the_same_address(browser: Browser) -> None:
    assert browser.look(CODE).is_whole
    fragment = browser.get(f"/play/{CODE}", **HTMX)
    assert not fragment.is_whole
    assert fragment.columns == browser.look(CODE).columns
    assert "HX-Request" in fragment.response.headers["vary"]


def test_the_example_game_is_won_with_625_points_by_htmx(browser: Browser) -> None:
    page = play_all(browser, MOVES)
    assert (page.score, page.moves, page.columns) == (625, 83, [[]] * 7)
    assert page.marks.foundations == {"S": "KS", "H": "KH", "D": "KD", "C": "KC"}
    assert "625" in page.text
    for answer in (browser.move(CODE, "KS>1", 83), browser.act(CODE, "undo", 83), browser.act(CODE, "redo", 83)):
        assert answer.status == 422
        assert answer.message


def test_the_example_game_is_won_by_forms_alone(browser: Browser) -> None:
    for rev, move in enumerate(MOVES):
        card, to = move.split(">")
        picked = browser.get(f"/play/{CODE}?card={card}")
        assert picked.marks.values["rev"] == str(rev)
        assert re.search(rf'id="card-{card}"[^>]*aria-pressed="true"', picked.text)
        assert re.search(rf'form="play" name="to" value="{to}"', picked.text)
        moved = browser.move(CODE, move, rev, htmx=False)
        assert (moved.status, moved.response.headers["location"]) == (303, f"/play/{CODE}")
    assert browser.look(CODE).score == 625


def test_without_scripts_a_card_is_picked_up_by_one_button_and_let_go_by_the_same(browser: Browser) -> None:
    assert 'form="pick" name="card" value="9S"' in browser.look(CODE).text
    picked = browser.get(f"/play/{CODE}?card=9S")
    assert re.search(r'id="card-9S" data-card="9S" form="pick" aria-label="[^"]*" aria-pressed="true"', picked.text)
    assert re.search(r'id="column-2"[^>]*data-legal', picked.text)
    assert not re.search(r'id="column-3"[^>]*data-legal', picked.text)


@pytest.mark.parametrize("card", ["2S", "??", "5X", "\0", "9S" * 200])
def test_a_card_that_cannot_be_picked_up_is_not(browser: Browser, card: str) -> None:
    page = Page(browser.client.get(f"/play/{CODE}", params={"card": card}))
    assert page.status == 200
    assert "aria-pressed" not in page.text


# Refusals


@pytest.mark.parametrize(("reason", "code", "before", "action", "says"), REFUSALS, ids=lambda value: str(value)[:20])
def test_what_is_refused_says_which_rule_refused_it_and_changes_nothing(
    browser: Browser, reason: str, code: str, before: list[str], action: str, says: str
) -> None:
    board = play_all(browser, before, code)
    card, _, to = spell(action, board.columns).partition(">")
    fields: dict[str, object] = {"card": card, "to": to} if to else {}
    for htmx in (True, False):
        answer = browser.act(code, "move" if to else action, board.rev, htmx=htmx, **fields)
        assert answer.status == 422, reason
        assert says in answer.message
        assert answer.is_whole != htmx
    after = browser.look(code)
    assert (after.columns, after.rev, after.moves) == (board.columns, board.rev, board.moves)


def test_with_interactive_rules_off_a_refused_move_says_nothing(browser: Browser) -> None:
    browser.post("/settings", {"placement_help": "on"})
    assert browser.move(CODE, "8S>1", 0).message == ""
    assert browser.act(CODE, "undo", 0).message != ""


def test_a_stale_move_brings_the_table_of_now(browser: Browser) -> None:
    browser.move(CODE, "9S>2", 0)
    for htmx in (True, False):
        answer = browser.move(CODE, "9S>2", 0, htmx=htmx)
        assert (answer.status, answer.rev, answer.is_whole) == (409, 1, not htmx)
        assert answer.columns == browser.look(CODE).columns
        assert answer.message


def test_of_many_moves_at_once_on_the_same_board_one_is_played(browser: Browser) -> None:
    browser.move(CODE, "9S>2", 0)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: browser.move(CODE, "TD>6", 1).status, range(16)))
    assert sorted(answers) == [200] + [409] * 15
    assert browser.look(CODE).moves == 2


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"rev": "x"}, {"rev": 0, "card": "9S"}, {"rev": 0, "card": "9S", "to": "8"},
        {"rev": 0, "card": "9S\0", "to": "2"}, {"rev": 0, "card": "9S", "to": "2", "visible": "long"},
        {"rev": 0, "card": "9S", "to": "2", "admin": "yes"}, {"rev": 0, "card": "9S" * 100, "to": "2"},
        {"rev": 0, "card": "9S", "to": "2", "visible": "9" * 400}, {"rev": "9" * 5000, "card": "9S", "to": "2"},
    ],
    ids=lambda fields: str(fields)[:60],
)  # fmt: skip
def test_a_form_that_makes_no_sense_is_told_so(browser: Browser, fields: dict[str, object]) -> None:
    before = browser.look(CODE).columns
    for headers in ({}, HTMX):
        page = browser.post(f"/play/{CODE}/move", fields, **headers)
        assert page.status in (409, 422)
        assert page.is_whole != bool(headers)
    assert browser.look(CODE).columns == before


def test_a_body_over_16_kilobytes_is_told_so(browser: Browser) -> None:
    page = browser.post("/new", {"code": "A" * 17000})
    assert (page.status, page.is_whole) == (413, True)


def test_wrong_methods_and_addresses_get_a_readable_page(browser: Browser) -> None:
    for address in ("/nowhere", "/static/x"):
        page = browser.get(address)
        assert (page.status, page.is_whole) == (404, True)
    for address in ("/new", f"/play/{CODE}", f"/play/{CODE}/move", "/rules"):
        page = Page(browser.client.put(address))
        assert (page.status, page.is_whole) == (405, True)


def test_an_address_that_only_takes_moves_leads_back_to_its_board(browser: Browser) -> None:
    for action in ("move", "undo", "redo", "restart"):
        page = browser.get(f"/play/{CODE}/{action}")
        assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")
    assert browser.get("/new").status == browser.get("/settings").status == 303


def test_a_browser_that_keeps_no_cookie_is_told_so(browser: Browser) -> None:
    browser.move(CODE, MOVES[0], 0)
    browser.client.cookies.clear()
    answer = browser.move(CODE, MOVES[1], 1)
    assert (answer.status, answer.rev) == (409, 0)
    assert "cookie" in answer.message


# Undo, redo, restart


def test_undo_and_redo_take_steps_back_and_forth(browser: Browser) -> None:
    dealt = browser.look(CODE)
    moved = play_all(browser, ["9S>2"])
    undone = browser.act(CODE, "undo", 1)
    assert (undone.score, undone.moves, undone.rev) == (0, 1, 2)
    assert browser.look(CODE).columns == dealt.columns
    browser.act(CODE, "redo", 2)
    assert browser.look(CODE).columns == moved.columns


def test_restart_deals_the_same_cards_anew(browser: Browser, time: Time) -> None:
    dealt = browser.look(CODE)
    played = play_all(browser, MOVES[:10])
    time.passes(30)
    browser.act(CODE, "restart", played.rev, htmx=False)
    again = browser.look(CODE)
    assert (again.columns, again.score, again.moves, again.clock) == (dealt.columns, 0, 0, 0)
    assert again.rev == played.rev + 1


def test_restart_before_the_first_move_changes_nothing(browser: Browser, store: MemoryStore) -> None:
    assert browser.act(CODE, "restart", 0, htmx=False).status == 303
    assert len(store) == 0


# The clock


def test_only_time_in_view_counts(browser: Browser, time: Time) -> None:
    browser.move(CODE, MOVES[0], 0, visible=5000)
    time.passes(100)
    assert browser.move(CODE, MOVES[1], 1, visible=2500).clock == 2.5
    time.passes(1000)
    assert browser.look(CODE).clock == 2.5
    browser.post(f"/play/{CODE}/clock", {"visible": 4000})
    assert browser.look(CODE).clock == 6.5


def test_a_clock_that_is_tampered_with_neither_jumps_nor_runs_backwards(browser: Browser, time: Time) -> None:
    browser.move(CODE, MOVES[0], 0)
    time.passes(10)
    assert browser.move(CODE, MOVES[1], 1, visible=10**12).clock == 10
    time.passes(10)
    assert browser.move(CODE, MOVES[2], 2, visible=-(10**12)).clock == 10


def test_the_clock_tells_the_same_time_in_the_bar_and_at_the_win(browser: Browser, time: Time) -> None:
    for rev, move in enumerate(MOVES):
        time.passes(1)
        answer = browser.move(CODE, move, rev, visible=1000)
    assert answer.clock == 82
    assert answer.text.count("1:22") == 3  # the bar, the finish, and what is told
    time.passes(50)
    browser.post(f"/play/{CODE}/clock", {"visible": 50000})
    assert browser.look(CODE).clock == 82


def test_the_clock_of_a_game_that_was_never_begun_stays_still(browser: Browser, time: Time) -> None:
    time.passes(50)
    assert browser.post(f"/play/{CODE}/clock", {"visible": 50000}).status == 204
    assert browser.look(CODE).clock == 0


# What lies face down


@pytest.mark.parametrize("so_far", [0, 1, 10, 25])
def test_no_answer_names_a_card_that_lies_face_down(browser: Browser, so_far: int) -> None:
    answers = [browser.look(CODE), *(browser.move(CODE, move, rev) for rev, move in enumerate(MOVES[:so_far]))]
    rev = so_far
    answers += [browser.look(CODE), browser.act(CODE, "redo", rev), browser.move(CODE, "KS>F", rev)]
    if so_far:
        answers += [browser.act(CODE, "undo", rev), browser.look(CODE)]
        so_far -= 1
    hidden = hidden_cards(MOVES[:so_far])
    names = faces_in_words()
    for card in hidden:
        text = answers[-1].text
        assert not re.search(rf"\b{card}\b", text)
        assert names[card] not in text


def faces_in_words() -> dict[str, str]:
    ranks = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    letters = "A23456789TJQK"
    return {
        letter + s: f"{rank} of {suit}"
        for letter, rank in zip(letters, ranks, strict=True)
        for s, suit in suits.items()
    }


# Sentences to hear


def test_a_move_an_uncovered_card_and_an_undo_are_told_in_words(browser: Browser) -> None:
    moved = browser.move(CODE, "9S>2", 0)
    assert moved.message == "Nine of spades with 4 cards to column 2. Uncovered: two of spades. 5 points."
    assert browser.act(CODE, "undo", 1).message == "Put back: nine of spades with 4 cards to column 5."
