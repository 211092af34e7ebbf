"""Cards, places, moves and boards as text: what is written is read back as the same, all else is refused by name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine import CARDS, BadBoard, BadCard, BadMove, Board, Card, Move, Place, Suit
from tests.engine.naive import DECK, PLACES, code_of
from tests.engine.side_by_side import SideBySide, seeded

DEAL = """\
4H
-7S 5H JH AH 8C 3H
-JC -5D KH 4S 3D 2D KD
-2S -5C -QS 8D TS 6H 6S 3S
-9S -9C -AC -KC QH TD 2H KS 3C
-6C -7C -7D -5S -TC 9H AD 8S JS 4D
-6D -JD -QC -TH -4C -8H 7H AS QD 9D 2C
"""
EMPTY = "F: . . . ."


# Cards


def test_there_are_52_cards_each_read_back_as_itself() -> None:
    assert [str(card) for card in CARDS] == DECK
    assert all(Card.parse(str(card)) is card for card in CARDS)


def test_a_card_knows_its_suit_rank_and_colour() -> None:
    ten = Card.parse("TD")
    assert (ten.suit, ten.rank, ten.is_red, ten.is_king, ten.is_ace) == (Suit.DIAMONDS, 10, True, False, False)
    assert [str(card) for card in CARDS if card.is_king] == ["KS", "KH", "KD", "KC"]
    assert [str(card) for card in CARDS if card.is_ace] == ["AS", "AH", "AD", "AC"]
    assert {card.suit for card in CARDS if card.is_red} == {Suit.HEARTS, Suit.DIAMONDS}
    assert [suit.value for suit in Suit] == ["S", "H", "D", "C"]


@pytest.mark.parametrize("text", ["", "T", "D", "10D", "td", "Td", "DT", "TD ", " TD", "-TD", "1S", "??", "T♦", "TDX"])
def test_other_text_is_no_card(text: str) -> None:
    with pytest.raises(BadCard, match="not a card"):
        Card.parse(text)


@given(st.text(max_size=4))
def test_any_text_is_one_of_the_52_or_a_bad_card(text: str) -> None:
    if text in DECK:
        assert str(Card.parse(text)) == text
    else:
        with pytest.raises(BadCard):
            Card.parse(text)


# Places and moves


def test_there_are_416_moves_each_read_back_as_itself() -> None:
    texts = [f"{card}>{place}" for card in DECK for place in PLACES]
    assert [str(Move.parse(text)) for text in texts] == texts
    assert [str(Place.parse(place)) for place in PLACES] == list(PLACES)


@pytest.mark.parametrize(
    "text",
    ["", ">", "TD", "TD>", ">F", "TD>0", "TD>8", "TD>f", "TD >F", "TD>F ", "TD>FF", "XX>F", "TD-F", "TD>F>F", "??>1"],
)
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(BadMove):
        Move.parse(text)


@given(st.text(alphabet="TDAS>F17 ", max_size=7) | st.text(max_size=9))
def test_any_text_is_a_move_or_a_bad_move(text: str) -> None:
    try:
        move = Move.parse(text)
    except BadMove:
        return
    assert str(move) == text


# Boards


def test_a_board_is_written_a_column_a_line() -> None:
    assert str(Board.parse(DEAL)) == DEAL + EMPTY


def test_an_empty_column_and_the_foundations_are_written_too() -> None:
    text = ".\nKS KH\n.\n.\n-KD KC\n.\n.\nF: QS QH QD QC"
    board = Board.parse(text)
    assert str(board) == text
    assert board.visible() == ((), (Card.parse("KS"), Card.parse("KH")), (), (), (None, Card.parse("KC")), (), ())
    assert [str(board.top(suit)) for suit in range(4)] == ["QS", "QH", "QD", "QC"]
    assert board.face_down_count == 1
    assert not board.is_won


def test_a_won_board_holds_four_kings_and_no_columns() -> None:
    assert Board.parse(".\n" * 7 + "F: KS KH KD KC").is_won


@settings(max_examples=25)
@given(st.sampled_from("CRT"), st.integers(0, 32**7 - 1), st.integers(0, 40))
def test_any_board_of_a_game_is_read_back_as_itself(letter: str, number: int, steps: int) -> None:
    both = SideBySide(code_of(letter, number))
    both.wander(seeded(number), steps)
    assert Board.parse(str(both.game.board)) == both.game.board
    assert str(Board.parse(str(both.naive.now))) == str(both.naive.now)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "7 columns, not 0"),
        ("4H", "7 columns, not 1"),
        (DEAL + ".\n", "7 columns, not 8"),
        (DEAL.replace("4H", "4X"), "4X"),
        (DEAL.replace("4H", "."), "4H is missing"),
        (DEAL.replace("4H", "4H 4H"), "4H stands 2 times"),
        (DEAL.replace("4H", "5H"), "missing|stands"),
        (DEAL.replace("4H", "-4H"), "last card of a column lies face up"),
        (DEAL.replace("-7S 5H", "7S -5H"), "face-down card lies on a face-up one"),
        (DEAL.replace("-7S", "--7S"), "-7S"),
        (DEAL + "F: . . .", "4 foundations, not 3"),
        (DEAL + "F: . . . . .", "4 foundations, not 5"),
        (DEAL + "F: AH . . .", "AH does not belong on the foundation of S"),
        (DEAL + "F: AS . . .", "AS stands 2 times"),
        (DEAL + "F: XX . . .", "XX"),
    ],
)
def test_a_board_that_cannot_be_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(BadBoard, match=complaint):
        Board.parse(text)


@given(st.text(alphabet="ASHDCK23-. \nF:", max_size=120))
def test_any_text_is_a_board_or_a_bad_board(text: str) -> None:
    try:
        board = Board.parse(text)
    except BadBoard:
        return
    assert Board.parse(str(board)) == board
