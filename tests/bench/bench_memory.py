"""Memory for each held game: the games of the service, after none, half and all of the example game's moves.

The store is none of it: it takes everything and keeps nothing. Baseline: ``no moves``, a game that was only opened.
Two figures: what Python allocated (tracemalloc), and by how much the process grew. Each is measured in a process of its
own. Linux only: it reads /proc.
"""

import gc
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Final

from app.engine import DealCode
from app.service import GameService, Seat
from app.store import Addition, Head, MemoryStore, Record
from tests.at_once import AtOnce
from tests.bench.common import example_game, show

GAMES: Final = 5000

CODE, MOVES = example_game()


class Forgetful(MemoryStore):
    """A store that keeps nothing."""

    async def create(self, record: Record) -> None:
        """Forget it."""

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        """Forget it."""


def empty() -> AtOnce:
    return AtOnce(GameService(Forgetful(), held=GAMES))


def hold(service: AtOnce, kind: str, games: int, moves: int) -> None:
    """Make games and play them. Nothing is shared that requests would not share: each brings its own deal code."""
    for _ in range(games):
        game: str | Seat = Seat(GameService.new_player(), DealCode.parse(str(CODE)))
        if kind == "API":
            game = service.open(DealCode.parse(str(CODE))).id
        for rev, move in enumerate(MOVES[:moves]):
            service.move(game, rev, move.card, move.to)


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(kind: str, moves: int, *, traced: bool) -> float:
    """Bytes for each game."""
    hold(empty(), kind, 20, moves)
    service = empty()
    gc.collect()
    if traced:
        tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0] if traced else resident()
    hold(service, kind, GAMES, moves)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0] if traced else resident()
    if service.held != GAMES:
        raise RuntimeError("games were lost")
    return (after - before) / GAMES


def ask(kind: str, moves: int, way: str) -> float:
    """``measure`` in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_memory", kind, str(moves), way]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    body = []
    for kind in ("API", "page"):
        base = 0.0
        for moves in (0, len(MOVES) // 2, len(MOVES)):
            if kind == "page" and not moves:
                continue  # a page's game is made by its first move
            traced, grown = ask(kind, moves, "traced"), ask(kind, moves, "resident")
            base = base or traced
            ratio = "baseline" if traced == base else f"{traced / base:.2f}"
            body.append((f"{kind}, {moves or 'no'} moves", f"{traced:,.0f}", f"{grown:,.0f}", ratio))
    show(f"Bytes for each of {GAMES:,} held games", ("", "allocated", "process grew", "ratio"), body)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(measure(sys.argv[1], int(sys.argv[2]), traced=sys.argv[3] == "traced"))
    else:
        main()
