"""Programs play through the JSON API."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from app.store import MemoryStore
from tests.example import CODE, MOVES
from tests.refusals import REFUSALS, spell
from tests.time import Time

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "deal_vectors.json").read_text(encoding="utf-8"))


def make_game(api: TestClient, code: str = CODE) -> dict[str, Any]:
    return dict(api.post("/api/v1/games", json={"code": code}).json())


def play(api: TestClient, game: dict[str, Any], move: str) -> Response:
    card, to = move.split(">")
    answer: Response = api.post(f"/api/v1/games/{game['id']}/moves", json={"rev": game["rev"], "card": card, "to": to})
    return answer


def act(api: TestClient, game: dict[str, Any], action: str) -> Response:
    answer: Response = api.post(f"/api/v1/games/{game['id']}/{action}", json={"rev": game["rev"]})
    return answer


def play_all(api: TestClient, game: dict[str, Any], moves: list[str]) -> dict[str, Any]:
    for move in moves:
        answer = play(api, game, move)
        assert answer.status_code == 200, (move, answer.text)
        game = answer.json()
    return game


def assert_problem(answer: Response, status: int, reason: str) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["reason"]) == (status, reason)
    assert body["title"]
    assert body["detail"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["code"])
def test_a_deal_is_laid_out_as_its_code_says_and_hides_what_lies_face_down(
    api: TestClient, vector: dict[str, Any]
) -> None:
    answer = api.get(f"/api/v1/deals/{vector['code']}")
    shown = [["??" if card.startswith("-") else card for card in column] for column in vector["columns"]]
    assert answer.json() == {"code": vector["code"], "number": vector["number"], "rule": "C", "columns": shown}


def test_a_deal_code_in_another_form_leads_to_the_canonical_address(api: TestClient) -> None:
    answer = api.get("/api/v1/deals/yu1c-aaaaaab")
    assert answer.status_code == 308
    assert answer.headers["location"] == "/api/v1/deals/YU1-C-AAAAAAB"


def test_a_new_game_comes_with_its_address_and_an_id_nobody_guesses(api: TestClient) -> None:
    answer = api.post("/api/v1/games", json={"code": "yu1 -c-aaaaaab".replace(" ", "")})
    game = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/games/{game['id']}"
    assert len(game["id"]) >= 22
    assert {**game, "id": ""} == {
        "id": "", "code": "YU1-C-AAAAAAB", "rule": "C", "rev": 0, "score": 0, "moves": 0, "elapsed": 0.0,
        "won": False, "columns": api.get("/api/v1/deals/YU1-C-AAAAAAB").json()["columns"],
        "foundations": {"S": 0, "H": 0, "D": 0, "C": 0}, "undo": 0, "redo": 0,
    }  # fmt: skip
    assert api.get(answer.headers["location"]).json() == game


def test_a_rule_alone_gives_a_random_deal_and_nothing_gives_a_classic_one(api: TestClient) -> None:
    first, second = (api.post("/api/v1/games", json={"rule": "T"}).json() for _ in range(2))
    assert first["rule"] == second["rule"] == "T"
    assert first["code"] != second["code"]
    assert api.post("/api/v1/games", json={}).json()["rule"] == "C"


def test_the_example_game_is_won_with_625_points(api: TestClient) -> None:
    game = play_all(api, make_game(api), MOVES)
    assert (game["won"], game["score"], game["moves"], game["rev"]) == (True, 625, 83, 83)
    assert game["foundations"] == {"S": 13, "H": 13, "D": 13, "C": 13}
    assert game["columns"] == [[]] * 7
    for answer in (play(api, game, "KS>1"), act(api, game, "undo"), act(api, game, "redo")):
        assert_problem(answer, 422, "game_over")
    again = act(api, game, "restart").json()
    assert (again["won"], again["score"], again["moves"], again["rev"]) == (False, 0, 0, 84)
    assert again["columns"] == api.get(f"/api/v1/deals/{CODE}").json()["columns"]


def test_every_listed_move_is_accepted_and_no_other_one_is(api: TestClient) -> None:
    game = play_all(api, make_game(api), MOVES[:30])
    listed = api.get(f"/api/v1/games/{game['id']}/moves").json()
    assert listed["rev"] == game["rev"]
    legal = {f"{move['card']}>{move['to']}" for move in listed["moves"]}
    for card in (rank + suit for rank in "A23456789TJQK" for suit in "SHDC"):
        for to in "1234567F":
            answer = play(api, game, f"{card}>{to}")
            assert (answer.status_code == 200) == (f"{card}>{to}" in legal), (card, to, answer.text)
            if answer.status_code == 200:
                game["rev"] = act(api, {**game, "rev": answer.json()["rev"]}, "undo").json()["rev"]


def test_auto_goes_where_two_quick_taps_go(api: TestClient) -> None:
    game = play_all(api, make_game(api), MOVES[:3])
    moved = play(api, game, "AD>auto").json()
    assert moved["foundations"]["D"] == 1
    assert_problem(play(api, moved, "KD>auto"), 422, "face_down" if _is_hidden(moved, "KD") else "no_place")


def _is_hidden(game: dict[str, Any], card: str) -> bool:
    return not any(card in column for column in game["columns"])


@pytest.mark.parametrize(("reason", "code", "before", "action", "_says"), REFUSALS, ids=lambda value: str(value)[:20])
def test_what_is_refused_says_why_and_changes_nothing(
    api: TestClient, reason: str, code: str, before: list[str], action: str, _says: str
) -> None:
    game = play_all(api, make_game(api, code), before)
    spelled = spell(action, game["columns"])
    assert_problem(play(api, game, spelled) if ">" in spelled else act(api, game, spelled), 422, reason)
    assert api.get(f"/api/v1/games/{game['id']}").json() == game


def test_undo_and_redo_go_back_and_forth_and_refuse_to_go_further(api: TestClient) -> None:
    start = make_game(api)
    assert_problem(act(api, start, "undo"), 422, "nothing_to_undo")
    assert_problem(act(api, start, "redo"), 422, "nothing_to_redo")
    moved = play(api, start, "9S>2").json()
    undone = act(api, moved, "undo").json()
    assert (undone["columns"], undone["score"]) == (start["columns"], 0)
    assert (undone["moves"], undone["undo"], undone["redo"]) == (1, 0, 1)
    redone = act(api, undone, "redo").json()
    assert (redone["columns"], redone["score"], redone["moves"]) == (moved["columns"], 5, 1)


def test_a_move_on_an_old_board_is_stale_and_brings_the_board_of_now(api: TestClient) -> None:
    old = make_game(api)
    current = play(api, old, "9S>2").json()
    answer = play(api, old, "9S>2")
    assert_problem(answer, 409, "stale")
    assert answer.json()["game"] == current


def test_the_clock_starts_with_the_first_move_and_stops_at_the_win(api: TestClient, time: Time) -> None:
    game = make_game(api)
    time.passes(60)
    game = play(api, game, MOVES[0]).json()
    assert game["elapsed"] == 0
    time.passes(7.5)
    assert api.get(f"/api/v1/games/{game['id']}").json()["elapsed"] == 7.5
    game = play_all(api, game, MOVES[1:])
    time.passes(60)
    assert api.get(f"/api/v1/games/{game['id']}").json()["elapsed"] == game["elapsed"] == 7.5


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"rev": 0}', b'{"rev": "0", "card": "9S", "to": "2"}',
        b'{"rev": 0.0, "card": "9S", "to": "2"}', b'{"rev": true, "card": "9S", "to": "2"}',
        b'{"rev": 0, "card": "9S", "to": 2}', b'{"rev": 0, "card": "9s", "to": "2"}',
        b'{"rev": 0, "card": "??", "to": "2"}', b'{"rev": 0, "card": "9S\\n", "to": "2"}',
        b'{"rev": 0, "card": "9S", "to": "8"}', b'{"rev": 0, "card": "9S", "to": "2", "force": true}',
        b'{"rev": 0, "card": "9S\\u0000", "to": "2"}', b'{"rev": 0, "card": "\\ud800", "to": "2"}',
        b'{"rev": ' + b"9" * 5000 + b', "card": "9S", "to": "2"}', b"[" * 10000,
    ],
    ids=lambda body: repr(body[:48]),
)  # fmt: skip
def test_a_body_that_is_no_move_is_refused_with_a_problem_and_changes_nothing(api: TestClient, body: bytes) -> None:
    game = make_game(api)
    answer = api.post(f"/api/v1/games/{game['id']}/moves", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert_problem(answer, answer.status_code, "invalid")
    assert api.get(f"/api/v1/games/{game['id']}").json() == game


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rev": 0, "card": "9S"}, "to"), ({"rev": 0, "card": "9X", "to": "2"}, "card"),
        ({"rev": "0", "card": "9S", "to": "2"}, "rev"), ({"rev": 0, "card": "9S", "to": "2", "force": 1}, "force"),
        ({"rev": 0, "card": "9S", "to": "2", "x" * 400: 1}, "x" * 40), ([], None),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_problem_names_the_field_that_makes_no_sense(api: TestClient, body: object, field: str | None) -> None:
    told = api.post(f"/api/v1/games/{make_game(api)['id']}/moves", json=body).json()
    assert told.get("field") == field
    assert field is None or field in told["detail"]


def test_the_description_names_every_form_of_answer_it_refers_to(api: TestClient) -> None:
    text = api.get("/api/v1/openapi.json").text
    named = set(re.findall(r'#/components/schemas/(\w+)"', text))
    assert "ProblemOut" in named
    assert named <= set(json.loads(text)["components"]["schemas"])
    assert "HTTPValidationError" not in text


def test_a_body_over_16_kilobytes_is_refused(api: TestClient) -> None:
    body = b'{"code": "' + b"A" * 16 * 1024 + b'"}'
    assert_problem(api.post("/api/v1/games", content=body), 413, "invalid")
    assert_problem(api.post("/api/v1/games", content=iter([body[:9000], body[9000:]])), 413, "invalid")


@pytest.mark.parametrize("code", ["YU2-C-AAAAAAB", "YU1-X-AAAAAAB", "YU1-C-AAAAAA", "YU1-C-АAAAAAA", "A" * 300, "%00"])
def test_a_code_that_is_none_is_not_found_as_an_address_and_refused_in_a_body(api: TestClient, code: str) -> None:
    assert_problem(api.get(f"/api/v1/deals/{code}"), 404, "bad_code")
    answer = api.post("/api/v1/games", json={"code": code})
    assert_problem(answer, 422, "bad_code" if len(code) <= 200 else "invalid")


@pytest.mark.parametrize("id_", ["nobody", "%00", "x" * 64, "../../etc"])
def test_a_game_nobody_made_is_not_found(api: TestClient, id_: str) -> None:
    assert_problem(api.get(f"/api/v1/games/{id_}"), 404, "not_found")
    assert_problem(api.post(f"/api/v1/games/{id_}/undo", json={"rev": 0}), 404, "not_found")


def test_wrong_methods_and_addresses_get_a_problem(api: TestClient) -> None:
    assert_problem(api.put("/api/v1/games"), 405, "invalid")
    assert_problem(api.get("/api/v1/nothing"), 404, "not_found")


def test_a_problem_is_told_in_the_language_asked_for(api: TestClient) -> None:
    game = make_game(api)
    told = {
        language: api.post(
            f"/api/v1/games/{game['id']}/undo", json={"rev": 0}, headers={"accept-language": language}
        ).json()["detail"]
        for language in ("en", "nl", "de", "fr")
    }
    assert len(set(told.values())) == 3
    assert told["fr"] == told["en"]


def test_reading_makes_no_game(api: TestClient, store: MemoryStore) -> None:
    api.get(f"/api/v1/deals/{CODE}")
    api.get("/api/v1/games/nobody")
    assert len(store) == 0


def test_the_description_of_the_api_names_every_call(api: TestClient) -> None:
    paths = api.get("/api/v1/openapi.json").json()["paths"]
    assert {(path, method) for path, calls in paths.items() for method in calls} == {
        ("/api/v1/deals/{code}", "get"),
        ("/api/v1/games", "post"),
        ("/api/v1/games/{id}", "get"),
        *((f"/api/v1/games/{{id}}/{action}", "post") for action in ("moves", "undo", "redo", "restart")),
        ("/api/v1/games/{id}/moves", "get"),
    }
