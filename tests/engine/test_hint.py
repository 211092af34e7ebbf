"""Hints are legal, lead somewhere, never go in circles, and come of what lies face up alone."""

import random

import pytest

from app.engine import CARDS, RULES, Board, DealCode, Game, LegalMoves, Move, Place, Rule, apply
from app.engine.hint import hint

EVERY_RULE = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)


def hint_of(board: Board, rule: Rule) -> Move | None:
    return hint(board.visible(), board.foundations, rule)


def follow(board: Board, rule: Rule) -> list[Board]:
    """Every board, as long as there are hints."""
    boards = [board]
    while not board.is_won and (move := hint_of(board, rule)) is not None:
        board, _ = apply(board, rule, move)
        boards.append(board)
        assert len(boards) < 1000
    return boards


@EVERY_RULE
@pytest.mark.parametrize("number", range(2))
def test_whoever_follows_every_hint_sees_no_board_twice(rule: Rule, number: int) -> None:
    boards = follow(Game.new(DealCode(rule, number)).board, rule)
    alike = {(tuple(sorted(board.columns)), board.foundations) for board in boards}
    assert len(alike) == len(boards), "nor one that differs only in the order of its columns"
    assert boards[-1].face_down_count < 21


@EVERY_RULE
def test_from_wherever_a_player_has_come_hints_go_in_no_circle(rule: Rule) -> None:
    for seed in range(2):
        chance = random.Random(seed)
        board = Game.new(DealCode(rule, seed)).board
        for _ in range(40):
            if moves := [*LegalMoves(board, rule)]:
                board, _change = apply(board, rule, chance.choice(moves))
        boards = follow(board, rule)
        assert len({(tuple(sorted(one.columns)), one.foundations) for one in boards}) == len(boards)


@EVERY_RULE
def test_what_lies_face_down_is_no_matter(rule: Rule) -> None:
    chance = random.Random(7)
    for number in range(5):
        board = Game.new(DealCode(rule, number)).board
        hidden = [card for column, down in zip(board.columns, board.face_down, strict=True) for card in column[:down]]
        chance.shuffle(hidden)
        cards = iter(hidden)
        columns = (
            bytes(next(cards) for _ in range(down)) + column[down:]
            for column, down in zip(board.columns, board.face_down, strict=True)
        )
        other = Board(tuple(columns), board.face_down, board.foundations)
        assert other != board
        assert hint_of(other, rule) == hint_of(board, rule)


@EVERY_RULE
def test_where_one_move_turns_a_card_up_one_hint_and_cards_that_go_home_do(rule: Rule) -> None:
    chance = random.Random(3)
    turned = 0
    for number in range(20):
        board = Game.new(DealCode(rule, number)).board
        for _ in range(15):
            changes = [apply(board, rule, move) for move in LegalMoves(board, rule)]
            if not changes:
                break
            if any(change.flipped is not None for _, change in changes):
                turned += 1
                to_columns, after, is_turned = 0, board, False
                while not is_turned:
                    move = hint_of(after, rule)
                    assert move is not None
                    to_columns += move.to is not Place.FOUNDATION
                    after, change = apply(after, rule, move)
                    is_turned = change.flipped is not None
                assert to_columns <= 1
            board, _ = chance.choice(changes)
    assert turned > 50


@EVERY_RULE
def test_a_game_that_is_all_but_won_is_won_by_hints(rule: Rule) -> None:
    board = Board.parse("QS KH\nKS QH JS\nKD QC JD TC\nKC QD JC TD 9C\n.\n.\n.\nF: TS JH 9D 8C")
    assert follow(board, rule)[-1].is_won


def test_a_card_is_brought_home_where_none_can_be_turned_up() -> None:
    board = Board.parse("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S JD\nKC QC\nKD QD\n.\n.\n.\n.\nF: AS KH TD JC")
    assert hint_of(board, RULES["C"]) == Move.parse("JD>F")
    covered = Board.parse("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S JD\nKC QC\nKD QD TD\n.\n.\n.\n.\nF: AS KH 9D JC")
    assert hint_of(covered, RULES["C"]) in (Move.parse("TD>F"), Move.parse("QC>F"))


@EVERY_RULE
def test_where_there_is_no_move_there_is_no_hint(rule: Rule) -> None:
    """All but four kings and three twos lie face down."""
    shown = [card for card in CARDS if card.rank == 13 or (card.rank == 2 and card.suit_index)]
    hidden = [card for card in CARDS if card not in shown]
    columns = tuple(bytes([*hidden[at::7], last]) for at, last in enumerate(shown))
    board = Board(columns, bytes(len(column) - 1 for column in columns), bytes(4))
    assert not LegalMoves(board, rule)
    assert hint_of(board, rule) is None
