"""A game from the first move to the last: score, counters, undo, redo, restart."""

import pickle
from collections.abc import Callable

import pytest

from app.engine import UNDO_LIMIT, DealCode, Game, Move, Place, Reason, Refused
from tests.engine.naive import with_aces_first
from tests.engine.table import game_at, play, table
from tests.example import CODE, MOVES

EXAMPLE = DealCode.parse(CODE)
START = Game.new(EXAMPLE)


def reason_of(act: Callable[..., object], *args: object) -> Reason:
    with pytest.raises(Refused) as caught:
        act(*args)
    return caught.value.reason


def undo(game: Game, times: int = 1) -> Game:
    for _ in range(times):
        game, _ = game.undo()
    return game


def redo(game: Game, times: int = 1) -> Game:
    for _ in range(times):
        game, _ = game.redo()
    return game


# The example


def test_the_example_is_won_in_83_moves_with_625_points() -> None:
    game = play(START, *MOVES)
    assert game.is_won
    assert (game.moves, game.score, game.rev) == (83, 625, 83)
    assert str(game.board) == ".\n" * 7 + "F: KS KH KD KC"
    assert not START.is_won
    assert not play(START, *MOVES[:-1]).is_won


def test_its_second_move_takes_an_unordered_group() -> None:
    _, change = play(START, MOVES[0]).play(Move.parse(MOVES[1]))
    assert str(change.move) == "TD>6"
    assert change.group == 4
    game = play(START, *MOVES[:2])
    assert str(game.board).splitlines()[5].endswith("TD 5H QD 8S")


def test_the_first_move_turns_a_card_up_for_five_points() -> None:
    game, change = START.play(Move.parse("9S>2"))
    assert change.flipped is not None
    assert (change.source, change.points, game.score) == (Place.COLUMN_5, 5, 5)
    assert START.board.visible()[4][3] is None
    assert game.board.visible()[4][3] is change.flipped


def test_relaxed_wins_the_same_way_and_traditional_with_the_aces_first() -> None:
    relaxed = CODE.replace("-C-", "-R-")
    traditional = CODE.replace("-C-", "-T-")
    assert Game.replay(DealCode.parse(relaxed), map(Move.parse, MOVES)).score == 625
    moves = with_aces_first(traditional, MOVES)
    assert Game.replay(DealCode.parse(traditional), map(Move.parse, moves)).score == 625


def test_the_history_of_a_game_replays_it() -> None:
    game = play(START, *MOVES)
    assert [str(move) for move in game.history] == MOVES
    assert Game.replay(EXAMPLE, game.history) == game


def test_a_replay_stops_at_the_first_move_that_is_not_allowed() -> None:
    wrong = [*MOVES[:5], "AD>F", *MOVES[5:]]
    assert reason_of(Game.replay, EXAMPLE, [Move.parse(move) for move in wrong]) is Reason.SAME_PLACE


def test_a_replay_of_nothing_is_the_deal() -> None:
    assert Game.replay(EXAMPLE, []) == START


# Score

BACK_AND_FORTH = table("4S", "-9C 3S", "2H", "… KC", home=". AH . .")


def test_a_card_on_a_foundation_pays_ten_and_a_card_turned_up_five() -> None:
    game, change = game_at(BACK_AND_FORTH, "C").play(Move.parse("2H>F"))
    assert (change.points, change.flipped, game.score) == (10, None, 10)
    game, change = game_at(table("-9C AS", "… KC"), "C").play(Move.parse("AS>F"))
    assert (change.points, str(change.flipped), game.score) == (15, "9C", 15)


def test_a_card_taken_back_pays_nothing_and_ten_again_when_it_returns() -> None:
    game = play(game_at(BACK_AND_FORTH, "C"), "2H>F", "2H>2")
    assert game.score == 10
    assert (game.moves, game.rev) == (2, 2)
    assert play(game, "2H>F").score == 20


def test_a_move_from_column_to_column_pays_nothing_unless_it_turns_a_card_up() -> None:
    board = table("9S 3S", "4H", "-TC 3C", "4D", "… KC")
    assert play(game_at(board, "C"), "3S>2").score == 0
    assert play(game_at(board, "C"), "3C>4").score == 5


# Undo and redo


def test_undo_brings_back_cards_and_score_but_not_the_counter() -> None:
    after = play(START, "9S>2")
    back, change = after.undo()
    assert (back.board, back.score) == (START.board, 0)
    assert (back.moves, back.rev) == (1, 2)
    assert change == START.play(Move.parse("9S>2"))[1]


def test_undo_turns_the_uncovered_card_down_again() -> None:
    after = play(START, "9S>2")
    assert after.board.face_down_count == 20
    assert undo(after).board.face_down_count == 21
    assert undo(after).board.visible() == START.board.visible()


def test_redo_plays_it_again_without_counting() -> None:
    after = play(START, "9S>2")
    again, change = undo(after).redo()
    assert (again.board, again.score) == (after.board, after.score)
    assert (again.moves, again.rev) == (1, 3)
    assert change == START.play(Move.parse("9S>2"))[1]
    assert again.redo_steps == 0


def test_the_whole_example_can_be_undone_and_redone() -> None:
    games = [START]
    for move in MOVES[:-1]:
        games.append(play(games[-1], move))
    game = games[-1]
    for earlier in reversed(games[:-1]):
        game = undo(game)
        assert (game.board, game.score, game.moves) == (earlier.board, earlier.score, 82)
        assert game.history == earlier.history
    assert (game.undo_steps, game.redo_steps, game.rev) == (0, 82, 164)
    for later in games[1:]:
        game = redo(game)
        assert (game.board, game.score, game.moves) == (later.board, later.score, 82)
    assert (game.undo_steps, game.redo_steps, game.rev) == (82, 0, 246)


def test_at_the_start_there_is_nothing_to_undo_or_redo() -> None:
    assert reason_of(START.undo) is Reason.NOTHING_TO_UNDO
    assert reason_of(START.redo) is Reason.NOTHING_TO_REDO
    assert reason_of(redo(undo(play(START, "9S>2"))).redo) is Reason.NOTHING_TO_REDO


def test_a_new_move_empties_redo_even_the_same_move() -> None:
    game = undo(play(START, *MOVES[:5]), 3)
    assert game.redo_steps == 3
    for move in game.legal_moves:
        after = play(game, str(move))
        assert after.redo_steps == 0
        assert reason_of(after.redo) is Reason.NOTHING_TO_REDO


def test_a_refused_move_leaves_redo_as_it_was() -> None:
    game = undo(play(START, *MOVES[:5]), 3)
    assert reason_of(game.play, Move.parse("KD>F")) is not None
    assert redo(game, 3).board == play(START, *MOVES[:5]).board


# The last hundred


def many(moves: int) -> list[Game]:
    """A game before the first and after each of so many moves: the example until the king of hearts lies in a column
    by itself beside an empty one, and then that king to and fro."""
    games = [START]
    for move in MOVES[:55]:
        games.append(play(games[-1], move))
    while len(games) <= moves:
        empty = str(games[-1].board).splitlines().index(".") + 1
        games.append(play(games[-1], f"KH>{empty}"))
    return games


def test_of_105_moves_exactly_100_can_be_undone() -> None:
    games = many(105)
    game = games[-1]
    assert (game.moves, game.undo_steps, UNDO_LIMIT) == (105, 100, 100)
    for earlier in reversed(games[5:-1]):
        game = undo(game)
        assert (game.board, game.score) == (earlier.board, earlier.score)
    assert (game.moves, game.undo_steps, game.redo_steps) == (105, 0, 100)
    assert game.history == games[5].history


def test_the_101st_undo_is_refused_without_harm() -> None:
    games = many(105)
    game = undo(games[-1], 100)
    assert reason_of(game.undo) is Reason.NOTHING_TO_UNDO
    assert game.board == games[5].board
    assert game.legal_moves
    again = redo(game, 100)
    assert (again.board, again.score, again.moves) == (games[-1].board, games[-1].score, 105)
    assert reason_of(again.redo) is Reason.NOTHING_TO_REDO
    assert undo(again, 100).board == games[5].board
    assert reason_of(undo(again, 100).undo) is Reason.NOTHING_TO_UNDO


def test_a_new_move_at_the_limit_empties_redo_and_can_be_undone_alone() -> None:
    games = many(105)
    game = play(undo(games[-1], 100), MOVES[5])
    assert (game.moves, game.undo_steps, game.redo_steps) == (106, 1, 0)
    assert reason_of(game.redo) is Reason.NOTHING_TO_REDO
    assert undo(game).board == games[5].board
    assert reason_of(undo(game).undo) is Reason.NOTHING_TO_UNDO


def test_a_game_of_a_thousand_moves_still_replays() -> None:
    game = many(1000)[-1]
    assert len(game.history) == 1000
    again = Game.replay(EXAMPLE, game.history)
    assert (again.board, again.score, again.moves) == (game.board, game.score, 1000)


# Restart


def test_restart_deals_the_same_cards_with_everything_at_naught() -> None:
    game = undo(play(START, *MOVES[:40]), 4).restart()
    assert game.board == START.board
    assert (game.score, game.moves, game.undo_steps, game.redo_steps, game.history) == (0, 0, 0, 0, [])
    assert reason_of(game.undo) is Reason.NOTHING_TO_UNDO
    assert reason_of(game.redo) is Reason.NOTHING_TO_REDO


def test_rev_never_falls_not_even_at_a_restart() -> None:
    game = undo(play(START, *MOVES[:40]), 4)
    assert game.rev == 44
    assert game.restart().rev == 45
    assert play(game.restart(), "9S>2").rev == 46


def test_a_game_that_was_restarted_can_be_won_as_any_other() -> None:
    game = play(play(START, *MOVES[:30]).restart(), *MOVES)
    assert (game.is_won, game.score, game.moves) == (True, 625, 83)


# Values


def test_what_is_done_to_a_game_leaves_the_old_one_as_it_was() -> None:
    before = play(START, *MOVES[:10])
    text, score, history = str(before.board), before.score, before.history
    play(before, MOVES[10])
    undo(before)
    before.restart()
    assert (str(before.board), before.score, before.history) == (text, score, history)


def test_the_same_moves_make_equal_games() -> None:
    assert play(START, *MOVES[:20]) == play(Game.new(DealCode.parse(CODE)), *MOVES[:20])
    assert play(START, *MOVES[:20]) != play(START, *MOVES[:21])


def test_a_game_sent_to_another_process_is_the_same_game() -> None:
    game = Game.replay(EXAMPLE, map(Move.parse, MOVES[:20]))
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301 - made right here
    assert pickle.loads(pickle.dumps(game)).rule is game.rule  # noqa: S301
