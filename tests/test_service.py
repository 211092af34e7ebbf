"""What can be done to a game: who is first, what is stored, and how long it took."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine import CLASSIC, RULES, Card, DealCode, Game, Move, Place, Reason
from app.service import (
    LONGEST_GAP,
    Accepted,
    Denied,
    GameService,
    NotAllowed,
    Seat,
    Session,
    Stale,
    TooMuch,
    UnknownGame,
)
from app.store import Addition, Head, MemoryStore, Record
from tests.at_once import AtOnce
from tests.example import CODE, MOVES
from tests.time import Time

EXAMPLE = DealCode.parse(CODE)
OTHER = DealCode.parse("YU1-C-AAAAAAB")
SEAT = Seat("anna", EXAMPLE)
BOTH_KINDS = pytest.mark.parametrize("kind", ["seat", "id"])


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def service(time: Time) -> AtOnce:
    return AtOnce(GameService(now=time))


def rev_of(service: AtOnce, game: str | Seat) -> int:
    return service.get(game).game.rev


def move(
    service: AtOnce, text: str, game: str | Seat = SEAT, visible: float | None = None, rev: int | None = None
) -> Accepted:
    """A move at the current rev, unless another is given."""
    card, to = Move.parse(text)
    return service.move(game, rev_of(service, game) if rev is None else rev, card, to, visible)


def play(service: AtOnce, *moves: str, game: str | Seat = SEAT) -> Session:
    for text in moves:
        move(service, text, game)
    return service.get(game)


def game_of(service: AtOnce, kind: str) -> str | Seat:
    return SEAT if kind == "seat" else service.open(EXAMPLE).id


def shown(service: AtOnce, game: str | Seat = SEAT) -> float:
    """The seconds that a page shows, and counts on from while it is in view."""
    return service.get(game).clock.elapsed


def told(service: AtOnce, game: str | Seat) -> float:
    """The seconds that a program is told, which has no page to count on."""
    return service.elapsed(service.get(game))


# What is stored


def test_looking_stores_nothing(service: AtOnce) -> None:
    assert service.get(SEAT).game == Game.new(EXAMPLE)
    assert service.get(SEAT).id == ""
    assert shown(service) == 0
    service.look(SEAT, 5.0)
    assert service.latest("anna") is None
    with pytest.raises(UnknownGame):
        service.get("no such game")
    assert len(service) == 0


def test_the_first_accepted_move_makes_the_game(service: AtOnce) -> None:
    accepted = move(service, "9S>2")
    assert len(service) == 1
    assert accepted.before == Game.new(EXAMPLE)
    assert accepted.session == service.get(SEAT)
    assert (accepted.session.game.rev, accepted.session.game.moves, accepted.session.game.score) == (1, 1, 5)
    assert accepted.change is not None
    assert str(accepted.change.move) == "9S>2"


def test_a_refused_move_makes_none(service: AtOnce) -> None:
    with pytest.raises(NotAllowed) as caught:
        move(service, "KD>F")
    assert caught.value.reason is Reason.FACE_DOWN
    assert (caught.value.card, caught.value.to) == (Card.parse("KD"), Place.FOUNDATION)
    assert caught.value.session.game == Game.new(EXAMPLE)
    assert len(service) == 0


def test_nor_do_a_stale_move_an_undo_a_redo_and_a_restart(service: AtOnce) -> None:
    with pytest.raises(Stale):
        move(service, "9S>2", rev=1)
    with pytest.raises(NotAllowed, match="nothing_to_undo"):
        service.undo(SEAT, 0)
    with pytest.raises(NotAllowed, match="nothing_to_redo"):
        service.redo(SEAT, 0)
    assert service.restart(SEAT, 0).session.game == Game.new(EXAMPLE)
    assert len(service) == 0
    assert service.latest("anna") is None


def test_a_game_that_is_opened_is_known_by_its_id(service: AtOnce) -> None:
    session = service.open(EXAMPLE)
    assert len(service) == 1
    assert service.get(session.id) == session
    assert move(service, "9S>2", session.id).session.id == session.id
    assert len(service) == 1


def test_the_game_of_a_seat_is_known_by_its_id_too(service: AtOnce) -> None:
    session = play(service, "9S>2")
    assert service.get(session.id) == session
    after = move(service, "TD>6", session.id).session
    assert service.get(SEAT) == after


def test_each_player_has_an_own_game_of_a_deal_and_of_a_rule(service: AtOnce) -> None:
    traditional = DealCode(RULES["T"], EXAMPLE.number)
    play(service, "9S>2")
    for seat in (Seat("bert", EXAMPLE), Seat("anna", OTHER), Seat("anna", traditional)):
        assert service.get(seat).game.rev == 0
    move(service, "9S>2", Seat("bert", EXAMPLE))
    assert len(service) == 2
    assert service.get(Seat("bert", EXAMPLE)).id != service.get(SEAT).id


def test_an_unknown_id_is_told_for_every_action(service: AtOnce) -> None:
    nine = Card.parse("9S")
    actions: list[Callable[[], object]] = [
        lambda: service.move("nobody", 0, nine, Place.COLUMN_2),
        lambda: service.undo("nobody", 0),
        lambda: service.redo("nobody", 0),
        lambda: service.restart("nobody", 0),
        lambda: service.get(""),
    ]
    for act in actions:
        with pytest.raises(UnknownGame):
            act()
    assert len(service) == 0


# Names


def test_ids_and_players_cannot_be_guessed(service: AtOnce) -> None:
    ids = {service.open(EXAMPLE).id for _ in range(200)} | {GameService.new_player() for _ in range(200)}
    assert len(ids) == 400
    assert all(len(name) >= 22 for name in ids)
    assert len(play(service, "9S>2").id) >= 22


def test_random_deals_differ_and_follow_the_rule(service: AtOnce) -> None:
    for rule in RULES.values():
        codes = [service.random_code(rule) for _ in range(50)]
        assert len(set(codes)) == 50
        assert {code.rule for code in codes} == {rule}
    assert service.random_code().rule is CLASSIC
    assert len(service) == 0


# The actions


@BOTH_KINDS
def test_a_whole_game_through_the_service(service: AtOnce, kind: str) -> None:
    game = game_of(service, kind)
    session = play(service, *MOVES, game=game)
    assert (session.game.is_won, session.game.score, session.game.moves, session.game.rev) == (True, 625, 83, 83)
    assert len(service) == 1


@BOTH_KINDS
def test_undo_and_redo_tell_what_they_changed(service: AtOnce, kind: str) -> None:
    game = game_of(service, kind)
    played = move(service, "9S>2", game)
    undone = service.undo(game, 1)
    assert undone.change == played.change
    assert undone.before == played.session.game
    assert (undone.session.game.board, undone.session.game.rev) == (Game.new(EXAMPLE).board, 2)
    redone = service.redo(game, 2)
    assert redone.change == played.change
    assert (redone.session.game.board, redone.session.game.rev) == (played.session.game.board, 3)
    assert redone.session.game.moves == 1


@BOTH_KINDS
def test_restart_keeps_the_game_and_raises_the_rev(service: AtOnce, kind: str) -> None:
    game = game_of(service, kind)
    before = play(service, *MOVES[:10], game=game)
    accepted = service.restart(game, 10)
    assert (accepted.change, accepted.before) == (None, before.game)
    assert accepted.session.id == before.id
    assert (accepted.session.game.rev, accepted.session.game.moves, accepted.session.game.score) == (11, 0, 0)
    with pytest.raises(Stale):
        move(service, "9S>2", game, rev=0)
    assert move(service, "9S>2", game).session.game.rev == 12


def test_a_move_without_a_place_seeks_one(service: AtOnce) -> None:
    nine = Card.parse("9S")
    place = Game.new(EXAMPLE).seek(nine)
    accepted = service.move(SEAT, 0, nine, None)
    assert accepted.change is not None
    assert accepted.change.move == Move(nine, place)


def test_where_there_is_no_place_the_refusal_names_the_card(service: AtOnce) -> None:
    game = Game.new(EXAMPLE)
    movable = {card for card, _ in game.legal_moves}
    visible = [card for column in game.board.visible() for card in column if card is not None]
    stuck = next(card for card in visible if card not in movable)
    with pytest.raises(NotAllowed, match="no_place") as caught:
        service.move(SEAT, 0, stuck, None)
    assert (caught.value.card, caught.value.to) == (stuck, None)
    assert len(service) == 0


# The same rev twice


@BOTH_KINDS
def test_an_old_rev_is_stale_for_every_action_and_changes_nothing(service: AtOnce, kind: str) -> None:
    game = game_of(service, kind)
    play(service, *MOVES[:4], game=game)
    service.undo(game, 4)
    before = service.get(game)
    nine = Card.parse("9S")
    for rev in (-1, 0, 4, 6, 10**30):
        actions: list[Callable[[int], object]] = [
            lambda rev: service.move(game, rev, nine, None),
            lambda rev: service.undo(game, rev),
            lambda rev: service.redo(game, rev),
            lambda rev: service.restart(game, rev),
        ]
        for act in actions:
            with pytest.raises(Stale) as caught:
                act(rev)
            assert caught.value.reason is Reason.STALE
            assert caught.value.session == before
    assert service.get(game) == before


def test_stale_is_told_before_any_other_reason(service: AtOnce) -> None:
    play(service, "9S>2")
    with pytest.raises(Stale):
        move(service, "KD>F", rev=0)


class Slow(MemoryStore):
    """A store that lets every other request go first, as a disk does."""

    async def create(self, record: Record) -> None:
        await asyncio.sleep(0)
        await super().create(record)
        await asyncio.sleep(0)

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        await asyncio.sleep(0)
        await super().append(record, before, addition)
        await asyncio.sleep(0)

    async def count(self, record: str, before: Head, after: Head) -> None:
        await asyncio.sleep(0)
        await super().count(record, before, after)


def race(*acts: Callable[[], Awaitable[object]]) -> list[object]:
    """What came of acts that start at once."""

    async def run(act: Callable[[], Awaitable[object]]) -> object:
        try:
            return await act()
        except Denied as error:
            return error

    async def run_all() -> list[object]:
        return await asyncio.gather(*map(run, acts))

    return asyncio.run(run_all())


def moving(service: GameService, text: str, game: str | Seat, rev: int) -> Callable[[], Awaitable[object]]:
    card, to = Move.parse(text)
    return partial(service.move, game, rev, card, to)


PROCESSES = pytest.mark.parametrize("processes", [1, 2], ids=["one process", "two processes"])


def in_processes(count: int) -> list[GameService]:
    """Services with memories of their own around one store; the first one twice where there is just one."""
    store = Slow()
    services = [GameService(store) for _ in range(count)]
    return [services[0], services[-1]]


@PROCESSES
@BOTH_KINDS
@pytest.mark.parametrize("second", ["9S>2", "TD>6"])
def test_of_two_moves_with_the_same_rev_exactly_one_is_applied(kind: str, second: str, processes: int) -> None:
    one, other = in_processes(processes)
    game: str | Seat = SEAT if kind == "seat" else asyncio.run(one.open(EXAMPLE)).id
    outcomes = race(moving(one, "9S>2", game, 0), moving(other, second, game, 0))
    applied = [outcome for outcome in outcomes if isinstance(outcome, Accepted)]
    stale = [outcome for outcome in outcomes if isinstance(outcome, Stale)]
    assert (len(applied), len(stale)) == (1, 1)
    for service in (AtOnce(one), AtOnce(other)):
        assert service.get(game) == applied[0].session == stale[0].session
        assert (service.get(game).game.rev, service.get(game).game.moves) == (1, 1)
        assert len(service) == 1


@PROCESSES
def test_of_all_actions_with_the_same_rev_exactly_one_is_applied(processes: int) -> None:
    one, other = in_processes(processes)
    for text in MOVES[:5]:
        asyncio.run(other.move(SEAT, asyncio.run(one.get(SEAT)).game.rev, *Move.parse(text)))
    asyncio.run(one.undo(SEAT, 5))
    outcomes = race(
        moving(one, MOVES[4], SEAT, 6),
        partial(other.undo, SEAT, 6),
        partial(one.redo, SEAT, 6),
        partial(other.restart, SEAT, 6),
    )
    applied = [outcome for outcome in outcomes if isinstance(outcome, Accepted)]
    assert len(applied) == 1
    assert asyncio.run(one.get(SEAT)) == asyncio.run(other.get(SEAT)) == applied[0].session
    for outcome in outcomes:
        if outcome is not applied[0]:
            assert isinstance(outcome, Stale)
            assert outcome.session == applied[0].session


@PROCESSES
def test_a_look_loses_no_move_and_a_move_no_look(processes: int) -> None:
    one, other = in_processes(processes)
    asyncio.run(one.move(SEAT, 0, *Move.parse("9S>2"), 0.0))
    race(moving(one, "TD>6", SEAT, 1), partial(other.look, SEAT, 0.0), partial(one.look, SEAT, 0.0))
    assert asyncio.run(other.get(SEAT)).game.rev == 2


def test_a_copy_that_another_process_has_overtaken_is_read_anew(time: Time) -> None:
    store = MemoryStore()
    here, there = AtOnce(GameService(store, now=time)), AtOnce(GameService(store, now=time))
    move(here, "9S>2", visible=0)
    assert there.get(SEAT) == here.get(SEAT)
    time.passes(10)
    there.look(SEAT, 10)
    assert shown(here) == 10
    time.passes(10)
    move(there, "TD>6", rev=1, visible=10)
    with pytest.raises(Stale) as caught:
        move(here, "KD>F", rev=1)  # it would be refused as well, but on a board that nobody sees any more
    assert caught.value.session == there.get(SEAT)
    assert move(here, "6D>1", rev=2, visible=0).session.clock.elapsed == 20
    assert move(there, "AD>F", rev=3, visible=0).session.clock.elapsed == 20


def test_games_that_are_not_held_come_back_from_the_store(time: Time) -> None:
    service = AtOnce(GameService(now=time, held=2))
    seats = [Seat(name, EXAMPLE) for name in ("anna", "bert", "carl", "dora")]
    for text in MOVES:
        for seat in seats:
            time.passes(1)
            move(service, text, seat, visible=1)
    for seat in seats:
        assert (service.get(seat).game.score, shown(service, seat)) == (625, 82)
    assert service.held == 2
    assert len(service) == 4


def test_a_game_that_nobody_plays_is_forgotten_and_a_won_one_is_not(time: Time) -> None:
    service = AtOnce(GameService(now=time))
    play(service, *MOVES)
    left = Seat("bert", EXAMPLE)
    move(service, "9S>2", left)
    opened = service.open(EXAMPLE).id
    time.passes(100)
    kept = Seat("carl", EXAMPLE)
    move(service, "9S>2", kept)
    assert service.expire(50) == 2
    assert (service.get(SEAT).game.score, service.get(kept).game.rev, service.get(left).game.rev) == (625, 1, 0)
    with pytest.raises(UnknownGame):
        service.get(opened)
    assert service.latest("bert") is None
    with pytest.raises(Stale):
        move(service, "TD>6", left, rev=1)
    assert move(service, "9S>2", left).session.game.rev == 1


# Several steps back


def test_several_steps_go_back_at_once_and_forward_one_by_one(service: AtOnce, time: Time) -> None:
    before = play(service, *MOVES[:4])
    session = play(service, *MOVES[4:10])
    time.passes(3)
    accepted = service.undo(SEAT, 10, 3.0, steps=6)
    assert (accepted.before, accepted.steps) == (session.game, 6)
    game = accepted.session.game
    assert (game.board, game.score, game.rev, game.moves) == (before.game.board, before.game.score, 16, 10)
    assert accepted.session.clock.elapsed == 3
    for rev in range(16, 22):
        game = service.redo(SEAT, rev).session.game
    assert game.board == session.game.board
    again = AtOnce(GameService(service.store, now=time)).get(SEAT)
    assert (again.game, again.clock.elapsed) == (game, 3)


def test_more_steps_than_there_are_or_than_are_kept_take_none_back(service: AtOnce, time: Time) -> None:
    play(service, *MOVES[:4])
    with pytest.raises(NotAllowed, match="nothing_to_undo") as caught:
        service.undo(SEAT, 4, steps=5)
    assert caught.value.session.game.rev == 4
    short = AtOnce(GameService(service.store, now=time, most_events=6))
    with pytest.raises(TooMuch):
        short.undo(SEAT, 4, steps=3)
    assert short.get(SEAT).game.rev == 4
    assert short.undo(SEAT, 4, steps=2).session.game.rev == 6


# Help


@BOTH_KINDS
def test_help_is_noted_for_good_and_leaves_the_board_and_its_rev(service: AtOnce, time: Time, kind: str) -> None:
    game = game_of(service, kind)
    before = play(service, *MOVES[:3], game=game)
    helped = service.assist(game, 3)
    assert helped == replace(before, is_assisted=True)
    acts: list[Callable[[], Accepted]] = [
        lambda: move(service, MOVES[3], game),
        lambda: service.undo(game, 4),
        lambda: service.restart(game, 5),
    ]
    for act in acts:
        assert act().session.is_assisted
    assert AtOnce(GameService(service.store, now=time)).get(game).is_assisted


def test_the_first_help_makes_the_game_of_a_seat(service: AtOnce) -> None:
    helped = service.assist(SEAT, 0)
    assert (len(service), helped.game, helped.is_assisted) == (1, Game.new(EXAMPLE), True)
    after = move(service, "9S>2", rev=0).session
    assert (after.id, after.game.rev, after.is_assisted) == (helped.id, 1, True)
    assert len(service) == 1


def test_what_is_out_of_date_or_won_is_not_helped(service: AtOnce) -> None:
    play(service, *MOVES[:2])
    with pytest.raises(Stale) as caught:
        service.assist(SEAT, 1)
    assert not caught.value.session.is_assisted
    play(service, *MOVES[2:])
    with pytest.raises(NotAllowed, match="game_over"):
        service.assist(SEAT, len(MOVES))
    assert not service.get(SEAT).is_assisted
    with pytest.raises(UnknownGame):
        service.assist("nobody", 0)


def test_a_player_who_has_too_many_games_gets_none_by_asking_for_help(time: Time) -> None:
    service = AtOnce(GameService(now=time, most_games=1))
    play(service, "9S>2")
    with pytest.raises(TooMuch):
        service.assist(Seat("anna", OTHER), 0)
    assert len(service) == 1


def test_help_that_another_process_gave_is_known_here(time: Time) -> None:
    store = MemoryStore()
    here, there = (AtOnce(GameService(store, now=time)) for _ in range(2))
    play(here, *MOVES[:2])
    there.assist(SEAT, 2)
    assert here.get(SEAT).is_assisted
    there.restart(SEAT, 2)
    after = here.move(SEAT, 3, Card.parse("9S"), None).session
    assert after.is_assisted


def test_a_move_in_flight_is_not_disturbed_by_help() -> None:
    """Whichever of the two the store takes first, both are there in the end."""

    async def both(first_help: bool) -> Session:
        service = GameService(SlowStore())
        await service.move(SEAT, 0, Card.parse("9S"), Place.COLUMN_2)
        acts: list[Awaitable[object]] = [
            service.assist(SEAT, 1),
            service.move(SEAT, 1, Card.parse("TD"), Place.COLUMN_6),
        ]
        outcomes = await asyncio.gather(*(acts if first_help else reversed(acts)), return_exceptions=True)
        # The board that help was asked for may be gone; the move never is.
        assert [type(one) for one in outcomes if isinstance(one, BaseException)] in ([], [Stale])
        return await service.get(SEAT)

    for first_help in (True, False):
        session = asyncio.run(both(first_help))
        assert session.game.rev == 2
        assert session.is_assisted or not first_help


class SlowStore(MemoryStore):
    """Each change waits for its turn, as in a store on a disk."""

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        await asyncio.sleep(0)
        await super().append(record, before, addition)

    async def count(self, record: str, before: Head, after: Head) -> None:
        await asyncio.sleep(0)
        await super().count(record, before, after)


# The clock


@BOTH_KINDS
def test_it_starts_with_the_first_accepted_move(service: AtOnce, time: Time, kind: str) -> None:
    game = game_of(service, kind)
    time.passes(50)
    assert shown(service, game) == told(service, game) == 0
    with pytest.raises(NotAllowed):
        move(service, "KD>F", game, visible=50)
    time.passes(10)
    assert move(service, "9S>2", game, visible=60).session.clock.elapsed == 0
    time.passes(10)
    assert move(service, "TD>6", game, visible=10).session.clock.elapsed == 10


def test_it_counts_what_the_page_was_in_view(service: AtOnce, time: Time) -> None:
    move(service, "9S>2", visible=0)
    time.passes(3600)
    assert move(service, "TD>6", visible=20).session.clock.elapsed == 20
    time.passes(7)
    assert service.undo(SEAT, 2, visible=5).session.clock.elapsed == 25
    time.passes(7)
    assert service.redo(SEAT, 3, visible=5).session.clock.elapsed == 30


@pytest.mark.parametrize("visible", [1e300, float("inf"), 61.0, 10**400 // 10**300])
def test_it_never_counts_more_than_has_passed(service: AtOnce, time: Time, visible: float) -> None:
    move(service, "9S>2")
    time.passes(60)
    assert move(service, "TD>6", visible=visible).session.clock.elapsed == 60


@pytest.mark.parametrize("visible", [-1.0, -1e300, float("-inf"), float("nan")])
def test_it_never_counts_less_than_nothing(service: AtOnce, time: Time, visible: float) -> None:
    move(service, "9S>2")
    time.passes(60)
    assert move(service, "TD>6", visible=visible).session.clock.elapsed == 0
    time.passes(1)
    assert move(service, "6D>1", visible=1).session.clock.elapsed == 1


def test_two_pages_that_look_at_once_count_once(service: AtOnce, time: Time) -> None:
    move(service, "9S>2", visible=0)
    for _ in range(10):
        time.passes(6)
        service.look(SEAT, 6)
        service.look(SEAT, 6)
    assert shown(service) == 60


def test_a_refused_move_does_not_stop_it_and_is_not_counted_twice(service: AtOnce, time: Time) -> None:
    move(service, "9S>2")
    time.passes(10)
    with pytest.raises(NotAllowed):
        move(service, "KD>F", visible=10)
    time.passes(10)
    assert move(service, "TD>6", visible=20).session.clock.elapsed == 20


def test_without_a_page_a_long_gap_counts_for_five_minutes(service: AtOnce, time: Time) -> None:
    session = service.open(EXAMPLE)
    move(service, "9S>2", session.id)
    time.passes(LONGEST_GAP - 1)
    assert told(service, session.id) == LONGEST_GAP - 1
    assert move(service, "TD>6", session.id).session.clock.elapsed == LONGEST_GAP - 1
    time.passes(30 * 24 * 3600)
    assert told(service, session.id) == 2 * LONGEST_GAP - 1
    assert move(service, "6D>1", session.id).session.clock.elapsed == 2 * LONGEST_GAP - 1
    assert LONGEST_GAP == 300


def test_restart_puts_it_at_naught_and_holds_it_there(service: AtOnce, time: Time) -> None:
    move(service, "9S>2")
    time.passes(40)
    move(service, "TD>6", visible=40)
    assert service.restart(SEAT, 2).session.clock.elapsed == 0
    time.passes(100)
    service.look(SEAT, 100)
    assert shown(service) == told(service, SEAT) == 0
    assert move(service, "9S>2", visible=100).session.clock.elapsed == 0
    time.passes(3)
    assert move(service, "TD>6", visible=3).session.clock.elapsed == 3


def test_the_win_stops_it(service: AtOnce, time: Time) -> None:
    move(service, MOVES[0])
    for text in MOVES[1:]:
        time.passes(2)
        move(service, text, visible=2)
    assert shown(service) == 2 * 82
    time.passes(1000)
    service.look(SEAT, 1000)
    assert shown(service) == told(service, SEAT) == 2 * 82


def test_it_does_not_run_backwards_with_the_wall_clock(service: AtOnce, time: Time) -> None:
    move(service, "9S>2")
    time.passes(10)
    move(service, "TD>6", visible=10)
    time.passes(-500)
    assert shown(service) == told(service, SEAT) == 10
    assert move(service, "6D>1", visible=10).session.clock.elapsed == 10


def test_what_is_shown_is_what_the_win_tells(service: AtOnce, time: Time) -> None:
    play(service, *MOVES[:-1])
    time.passes(2)
    session = move(service, MOVES[-1], visible=2).session
    assert shown(service) == told(service, SEAT) == session.clock.elapsed == 2


def test_time_in_which_the_page_was_closed_is_never_shown(service: AtOnce, time: Time) -> None:
    move(service, "9S>2", visible=0)
    time.passes(20)
    service.look(SEAT, 20)  # the page says goodbye
    time.passes(3600)
    assert shown(service) == 20


class Steps:
    """Random deeds with random time between them."""

    deeds = st.sampled_from(["move", "undo", "redo", "refused", "stale", "look", "nothing"])
    claims = st.none() | st.floats(-10, 1000) | st.floats()
    by_pages = st.lists(st.tuples(deeds, st.floats(0, 1000), claims), max_size=25)
    by_programs = st.lists(st.tuples(deeds, st.floats(0, 1000), st.none()), max_size=25)


def do(service: AtOnce, game: str | Seat, what: str, visible: float | None) -> None:
    legal = service.get(game).game.legal_moves
    with contextlib.suppress(Denied):
        if what == "move" and legal:
            move(service, str(next(iter(legal))), game, visible)
        elif what == "undo":
            service.undo(game, rev_of(service, game), visible)
        elif what == "redo":
            service.redo(game, rev_of(service, game), visible)
        elif what == "refused":
            move(service, "KD>F", game, visible)
        elif what == "stale":
            move(service, "9S>2", game, visible, rev_of(service, game) + 1)
        elif what == "look" and isinstance(game, Seat):
            service.look(game, 0.0 if visible is None else visible)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(Steps.by_pages)
def test_whatever_pages_claim_their_clock_only_grows_and_never_by_more_than_has_passed(
    steps: list[tuple[str, float, float | None]],
) -> None:
    time = Time()
    service = AtOnce(GameService(now=time))
    began: float | None = None
    seen = 0.0
    for what, seconds, visible in steps:
        time.passes(seconds)
        assert shown(service) == seen
        do(service, SEAT, what, visible)
        if began is None and service.get(SEAT).game.moves:
            began = time.now
        assert seen <= shown(service) <= (0 if began is None else time.now - began) + 1e-6
        seen = shown(service)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(Steps.by_programs)
def test_a_program_never_sees_its_clock_run_backwards(steps: list[tuple[str, float, None]]) -> None:
    time = Time()
    service = AtOnce(GameService(now=time))
    game = service.open(EXAMPLE).id
    seen = 0.0
    for what, seconds, visible in steps:
        time.passes(seconds)
        before = told(service, game)
        assert seen <= before <= seen + seconds + 1e-6
        do(service, game, what, visible)
        seen = told(service, game)
        assert abs(seen - before) < 1e-6


# The end, and what comes next


@BOTH_KINDS
def test_the_result_of_a_won_game_stays(service: AtOnce, time: Time, kind: str) -> None:
    game = game_of(service, kind)
    move(service, MOVES[0], game)
    time.passes(100)
    result = play(service, *MOVES[1:], game=game)
    time.passes(100)
    actions: list[Callable[[], object]] = [
        lambda: move(service, "KD>1", game, visible=50),
        lambda: service.move(game, 83, Card.parse("KD"), None, 50),
        lambda: service.undo(game, 83, 50),
        lambda: service.redo(game, 83, 50),
    ]
    for act in actions:
        with pytest.raises(NotAllowed, match="game_over") as caught:
            act()
        assert caught.value.session == result
    if isinstance(game, Seat):
        service.look(game, 50)
    assert service.get(game) == result
    assert shown(service, game) == told(service, game) == 100


def test_a_won_game_can_be_dealt_anew(service: AtOnce) -> None:
    play(service, *MOVES)
    assert service.latest("anna") is None
    session = service.restart(SEAT, 83).session
    assert (session.game.is_won, session.game.rev, session.clock.elapsed) == (False, 84, 0)
    assert play(service, *MOVES).game.score == 625


def test_the_latest_deal_is_the_one_that_was_played_last(service: AtOnce) -> None:
    first = next(iter(Game.new(OTHER).legal_moves))
    play(service, "9S>2")
    assert service.latest("anna") == EXAMPLE
    move(service, str(first), Seat("anna", OTHER))
    assert service.latest("anna") == OTHER
    play(service, "TD>6")
    assert service.latest("anna") == EXAMPLE
    assert service.latest("bert") is None


def test_looking_at_a_deal_or_being_refused_does_not_make_it_the_latest(service: AtOnce) -> None:
    play(service, "9S>2")
    service.get(Seat("anna", OTHER))
    with pytest.raises(NotAllowed):
        service.undo(Seat("anna", OTHER), 0)
    assert service.latest("anna") == EXAMPLE


def test_a_won_game_is_no_longer_the_latest(service: AtOnce) -> None:
    first = next(iter(Game.new(OTHER).legal_moves))
    move(service, str(first), Seat("anna", OTHER))
    play(service, *MOVES)
    assert service.latest("anna") == OTHER
