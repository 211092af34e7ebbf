"""What whoever starts the server is told, in one line, when it can't start; and where it can."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from click.testing import CliRunner, Result

from app.cli import main


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("YUKON_"):
            monkeypatch.delenv(name)


def start(*flags: str, **settings: str) -> Result:
    env = {f"YUKON_{name.upper()}": value for name, value in settings.items()}
    return CliRunner().invoke(main, ["serve", "--store", "memory:", *flags], env=env)


def assert_told(result: Result, *words: str) -> None:
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit), "no traceback"
    assert "is served" not in result.output
    assert len(result.output.splitlines()) == 1, result.output
    for word in words:
        assert word in result.output


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "abc"), ("port", "70000"), ("workers", "0"), ("held_games", "many"), ("expire_days", "-1"),
        ("root_path", "yukon"), ("root_path", "/a b"), ("root_path", "/play"), ("root_path", "//evil.test"),
        ("limit_requests", "often"), ("limit_new_games", "5"), ("limit_pictures", "1/fortnight"),
        ("max_connections", "0"), ("limit_verdicts", "2/age"), ("solver_threads", "-1"), ("solver_seconds", "0"),
        ("solver_memory", "0"), ("most_events", ""), ("most_games", "x"), ("log", "loud"), ("metrics", "perhaps"),
    ],
)  # fmt: skip
def test_a_setting_that_makes_no_sense_is_named(name: str, value: str) -> None:
    assert_told(start(**{name: value}), f"YUKON_{name.upper()}: ")


def test_all_that_is_wrong_is_named_at_once() -> None:
    assert_told(start(port="abc", log="loud"), "YUKON_PORT: ", "YUKON_LOG: ")


def test_a_flag_goes_before_its_variable() -> None:
    assert_told(start("--root-path", "wrong", root_path="/fine"), "YUKON_ROOT_PATH: ")


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken_is_told_before_anything_is_promised(taken: int, workers: str) -> None:
    result = start("--port", str(taken), "--workers", workers, "--store", "sqlite:///file:x?mode=memory")
    assert_told(result)
    assert_told(start("--port", str(taken)), f"can't listen at 127.0.0.1:{taken}: something else listens there")


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "2001:db8::1", "::g"])
def test_an_address_that_is_not_this_machines_is_told(host: str) -> None:
    assert_told(start("--host", host), "can't listen at ", host)


@contextmanager
def started(**settings: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, and its port."""
    command = [sys.executable, "-m", "app", "serve", "--port", "0", "--store", "memory:"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1", **{f"YUKON_{name.upper()}": text for name, text in settings.items()}}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        path = settings.get("root_path", "").rstrip("/")
        found = re.match(rf"Yukon is served at http://127\.0\.0\.1:(\d+){path} and keeps its games in memory", line)
        try:
            assert found is not None
            yield server, int(found[1])
        finally:
            server.terminate()


@pytest.mark.parametrize("log", ["plain", "json"])
def test_it_says_where_it_is_and_ends_in_good_order(log: str) -> None:
    with started(root_path="/yukon/", log=log) as (server, found):
        with socket.create_connection(("127.0.0.1", found), 20) as link:
            link.sendall(b"GET /yukon/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert link.recv(15) == b"HTTP/1.1 200 OK"
        server.send_signal(signal.SIGTERM)
        rest, errors = server.communicate(timeout=20)
    assert (rest, "rror" in errors) == ("", False)
    assert ('"route": "/healthz"' in errors) == (log == "json")


def test_who_never_ends_a_request_is_told_that_the_server_ends() -> None:
    def connect() -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), 20)

    with started() as (server, port), connect() as link:
        link.sendall(b"POST /api/v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
        for _ in range(2):  # answered only after that has been read
            with connect() as another:
                another.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
                assert another.recv(100).startswith(b"HTTP/1.1 200")
        server.send_signal(signal.SIGTERM)
        assert link.recv(100).startswith(b"HTTP/1.1 503")
        _, errors = server.communicate(timeout=20)
    assert "Traceback" not in errors


def test_over_its_connections_it_says_so_and_serves_on_after() -> None:
    def ask(link: socket.socket) -> bytes:
        link.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        return link.recv(1000)[:12]

    with started(max_connections="2") as (_, port), ExitStack() as stack:

        def connect() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", port), 20))

        links = [connect() for _ in range(2)]
        assert [ask(link) for link in links] == [b"HTTP/1.1 200", b"HTTP/1.1 200"]
        crowded = connect()
        crowded.sendall(b"GET /play/YU1-C-ABFHTIL HTTP/1.1\r\nhost: x\r\naccept-language: nl\r\n\r\n")
        answer = b"".join(iter(lambda: crowded.recv(65536), b"")).decode()  # it closes
        assert answer.startswith("HTTP/1.1 503")
        assert "retry-after: 2" in answer
        assert "te druk" in answer
        for link in links:
            link.close()
        until = time.monotonic() + 20
        while True:
            with socket.create_connection(("127.0.0.1", port), 20) as another:
                if ask(another) == b"HTTP/1.1 200":
                    break
            assert time.monotonic() < until
            time.sleep(0.05)
