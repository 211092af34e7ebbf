"""What people and programs are told while the store can't do its work, and that it costs them nothing."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service import GameService
from app.store import (
    Addition,
    Head,
    MemoryStore,
    Record,
    StoreAway,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from app.web import create_app
from app.web.health import Health
from tests.example import CODE
from tests.web.player import HTMX

TROUBLE = [StoreAway, StoreBusy, StoreFull, StoreReadOnly, StoreDamaged]


class Failing(MemoryStore):
    """A store that can be broken, and mended."""

    def __init__(self) -> None:
        super().__init__()
        self.trouble: type[StoreError] | None = None

    def _work(self) -> None:
        if self.trouble is not None:
            raise self.trouble("/secret/place/yukon.db is in trouble")

    async def check(self) -> None:
        self._work()

    async def create(self, record: Record) -> None:
        self._work()
        await super().create(record)

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        self._work()
        await super().append(record, before, addition)

    async def head(self, record: str) -> Head | None:
        self._work()
        return await super().head(record)

    async def load(self, record: str) -> Record | None:
        self._work()
        return await super().load(record)

    async def find(self, player: str, code: str) -> str | None:
        self._work()
        return await super().find(player, code)

    async def latest(self, player: str) -> str | None:
        self._work()
        return await super().latest(player)


@pytest.fixture
def store() -> Failing:
    return Failing()


@pytest.fixture
def app(store: Failing) -> FastAPI:
    return create_app(GameService(store))


@pytest.mark.parametrize("trouble", TROUBLE)
def test_a_program_is_told_and_plays_on_after(api: TestClient, store: Failing, trouble: type[StoreError]) -> None:
    game = f"/api/v1/games/{api.post('/api/v1/games', json={'code': CODE}).json()['id']}"
    store.trouble = trouble
    answers = [
        api.post(f"{game}/moves", json={"rev": 0, "card": "9S", "to": "2"}),
        api.post(f"{game}/moves", json={"rev": 5, "card": "9S", "to": "2"}),
        api.post(f"{game}/restart", json={"rev": 0}),
        api.post("/api/v1/games", json={"code": CODE}),
        api.get(game),
        api.get(f"{game}/moves"),
    ]
    for answer in answers:
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"] == "2"
        assert answer.json()["reason"] == "unavailable"
        assert "secret" not in answer.text
        detail = answer.json()["detail"]
        assert ("try again" if trouble in (StoreAway, StoreBusy) else "Nothing was changed") in detail
    store.trouble = None
    assert api.get(game).json()["rev"] == 0
    assert api.post(f"{game}/moves", json={"rev": 0, "card": "9S", "to": "2"}).json()["rev"] == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "can't be reached"), ("de", "nicht erreichbar"), ("nl", "niet bereikbaar")],
)
def test_a_person_is_told_in_their_language(api: TestClient, store: Failing, language: str, words: str) -> None:
    headers = {"accept-language": language, "sec-fetch-site": "same-origin"}
    api.post(f"/play/{CODE}/move", data={"rev": "0", "card": "9S", "to": "2"}, headers=headers)
    store.trouble = StoreAway
    move = {"rev": "1", "card": "TD", "to": "6"}
    page = api.get(f"/play/{CODE}", headers=headers)
    moved = api.post(f"/play/{CODE}/move", data=move, headers=headers)
    fragment = api.post(f"/play/{CODE}/move", data=move, headers={**headers, **HTMX})
    for answer in (page, moved, fragment, api.get("/", headers=headers)):
        assert answer.status_code == 503
        assert words in answer.text.replace("&#39;", "'")
        assert "secret" not in answer.text
    assert "<html" in page.text
    assert "<html" not in fragment.text
    store.trouble = None
    assert api.post(f"/play/{CODE}/move", data=move, headers={**headers, **HTMX}).status_code == 200
    assert 'data-rev="2"' in api.get(f"/play/{CODE}").text


def test_health_is_that_of_the_store(store: Failing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Health.__init__, "__defaults__", (0.0,))
    api = TestClient(create_app(GameService(store)))
    assert (api.get("/healthz").status_code, api.get("/healthz").json()) == (200, {"status": "ok"})
    store.trouble = StoreFull
    assert api.get("/healthz").status_code == 503
    store.trouble = None
    assert api.get("/healthz").status_code == 200


def test_pages_that_need_no_store_are_served_without_one(api: TestClient, store: Failing) -> None:
    store.trouble = StoreAway
    for path in ("/rules", "/faq", f"/api/v1/deals/{CODE}"):
        assert api.get(path).status_code == 200
