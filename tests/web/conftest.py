"""A server in this process, and people and programs that talk to it."""

from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service import GameService
from app.store import MemoryStore
from app.web import create_app
from tests.time import Time
from tests.web.player import Browser


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def service(store: MemoryStore, time: Time) -> GameService:
    return GameService(store, now=time)


@pytest.fixture
def app(service: GameService) -> FastAPI:
    return create_app(service)


@pytest.fixture
def api(app: FastAPI) -> Iterator[TestClient]:
    """A program."""
    with TestClient(app, base_url="http://yukon.test", follow_redirects=False) as client:
        yield client


@pytest.fixture
def arrive(app: FastAPI) -> Iterator[Callable[[], Browser]]:
    """A newcomer's browser, each time it is called."""
    clients: list[TestClient] = []

    def make() -> Browser:
        client = TestClient(app, base_url="http://yukon.test", follow_redirects=False)
        clients.append(client)
        return Browser(client)

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def browser(arrive: Callable[[], Browser]) -> Browser:
    return arrive()
