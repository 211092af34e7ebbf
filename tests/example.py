"""The real game that stands in ``data/example_game.txt``."""

from pathlib import Path

_LINES = [
    line
    for line in (Path(__file__).parent / "data" / "example_game.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
CODE = _LINES[0]
MOVES = [move for line in _LINES[1:] for move in line.split()]
"""83 of them, written ``9S>2``; they lead to 625 points."""
