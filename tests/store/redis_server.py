"""A Redis of the tests' own."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

PROGRAM = shutil.which("redis-server")


def need_redis() -> None:
    """Skip where there is none; but where everything has to be tested, fail."""
    if PROGRAM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no redis-server, and CI tests everything")
        pytest.skip("there is no redis-server (Debian: apt-get install redis-server)")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class RedisServer:
    """One that writes everything down before it answers, and can be stopped and started."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self, *options: str) -> None:
        need_redis()
        command = [PROGRAM or "", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._directory)]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--save", "", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 20
        while not self._answers():
            assert self._process.poll() is None, "redis-server ended at once"
            assert time.monotonic() < until, "redis-server doesn't answer"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as link:
                link.sendall(b"PING\r\n")
                return link.recv(5) == b"+PONG"
        except OSError:
            return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)
            self._process = None
