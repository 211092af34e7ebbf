"""The solver in a process of its own (see ``app.solver.serving``), asked from any thread or event loop."""

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import count
from typing import IO, Any, Final, Literal, cast

from app.engine import Board, Move, Rule
from app.logs import LOG

Status = Literal["won", "lost", "unknown"]

# With the path of this process it finds what this one finds, and nothing else first.
_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from app.solver.serving import main; main(int(sys.argv[2]))"
)
_AGAIN: Final = 10.0  # seconds from one start to the next, should it end by itself


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a position can be won by a player who sees every card."""

    status: Status
    reason: str = ""
    """Lost: ``exhausted`` or ``blocked``. Unknown: the budget that ended (``time``, ``nodes``, ``memory``), ``stopped``
    with the server, ``replaced`` by a later question about the game, ``busy`` or ``warming``: ask again soon,
    ``failed``: a mistake of ours, or ``off``: nothing is searched here.
    """
    nodes: int = 0
    """Positions that were looked at."""
    seconds: float = 0.0
    moves: tuple[Move, ...] = ()
    """Won: a line that the engine has accepted to the win."""


def unknown(reason: str) -> Verdict:
    """Not known, and why."""
    return Verdict("unknown", reason)


class Search:
    """A question that was sent."""

    def __init__(self, solver: "SolverProcess", number: int) -> None:
        self._solver = solver
        self._number = number
        self.verdict: Future[Verdict] = Future()

    def stop(self, reason: str) -> None:
        """End it, unless it has ended; ``reason`` is what its verdict says."""
        self._solver.stop(self._number, reason)


class SolverProcess:
    """It runs from ``start`` to ``close``. If it ends by itself, the next ``start`` starts another."""

    def __init__(self, threads: int) -> None:
        """``threads``: how many questions are searched at a time."""
        self._threads = threads
        self._process: subprocess.Popen[bytes] | None = None
        self._hearing: threading.Thread | None = None
        self._started = -_AGAIN
        self._searches: dict[int, Search] = {}
        self._numbers = count()
        self._lock = threading.Lock()
        self._is_closed = False
        self.warm = threading.Event()
        """All is compiled."""

    def __len__(self) -> int:
        """How many questions have no answer yet."""
        return len(self._searches)

    def start(self) -> None:
        """Start it, unless it is there or was started just before."""
        with self._lock:
            if self._process is not None or self._is_closed or time.monotonic() < self._started + _AGAIN:
                return
            self._started = time.monotonic()
            command = [sys.executable, "-P", "-c", _PROGRAM, json.dumps(sys.path), str(self._threads)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - it is ourselves
            os.set_blocking(cast("IO[bytes]", self._process.stdin).fileno(), False)
            self._hearing = threading.Thread(target=self._hear, args=(self._process,), daemon=True)
            self._hearing.start()

    def ask(self, board: Board, rule: Rule, seconds: float, memory: int) -> Search:
        """Send a question; ``memory`` in megabytes. While it isn't warm, the answer waits for that."""
        number = next(self._numbers)
        search = Search(self, number)
        limits = {"seconds": seconds, "memory": memory}
        with self._lock:
            if self._say({"id": number, "board": str(board), "rule": rule.letter, **limits}):
                self._searches[number] = search
                return search
        search.verdict.set_result(unknown("stopped"))
        return search

    def stop(self, number: int, reason: str) -> None:
        """See Search."""
        with self._lock:
            search = self._searches.pop(number, None)
            if search is not None:
                self._say({"stop": number})
        if search is not None:
            search.verdict.set_result(unknown(reason))

    def end(self) -> None:
        """End it at once, with all it searches; no other is started."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """``end``, and wait until it has."""
        self.end()
        if self._hearing is not None:
            self._hearing.join()

    def _say(self, question: dict[str, Any]) -> bool:
        """Whether there is somebody to hear it."""
        if self._process is None:
            return False
        try:
            # A line is shorter than what a pipe takes in one piece.
            os.write(cast("IO[bytes]", self._process.stdin).fileno(), json.dumps(question).encode() + b"\n")
        except BrokenPipeError:
            return False
        except BlockingIOError:  # it has read nothing for hundreds of lines: it hangs, and another is to take its place
            self._process.kill()
            return False
        return True

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        """Hand out answers until it ends."""
        with process:
            for line in cast("IO[bytes]", process.stdout):
                answer = json.loads(line)
                if "warm" in answer:
                    self.warm.set()
                    continue
                with self._lock:
                    search = self._searches.pop(answer.pop("id"), None)
                if search is not None:
                    moves = tuple(map(Move.parse, answer.pop("moves")))
                    search.verdict.set_result(Verdict(**answer, moves=moves))
            with self._lock:
                self._process = None  # nothing more is written to it
                self.warm.clear()
                searches, self._searches = self._searches, {}
        for search in searches.values():
            search.verdict.set_result(unknown("stopped"))
        if not self._is_closed:
            LOG.error("the solver ended, with code %s", process.returncode)
