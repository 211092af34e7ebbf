"""A server in this process, and people and programs that talk to it."""

import time as clock
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service import GameService
from app.settings import DEFAULTS
from app.store import MemoryStore
from app.web import create_app
from tests.example import CODE
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


Make = Callable[..., TestClient]


@pytest.fixture
def make() -> Iterator[Make]:
    """A server with these settings, whose solver need not be ready."""
    with ExitStack() as stack:

        def site(service: GameService | None = None, **settings: object) -> TestClient:
            app = create_app(service, DEFAULTS.model_copy(update=settings))
            client = TestClient(app, base_url="http://yukon.test", follow_redirects=False)
            return stack.enter_context(client)

        yield site


@pytest.fixture(scope="session")
def asked() -> Iterator[TestClient]:
    """A server whose solver is ready."""
    settings = DEFAULTS.model_copy(update={"solver_seconds": 10.0, "limit_verdicts": ""})
    app = create_app(settings=settings, warm_up=True)
    with TestClient(app, base_url="http://yukon.test", follow_redirects=False) as client:
        until = clock.monotonic() + 120
        while client.get(f"/api/v1/deals/{CODE}/verdict").json()["reason"] == "warming":
            assert clock.monotonic() < until
            clock.sleep(0.1)
        yield client


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
