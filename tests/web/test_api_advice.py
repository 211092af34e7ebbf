"""Programs ask what to do next, and how a game stands."""

from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from app.engine import CLASSIC, DealCode, Game, Move
from tests.example import CODE, LOSING, LOST, MOVES
from tests.web.conftest import Make
from tests.web.test_api import act, assert_problem, make_game, play, play_all


def ask(api: TestClient, game: dict[str, Any], question: str) -> Response:
    return act(api, game, question)


# Hints


def test_a_hint_is_a_legal_move_and_following_hints_never_repeats_a_board(api: TestClient) -> None:
    game = make_game(api)
    boards = []
    for _ in range(20):
        answer = ask(api, game, "hint")
        assert answer.status_code == 200
        body = answer.json()
        assert (body["rev"], body["assisted"]) == (game["rev"], True)
        if body["hint"] is None:
            break
        boards.append(game["columns"])
        game = play(api, game, f"{body['hint']['card']}>{body['hint']['to']}").json()
        assert game["columns"] not in boards
    assert len(boards) > 5


def test_a_hint_marks_the_game_for_good(api: TestClient) -> None:
    game = play(api, make_game(api), MOVES[0]).json()
    assert game["assisted"] is False
    ask(api, game, "hint")
    game = api.get(f"/api/v1/games/{game['id']}").json()
    assert (game["assisted"], game["rev"]) == (True, 1), "and the board is not out of date by it"
    game = play(api, game, MOVES[1]).json()
    for action in ("undo", "redo", "restart"):
        game = act(api, game, action).json()
        assert game["assisted"] is True


# Verdicts, solutions, and where it was lost


def test_a_deal_that_can_be_won_says_so_names_no_card_and_may_be_kept_by_caches(asked: TestClient) -> None:
    answer = asked.get(f"/api/v1/deals/{CODE}/verdict")
    body = answer.json()
    assert (body["code"], body["status"], body["reason"]) == (CODE, "won", "")
    assert set(body) == {"code", "status", "reason", "nodes", "seconds"}
    assert "public" in answer.headers["cache-control"]
    elsewhere = asked.get(f"/api/v1/deals/{CODE.lower()}/verdict")
    assert (elsewhere.status_code, elsewhere.headers["location"]) == (308, f"/api/v1/deals/{CODE}/verdict")
    assert_problem(asked.get("/api/v1/deals/YU9-C-AAAAAAB/verdict"), 404, "bad_code")


def test_a_deal_that_is_lost_says_so(asked: TestClient) -> None:
    body = asked.get(f"/api/v1/deals/{LOST}/verdict").json()
    assert (body["status"], body["reason"] in ("blocked", "exhausted")) == ("lost", True)


def test_the_verdict_names_no_card_and_the_solution_wins(asked: TestClient) -> None:
    game = play_all(asked, make_game(asked), MOVES[:10])
    verdict = ask(asked, game, "verdict").json()
    assert set(verdict) == {"rev", "status", "reason", "nodes", "seconds", "looked_under", "assisted"}
    assert (verdict["rev"], verdict["status"], verdict["looked_under"], verdict["assisted"]) == (10, "won", True, True)
    solution = ask(asked, game, "solution").json()
    assert {**solution, "moves": []}.keys() == {*verdict, "moves"}
    for move in solution["moves"]:
        game = play(asked, game, f"{move['card']}>{move['to']}").json()
    assert (game["won"], game["assisted"]) == (True, True)
    for question in ("hint", "verdict", "solution", "trace"):
        assert_problem(ask(asked, game, question), 422, "game_over")


def test_with_all_cards_face_up_nothing_was_looked_under(asked: TestClient) -> None:
    game = make_game(asked)
    for move in MOVES:
        if not any("??" in column for column in game["columns"]):
            break
        game = play(asked, game, move).json()
    assert ask(asked, game, "verdict").json()["looked_under"] is False
    assert ask(asked, game, "trace").json()["looked_under"] is False


def test_where_it_was_lost_is_the_last_board_that_can_be_won(asked: TestClient) -> None:
    game = play_all(asked, make_game(asked), LOSING)
    for _ in range(3):
        move = asked.get(f"/api/v1/games/{game['id']}/moves").json()["moves"][0]
        game = play(asked, game, f"{move['card']}>{move['to']}").json()
    traced = ask(asked, game, "trace").json()
    assert (traced["rev"], traced["status"], traced["certain"], traced["undo"]) == (game["rev"], "lost", True, 4)
    back = asked.post(f"/api/v1/games/{game['id']}/undo", json={"rev": game["rev"], "steps": traced["undo"]}).json()
    assert ask(asked, back, "trace").json()["undo"] == 0
    assert ask(asked, back, "verdict").json()["status"] == "won"
    after = act(asked, back, "redo").json()
    assert ask(asked, after, "verdict").json()["status"] == "lost"


def test_a_deal_that_was_lost_from_the_start_was_lost_nowhere_later(asked: TestClient) -> None:
    game = make_game(asked, LOST)
    for _ in range(3):
        traced = ask(asked, game, "trace").json()
        assert (traced["status"], traced["undo"], traced["certain"]) == ("lost", None, True)
        move = asked.get(f"/api/v1/games/{game['id']}/moves").json()["moves"][0]
        game = play(asked, game, f"{move['card']}>{move['to']}").json()


@pytest.mark.parametrize("rule", ["C", "R", "T"])
def test_a_deal_that_was_asked_to_be_winnable_is(asked: TestClient, rule: str) -> None:
    answer = asked.post("/api/v1/games", json={"rule": rule, "winnable": True})
    game = answer.json()
    assert (answer.status_code, game["rule"], game["rev"], game["assisted"]) == (201, rule, 0, False)
    assert asked.get(f"/api/v1/deals/{game['code']}/verdict").json()["status"] == "won"


# What is refused


def test_a_code_is_winnable_or_not_and_cannot_be_asked_to_be(api: TestClient) -> None:
    assert_problem(api.post("/api/v1/games", json={"code": CODE, "winnable": True}), 422, "invalid")
    assert_problem(api.post("/api/v1/games", json={"winnable": "yes"}), 422, "invalid")
    assert api.post("/api/v1/games", json={"code": CODE, "winnable": False}).status_code == 201


@pytest.mark.parametrize("question", ["hint", "verdict", "solution", "trace"])
def test_an_old_board_is_stale_and_an_unknown_game_not_found(api: TestClient, question: str) -> None:
    old = make_game(api)
    current = play(api, old, MOVES[0]).json()
    answer = ask(api, old, question)
    assert_problem(answer, 409, "stale")
    assert answer.json()["game"] == current, "nor is it assisted"
    assert_problem(ask(api, {**old, "id": "nobody"}, question), 404, "not_found")
    assert_problem(api.post(f"/api/v1/games/{old['id']}/{question}", json={"rev": "1"}), 422, "invalid")


def test_without_a_solver_hints_are_given_and_nothing_else_is_known(make: Make) -> None:
    api = make(solver_threads=0)
    game = make_game(api)
    assert ask(api, game, "hint").json()["hint"] is not None
    verdict = ask(api, game, "verdict").json()
    assert (verdict["status"], verdict["reason"]) == ("unknown", "off")
    assert ask(api, game, "solution").json()["moves"] == []
    traced = ask(api, game, "trace").json()
    assert (traced["status"], traced["undo"], traced["certain"]) == ("unknown", None, False)
    deal = api.get(f"/api/v1/deals/{CODE}/verdict")
    assert (deal.json()["status"], deal.headers["cache-control"]) == ("unknown", "no-store")
    refused = api.post("/api/v1/games", json={"winnable": True})
    assert_problem(refused, 503, "unavailable")
    assert int(refused.headers["retry-after"]) > 0


def test_whoever_asks_too_often_is_told_to_wait(make: Make) -> None:
    api = make(solver_threads=0, limit_verdicts="4/minute")
    game = make_game(api)
    for question in ("hint", "verdict", "solution", "trace"):
        assert ask(api, game, question).status_code == 200
    for refused in (
        *(ask(api, game, question) for question in ("hint", "verdict", "solution", "trace")),
        api.get(f"/api/v1/deals/{CODE}/verdict"),
        api.post("/api/v1/games", json={"winnable": True}),
    ):
        assert_problem(refused, 429, "too_many")
        assert 0 < int(refused.headers["retry-after"]) <= 60
    assert play(api, game, MOVES[0]).status_code == 200


def test_a_line_is_legal_from_the_first_move_on(asked: TestClient) -> None:
    code = DealCode.parse(CODE)
    moves = ask(asked, make_game(asked), "solution").json()["moves"]
    assert Game.replay(code, [Move.parse(f"{move['card']}>{move['to']}") for move in moves]).is_won


def test_a_question_with_a_body_that_is_too_large_is_told_so(asked: TestClient) -> None:
    hard = DealCode(CLASSIC, 78)  # not decided before the body is seen
    answer = asked.request("GET", f"/api/v1/deals/{hard}/verdict", content=b"x" * 100_000)
    assert_problem(answer, 413, "invalid")
