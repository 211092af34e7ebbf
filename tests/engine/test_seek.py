"""The place that two quick taps on a card choose."""

import pytest

from app.engine import RULES, Card, Reason, Refused, destinations
from tests.engine.table import game_at, sought, table

ALL = pytest.mark.parametrize("letter", ["C", "R", "T"])


@ALL
def test_of_the_columns_that_fit_the_one_with_the_most_cards(letter: str) -> None:
    board = table("5H", "6S", "2C 3D 6C", "9D", "… KC")
    assert sought(board, letter, "5H") == "3"


@ALL
def test_face_down_cards_count_as_cards(letter: str) -> None:
    board = table("5H", "2D 6S", "-2C -3D 6C", "9D", "… KC")
    assert sought(board, letter, "5H") == "3"


@ALL
def test_of_equals_the_leftmost(letter: str) -> None:
    board = table("9D 2S", "5H", "7C 6S", "7D 6C", "… KC")
    assert sought(board, letter, "5H") == "3"


def test_the_rule_says_what_fits() -> None:
    board = table("5H", "6S", "2C 3D 6D", "9D", "… KC")
    assert sought(board, "C", "5H") == "2"
    assert sought(board, "T", "5H") == "2"
    assert sought(board, "R", "5H") == "3"


@ALL
def test_the_cards_on_it_come_along(letter: str) -> None:
    board = table("-9C 5H KD 3S", "6S", "", "… KC")
    assert sought(board, letter, "5H") == "2"


@ALL
def test_its_own_column_is_no_place_however_tall(letter: str) -> None:
    board = table("2C 3D 4S 9H 6S 5H 8D", "6C", "… KC")
    assert sought(board, letter, "5H") == "2"


@ALL
def test_a_last_card_goes_home_first(letter: str) -> None:
    board = table("9C 2H", "3S", "… KC", home=". AH . .")
    assert sought(board, letter, "2H") == "F"
    assert sought(table("9C 3H", "4S", "… KC", home=". AH . ."), letter, "3H") == "2"


@ALL
def test_a_buried_card_does_not_go_home(letter: str) -> None:
    board = table("9C 2H 8D", "3S", "… KC", home=". AH . .")
    assert sought(board, letter, "2H") == "2"


@ALL
def test_a_king_goes_to_the_leftmost_empty_column(letter: str) -> None:
    board = table("… KC 3D", "", "2H KH", "")
    assert sought(board, letter, "KH") == "2"
    assert sought(board, letter, "KC") == "2"


@ALL
def test_a_king_that_leads_its_column_stays(letter: str) -> None:
    assert sought(table("KH 3C", "", "… KC"), letter, "KH") == "no_place"
    assert sought(table("KH", "", "… KC"), letter, "KH") == "no_place"


@ALL
def test_such_a_king_still_goes_home(letter: str) -> None:
    assert sought(table("KH", "", "… KC", home=". QH . ."), letter, "KH") == "F"


@ALL
def test_a_queen_finds_no_empty_column(letter: str) -> None:
    assert sought(table("2C QH", "", "… KC 2D"), letter, "QH") == "no_place"


@ALL
def test_where_nothing_fits_there_is_no_place(letter: str) -> None:
    assert sought(table("5H", "9C", "… KC"), letter, "5H") == "no_place"


@ALL
def test_a_face_down_card_is_only_told_to_be_face_down(letter: str) -> None:
    board = table("-AS -KD -5H 2C", "6S", "", "AH", "… KC")
    assert [sought(board, letter, card) for card in ("AS", "KD", "5H")] == ["face_down"] * 3


@pytest.mark.parametrize("letter", ["C", "R"])
def test_a_card_on_a_foundation_is_sought_a_place_as_well(letter: str) -> None:
    board = table("4S", "9D 4C", "", "… KC", home=". 3H . .")
    assert sought(board, letter, "3H") == "2"
    assert sought(board, letter, "2H") == "no_place"
    assert sought(table("2C QS", "", "", "… KC", home=". KH . ."), letter, "KH") == "2"


def test_under_traditional_it_stays_there() -> None:
    board = table("4S", "9D 4C", "", "… KC", home=". 3H . .")
    assert sought(board, "T", "3H") in {"no_take_back", "no_place"}


def test_under_traditional_an_ace_goes_first() -> None:
    board = table("9C AS", "6S", "3D 5H", "… KC")
    assert sought(board, "T", "AS") == "F"
    assert sought(board, "T", "5H") == "ace_first"
    assert sought(board, "C", "5H") == "2"


@pytest.mark.parametrize("letter", ["C", "R"])
def test_a_group_of_more_than_twenty_stays(letter: str) -> None:
    board = table("2C QH … 4D", "KS", "KC")
    assert sought(board, letter, "QH") in {"group_too_large", "no_place"}
    assert sought(board, "T", "QH") in {"2", "ace_first"}


@ALL
def test_a_sought_place_is_always_one_of_the_destinations(letter: str) -> None:
    board = table("5H KD", "-9C 6S", "-2C 3D 6C", "", "8D 7S 2H", "3H", "… QC", home="AS AH . .")
    places = destinations(board, RULES[letter])
    game = game_at(board, letter)
    for card in (Card.parse(text) for text in ("5H", "KD", "6S", "2H", "7S", "3H")):
        try:
            assert game.seek(card) in places[card]
        except Refused as error:
            assert error.reason is Reason.NO_PLACE  # noqa: PT017


@ALL
def test_destinations_are_the_legal_moves_by_card(letter: str) -> None:
    game = game_at(table("5H KD", "-9C 6S", "-2C 3D 6C", "", "8D 7S 2H", "3H", "… QC", home="AS AH . ."), letter)
    places = destinations(game.board, game.rule)
    assert sorted((card, to) for card, found in places.items() for to in found) == sorted(game.legal_moves)
