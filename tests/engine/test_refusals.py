"""Why a move is refused, and where the rules begin to allow it."""

import pytest

from app.engine import Board, DealCode, Game, Move, Reason, Refused
from tests.engine.naive import DECK, PLACES, with_aces_first
from tests.engine.side_by_side import EVERY_MOVE
from tests.engine.table import game_at, play, refusal, table
from tests.example import CODE, MOVES

ALL = pytest.mark.parametrize("letter", ["C", "R", "T"])


# Group to column

NUMBERS = table("8C 5H 2S", "6S", "6C", "6D", "6H", "7S", "… KC")


@ALL
def test_a_group_goes_onto_a_card_one_higher_and_of_the_other_colour(letter: str) -> None:
    assert refusal(NUMBERS, letter, "5H>2") is None
    assert refusal(NUMBERS, letter, "5H>3") is None


@pytest.mark.parametrize("place", ["4", "5"])
def test_the_same_colour_takes_it_only_when_relaxed(place: str) -> None:
    assert refusal(NUMBERS, "C", f"5H>{place}") == "wrong_colour"
    assert refusal(NUMBERS, "T", f"5H>{place}") == "wrong_colour"
    assert refusal(NUMBERS, "R", f"5H>{place}") is None


@ALL
def test_another_rank_takes_nothing(letter: str) -> None:
    assert refusal(NUMBERS, letter, "5H>6") == "wrong_rank"  # two lower
    assert refusal(NUMBERS, letter, "6D>1") == "wrong_rank"  # higher
    assert refusal(table("5H", "5S", "… KC"), letter, "5H>2") == "wrong_rank"  # equal
    assert refusal(table("KH", "QS", "… KC"), letter, "KH>2") == "wrong_rank"


@ALL
def test_a_king_does_not_go_round_the_corner_onto_an_ace(letter: str) -> None:
    assert refusal(table("KH", "QS AS", "… KC"), letter, "KH>2") == ("ace_first" if letter == "T" else "wrong_rank")


@ALL
def test_only_the_card_that_leads_the_group_must_fit(letter: str) -> None:
    board = table("9C TD 5H QD 8S", "JS", "… KC")
    after = play(game_at(board, letter), "TD>2").board
    assert str(after).splitlines()[:2] == ["9C", "JS TD 5H QD 8S"]


@ALL
def test_a_card_within_a_column_takes_nothing(letter: str) -> None:
    assert refusal(table("6S KD", "5H", "… KC"), letter, "5H>1") == "wrong_rank"


# Face down

HIDDEN = table("-AS -5H -KD 2C", "6S", "", "AH", "… KC")


@ALL
@pytest.mark.parametrize("card", ["AS", "5H", "KD"])
@pytest.mark.parametrize("place", list(PLACES))
def test_a_face_down_card_is_that_and_nothing_else_whatever_is_asked(letter: str, card: str, place: str) -> None:
    """Even to its own column, to a place where it fits, to a foundation, and while an ace waits."""
    assert refusal(HIDDEN, letter, f"{card}>{place}") == "face_down"


# Empty columns

EMPTY = table("5S KH", "-9S KD 3S 9H", "QC KS", "", "… KC")


@ALL
def test_a_king_goes_to_an_empty_column_alone(letter: str) -> None:
    assert refusal(EMPTY, letter, "KH>4") is None
    assert refusal(EMPTY, letter, "KS>7") is None


@ALL
def test_a_king_goes_to_an_empty_column_with_any_cards_on_it(letter: str) -> None:
    game = play(game_at(EMPTY, letter), "KD>4")
    assert str(game.board).splitlines()[3] == "KD 3S 9H"


@ALL
def test_a_group_that_only_holds_a_king_stays(letter: str) -> None:
    assert refusal(EMPTY, letter, "QC>4") == "empty_column_needs_king"
    assert refusal(EMPTY, letter, "5S>4") == "empty_column_needs_king"


@ALL
def test_nothing_but_a_king_goes_to_an_empty_column(letter: str) -> None:
    for card in DECK:
        if card[0] not in "AK":
            assert refusal(table(card, "… KC"), letter, f"{card}>7") == "empty_column_needs_king"


@ALL
def test_not_even_to_free_a_face_down_card(letter: str) -> None:
    assert refusal(table("-2S QH 9S", "", "… KC"), letter, "QH>2") == "empty_column_needs_king"


@ALL
def test_a_king_that_leads_its_column_may_still_go_to_another_empty_one(letter: str) -> None:
    assert refusal(table("KH 3S", "", "… KC"), letter, "KH>2") is None


# Twenty cards


def tall(group: int, lead: str, onto: str) -> Board:
    """A position where ``lead`` lies on the two of clubs with a group of so many cards, beside a column ``onto``."""
    others = [card for card in DECK if card not in {lead, onto, "2C", "KC"} and card[0] != "A"][: group - 1]
    return table(" ".join(["2C", lead, *others]), onto, "… KC")


@pytest.mark.parametrize(("lead", "onto"), [("QH", "KS"), ("KH", "")])
def test_twenty_cards_move_together_and_more_only_when_traditional(lead: str, onto: str) -> None:
    for group, classic in ((19, None), (20, None), (21, "group_too_large"), (30, "group_too_large")):
        board = tall(group, lead, onto)
        assert refusal(board, "C", f"{lead}>2") == classic
        assert refusal(board, "R", f"{lead}>2") == classic
        assert refusal(board, "T", f"{lead}>2") is None
        _, change = game_at(board, "T").play(Move.parse(f"{lead}>2"))
        assert change.group == group


def test_the_limit_is_for_the_group_and_not_for_the_column() -> None:
    board = table("… 9C 8H", "TD", "KC")
    assert len(board.columns[0]) == 50
    assert refusal(board, "C", "9C>2") is None


# To a foundation

HOME = table("2H 9S", "3H", "2S", "4S 3S", "5D 2D", "… KC", home=". AH AD .")


@ALL
def test_a_last_card_goes_on_its_foundation_in_order(letter: str) -> None:
    assert refusal(HOME, letter, "2D>F") is None


@ALL
def test_a_card_that_skips_one_is_out_of_order(letter: str) -> None:
    assert refusal(HOME, letter, "3H>F") == "foundation_order"
    assert refusal(HOME, letter, "2S>F") == "foundation_order"
    assert refusal(HOME, letter, "KC>F") == "foundation_order"


@ALL
def test_a_buried_card_stays_though_it_is_the_next(letter: str) -> None:
    assert refusal(HOME, letter, "2H>F") == "not_last_card"


@ALL
def test_a_group_stays_though_every_card_would_follow(letter: str) -> None:
    assert refusal(table("4H 3H 2H", "… KC", home=". AH . ."), letter, "4H>F") == "not_last_card"
    assert refusal(table("2H 3H 4H", "… KC", home=". AH . ."), letter, "2H>F") == "not_last_card"


# Back from a foundation

BACK = table("4S", "4D", "5S", "9C 3S", "", "… KC", home=". 3H . .")
KINGS = table("QS", "", "KS", "KD", "KC", home="JS KH QD QC")


@pytest.mark.parametrize("letter", ["C", "R"])
def test_the_top_card_may_come_back_where_it_fits(letter: str) -> None:
    game = play(game_at(BACK, letter), "3H>1")
    assert str(game.board).splitlines()[0] == "4S 3H"
    assert str(game.board).splitlines()[-1] == "F: . 2H . ."
    assert refusal(BACK, letter, "3H>2") == ("wrong_colour" if letter == "C" else None)
    assert refusal(BACK, letter, "3H>3") == "wrong_rank"
    assert refusal(BACK, letter, "3H>5") == "empty_column_needs_king"


@pytest.mark.parametrize("letter", ["C", "R"])
def test_a_king_may_come_back_to_an_empty_column(letter: str) -> None:
    assert refusal(KINGS, letter, "KH>2") is None
    assert refusal(KINGS, letter, "KH>1") == "wrong_rank"


@pytest.mark.parametrize("letter", ["C", "R"])
def test_a_card_under_the_top_stays(letter: str) -> None:
    assert refusal(BACK, letter, "2H>4") == "not_last_card"
    assert refusal(BACK, letter, "AH>5") == "not_last_card"
    assert refusal(KINGS, letter, "QD>3") is None


@pytest.mark.parametrize("place", ["1", "2", "3", "5"])
def test_traditional_never_gives_a_card_back(place: str) -> None:
    assert refusal(BACK, "T", f"3H>{place}") == "no_take_back"
    assert refusal(KINGS, "T", f"KH>{place}") == "no_take_back"


# The ace first

ACE = table("5H AS", "6S", "9D 2H", "KD", "", "3C", "… 2S KC")
TWO_ACES = table("5H AS", "6S", "9D AH", "KD", "", "… 2S KC")


@pytest.mark.parametrize("move", ["5H>2", "AS>3", "KD>5", "KC>5", "2S>6", "6S>F", "2H>F", "2S>F"])
def test_under_traditional_nothing_goes_before_an_ace_that_can_go_home(move: str) -> None:
    assert refusal(ACE, "T", move) == "ace_first"


def test_the_other_rules_leave_an_ace_where_it_is() -> None:
    for letter in "CR":
        for move in ("5H>2", "AS>3", "KD>5"):
            assert refusal(ACE, letter, move) is None


def test_the_ace_itself_goes_home_and_then_the_rest_may_move() -> None:
    assert refusal(ACE, "T", "AS>F") is None
    after = play(game_at(ACE, "T"), "AS>F")
    assert Move.parse("5H>2") in after.legal_moves
    assert Move.parse("KD>5") in after.legal_moves


def test_of_two_aces_either_may_go_first_and_both_must_go() -> None:
    assert [str(move) for move in game_at(TWO_ACES, "T").legal_moves] == ["AS>F", "AH>F"]
    for first, second in (("AS>F", "AH>F"), ("AH>F", "AS>F")):
        game = play(game_at(TWO_ACES, "T"), first)
        assert [str(move) for move in game.legal_moves] == [second]
        assert Move.parse("5H>2") in play(game, second).legal_moves


def test_an_ace_under_other_cards_binds_nobody() -> None:
    assert refusal(table("AS 5H", "6S", "… KC"), "T", "5H>2") is None
    assert refusal(table("-AS 5H", "6S", "… KC"), "T", "5H>2") is None


def test_a_buried_ace_does_not_go_home_for_another() -> None:
    board = table("5H AS", "AD 6S", "… KC")
    assert refusal(board, "T", "AD>F") in {"not_last_card", "ace_first"}
    assert refusal(board, "T", "AS>F") is None


def test_a_waiting_ace_forbids_no_undo() -> None:
    board = table("AS 5H", "6S", "… KC")
    game = play(game_at(board, "T"), "5H>2")
    assert [str(move) for move in game.legal_moves] == ["AS>F"]
    back, _ = game.undo()
    assert back.board == board
    assert back.redo()[0].board == game.board


# No move at all


@ALL
@pytest.mark.parametrize("move", ["8C>1", "5H>1", "2S>1", "6S>2", "KC>7"])
def test_a_card_dropped_on_its_own_column_is_no_move(letter: str, move: str) -> None:
    assert refusal(NUMBERS, letter, move) == "same_place"


@ALL
def test_a_top_card_dropped_on_its_own_foundation_is_no_move(letter: str) -> None:
    assert refusal(BACK, letter, "3H>F") == "same_place"
    assert refusal(KINGS, letter, "KH>F") == "same_place"


def test_it_is_no_move_while_an_ace_waits_either() -> None:
    assert refusal(ACE, "T", "AS>1") == "same_place"
    assert refusal(ACE, "T", "KD>4") == "same_place"


# The end


def won(letter: str) -> Game:
    code = CODE.replace("-C-", f"-{letter}-")
    moves = with_aces_first(code, MOVES) if letter == "T" else MOVES
    return Game.replay(DealCode.parse(code), map(Move.parse, moves))


@ALL
def test_a_won_game_is_over(letter: str) -> None:
    game = won(letter)
    assert game.is_won
    assert not game.legal_moves
    assert len(game.legal_moves) == 0
    assert list(game.legal_moves) == []
    for move in EVERY_MOVE.values():
        assert move not in game.legal_moves
        with pytest.raises(Refused) as caught:
            game.play(move)
        assert caught.value.reason is Reason.GAME_OVER
        with pytest.raises(Refused) as caught:
            game.seek(move.card)
        assert caught.value.reason is Reason.GAME_OVER
    for act in (Game.undo, Game.redo):
        with pytest.raises(Refused) as caught:
            act(game)
        assert caught.value.reason is Reason.GAME_OVER
    assert game == won(letter)


@ALL
def test_a_won_game_can_be_dealt_anew(letter: str) -> None:
    game = won(letter)
    again = game.restart()
    assert again.board == Game.new(game.code).board
    assert (again.score, again.moves, again.undo_steps, again.redo_steps, again.history) == (0, 0, 0, 0, [])
    assert again.rev == game.rev + 1
    assert again.legal_moves
    assert not again.is_won


def test_a_reply_names_its_reason() -> None:
    with pytest.raises(Refused, match="wrong_rank") as caught:
        game_at(NUMBERS, "C").play(Move.parse("5H>6"))
    assert caught.value.reason == "wrong_rank"


def test_the_reasons_have_their_public_names() -> None:
    assert {reason.value for reason in Reason} == {
        "face_down", "not_last_card", "foundation_order", "wrong_rank", "wrong_colour", "empty_column_needs_king",
        "group_too_large", "no_take_back", "ace_first", "same_place", "no_place", "nothing_to_undo",
        "nothing_to_redo", "game_over", "stale",
    }  # fmt: skip
