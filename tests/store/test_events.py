"""How a game is written down, and read again: also by a later version, also after damage."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import Board, Card, DealCode, Deed, EngineError, Game, Move, entry, replay
from app.engine.errors import BadLog
from app.service import GameService, Seat
from app.store import Head, MemoryStore, Record, StoreDamaged, StoreTooNew
from app.store.events import FORMAT, game_of, pack, renewed, unpack
from tests.at_once import AtOnce, finish
from tests.example import CODE, MOVES

EXAMPLE = DealCode.parse(CODE)
ID = "A" * 22


def record_of(game: Game, events: bytes, form: int = FORMAT) -> Record:
    return Record(ID, str(game.code), "anna", Head(game.rev, 5.0, 1000.0), events, form)


def deeds(choices: list[int], code: DealCode = EXAMPLE) -> tuple[Game, bytes, list[str]]:
    """A game in which each choice picks a legal move, or undoes, redoes or restarts; its events in both formats."""
    game, events, words = Game.new(code), b"", []
    for choice in choices:
        moves = list(game.legal_moves)
        try:
            if choice % 8 == 0:
                game, deed, word = game.undo()[0], Deed.UNDO, "undo"
            elif choice % 8 == 1:
                game, deed, word = game.redo()[0], Deed.REDO, "redo"
            elif choice % 97 == 2:
                game, deed, word = game.restart(), Deed.RESTART, "restart"
            elif moves:
                move = moves[choice // 8 % len(moves)]
                game, deed, word = game.play(move)[0], Deed.MOVE, str(move)
            else:
                continue
        except EngineError:
            continue
        events += pack(entry(deed, game), choice / 7)
        words.append(word)
    return game, events, words


@given(st.lists(st.integers(0, 10_000), max_size=200), st.sampled_from("CRT"))
def test_whatever_was_done_is_read_as_it_was(choices: list[int], rule: str) -> None:
    game, events, words = deeds(choices, DealCode.parse(CODE.replace("-C-", f"-{rule}-")))
    assert game_of(record_of(game, events)) == game
    old = record_of(game, " ".join(words).encode(), 1)
    assert game_of(old) == game
    assert [number for number, _ in unpack(renewed(old))] == [number for number, _ in unpack(events)]


@given(st.lists(st.tuples(st.integers(0, 2**15 - 1), st.integers(0, 10**9)), max_size=50))
def test_an_event_is_packed_and_unpacked(events: list[tuple[int, int]]) -> None:
    packed = b"".join(pack(number, tenths / 10) for number, tenths in events)
    assert unpack(packed) == [(number, tenths / 10) for number, tenths in events]


def test_a_move_takes_three_bytes() -> None:
    game = Game.new(EXAMPLE)
    for text in MOVES:
        game, _ = game.play(Move.parse(text))
        assert len(pack(entry(Deed.MOVE, game), 12.7)) == 3
        assert len(pack(entry(Deed.MOVE, game), 12.8)) == 4


@given(st.binary(max_size=60))
def test_whatever_bytes_are_in_a_record_no_card_is_lost(events: bytes) -> None:
    try:
        game = replay(EXAMPLE, [number for number, _ in unpack(events)])
    except (BadLog, ValueError):
        return
    assert Board.parse(str(game.board)) == game.board  # which counts the cards


@given(st.lists(st.integers(0, 10_000), min_size=5, max_size=40), st.data())
def test_a_record_with_a_byte_gone_or_changed_is_told_or_makes_a_whole_board(
    choices: list[int], data: st.DataObject
) -> None:
    game, events, _ = deeds(choices)
    if not events:
        return
    at = data.draw(st.integers(0, len(events) - 1))
    instead = data.draw(st.binary(max_size=1))
    told = ""
    try:
        found = game_of(record_of(game, events[:at] + instead + events[at + 1 :]))
    except StoreDamaged as error:
        told = str(error)
    else:
        assert Board.parse(str(found.board)) == found.board
    assert ID not in told  # who knows it can play the game


@pytest.mark.parametrize("form", [1, 2])
def test_a_record_that_an_older_version_wrote_is_played_on(form: int) -> None:
    """The records in the file are those of each format, and stay as they are for ever."""
    known = json.loads((Path(__file__).parents[1] / "data" / "records.json").read_text(encoding="utf-8"))
    told = known[str(form)]
    events = told["events"].encode() if form == 1 else bytes.fromhex(told["events"])
    store = MemoryStore()
    finish(store.create(Record(ID, told["code"], "anna", Head(told["rev"], 61.5, 1000.0), events, form)))
    service = AtOnce(GameService(store, now=lambda: 1000.0))
    seat = Seat("anna", EXAMPLE)
    session = service.get(seat)
    assert (session.game.rev, session.game.score, session.game.moves) == (told["rev"], told["score"], told["moves"])
    assert (session.game.undo_steps, session.game.redo_steps) == (told["undo"], told["redo"])
    assert session.clock.elapsed == 61.5
    card, to = Move.parse(told["next"])
    after = service.move(seat, told["rev"], card, to).session
    assert AtOnce(GameService(store)).get(seat).game == after.game
    assert getattr(finish(store.load(ID)), "format", None) == FORMAT


def test_a_record_of_a_later_version_is_left_alone() -> None:
    record = replace(record_of(Game.new(EXAMPLE), b""), format=FORMAT + 1)
    with pytest.raises(StoreTooNew):
        game_of(record)


@pytest.mark.parametrize(
    "events",
    [b"\x01", b"\x01\x02", b"\x01\x02\x80", b"\xff\xff\x00", b"\x00\x20\x00", b"\x00\x40\x00", pack(0, 0)],
    ids=["cut off", "cut off", "cut off", "no entry", "nothing to undo", "nothing to redo", "face down"],
)
def test_damage_is_told(events: bytes) -> None:
    with pytest.raises(StoreDamaged):
        game_of(record_of(replace(Game.new(EXAMPLE), rev=1), events))


def test_a_record_with_too_few_events_is_damaged() -> None:
    with pytest.raises(StoreDamaged, match="0 events and not 1"):
        game_of(record_of(replace(Game.new(EXAMPLE), rev=1), b""))


@pytest.mark.parametrize("events", [b"9S>2 nonsense", b"\xff", b"KD>F", b"redo"])
def test_damage_of_an_older_record_is_told(events: bytes) -> None:
    with pytest.raises(StoreDamaged):
        game_of(record_of(Game.new(EXAMPLE), events, 1))


def test_a_card_that_lies_face_down_is_never_moved() -> None:
    hidden = Card(Game.new(EXAMPLE).board.columns[1][0])
    with pytest.raises(BadLog):
        replay(EXAMPLE, [hidden | 0 << 6 | 1 << 9])
