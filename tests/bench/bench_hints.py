"""Deals 0, 1, 2 … played by hints alone: how many are won, and what a hint costs.

There is nothing to compare with but the deals: ``docs/solver.md`` says how many of them can be won at all.
``python -m tests.bench.bench_hints 1000`` plays so many under each rule; without a number 100.
"""

import sys
import time

from app.engine import RULES, DealCode, Game
from app.engine.hint import hint
from tests.bench.common import show


def play(letter: str, number: int) -> tuple[bool, list[float]]:
    """Whether hints win a deal, and the seconds of processor time of each."""
    game = Game.new(DealCode(RULES[letter], number))
    taken = []
    while not game.is_won:
        began = time.process_time()
        move = hint(game.board.visible(), game.board.foundations, game.rule)
        taken.append(time.process_time() - began)
        if move is None:
            break
        game, _ = game.play(move)
    return game.is_won, taken


def main(count: int) -> None:
    body = []
    for rule in RULES.values():
        found = [play(rule.letter, number) for number in range(count)]
        taken = sorted(each for _, hints in found for each in hints)
        shares = (taken[int(len(taken) * share)] for share in (0.5, 0.9, 0.99))
        milliseconds = (f"{each * 1000:.1f}" for each in (*shares, taken[-1]))
        body.append((rule.name, str(count), f"{sum(won for won, _ in found) / count:.1%}", *milliseconds))
        print(f"{rule.name} is done", file=sys.stderr)
    show("Deals played by hints alone", ("", "deals", "won", "p50 ms", "p90 ms", "p99 ms", "worst ms"), body)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
