"""What is written down of a request, and what isn't."""

import json
import logging
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.logs import LOG, JsonLines, Seldom
from app.service import GameService
from app.settings import DEFAULTS
from app.store import MemoryStore, StoreDamaged
from app.web import create_app
from tests.example import CODE, MOVES
from tests.web.player import Browser


class Kept(logging.Handler):
    """Lines as they would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(JsonLines().format(record))


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, level = Kept(), LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    yield handler
    LOG.setLevel(level)
    LOG.removeHandler(handler)


def site(**settings: object) -> TestClient:
    app = create_app(GameService(), DEFAULTS.model_copy(update=settings))
    return TestClient(app, base_url="http://yukon.test", follow_redirects=False, raise_server_exceptions=False)


def test_each_request_is_a_line_that_tells_neither_who_played_nor_what(kept: Kept) -> None:
    client = site(log="json")
    browser = Browser(client)
    browser.move(CODE, MOVES[0], 0)
    game = client.post("/api/v1/games", json={"code": CODE}).json()["id"]
    client.get(f"/api/v1/games/{game}?secret=1")
    client.get("/nowhere/secret", headers={"authorization": "secret"})
    client.post("/new", data={"code": "SECRET"}, headers={"origin": "https://secret.test"})
    lines = [json.loads(line) for line in kept.lines]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/play/{code}/move", 200),
        ("POST", "/api/v1/games", 201),
        ("GET", "/api/v1/games/{id}", 200),
        ("GET", "none", 404),
        ("POST", "none", 403),
    ]
    assert all(line["ms"] >= 0 and line["level"] == "info" and line["time"] for line in lines)
    written = "\n".join(kept.lines)
    player = (client.cookies["yukon"] or "").partition(".")[0]
    for secret in (player, game, CODE, CODE[-7:], "secret", "SECRET"):
        assert secret not in written


def test_the_line_and_the_answer_bear_the_same_id(kept: Kept) -> None:
    client = site(log="json")
    answers = [client.get("/faq"), client.get("/faq", headers={"x-request-id": "mine"})]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert [json.loads(line)["id"] for line in kept.lines] == ids
    assert all(re.fullmatch(r"[0-9a-f]{16}", one) for one in ids)


@pytest.mark.parametrize("given", ["a" * 65, "a b", '"}', "é", ""])
def test_an_id_that_looks_odd_is_not_taken_over_even_from_a_proxy(given: str) -> None:
    app = create_app(GameService(), DEFAULTS)
    client = TestClient(app, client=("127.0.0.1", 5000))
    taken = client.get("/faq", headers={"x-request-id": given.encode()}).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{16}", taken)


def test_nothing_is_written_of_requests_where_nobody_wants_it(kept: Kept) -> None:
    site().get("/faq")
    assert kept.lines == []


def test_a_mistake_of_ours_is_written_with_its_status(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(MemoryStore, "check", fail)
    answer = site(log="json").get("/healthz")
    assert (answer.status_code, json.loads(kept.lines[-1])["status"]) == (500, 500)


def test_a_store_in_trouble_is_written_in_one_line(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise StoreDamaged("the file is damaged")

    monkeypatch.setattr(MemoryStore, "find", fail)
    site().get(f"/play/{CODE}")
    assert json.loads(kept.lines[0])["message"] == "store: the file is damaged"


def test_a_traceback_stays_within_its_line() -> None:
    try:
        int("two\nlines")
    except ValueError as error:
        record = logging.LogRecord("yukon", logging.ERROR, "", 0, "went %s", ("wrong",), (type(error), error, None))
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["message"] == "went wrong"


def test_there_are_numbers_for_prometheus_only_where_they_are_wanted() -> None:
    pytest.importorskip("prometheus_client", reason="the extra metrics is not installed")
    assert site().get("/metrics").status_code == 404
    client = site(metrics=True, hosts="yukon.test")
    Browser(client).move(CODE, MOVES[0], 0)
    client.request("BREW", "/nowhere")
    text = client.get("/metrics", headers={"host": "10.0.0.1"}).text
    assert 'yukon_requests_total{method="POST",route="/play/{code}/move",status="200"} 1.0' in text
    assert 'yukon_requests_total{method="other",route="none",status="404"} 1.0' in text
    assert "yukon_games_held 1.0" in text
    assert CODE not in text


def test_what_goes_wrong_for_every_request_is_written_once_a_second(kept: Kept) -> None:
    now = 100.0
    seldom = Seldom(logging.ERROR, lambda: now)
    for _ in range(50):
        seldom.say("store: gone")
    seldom.say("store: full")
    now += 1.0
    seldom.say("store: gone")
    now += 1.0
    seldom.say("store: gone")
    lines = [json.loads(line)["message"] for line in kept.lines]
    assert lines == ["store: gone", "store: full", "store: gone (and 49 more like it)", "store: gone"]


def test_lines_that_differ_each_time_are_not_remembered_for_ever(kept: Kept) -> None:
    seldom = Seldom(logging.ERROR, lambda: 100.0)
    for number in range(1000):
        seldom.say(f"store: {number}")
    assert len(kept.lines) == 1000
    assert len(vars(seldom)["_said"]) <= 100
