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

LOSING = [
    "9C>2",
    "6D>1",
    "TD>2",
    "7H>3",
    "7D>2",
    "AD>F",
    "AH>F",
    "QS>7",
    "AH>6",
    "AH>F",
    "JS>4",
    "AD>6",
    "9D>4",
    "2D>4",
    "AD>F",
    "JH>2",
    "AC>F",
    "2C>F",
    "2D>6",
    "AS>F",
    "9D>3",
    "3C>F",
]
"""The last of these moves loses the example deal."""

LOST = "YU1-C-AAAAAAH"
"""A deal that is lost from the start."""
