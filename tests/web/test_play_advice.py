"""A player asks what to do next, and how the game stands."""

import re

import pytest
from starlette.testclient import TestClient

from app.engine import DealCode, Game, Move
from tests.example import CODE, LOSING, LOST, MOVES
from tests.time import Time
from tests.web.conftest import Make
from tests.web.player import HTMX, Browser, Page

OTHER = "YU1-C-AAAAAAB"
QUESTIONS = ("hint", "verdict", "lost", "show", "light")


@pytest.fixture
def player(asked: TestClient) -> Browser:
    """A newcomer at a server whose solver is ready."""
    asked.cookies.clear()
    return Browser(asked)


def play(browser: Browser, *moves: str, code: str = CODE) -> int:
    for rev, move in enumerate(moves):
        assert browser.move(code, move, rev).status == 200
    return len(moves)


def marks(page: Page) -> dict[str, str]:
    """What the message says to scripts."""
    return dict(re.findall(r'data-(advice|at|status|hint-card|hint-to|light)="([^"]*)"', page.text))


def is_assisted(browser: Browser, code: str = CODE) -> bool:
    return 'title="With help"' in browser.look(code).text


# Hints


def test_a_hint_names_a_legal_move_and_picks_nothing_up_for_a_script(browser: Browser) -> None:
    rev = play(browser, *MOVES[:10])
    answer = browser.act(CODE, "hint", rev)
    assert (answer.status, answer.is_whole) == (200, False)
    assert answer.message.startswith("From what lies face up: ")
    said = marks(answer)
    assert (said["advice"], said["at"]) == ("hint", "10")
    assert browser.move(CODE, f"{said['hint-card']}>{said['hint-to']}", rev).status == 200
    assert "data-column" not in answer.text


def test_without_scripts_the_proposed_card_comes_picked_up(browser: Browser) -> None:
    rev = play(browser, *MOVES[:10])
    page = browser.act(CODE, "hint", rev, htmx=False)
    assert (page.status, page.is_whole, page.rev) == (200, True, rev)
    assert page.message.startswith("From what lies face up: ")
    assert f'data-card="{marks(page)["hint-card"]}" form="pick"' in page.text
    assert browser.get(f"/play/{CODE}/hint").response.headers["location"] == f"/play/{CODE}"


def test_a_hint_on_a_deal_nobody_has_played_makes_a_game_and_marks_it(browser: Browser) -> None:
    assert not is_assisted(browser, OTHER)
    assert browser.act(OTHER, "hint", 0).status == 200
    assert "yukon" in browser.client.cookies
    assert is_assisted(browser, OTHER)
    assert browser.move(OTHER, "2H>1", 0).status in (200, 422), "the board is still the one of rev 0"


def test_the_time_before_a_hint_counts(browser: Browser, time: Time) -> None:
    play(browser, *MOVES[:2])
    time.passes(10)
    browser.act(CODE, "hint", 2, visible="8000")
    assert browser.look(CODE).clock == 8
    time.passes(10)
    browser.act(CODE, "hint", 2)
    assert browser.look(CODE).clock == 8, "nothing says that anybody was looking"


# Verdicts


def test_whether_it_can_be_won_is_told_in_words_and_that_face_down_cards_were_looked_under(player: Browser) -> None:
    rev = play(player, *MOVES[:10])
    answer = player.act(CODE, "verdict", rev)
    assert answer.message == "Yes, this can still be won. (Looked under the cards.)"
    assert (marks(answer)["advice"], marks(answer)["status"], marks(answer)["at"]) == ("verdict", "won", "10")
    lost = player.act(LOST, "verdict", 0)
    assert lost.message == "No, this can't be won any more. (Looked under the cards.)"
    assert is_assisted(player)
    assert is_assisted(player, LOST)


@pytest.mark.parametrize(("language", "words"), [("nl", "Ja, dit is nog te winnen."), ("de", "Ja, das ist noch zu")])
def test_it_is_told_in_the_language_of_the_player(player: Browser, language: str, words: str) -> None:
    headers = {**HTMX, "accept-language": language}
    answer = Page(player.client.post(f"/play/{CODE}/verdict", data={"rev": 0}, headers=headers))
    assert answer.message.startswith(words)


def test_the_light_says_it_without_a_word_and_is_silent_about_another_board(player: Browser) -> None:
    rev = play(player, *MOVES[:3])
    answer = player.act(CODE, "light", rev)
    assert (answer.status, answer.message, marks(answer)["light"]) == (200, "", "won")
    assert "hx-target" in answer.text
    assert player.act(CODE, "light", rev - 1).status == 204


def test_where_it_was_lost_is_told_and_gone_back_to(player: Browser) -> None:
    rev = play(player, *LOSING)
    answer = player.act(CODE, "lost", rev)
    assert answer.message.startswith("1 move back it could still be won.")
    found = re.search(r'/undo"[^>]* name="steps" value="(\d+)"', answer.text)
    assert found is not None
    back = player.act(CODE, "undo", rev, steps=found[1])
    assert (back.status, back.rev) == (200, rev + 1)
    assert player.act(CODE, "verdict", rev + 1).message.startswith("Yes")
    assert player.act(CODE, "lost", rev + 1).message.startswith("It isn't lost")
    assert player.act(LOST, "lost", 0).message.startswith("It was lost from the start")


def test_several_moves_go_back_at_once(browser: Browser) -> None:
    rev = play(browser, *MOVES[:6])
    answer = browser.act(CODE, "undo", rev, steps=4)
    assert (answer.message, answer.rev, answer.moves) == ("Went back 4 moves.", 10, 6)
    assert browser.look(CODE).columns == columns_after(2)
    for steps in ("0", "101", "x", "3"):
        assert browser.act(CODE, "undo", 10, steps=steps).status == 422
    assert browser.look(CODE).rev == 10


def columns_after(moves: int) -> list[list[str]]:
    game = Game.replay(DealCode.parse(CODE), map(Move.parse, MOVES[:moves]))
    return [["??" if card is None else str(card) for card in column] for column in game.board.visible()]


def test_the_rest_is_shown_move_by_move_to_the_win(player: Browser) -> None:
    rev = play(player, *MOVES[:10])
    for _ in range(200):
        answer = player.act(CODE, "show", rev)
        assert answer.status == 200
        rev += 1
        if "data-won" in answer.text:
            break
        assert answer.rev == rev
    assert "You won!" in player.look(CODE).text
    assert is_assisted(player)


def test_where_no_line_wins_nothing_is_played_and_it_says_so(player: Browser) -> None:
    answer = player.act(LOST, "show", 0)
    assert answer.message.startswith("No, this can't be won")
    assert player.look(LOST).rev == 0


def test_without_scripts_each_is_a_page(player: Browser) -> None:
    rev = play(player, *MOVES[:10])
    for question in ("verdict", "lost"):
        page = player.act(CODE, question, rev, htmx=False)
        assert (page.status, page.is_whole, page.rev) == (200, True, rev)
        assert "still be won" in page.message
    shown = player.act(CODE, "show", rev, htmx=False)
    assert (shown.status, shown.is_whole, shown.rev) == (200, True, rev + 1)
    assert player.look(CODE).rev == rev + 1


def test_without_scripts_the_way_to_the_win_is_a_page_for_each_move(player: Browser) -> None:
    rev = play(player, *MOVES[:-3])
    page = player.act(CODE, "show", rev, htmx=False)
    while page.status == 200:
        rev += 1
        assert page.rev == rev
        assert re.fullmatch(r"Played for you: [a-z]+ of [a-z]+ to .*\. Next move", page.message)
        assert re.search(r'<button form="play" formaction="[^"]*/show"[^>]*>Next move<', page.text)
        page = player.act(CODE, "show", rev, htmx=False)
    assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")
    won = player.look(CODE)
    assert won.rev == rev + 1 > len(MOVES[:-3]) + 1
    assert "You won!" in won.text


# What is refused, and what is never told


@pytest.mark.parametrize("question", [question for question in QUESTIONS if question != "light"])
def test_an_old_board_is_stale_and_a_won_game_over(browser: Browser, question: str) -> None:
    play(browser, *MOVES[:2])
    stale = browser.act(CODE, question, 1)
    assert (stale.status, stale.rev) == (409, 2)
    assert not is_assisted(browser)
    for rev, move in enumerate(MOVES[2:], 2):
        browser.move(CODE, move, rev)
    assert browser.act(CODE, question, len(MOVES)).status == 422
    assert not is_assisted(browser), "a game that was won without help stays so"


def test_no_answer_names_a_card_that_lies_face_down(player: Browser) -> None:
    rev = play(player, *MOVES[:10])
    board = Game.replay(DealCode.parse(CODE), map(Move.parse, MOVES[:10])).board
    columns = zip(board.columns, board.face_down, strict=True)
    hidden = [NAMES[card] for column, down in columns for card in column[:down]]
    assert len(hidden) > 10
    for question in QUESTIONS[:3]:
        for htmx in (True, False):
            text = player.act(CODE, question, rev, htmx=htmx).text
            assert not [card for card in hidden if re.search(rf"\b{card}\b", text)]


NAMES = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def test_whoever_asks_too_often_is_told_so_and_plays_on(make: Make) -> None:
    browser = Browser(make(solver_threads=0, limit_verdicts="5/minute"))
    play(browser, MOVES[0])
    assert [browser.act(CODE, question, 1).status for question in QUESTIONS] == [200] * 5
    refused = browser.act(CODE, "hint", 1)
    assert (refused.status, refused.is_whole, "Too many" in refused.message or "more than" in refused.message) == (
        429,
        False,
        True,
    )
    assert browser.move(CODE, MOVES[1], 1).status == 200


# Only deals that can be won


@pytest.mark.parametrize("rule", ["C", "R", "T"])
def test_a_deal_that_can_certainly_be_won(player: Browser, rule: str) -> None:
    page = player.post("/new", {"rule": rule, "winnable": "on"})
    assert page.status == 303
    code = page.response.headers["location"].removeprefix("/play/")
    assert code.startswith(f"YU1-{rule}-")
    assert player.client.get(f"/api/v1/deals/{code}/verdict").json()["status"] == "won"
    assert not is_assisted(player, code)


def test_where_none_is_certified_nothing_is_dealt_and_it_says_why(make: Make) -> None:
    browser = Browser(make(solver_threads=0))
    for headers in ({}, {"HX_Request": "true"}):
        page = browser.post("/new", {"winnable": "on"}, **headers)
        assert (page.status, "can certainly be won" in page.text) == (422, True)
    assert browser.post("/new", {"winnable": "on", "code": OTHER}).status == 303
