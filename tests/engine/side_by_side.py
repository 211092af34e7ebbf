"""One game held twice, by the engine and by the naive rules, and everything on which the two must agree."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import ParamSpec, TypeVar

from app.engine import Board, Card, Change, DealCode, Game, Move, Reason, Refused
from tests.engine.naive import DECK, PLACES, RANKS, SUITS, NaiveGame, NotAllowedError

P = ParamSpec("P")
T = TypeVar("T")


def attempt(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Reason:
    """What comes of it, or why it is refused."""
    try:
        return act(*args, **kwargs)
    except Refused as error:
        return error.reason


def seeded(seed: int) -> Random:
    """The same chance every time."""
    return Random(seed)


class SideBySide:
    """Does the same to both games."""

    def __init__(self, code: str) -> None:
        self.game = Game.new(DealCode.parse(code))
        self.naive = NaiveGame.of(code)

    # What can be done

    def play(self, move: str) -> bool:
        """Whether it was allowed."""
        source, score = self.naive.place_of(move[:2]), self.naive.now.score
        hidden = str(self.naive.now).count("-")
        change = self._do(lambda game: game.play(Move.parse(move)), lambda naive: naive.play(move))
        if change is None:
            return False
        assert (str(change.move), str(change.source)) == (move, source)
        assert change.points == self.naive.now.score - score
        assert (change.flipped is not None) == (str(self.naive.now).count("-") < hidden)
        if change.flipped is not None:
            assert str(change.flipped) == self.naive.now.columns[change.source][-1]
        if move[-1] == "F":
            assert change.group == 1
        else:
            assert self.naive.now.columns[int(move[-1]) - 1][-change.group] == move[:2]
        return True

    def undo(self) -> bool:
        """Whether it was allowed."""
        score = self.naive.now.score
        change = self._do(Game.undo, NaiveGame.undo)
        if change is None:
            return False
        assert str(change.move) == self.naive.future[-1][1]
        assert change.points == score - self.naive.now.score
        again, change_again = self.game.redo()
        assert change_again == change
        assert again.score == score
        return True

    def redo(self) -> bool:
        """Whether it was allowed."""
        score = self.naive.now.score
        change = self._do(Game.redo, NaiveGame.redo)
        if change is None:
            return False
        assert str(change.move) == self.naive.past[-1][1]
        assert change.points == self.naive.now.score - score
        return True

    def restart(self) -> None:
        self.game = self.game.restart()
        self.naive.restart()

    def _do(
        self, act: Callable[[Game], tuple[Game, Change]], act_naively: Callable[[NaiveGame], None]
    ) -> Change | None:
        reasons: set[str] = set()
        try:
            act_naively(self.naive)
        except NotAllowedError as error:
            reasons = error.reasons
        before = replace(self.game)
        outcome = attempt(act, self.game)
        if isinstance(outcome, Reason):
            assert outcome in reasons, f"refused for {outcome}, while wrong is {reasons or 'nothing'}"
            assert self.game == before, "a refusal changed the game"
            return None
        self.game, change = outcome
        assert not reasons, f"accepted {change.move}, while wrong is {reasons}"
        return change

    def wander(self, random: Random, steps: int) -> None:
        """Play a while: mostly the moves that lead on (to a foundation, turning a card up), else any."""
        for _ in range(steps):
            moves = self.naive.legal_moves()
            if not moves:
                return
            telling = [move for move in moves if self.leads_on(move)]
            assert self.play(random.choice(telling if telling and random.random() < 0.7 else moves))

    def leads_on(self, move: str) -> bool:
        """Whether a legal move puts a card on a foundation, or turns up a card or a whole column."""
        source = self.naive.place_of(move[:2])
        if move[-1] == "F" or source == "F":
            return move[-1] == "F"
        column = self.naive.now.columns[int(source) - 1]
        row = column.index(move[:2])
        return (row > 0 and column[row - 1].startswith("-")) or (row == 0 and move[0] != "K")

    # What must be so

    def agree(self) -> None:
        """The two games are one: cards, score, counters, history."""
        game, naive = self.game, self.naive
        assert str(game.board) == str(naive.now)
        assert game.score == naive.now.score >= 0
        assert game.moves == naive.counter
        assert game.rev == naive.changes
        assert [str(move) for move in game.history] == naive.history
        assert (game.undo_steps, game.redo_steps) == (naive.undoable, len(naive.future))
        assert game.is_won == naive.is_won

    def cards_are_sound(self) -> None:
        """Nothing is lost, doubled, out of order or seen too soon."""
        columns = self.naive.now.columns
        board = self.game.board
        home = [rank + suit for suit, top in zip(SUITS, board.foundations, strict=True) for rank in RANKS[:top]]
        words = [word for line in str(board).splitlines()[:7] for word in line.split() if word != "."]
        cards = [word.removeprefix("-") for word in words] + home
        assert sorted(cards) == sorted(DECK), "52 different cards"
        for line in str(board).splitlines()[:7]:
            marks = [word.startswith("-") for word in line.split()]
            assert marks == sorted(marks, reverse=True), "a face-down card lies on a face-up one"
            assert not marks[-1], "the last card lies face down"
        assert board.face_down_count == sum(word.startswith("-") for word in words)
        assert [[None if card is None else str(card) for card in column] for column in board.visible()] == [
            [None if card.startswith("-") else card for card in column] for column in columns
        ]
        assert [None if top is None else str(top) for top in map(board.top, range(4))] == [
            pile[-1] if pile else None for pile in self.naive.now.foundations.values()
        ]

    def texts_round_trip(self) -> None:
        """Whatever is written is read back as the same."""
        assert Board.parse(str(self.game.board)) == self.game.board
        assert DealCode.parse(str(self.game.code)) == self.game.code
        for move in self.game.legal_moves:
            assert Move.parse(str(move)) == move

    def legal_moves_are_all_and_only_those(self) -> None:
        """``legal_moves``, by every way to ask it, against each of the 52 × 8 moves that can be named."""
        legal = self.game.legal_moves
        listed = [str(move) for move in legal]
        expected = self.naive.legal_moves()
        assert sorted(listed) == sorted(expected)
        assert len(legal) == len(listed)
        assert bool(legal) == bool(listed)
        assert [text for text in EVERY_MOVE if EVERY_MOVE[text] in legal] == expected

    def refusals_are_true(self) -> None:
        """Each move that is not listed is refused, for a reason that holds."""
        for text, move in EVERY_MOVE.items():
            wrong = self.naive.objections(*text.split(">"))
            outcome = attempt(Game.play, self.game, move)
            if isinstance(outcome, Reason):
                assert outcome in wrong, f"{text} refused for {outcome}, while wrong is {wrong or 'nothing'}"
            else:
                assert not wrong, f"{text} accepted, while wrong is {wrong}"

    def seeks_the_same_places(self) -> None:
        """Two quick taps on any card choose the same place, or none."""
        if self.game.is_won:
            return
        for text in DECK:
            place = self.naive.seek(text)
            found = attempt(Game.seek, self.game, Card.parse(text))
            if isinstance(found, Reason):
                assert place is None, f"{text} finds no place, while {place} takes it"
            else:
                assert str(found) == place

    def replays(self) -> None:
        """The code and the moves give the board and the score again."""
        again = Game.replay(self.game.code, self.game.history)
        assert (again.board, again.score) == (self.game.board, self.game.score)


EVERY_MOVE = {f"{card}>{place}": Move.parse(f"{card}>{place}") for card in DECK for place in PLACES}
"""In the order in which the naive game lists its legal moves."""
