"""A real server, and people in front of a real Chromium."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Error, Playwright, sync_playwright

from app.service import GameService
from app.settings import DEFAULTS
from app.web import create_app
from tests.browser.person import Person
from tests.example import CODE

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "portrait": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 667, "height": 375}, "has_touch": True, "is_mobile": True},
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


# Not longer than these tests last: while it runs it holds the thread's event loop, which others need.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(f"there is no Chromium at {CHROMIUM} (another place can be named in CHROMIUM)")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def service() -> GameService:
    return GameService()


@pytest.fixture(scope="session")
def site(service: GameService) -> Iterator[str]:
    """The address of a server that runs beside the tests."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        settings = DEFAULTS.model_copy(update={"limit_verdicts": "", "solver_seconds": 10.0})
        server = uvicorn.Server(uvicorn.Config(create_app(service, settings), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def solver(site: str) -> None:
    """The server's solver is ready."""
    until = time.monotonic() + 120
    while httpx.get(f"{site}/api/v1/deals/{CODE}/verdict").json()["reason"] == "warming":
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def visit(chromium: Browser, site: str) -> Iterator[Callable[..., Person]]:
    """A newcomer on a device, each time it is called. Nobody's browser may complain in its console."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def arrive(device: str = "desktop", **options: Any) -> Person:
        context = chromium.new_context(base_url=site, **{**DEVICES[device], "locale": "en-GB", **options})
        context.set_default_timeout(5000)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on(
            "console",
            # The browser itself logs each answer over 399, and each lost connection: those are wanted here.
            lambda told: (
                complaints.append(told.text)
                if told.type in ("error", "warning") and "Failed to load resource" not in told.text
                else None
            ),
        )
        contexts.append(context)
        return Person(context)

    yield arrive
    for context in contexts:
        try:
            context.close()
        except Error:
            complaints.append("a browser window was gone before its time")
    assert complaints == []


@pytest.fixture
def person(visit: Callable[..., Person]) -> Person:
    """Somebody at a desktop."""
    return visit()
