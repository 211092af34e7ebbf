"""What the measurements share: the game they play, the rounds and the table."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from app.engine import DealCode, Move
from tests.example import CODE, MOVES


def example_game() -> tuple[DealCode, list[Move]]:
    """The deal and the moves of a whole won game."""
    return DealCode.parse(CODE), [Move.parse(move) for move in MOVES]


def rate(count: int, act: Callable[[], object]) -> float:
    """How many a second of processor time, when ``act`` does ``count``."""
    began = time.process_time()
    act()
    return count / (time.process_time() - began)


def alternate(rounds: int, measures: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Every measure once a round, in turn, after one round that doesn't count."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for turn in range(rounds + 1):
        for name, measure in measures.items():
            value = measure()
            if turn:
                found[name].append(value)
    return found


def compare(found: Mapping[str, Sequence[float]], name: str, baseline: str) -> str:
    """The ratio to the baseline round by round: its median, and from the least to the most."""
    ratios = [one / other for one, other in zip(found[name], found[baseline], strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


def rows(found: Mapping[str, Sequence[float]], baselines: Mapping[str, str]) -> list[tuple[str, ...]]:
    """For ``show``: each measure's median rate, and its ratio to its baseline."""
    return [
        (
            name,
            f"{statistics.median(values):,.0f}",
            *((compare(found, name, baselines[name]), baselines[name]) if name in baselines else ("baseline", "")),
        )
        for name, values in found.items()
    ]


def show(title: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Print a small table: the first column to the left, the others to the right."""
    table = [head, *body]
    widths = [max(len(line[column]) for line in table) for column in range(len(head))]
    print(title)
    for line in table:
        first, *others = (
            word.ljust(width) if column == 0 else word.rjust(width)
            for column, (word, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  " + "  ".join([first, *others]).rstrip())
    print()


RATES: Final = ("", "a CPU second", "ratio, median (range)", "compared with")
