"""What every store must do: one suite for all three."""

import asyncio
import secrets
from dataclasses import replace

import pytest

from app.store import Addition, Conflict, GameStore, Head, Record
from app.store.redis import RedisStore
from tests.example import CODE
from tests.store.conftest import Make

pytestmark = pytest.mark.anyio

OTHER = "YU1-T-AAAAAAB"
START = Head(0, 0.0, 1_764_000_000.123456)


def new_id() -> str:
    return secrets.token_urlsafe(16)


def new(player: str | None = None, code: str = CODE, played: int = 1) -> Record:
    return Record(new_id(), code, player, START, b"", 2, is_won=False, played=played)


def later(head: Head, event: bytes = b"\x01\x02\x03", *, is_won: bool = False, played: int = 2) -> Addition:
    after = replace(head, rev=head.rev + 1, elapsed=head.elapsed + 0.1, counted_at=head.counted_at + 1 / 3)
    return Addition(event, after, is_won, played)


async def added(store: GameStore, record: Record, *events: bytes) -> Record:
    """The record after these events are stored."""
    await store.create(record)
    for event in events:
        addition = later(record.head, event)
        await store.append(record.id, record.head, addition)
        record = replace(record, head=addition.head, events=record.events + event, played=addition.played)
    return record


async def test_it_starts_empty_and_in_order(store: GameStore) -> None:
    await store.check()
    assert await store.load(new_id()) is None
    assert await store.head(new_id()) is None
    assert await store.find("anna", CODE) is None
    assert await store.latest("anna") is None
    assert await store.owned("anna") == 0


async def test_the_games_of_a_player_are_counted(store: GameStore) -> None:
    for code in (CODE, OTHER):
        await store.create(new("anna", code))
    await store.create(new("bert"))
    await store.create(new())
    assert (await store.owned("anna"), await store.owned("bert")) == (2, 1)


@pytest.mark.parametrize("player", [None, "anna"])
async def test_a_game_is_given_back_as_it_was_stored(store: GameStore, player: str | None) -> None:
    record = replace(new(player), events=bytes(range(256)), head=Head(70, 1e-9, 1.7e9 + 1e-6), played=2**53)
    await store.create(record)
    assert await store.load(record.id) == record
    assert await store.head(record.id) == record.head


async def test_whatever_bytes_an_event_has_it_is_appended_as_it_is(store: GameStore) -> None:
    events = [bytes((n,)) * 3 for n in range(256)] + [b"\0", b"'\"\n\r\xff\xfe", bytes(1000)]
    record = await added(store, new(), *events)
    assert await store.load(record.id) == record
    assert record.head.rev == len(events)


async def test_an_id_and_a_seat_are_given_once(store: GameStore) -> None:
    first = new("anna")
    await store.create(first)
    for second in (replace(new(), id=first.id), replace(new("anna"), played=9)):
        with pytest.raises(Conflict):
            await store.create(second)
    assert await store.load(first.id) == first
    for other in (new("bert"), new("anna", OTHER), new(), new()):
        await store.create(other)
        assert await store.load(other.id) == other


async def test_who_saw_another_game_changes_nothing(store: GameStore) -> None:
    record = await added(store, new(), b"abc")
    head = record.head
    unseen = (
        replace(head, rev=0),
        replace(head, rev=2),
        replace(head, elapsed=head.elapsed + 1e-9),
        replace(head, counted_at=head.counted_at + 1e-6),
        replace(head, is_assisted=True),
    )
    for before in unseen:
        with pytest.raises(Conflict):
            await store.append(record.id, before, later(head))
        with pytest.raises(Conflict):
            await store.count(record.id, before, replace(head, elapsed=99.0))
        with pytest.raises(Conflict):
            await store.renew(record.id, before, b"", 3)
    assert await store.load(record.id) == record


async def test_nothing_can_be_done_to_a_game_that_is_not_there(store: GameStore) -> None:
    nobody = new_id()
    with pytest.raises(Conflict):
        await store.append(nobody, START, later(START))
    with pytest.raises(Conflict):
        await store.count(nobody, START, START)
    assert await store.load(nobody) is None


async def test_of_many_that_saw_the_same_game_one_changes_it(store: GameStore) -> None:
    record = new()
    await store.create(record)

    async def attempt(number: int) -> int | None:
        try:
            await store.append(record.id, START, later(START, bytes((number,))))
        except Conflict:
            return None
        return number

    outcomes = await asyncio.gather(*map(attempt, range(64)))
    (winner,) = [number for number in outcomes if number is not None]
    loaded = await store.load(record.id)
    assert loaded is not None
    assert (loaded.events, loaded.head.rev) == (bytes((winner,)), 1)


async def test_of_many_that_take_the_same_seat_one_gets_it(store: GameStore) -> None:
    async def attempt(record: Record) -> str | None:
        try:
            await store.create(record)
        except Conflict:
            return None
        return record.id

    outcomes = await asyncio.gather(*(attempt(new("anna")) for _ in range(32)))
    assert [found for found in outcomes if found] == [await store.find("anna", CODE)]


async def test_the_clock_goes_on_without_a_rev(store: GameStore) -> None:
    record = await added(store, new("anna"), b"abc")
    after = Head(1, 12.5, record.head.counted_at + 20)
    await store.count(record.id, record.head, after)
    assert await store.load(record.id) == replace(record, head=after)
    with pytest.raises(Conflict):
        await store.append(record.id, record.head, later(record.head))


async def test_help_is_noted_beside_the_clock_and_stays(store: GameStore) -> None:
    record = await added(store, new("anna"), b"abc")
    helped = replace(record.head, is_assisted=True)
    await store.count(record.id, record.head, helped)
    assert await store.load(record.id) == replace(record, head=helped)
    assert await store.head(record.id) == helped
    with pytest.raises(Conflict):
        await store.append(record.id, record.head, later(record.head))
    addition = later(helped)
    assert addition.head.is_assisted
    await store.append(record.id, helped, addition)
    assert await store.head(record.id) == addition.head


async def test_a_game_can_be_made_with_help(store: GameStore) -> None:
    record = replace(new("anna"), head=replace(START, is_assisted=True))
    await store.create(record)
    assert await store.load(record.id) == record


async def test_events_can_be_written_in_another_format(store: GameStore) -> None:
    record = replace(new(), format=1, events=b"9S>2", head=replace(START, rev=1))
    await store.create(record)
    with pytest.raises(Conflict):  # the formats would mix
        await store.append(record.id, record.head, later(record.head))
    await store.renew(record.id, record.head, b"abc", 2)
    assert await store.load(record.id) == replace(record, format=2, events=b"abc")
    await store.append(record.id, record.head, later(record.head))


async def test_the_latest_deal_is_the_running_one_that_was_played_last(store: GameStore) -> None:
    first, second = new("anna", CODE, 1), new("anna", OTHER, 2)
    await store.create(first)
    await store.create(second)
    assert await store.latest("anna") == OTHER
    await store.append(first.id, START, later(START, played=3))
    assert await store.latest("anna") == CODE
    head = later(START).head
    await store.append(first.id, head, later(head, is_won=True, played=4))
    assert await store.latest("anna") == OTHER
    assert await store.find("anna", CODE) == first.id
    assert await store.latest("bert") is None


async def test_what_was_stored_is_there_after_a_restart(make: Make) -> None:
    store = make()
    await store.open()
    record = await added(store, new("anna"), b"abc", b"def")
    await store.close()
    again = make()
    assert await again.load(record.id) == record  # it opens itself
    assert await again.find("anna", CODE) == record.id
    await again.close()


async def test_two_processes_see_what_the_other_did(make: Make) -> None:
    here, there = make(), make()
    await here.open()
    await there.open()
    record = await added(here, new("anna"), b"abc")
    assert await there.load(record.id) == record
    addition = later(record.head)
    await there.append(record.id, record.head, addition)
    assert await here.head(record.id) == addition.head
    with pytest.raises(Conflict):
        await here.append(record.id, record.head, addition)
    with pytest.raises(Conflict):
        await there.create(new("anna"))
    await here.close()
    await there.close()


async def test_its_name_has_no_secret(store: GameStore, kind: str) -> None:
    assert {"memory": "memory", "sqlite": "yukon.db", "redis": "127.0.0.1:"}[kind] in store.name


@pytest.mark.parametrize("kind", ["memory", "sqlite"], indirect=True)
async def test_what_nobody_played_for_long_is_forgotten_unless_it_is_won(store: GameStore) -> None:
    old, fresh, won = new("anna", played=10), new("bert", played=30), new("carl", played=10)
    for record in (old, fresh, won):
        await store.create(record)
    await store.append(won.id, START, later(START, is_won=True, played=11))
    assert await store.expire(20) == 1
    assert await store.load(old.id) is None
    assert await store.find("anna", CODE) is None
    assert await store.latest("anna") is None
    assert await store.load(fresh.id) == fresh
    assert await store.find("carl", CODE) == won.id
    await store.create(new("anna"))
    assert await store.expire(0) == 0


@pytest.mark.parametrize("kind", ["redis"], indirect=True)
async def test_a_game_in_redis_that_an_older_version_made_is_one_without_help(make: Make) -> None:
    store = make()
    assert isinstance(store, RedisStore)
    record = await added(store, new("anna"), b"abc")
    assert await store._redis.hdel(f"{store._prefix}game:{record.id}", "assisted") == 1
    assert await store.load(record.id) == record
    assert await store.head(record.id) == record.head
    addition = later(record.head)
    await store.append(record.id, record.head, addition)
    helped = replace(addition.head, is_assisted=True)
    await store.count(record.id, addition.head, helped)
    assert await store.head(record.id) == helped
    await store.close()


@pytest.mark.parametrize("kind", ["redis"], indirect=True)
async def test_redis_forgets_by_itself_what_nobody_plays_unless_it_is_won(make: Make) -> None:
    store = make()
    assert isinstance(store, RedisStore)
    left, won = new("anna"), new("anna", OTHER)
    for record in (left, won):
        await store.create(record)
        await store.append(record.id, START, later(START, is_won=record is won))
    redis, prefix = store._redis, store._prefix
    for name, expires in (
        (f"game:{left.id}", True),
        (f"events:{left.id}", True),
        (f"game:{won.id}", False),
        (f"events:{won.id}", False),
        ("seats:anna", False),  # the won game is found by it
        ("running:anna", True),
    ):
        seconds = await redis.ttl(prefix + name)
        assert (990 < seconds <= 1000) if expires else seconds == -1, name
    await redis.delete(f"{prefix}game:{left.id}", f"{prefix}events:{left.id}")  # as time does
    assert await store.find("anna", CODE) is None
    assert await store.latest("anna") is None
    assert await store.find("anna", OTHER) == won.id
    await store.create(new("anna"))
    assert await store.latest("anna") == CODE
    await store.close()
