"""How many rows of one, two and three moves there are: counted once by the naive rules, and by the engine each time.

``data/perft.json`` holds, for a deal code and the moves played from it, the three counts. They are the work of
``naive.perft``, which knows nothing of the engine. To count them again, after a change to ``POSITIONS`` alone, for
the rules don't change::

    python -c "from tests.engine.test_perft import write; write()"
"""

import json
from pathlib import Path
from typing import TypedDict

import pytest

from app.engine import DealCode, Game, Move
from tests.engine.naive import NaiveGame, code_of, perft, with_aces_first
from tests.engine.side_by_side import SideBySide, seeded
from tests.example import CODE, MOVES

DEPTHS = (1, 2, 3)

DEALS = [0, 1, 2, 31, 1_000, 32**4, 123_456_789, 2**32, 28_540_903_245, 32**7 - 1]
"""Each is counted from the deal under the three rules, and under one of them after a long random game as well."""


class Entry(TypedDict):
    code: str
    moves: str
    counts: list[int]


def positions() -> list[tuple[str, list[str]]]:
    """Deal codes, with the moves that lead to where the counting starts."""
    found: list[tuple[str, list[str]]] = [(code_of(letter, number), []) for number in DEALS for letter in "CRT"]
    for index, number in enumerate(DEALS):
        both = SideBySide(code_of("CRT"[index % 3], number))
        both.wander(seeded(number), 60)
        found.append((str(both.game.code), both.naive.history))
    found += [(CODE, MOVES[:length]) for length in (40, 60, 80, 83)]
    traditional = CODE.replace("-C-", "-T-")
    found.append((traditional, with_aces_first(traditional, MOVES)[:60]))
    return found


def write() -> None:
    """Count naively, into the data file."""
    rows = []
    for code, moves in positions():
        counts = [perft(NaiveGame.of(code).play_all(moves), depth) for depth in DEPTHS]
        rows.append(json.dumps({"code": code, "moves": " ".join(moves), "counts": counts}))
    DATA.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")


def perft_of_engine(game: Game, depth: int) -> int:
    if depth == 1:
        return len(game.legal_moves)
    return sum(perft_of_engine(game.play(move)[0], depth - 1) for move in game.legal_moves)


DATA = Path(__file__).parent.parent / "data" / "perft.json"
ENTRIES: list[Entry] = json.loads(DATA.read_text("utf-8")) if DATA.exists() else []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['code']}+{len(entry['moves'].split())}")
def test_the_engine_counts_as_many_games(entry: Entry) -> None:
    game = Game.replay(DealCode.parse(entry["code"]), [Move.parse(move) for move in entry["moves"].split()])
    assert [perft_of_engine(game, depth) for depth in DEPTHS] == entry["counts"]


def test_the_data_are_what_the_naive_rules_count() -> None:
    """All of them to depth two, and the first three, one for each rule, to depth three."""
    assert len(ENTRIES) == len(DEALS) * 4 + 5
    for index, entry in enumerate(ENTRIES):
        game = NaiveGame.of(entry["code"]).play_all(entry["moves"].split())
        depth = 3 if index < 3 else 2
        assert [perft(game, depth) for depth in DEPTHS[:depth]] == entry["counts"][:depth]


def test_the_data_are_for_every_rule() -> None:
    counted = {(entry["code"][4], entry["code"][6:]) for entry in ENTRIES if not entry["moves"]}
    assert counted == {(letter, code_of("C", number)[6:]) for letter in "CRT" for number in DEALS}
