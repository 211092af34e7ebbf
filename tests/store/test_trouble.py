"""A file of SQLite that is full, locked, damaged, gone or none of ours: a clear word, no damage, and on again after."""

import asyncio
import contextlib
import os
import secrets
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import main
from app.store import (
    Addition,
    BadAddress,
    Head,
    Record,
    SqliteStore,
    StoreAway,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnusable,
    open_store,
)
from tests.example import CODE

pytestmark = pytest.mark.anyio

START = Head(0, 0.0, 1000.0)
GREAT = bytes(3000)


def new() -> Record:
    return Record(secrets.token_urlsafe(16), CODE, None, START)


async def created(store: SqliteStore) -> Record:
    record = new()
    await store.create(record)
    return record


async def add(store: SqliteStore, record: Record, event: bytes = b"abc") -> Record:
    """The record after one more event."""
    head = replace(record.head, rev=record.head.rev + 1)
    await store.append(record.id, record.head, Addition(event, head, is_won=False, played=1))
    return replace(record, head=head, events=record.events + event, played=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "yukon.db"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[SqliteStore]:
    found = SqliteStore(file, patience=0.2)
    await found.open()
    yield found
    await found.close()


def writer_of(store: SqliteStore) -> sqlite3.Connection:
    assert store._connections is not None
    return store._connections[0]


async def fill(store: SqliteStore) -> list[Record]:
    """Play until there is no room, and see that all that was acknowledged is there."""
    kept: list[Record] = []

    async def play_on() -> None:
        while True:
            kept.append(await add(store, await created(store), GREAT))

    with pytest.raises(StoreFull, match="disk is full"):
        await play_on()
    for record in kept:
        assert await store.load(record.id) == record
    return kept


async def test_a_file_that_may_not_grow_keeps_what_it_has_and_goes_on_when_it_may(store: SqliteStore) -> None:
    writer = writer_of(store)
    writer.execute("PRAGMA max_page_count = 100")
    kept = await fill(store)
    with pytest.raises(StoreFull):
        await add(store, kept[0], GREAT * 10)
    writer.execute("PRAGMA max_page_count = 100000")
    assert await store.load(kept[0].id) == kept[0]
    after = await add(store, kept[0], GREAT)
    assert await store.load(after.id) == after
    await store.check()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """One of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here: that takes root and its rights")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


async def test_a_full_disk_loses_nothing_and_is_no_trouble_once_there_is_room(small_disk: Path) -> None:
    rest = small_disk / "rest"
    rest.write_bytes(bytes(300_000))
    store = SqliteStore(small_disk / "yukon.db")
    await store.open()
    kept = await fill(store)
    await fill(store)  # it stays full
    with pytest.raises(StoreFull):
        await store.check()
    rest.unlink()
    await store.check()
    after = await add(store, kept[0])
    await store.close()
    again = SqliteStore(small_disk / "yukon.db")
    await again.open()
    for record in [after, *kept[1:]]:
        assert await again.load(record.id) == record
    await again.close()


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
async def test_a_locked_file_is_waited_for_then_told_then_used(store: SqliteStore, file: Path, lock: str) -> None:
    record = new()
    await store.create(record)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute(f"BEGIN {lock}")
    asyncio.get_running_loop().call_later(0.05, other.execute, "COMMIT")
    record = await add(store, record)
    other.execute(f"BEGIN {lock}")
    with pytest.raises(StoreBusy, match="locked by another process"):
        await add(store, record)
    assert await store.load(record.id) == record
    other.execute("COMMIT")
    other.close()
    await add(store, record)


async def test_what_waits_together_is_committed_together(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = 0
    commit = SqliteStore._commit

    def counted(self: SqliteStore, writer: sqlite3.Connection) -> None:
        nonlocal commits
        commits += 1
        commit(self, writer)

    monkeypatch.setattr(SqliteStore, "_commit", counted)
    records = [new() for _ in range(200)]
    await asyncio.gather(*map(store.create, records))
    assert commits <= 3
    assert [await store.load(record.id) for record in records] == records


async def test_a_request_that_is_given_up_holds_up_nobody(store: SqliteStore) -> None:
    one, other = new(), new()
    given_up = asyncio.create_task(store.create(one))
    waiting = asyncio.create_task(store.create(other))
    await asyncio.sleep(0)
    given_up.cancel()
    await waiting
    with contextlib.suppress(asyncio.CancelledError):
        await given_up
    assert await store.load(other.id) == other


async def test_nothing_can_be_written(store: SqliteStore) -> None:
    record = new()
    await store.create(record)
    writer = writer_of(store)
    writer.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreReadOnly, match="can't be written"):
        await add(store, record)
    with pytest.raises(StoreReadOnly):
        await store.check()
    assert await store.load(record.id) == record
    writer.execute("PRAGMA query_only = 0")
    await add(store, record)


def move_away(file: Path) -> Path:
    moved = file.with_name("elsewhere.db")
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).rename(moved.with_name(moved.name + suffix))
    return moved


async def test_a_file_that_is_moved_away_takes_no_more_moves(store: SqliteStore, file: Path) -> None:
    record = new()
    await store.create(record)
    moved = move_away(file)
    with pytest.raises(StoreUnusable, match="moved or deleted"):
        await add(store, record)
    other = SqliteStore(moved)
    assert await other.load(record.id) == record
    await other.close()
    await store.create(new())  # in a new file


async def written(file: Path, games: int = 300) -> list[Record]:
    store = SqliteStore(file)
    records = [replace(new(), events=GREAT, head=replace(START, rev=1000)) for _ in range(games)]
    await asyncio.gather(*map(store.create, records))
    await store.close()
    return records


async def test_a_page_that_is_damaged_under_way_is_told_and_the_rest_is_played_on(file: Path) -> None:
    records = await written(file)
    with file.open("r+b") as raw:
        raw.seek(4096 * 100)
        raw.write(b"\xa5" * 4096 * 20)
    store = SqliteStore(file)  # not opened: a server that runs looks for no damage
    outcomes: list[object] = []
    for record in records:
        try:
            outcomes.append(await add(store, record))
        except StoreError as error:
            outcomes.append(error)
    told = [outcome for outcome in outcomes if isinstance(outcome, StoreError)]
    assert 0 < len(told) < len(records)
    assert {type(error) for error in told} == {StoreDamaged}
    for outcome in outcomes:
        if isinstance(outcome, Record):
            assert await store.load(outcome.id) == outcome
    await store.close()


def serve(store: str, *options: str) -> str:
    """What ``yukon serve`` says before it ends."""
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--store", store, *options])
    assert result.exit_code == 1, result.output
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1, result.output
    return result.output


def test_the_start_says_that_a_file_is_no_database(file: Path) -> None:
    file.write_bytes(b"not a database, and longer than a header of one is" * 50)
    before = file.read_bytes()
    assert "is damaged, or no database" in serve(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_the_start_says_that_a_file_is_damaged(file: Path) -> None:
    asyncio.run(written(file))
    with file.open("r+b") as raw:
        raw.seek(4096 * 2)
        raw.write(secrets.token_bytes(4096 * 50))
    before = file.read_bytes()
    said = serve(f"sqlite:///{file}")
    assert "is damaged" in said
    assert str(file) in said
    assert file.read_bytes() == before


def test_the_start_says_that_a_file_belongs_to_another_program(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE games (id)")
    before = file.read_bytes()
    assert "is a database of another program" in serve(f"sqlite:///{file}")
    assert file.read_bytes() == before


async def test_the_start_says_that_a_file_is_of_a_later_version(file: Path) -> None:
    await written(file, 1)
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA user_version = 99")
    assert "later version" in await asyncio.to_thread(serve, f"sqlite:///{file}")
    with pytest.raises(StoreTooNew):
        await SqliteStore(file).open()


def test_the_start_says_that_there_is_no_such_directory(tmp_path: Path) -> None:
    assert "can't be opened" in serve(f"sqlite:///{tmp_path}/no/such/directory/yukon.db")
    assert "can't be opened" in serve(f"sqlite:///{tmp_path}")


def test_the_start_says_that_redis_is_away() -> None:
    pytest.importorskip("redis")
    said = serve("redis://:secret@127.0.0.1:1/0")
    assert "Redis at 127.0.0.1:1 can't be reached" in said
    assert "secret" not in said


def test_games_in_memory_are_served_by_one_process() -> None:
    said = serve("memory:", "--workers", "2")
    assert "2 processes can't share games in memory" in said


@pytest.mark.parametrize(
    "address",
    [
        "", "yukon.db", "sqlite:", "sqlite://", "sqlite:///", "sqlite://host/yukon.db", "sqlite:///a?synchronous=off",
        "sqlite:///a?mode=ro", "postgres://localhost/yukon", "memory:x", "redis://localhost:port/0",
    ],
)  # fmt: skip
def test_an_address_that_makes_no_sense_is_told(address: str) -> None:
    with pytest.raises(BadAddress):
        open_store(address)
    serve(address)


@pytest.mark.parametrize("address", ["memory:", "memory://", "sqlite:///a.db", "sqlite:////a/b.db", "redis://h:1/2"])
def test_an_address_that_makes_sense_is_a_store(address: str) -> None:
    assert open_store(address).name


def test_a_slash_more_is_the_root_directory() -> None:
    assert open_store("sqlite:////data/yukon.db").name == "/data/yukon.db"
    assert open_store("sqlite:///data/yukon.db").name == str(Path.cwd() / "data/yukon.db")


async def test_a_store_that_could_not_be_opened_is_opened_when_it_can(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "later" / "yukon.db")
    with pytest.raises(StoreUnusable):
        await store.open()
    with pytest.raises(StoreUnusable):
        await store.check()
    (tmp_path / "later").mkdir()
    await asyncio.sleep(1.1)  # it is tried once a second
    await store.create(new())
    await store.close()


async def test_redis_that_is_full_or_a_copy_is_told(redis_server: object) -> None:
    pytest.importorskip("redis")
    from redis.asyncio import Redis

    from app.store.redis import RedisStore
    from tests.store.redis_server import RedisServer

    assert isinstance(redis_server, RedisServer)
    store = RedisStore(redis_server.address, prefix=f"{secrets.token_hex(4)}:")
    admin = Redis.from_url(redis_server.address)
    record = new()
    await store.create(record)
    try:
        await admin.config_set("maxmemory", "1")
        with pytest.raises(StoreFull):
            await store.create(new())
        await admin.config_set("maxmemory", "0")
        await admin.replicaof("127.0.0.1", "1")
        with pytest.raises(StoreReadOnly):
            await store.create(new())
    finally:
        await admin.config_set("maxmemory", "0")
        await admin.replicaof("NO", "ONE")
    assert await store.load(record.id) == record
    await store.create(new())
    await admin.aclose()
    await store.close()


async def test_redis_that_is_away_is_told() -> None:
    pytest.importorskip("redis")
    store = open_store("redis://127.0.0.1:1/0")
    with pytest.raises(StoreAway):
        await store.check()
    await store.close()
