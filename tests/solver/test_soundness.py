"""The verdicts are true: held against the engine, an exhaustive search, and what is known of 250 deals."""

import random

import numpy as np
import pytest

from app.engine import CARDS, CLASSIC, RELAXED, TRADITIONAL, Board, DealCode, Move, Rule, apply, deal
from app.solver import Budget, Status, solve
from app.solver.line import normal
from app.solver.pack import key_of, problem_of
from app.solver.position import decode
from app.solver.reach import reach
from app.solver.solving import place_of
from tests.solver.common import KPAT, can_be_won, kpat_deals, late_board, positions, sorted_columns, those_that_win

DEALS = kpat_deals()
RULE_LIST = [CLASSIC, RELAXED, TRADITIONAL, KPAT]
SIZES = {"C": (12, 44), "R": (6, 20), "T": (10, 36), "K": (10, 36)}
TWO = """
3C QH 7D 8H
5C TD QC
TS 7H JS 8D JH 8C
7C KS JD
KD TC 3D 5D KC 4C 4D 6D TH
9S QS QD 9H 9C 6C AC 2C
KH 9D JC 2D
F: 8S 6H AD .
"""
BUDGET = Budget(seconds=None, nodes=600, memory=64)


def by_name(rule: Rule) -> str:
    return rule.name


@pytest.mark.parametrize("rule", RULE_LIST, ids=by_name)
def test_small_boards_are_decided_as_by_trying_everything(rule: Rule) -> None:
    """With take-backs only boards of many cards that are soon stuck can be exhausted, the won ones be won."""
    chance = random.Random(f"small {rule.name}")
    found = {True: 0, False: 0}
    for _ in range(120):
        board = late_board(chance, chance.randint(*SIZES[rule.letter]))
        truth = can_be_won(board, rule, 700)
        if truth is None:
            continue
        verdict = solve(board, rule, Budget(seconds=None, memory=64), cache=None)
        assert verdict.status is (Status.WON if truth else Status.LOST), str(board)
        found[truth] += 1
    assert min(found.values()) >= (8 if not rule.take_back else 2 if rule.alternating else 0), found
    assert sum(found.values()) >= 25


@pytest.mark.parametrize("rule", RULE_LIST, ids=by_name)
def test_nothing_contradicts_what_is_known(rule: Rule) -> None:
    won = 0
    for number, known, board in DEALS:
        verdict = solve(board, rule, BUDGET, cache=None)
        won += verdict.status is Status.WON
        if rule in (KPAT, TRADITIONAL):  # an ace can always go home first: docs/solver.md
            assert {verdict.status.value, known} != {"won", "lost"}, number
    assert won >= 150


@pytest.mark.parametrize("rule", RULE_LIST, ids=by_name)
def test_the_engine_accepts_every_won_line(rule: Rule) -> None:
    for _, _, start in DEALS[:50]:
        verdict = solve(start, rule, BUDGET, cache=None)
        board = start
        for move in verdict.moves:
            board, _ = apply(board, rule, move)
        assert board.is_won == (verdict.status is Status.WON)
        assert bool(verdict.moves) == board.is_won


@pytest.mark.parametrize("text", ["YU1-C-AAAAH25", "YU1-R-AAAAH2C", "YU1-R-AAAAH2P"])
def test_a_won_line_never_leads_round(text: str) -> None:
    code = DealCode.parse(text)
    board = deal(code)
    seen = {board}
    for move in solve(board, code.rule, BUDGET, cache=None).moves:
        board, _ = apply(board, code.rule, move)
        assert board not in seen
        seen.add(board)
    assert board.is_won


@pytest.mark.parametrize("rule", RULE_LIST, ids=by_name)
def test_no_position_of_a_won_line_is_taken_for_dead(rule: Rule) -> None:
    for _, _, board in DEALS[:40]:
        for move in solve(board, rule, BUDGET, cache=None).moves:
            assert layers(board, rule) >= 0, board
            board, _ = apply(board, rule, move)


@pytest.mark.parametrize("rule", [TRADITIONAL, KPAT], ids=by_name)
def test_no_winnable_position_is_pruned_or_spoiled(rule: Rule) -> None:
    """Of every position within reach of small boards: the winnable ones stay so in the search's normal form."""
    chance = random.Random(f"graph {rule.name}")
    winnable = 0
    for _ in range(12):
        graph = positions(late_board(chance, chance.randint(8, 14)), rule, 1000)
        good = those_that_win(graph)
        winnable += len(good)
        for board in good:
            assert layers(board, rule) >= 0, board
            assert sorted_columns(after_safe_moves(board, rule)) in good, board
    assert winnable > 500


def layers(board: Board, rule: Rule) -> int:
    row, above = np.zeros(256, np.int8), np.zeros(64, np.int64)
    problem = problem_of(board, rule)
    decode(problem, key_of(board, problem), row)
    return reach(problem, row, above)


def after_safe_moves(board: Board, rule: Rule) -> Board:
    """The board in normal form; the engine has accepted the moves."""
    problem = problem_of(board, rule)
    log = np.zeros(256, np.int8)
    normal(problem, key_of(board, problem), log)
    for place in range(int(log[0])):
        card, to = int(log[1 + 2 * place]), int(log[2 + 2 * place])
        board, _ = apply(board, rule, Move(CARDS[card], place_of(board, to)))
    return board


def test_deal_172_is_winnable() -> None:
    board = DEALS[171][2]
    for rule in RULE_LIST:
        assert solve(board, rule, Budget(seconds=None, memory=256), cache=None).status is Status.WON


def test_a_two_does_not_always_go_home_safely() -> None:
    """An ace with cards on it can move as a group onto a two: here that is the only way to win."""
    board = Board.parse(TWO)
    spoiled, _ = apply(board, KPAT, Move.parse("2D>F"))
    assert solve(board, KPAT, cache=None).status is Status.WON
    assert solve(spoiled, KPAT, cache=None).status is Status.LOST
