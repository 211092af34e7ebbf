"""Random play, right and wrong, with the engine and the naive rules side by side."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.engine.naive import DECK, PLACES, code_of, with_aces_first
from tests.engine.side_by_side import SideBySide, seeded
from tests.example import CODE, MOVES


def example_under(letter: str) -> tuple[str, list[str]]:
    """The deal of the example game with 83 moves that win it under any of the rules."""
    code = CODE.replace("-C-", f"-{letter}-")
    return code, with_aces_first(code, MOVES) if letter == "T" else MOVES


EXAMPLES = {letter: example_under(letter) for letter in "CRT"}


class RandomPlay(RuleBasedStateMachine):
    """Every public door of ``Game``, in any order, from the deal and from deep positions."""

    both: SideBySide

    @initialize(data=st.data(), letter=st.sampled_from("CRT"), start=st.sampled_from(["deal", "long game", "example"]))
    def begin(self, data: st.DataObject, letter: str, start: str) -> None:
        if start == "example":
            code, moves = EXAMPLES[letter]
            self.both = SideBySide(code)
            for move in moves[: data.draw(st.integers(1, 83), "length")]:
                assert self.both.play(move)
            return
        self.both = SideBySide(code_of(letter, data.draw(st.integers(0, 32**7 - 1), "number")))
        if start == "long game":
            steps = data.draw(st.integers(10, 110), "steps")
            self.both.wander(seeded(data.draw(st.integers(0, 999), "seed")), steps)

    @precondition(lambda self: self.both.naive.legal_moves())
    @rule(data=st.data())
    def play_a_legal_move(self, data: st.DataObject) -> None:
        assert self.both.play(data.draw(st.sampled_from(self.both.naive.legal_moves())))

    @precondition(lambda self: any(map(self.both.leads_on, self.both.naive.legal_moves())))
    @rule(data=st.data())
    def play_a_move_that_leads_on(self, data: st.DataObject) -> None:
        moves = [move for move in self.both.naive.legal_moves() if self.both.leads_on(move)]
        assert self.both.play(data.draw(st.sampled_from(moves)))

    @precondition(lambda self: any(self.both.naive.now.foundations.values()))
    @rule(data=st.data(), place=st.sampled_from(PLACES))
    def name_a_card_on_a_foundation(self, data: st.DataObject, place: str) -> None:
        tops = [pile[-1] for pile in self.both.naive.now.foundations.values() if pile]
        backs = [move for move in self.both.naive.legal_moves() if move[:2] in tops]
        self.both.play(data.draw(st.sampled_from(backs or [f"{top}>{place}" for top in tops])))

    @rule(card=st.sampled_from(DECK), place=st.sampled_from(PLACES))
    def play_any_move(self, card: str, place: str) -> None:
        self.both.play(f"{card}>{place}")

    @precondition(lambda self: "-" in str(self.both.naive.now))
    @rule(data=st.data(), place=st.sampled_from(PLACES))
    def name_a_face_down_card(self, data: st.DataObject, place: str) -> None:
        hidden = [card[1:] for column in self.both.naive.now.columns for card in column if card.startswith("-")]
        assert not self.both.play(f"{data.draw(st.sampled_from(hidden))}>{place}")

    @rule(times=st.integers(1, 6))
    def undo(self, times: int) -> None:
        for _ in range(times):
            self.both.undo()

    @rule(times=st.integers(1, 4))
    def redo(self, times: int) -> None:
        for _ in range(times):
            self.both.redo()

    @precondition(lambda self: self.both.naive.counter > 12)
    @rule(dice=st.integers(1, 6))
    def restart_now_and_then(self, dice: int) -> None:
        if dice == 6:
            self.both.restart()

    @invariant()
    def the_two_games_agree(self) -> None:
        self.both.agree()

    @invariant()
    def the_cards_are_sound(self) -> None:
        self.both.cards_are_sound()

    @invariant()
    def texts_round_trip(self) -> None:
        self.both.texts_round_trip()

    @invariant()
    def legal_moves_are_all_and_only_those(self) -> None:
        self.both.legal_moves_are_all_and_only_those()

    @invariant()
    def two_quick_taps_find_the_same_places(self) -> None:
        self.both.seeks_the_same_places()

    @invariant()
    def the_history_replays(self) -> None:
        self.both.replays()


RandomPlay.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRandomPlay = RandomPlay.TestCase


@pytest.mark.parametrize("letter", ["C", "R", "T"])
def test_every_move_in_every_position_of_a_won_game_is_judged_as_the_rules_say(letter: str) -> None:
    code, moves = EXAMPLES[letter]
    both = SideBySide(code)
    for move in moves:
        both.refusals_are_true()
        assert both.play(move)
        both.agree()
        both.cards_are_sound()
        both.seeks_the_same_places()
    both.refusals_are_true()
    assert both.game.is_won
    assert both.game.score == 625


@pytest.mark.parametrize("seed", range(9))
def test_long_random_games_stay_in_step(seed: int) -> None:
    random = seeded(seed)
    both = SideBySide(code_of("CRT"[seed % 3], random.randrange(32**7)))
    for _ in range(12):
        both.wander(random, 15)
        both.agree()
        both.cards_are_sound()
        both.refusals_are_true()
        both.legal_moves_are_all_and_only_those()
        both.seeks_the_same_places()
        both.replays()
        for _ in range(random.randrange(12)):
            both.undo()
            both.agree()
        for _ in range(random.randrange(12)):
            both.redo()
            both.agree()


def test_random_games_reach_what_matters() -> None:
    """Guards the tests above: they would prove little if random play got stuck at the start."""
    reached = set()
    for seed in range(8):
        both = SideBySide(code_of("CR"[seed % 2], seed))
        random = seeded(seed)
        for _ in range(90):
            before = str(both.naive.now).count("-")
            both.wander(random, 1)
            move, now = both.naive.history[-1], both.naive.now
            if str(now).count("-") < before:
                reached.add("a card turned up")
            if move[-1] == "F":
                reached.add("a card on a foundation")
            if [] in now.columns:
                reached.add("an empty column")
            if any(len(column) > 20 for column in now.columns):
                reached.add("a tall column")
            if was_taken_back(both):
                reached.add("a card taken back")
    assert reached == {
        "a card turned up",
        "a card on a foundation",
        "an empty column",
        "a tall column",
        "a card taken back",
    }


def was_taken_back(both: SideBySide) -> bool:
    """Whether the last move took its card from a foundation."""
    before, move = both.naive.past[-1]
    return move[:2] in before.foundations[move[1]]
