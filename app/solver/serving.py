"""The solver as a process of its own: a question is a line of JSON on the standard input, an answer one on the output.

    {"id": 7, "board": "7S\\n…", "rule": "C", "seconds": 2.0, "memory": 256}
    {"id": 7, "status": "won", "reason": "", "nodes": 41, "seconds": 0.004, "moves": ["9S>2", …]}

``{"stop": 7}`` ends a search, also one that has not begun; its answer says so. Before the first answer stands
``{"warm": true}``: all is compiled. Whoever asks needs no Numba, shares no lock of Python's with the searches, and ends
them all by ending this process, which also ends by itself when nobody is left to ask.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final

from app.engine import RULES, Board
from app.solver.solving import solve, warm_up
from app.solver.verdict import Budget, Status, Stop, Verdict

_MODESTY: Final = 15  # of 19: whoever plays comes first


def main(threads: int) -> None:
    """Answer until nobody is left to ask, so many questions at a time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that asks, which then ends this one
    if hasattr(os, "nice"):
        os.nice(_MODESTY)
    Desk(sys.stdout.buffer, threads).serve(sys.stdin.buffer)
    os._exit(0)  # whatever is searched or compiled now, nobody waits for it


class Desk:
    """Takes questions, and answers in the order in which it can."""

    def __init__(self, answers: IO[bytes], threads: int) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._stops: dict[int, Stop] = {}
        self._threads = ThreadPoolExecutor(threads)

    def serve(self, questions: IO[bytes]) -> None:
        """Until they end."""
        self._threads.submit(self._warm_up)
        for line in questions:
            question = json.loads(line)
            if "stop" not in question:
                stop = self._stops[question["id"]] = Stop()
                self._threads.submit(self._answer, question, stop)
            elif (searching := self._stops.get(question["stop"])) is not None:
                searching.set()

    def _warm_up(self) -> None:
        try:
            with _alone():
                warm_up()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        self._say({"warm": True})

    def _answer(self, question: dict[str, Any], stop: Stop) -> None:
        try:
            budget = Budget(question["seconds"], memory=question["memory"], stop=stop)
            verdict = solve(Board.parse(question["board"]), RULES[question["rule"]], budget)
        except Exception:
            traceback.print_exc()
            verdict = Verdict(Status.UNKNOWN, reason="failed")
        del self._stops[question["id"]]
        self._say(
            {
                "id": question["id"],
                "status": verdict.status.value,
                "reason": verdict.reason,
                "nodes": verdict.nodes,
                "seconds": round(verdict.seconds, 6),
                "moves": [*map(str, verdict.moves)],
            }
        )

    def _say(self, answer: dict[str, Any]) -> None:
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._answers.write(json.dumps(answer).encode() + b"\n")
            self._answers.flush()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """While it lasts no other process of this machine is in here, so that only one compiles and the others load what it
    has kept. Where the system has no such lock, each compiles for itself.
    """
    try:
        import fcntl

        place = os.open(Path(__file__).parent, os.O_RDONLY)
    except (ModuleNotFoundError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)
