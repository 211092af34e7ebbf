"""One client can't take the server from the others; and who is over a limit is told so, and loses nothing."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import limits
import pytest
from starlette.testclient import TestClient

from app.service import GameService
from app.settings import DEFAULTS
from app.web import create_app
from app.web.limits import SharedWindow, Window, client_of
from tests.example import CODE, MOVES
from tests.store.redis_server import RedisServer
from tests.time import Time
from tests.web.player import HTMX, Browser

OTHER = "YU1-C-AAAAAAB"


def site(service: GameService | None = None, client: str = "192.0.2.7", **settings: object) -> TestClient:
    app = create_app(service, DEFAULTS.model_copy(update=settings))
    return TestClient(app, base_url="http://yukon.test", client=(client, 5000), follow_redirects=False)


def seen_from(client: TestClient, address: str) -> TestClient:
    """The same server, asked by somebody else."""
    return TestClient(client.app, base_url="http://yukon.test", client=(address, 5000), follow_redirects=False)


# Requests


def test_who_asks_too_often_is_told_to_wait_and_others_are_not() -> None:
    client = site(limit_requests="3/minute")
    for _ in range(3):
        assert client.get(f"/play/{CODE}").status_code == 200
    answer = client.get(f"/play/{CODE}")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert answer.headers["cache-control"] == "no-store"
    assert seen_from(client, "192.0.2.8").get(f"/play/{CODE}").status_code == 200
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(("language", "words"), [("en", "Too many"), ("nl", "Te veel"), ("de", "Zu viele")])
def test_it_is_told_in_the_form_and_language_that_was_asked_for(language: str, words: str) -> None:
    client = site(limit_requests="1/hour")
    headers = {"accept-language": language}
    client.get("/", headers=headers)
    page = client.get(f"/play/{CODE}", headers=headers)
    fragment = client.post(f"/play/{CODE}/move", data={}, headers={**headers, **HTMX})
    problem = client.post("/api/v1/games", json={}, headers=headers)
    assert [page.status_code, fragment.status_code, problem.status_code] == [429, 429, 429]
    assert words in page.text
    assert "<html" not in fragment.text
    assert "60" in fragment.text
    assert (problem.json()["reason"], words in problem.json()["title"]) == ("too_many", True)


def test_a_game_goes_on_from_where_it_was() -> None:
    client = site(limit_requests="2/minute")
    browser = Browser(client)
    assert browser.move(CODE, MOVES[0], 0).status == 200
    assert browser.move(CODE, MOVES[1], 1).status == 200
    assert browser.move(CODE, MOVES[2], 2).status == 429
    other_place = Browser(seen_from(client, "198.51.100.1"))
    other_place.client.cookies = client.cookies
    assert other_place.move(CODE, MOVES[2], 2).rev == 3


def test_a_made_up_address_in_a_header_is_no_way_around() -> None:
    client = site(limit_requests="3/minute")
    said = [client.get("/faq", headers={"x-forwarded-for": f"203.0.113.{n}"}).status_code for n in range(5)]
    assert said == [200, 200, 200, 429, 429]


def test_behind_a_trusted_proxy_each_client_counts_by_itself() -> None:
    client = site(client="127.0.0.1", limit_requests="1/minute")

    def ask(forwarded: str) -> int:
        status: int = client.get("/faq", headers={"x-forwarded-for": forwarded}).status_code
        return status

    assert [ask("203.0.113.1"), ask("203.0.113.2"), ask("203.0.113.1")] == [200, 200, 429]
    assert ask("9.9.9.9, 203.0.113.2") == 429, "only what the proxy itself has added counts"


def test_a_household_counts_as_one() -> None:
    assert client_of({"client": ("2001:db8:1:2:3::4", 1)}) == client_of({"client": ("2001:db8:1:2:ffff::", 1)})
    assert client_of({"client": ("2001:db8:1:2::", 1)}) != client_of({"client": ("2001:db8:1:3::", 1)})
    assert client_of({"client": ("::ffff:192.0.2.1", 1)}) == client_of({"client": ("192.0.2.1", 1)})
    assert client_of({"client": None}) == client_of({}) == ""
    assert client_of({"client": ("fe80::1%eth0", 1)})


def test_a_window_counts_anew_when_its_period_is_over(time: Time) -> None:
    window = Window(limits.parse("2/minute"), now=time)
    assert [window.count("anna"), window.count("anna"), window.count("bert")] == [0, 0, 0]
    time.passes(20)
    assert (window.count("anna"), window.count("bert")) == (40, 0)
    time.passes(40)
    assert window.count("anna") == 0


# New games and pictures


def test_new_games_have_a_limit_of_their_own() -> None:
    client = site(limit_new_games="2/hour")
    assert client.post("/api/v1/games", json={"code": CODE}).status_code == 201
    browser = Browser(client)
    assert browser.move(CODE, MOVES[0], 0).status == 200
    refused = browser.move(OTHER, "2H>1", 0)
    assert (refused.status, refused.is_whole) == (429, False)
    assert client.post("/api/v1/games", json={"code": CODE}).status_code == 429
    assert browser.move(CODE, MOVES[1], 1).rev == 2, "the games there are go on"
    assert browser.look(OTHER).rev == 0, "and any deal can be looked at"


def test_pictures_have_a_limit_of_their_own() -> None:
    client = site(limit_pictures="1/minute")
    assert client.get(f"/play/{CODE}/picture.png").status_code == 200
    refused = client.get(f"/play/{OTHER}/picture.png")
    assert (refused.status_code, "immutable" in refused.headers["cache-control"]) == (429, False)


def test_a_limit_that_is_left_empty_is_none() -> None:
    client = site(limit_requests="", limit_new_games="", limit_pictures="")
    assert {client.post("/api/v1/games", json={"code": CODE}).status_code for _ in range(50)} == {201}


# Games


def test_a_game_that_has_grown_too_long_stays_as_it_is() -> None:
    client = site(GameService(most_events=2))
    browser = Browser(client)
    for rev, move in enumerate(MOVES[:2]):
        assert browser.move(CODE, move, rev).status == 200
    for answer in (browser.move(CODE, MOVES[2], 2), browser.act(CODE, "undo", 2), browser.act(CODE, "restart", 2)):
        assert (answer.status, "too long" in answer.message) == (429, True)
        assert int(answer.response.headers["retry-after"]) > 0
    assert browser.look(CODE).rev == 2
    assert browser.act(CODE, "undo", 1).status == 409, "one that saw another board is still told so"
    assert browser.move(OTHER, "2H>1", 0).status in (200, 422), "another deal can be played"


def test_a_player_has_so_many_games_and_no_more() -> None:
    client = site(GameService(most_games=1))
    browser = Browser(client)
    assert browser.move(CODE, MOVES[0], 0).status == 200
    for code in (CODE.replace("-C-", "-R-"), CODE.replace("-C-", "-T-")):
        refused = browser.move(code, MOVES[0], 0)
        assert (refused.status, "as many games" in refused.message) == (429, True)
    assert browser.move(CODE, MOVES[1], 1).rev == 2
    browser.client.cookies.clear()
    assert browser.move(CODE, MOVES[0], 0).rev == 1


# Shared between processes


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


def test_in_redis_all_processes_count_together_and_nobody_is_refused_while_it_is_away(redis: RedisServer) -> None:
    async def ask() -> list[float]:
        one, other = (SharedWindow(limits.parse("2/minute"), "new-games", redis.address) for _ in range(2))
        found = [await one.hit("anna"), await other.hit("anna"), await one.hit("bert"), await other.hit("anna")]
        redis.stop()
        found.append(await one.hit("anna"))
        await one.close()
        await other.close()
        return found

    *free, wait, away = asyncio.run(ask())
    assert (free, away) == ([0, 0, 0], 0)
    assert 0 < wait <= 60
