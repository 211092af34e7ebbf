"""A store for many machines: Redis, or what speaks its language. Wants the extra ``redis``.

A game is a hash ``yukon:game:ID`` and a string ``yukon:events:ID`` that only grows. A player has a hash
``yukon:seats:PLAYER`` (deal code -> id) and a sorted set ``yukon:running:PLAYER`` (running deals by when they were
played last). Whatever compares and changes is one script on the server, so that nothing comes in between. The keys of a
game and of its player lie anywhere, so this is for one Redis with its replicas, not for Redis Cluster.
"""

from collections.abc import Awaitable
from typing import Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ConnectionError,  # noqa: A004 - it is Redis's own
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,  # noqa: A004
)

from app.store.base import (
    Addition,
    Conflict,
    Head,
    Record,
    StoreAway,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnusable,
)
from app.store.events import FORMAT

_PATIENCE: Final = 3.0  # seconds to wait for an answer
_MOST_CONNECTIONS: Final = 64  # for each process; who finds none free waits
_WHERE: Final = {"host": "localhost", "port": 6379}

# ARGV: prefix, seconds until an untouched game is forgotten (0: never), and what each script says.
# A won game is kept for good, and so is its place in the player's list, which the field "!" marks.
_COMMON: Final = """
local prefix, seconds = ARGV[1], tonumber(ARGV[2])
-- The head of a game, in ARGV from there on; a game that an older version made doesn't say whether it is assisted.
local function same(at)
  local is = redis.call('HMGET', KEYS[1], 'rev', 'elapsed', 'counted_at', 'assisted')
  return is[1] == ARGV[at] and is[2] == ARGV[at + 1] and is[3] == ARGV[at + 2] and (is[4] or '0') == ARGV[at + 3]
end
local function keep(player, code, is_won, played)
  if is_won then
    redis.call('PERSIST', KEYS[1])
    redis.call('PERSIST', KEYS[2])
  elseif seconds > 0 then
    redis.call('EXPIRE', KEYS[1], seconds)
    redis.call('EXPIRE', KEYS[2], seconds)
  end
  if player == '' then return end
  local seats, running = prefix .. 'seats:' .. player, prefix .. 'running:' .. player
  if is_won then
    redis.call('ZREM', running, code)
    redis.call('HSET', seats, '!', '1')
    redis.call('PERSIST', seats)
  else
    redis.call('ZADD', running, played, code)
    if seconds > 0 then
      redis.call('EXPIRE', running, seconds)
      if redis.call('HEXISTS', seats, '!') == 0 then redis.call('EXPIRE', seats, seconds) end
    end
  end
end
"""

_CREATE: Final = (
    _COMMON
    + """
local id, code, player, rev, elapsed, counted_at, assisted = unpack(ARGV, 3, 9)
local events, form, won, played = unpack(ARGV, 10, 13)
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if player ~= '' then
  local seats = prefix .. 'seats:' .. player
  local held = redis.call('HGET', seats, code)
  if held and redis.call('EXISTS', prefix .. 'game:' .. held) == 1 then return 0 end
  redis.call('HSET', seats, code, id)
end
redis.call('HSET', KEYS[1], 'code', code, 'player', player, 'rev', rev, 'elapsed', elapsed,
  'counted_at', counted_at, 'assisted', assisted, 'format', form, 'won', won, 'played', played)
redis.call('SET', KEYS[2], events)
keep(player, code, won == '1', played)
return 1
"""
)

_APPEND: Final = (
    _COMMON
    + """
if not same(3) then return 0 end
local rev, elapsed, counted_at, assisted, event, won, played, form = unpack(ARGV, 7, 14)
local is = redis.call('HMGET', KEYS[1], 'code', 'player', 'format')
if is[3] ~= form then return 0 end
redis.call('APPEND', KEYS[2], event)
redis.call('HSET', KEYS[1], 'rev', rev, 'elapsed', elapsed, 'counted_at', counted_at, 'assisted', assisted,
  'won', won, 'played', played)
keep(is[2], is[1], won == '1', played)
return 1
"""
)

_COUNT: Final = (
    _COMMON
    + """
if not same(3) then return 0 end
redis.call('HSET', KEYS[1], 'elapsed', ARGV[7], 'counted_at', ARGV[8], 'assisted', ARGV[9])
return 1
"""
)

_RENEW: Final = (
    _COMMON
    + """
if not same(3) then return 0 end
redis.call('SET', KEYS[2], ARGV[7], 'KEEPTTL')
redis.call('HSET', KEYS[1], 'format', ARGV[8])
return 1
"""
)

_FIND: Final = """
local held = redis.call('HGET', KEYS[1], ARGV[2])
if held and redis.call('EXISTS', ARGV[1] .. 'game:' .. held) == 1 then return held end
return false
"""


def _said(head: Head) -> tuple[str, str, str, str]:
    """As it is stored; ``repr`` of a float is exact."""
    return str(head.rev), repr(float(head.elapsed)), repr(float(head.counted_at)), "01"[head.is_assisted]


def _head(rev: str | bytes, elapsed: str | bytes, counted_at: str | bytes, assisted: str | bytes | None) -> Head:
    return Head(int(rev), float(elapsed), float(counted_at), assisted in ("1", b"1"))


class RedisStore:
    """A GameStore in Redis. It has no memory of its own: a Redis that comes back is used again with the next call."""

    is_shared = True

    def __init__(self, url: str, expire: float | None = None, prefix: str = "yukon:") -> None:
        """``expire``: after how many seconds a game that isn't won is forgotten; None: never. Raises ValueError."""
        pool = BlockingConnectionPool.from_url(
            url,
            # Sent twice, a change that was stored the first time would be refused the second.
            retry=Retry(NoBackoff(), 0),
            timeout=_PATIENCE,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            max_connections=_MOST_CONNECTIONS,
        )
        self._redis = Redis(connection_pool=pool)
        where = pool.connection_kwargs
        self.name = f"Redis at {where.get('path') or '{host}:{port}'.format(**{**_WHERE, **where})}"
        self._always = prefix, 0 if expire is None else max(1, int(expire))
        self._prefix = prefix
        scripts = map(self._redis.register_script, (_CREATE, _APPEND, _COUNT, _RENEW, _FIND))
        self._create, self._append, self._count, self._renew, self._find = scripts

    async def open(self) -> None:
        """See GameStore."""
        await self.check()

    async def close(self) -> None:
        """See GameStore."""
        await self._redis.aclose(close_connection_pool=True)

    async def check(self) -> None:
        """See GameStore. A write, for a Redis without room or disk still reads."""
        await self._ask(self._redis.set(f"{self._prefix}check", "1", ex=60))

    def _keys(self, record: str) -> list[str]:
        return [f"{self._prefix}game:{record}", f"{self._prefix}events:{record}"]

    async def create(self, record: Record) -> None:
        """See GameStore."""
        said = (record.id, record.code, record.player or "", *_said(record.head), record.events, record.format)
        await self._change(self._create, record.id, *said, int(record.is_won), record.played)

    async def append(self, record: str, before: Head, addition: Addition) -> None:
        """See GameStore."""
        said = (*_said(before), *_said(addition.head), addition.event, int(addition.is_won), addition.played, FORMAT)
        await self._change(self._append, record, *said)

    async def count(self, record: str, before: Head, after: Head) -> None:
        """See GameStore."""
        await self._change(self._count, record, *_said(before), *_said(after)[1:])

    async def renew(self, record: str, before: Head, events: bytes, form: int) -> None:
        """See GameStore."""
        await self._change(self._renew, record, *_said(before), events, form)

    async def head(self, record: str) -> Head | None:
        """See GameStore."""
        fields = "rev", "elapsed", "counted_at", "assisted"
        rev, *rest = await self._ask(self._redis.hmget(f"{self._prefix}game:{record}", *fields))
        return None if rev is None else _head(rev, *rest)

    async def load(self, record: str) -> Record | None:
        """See GameStore."""
        game, log = self._keys(record)
        async with self._redis.pipeline(transaction=True) as both:  # no change may come between
            both.hgetall(game)
            both.get(log)
            fields, events = await self._ask(both.execute())
        if not fields:
            return None
        of = {name.decode(): value.decode() for name, value in fields.items()}
        head = _head(of["rev"], of["elapsed"], of["counted_at"], of.get("assisted"))
        player, form, is_won = of["player"] or None, int(of["format"]), of["won"] == "1"
        return Record(record, of["code"], player, head, events or b"", form, is_won, int(of["played"]))

    async def find(self, player: str, code: str) -> str | None:
        """See GameStore."""
        found = await self._ask(self._find([f"{self._prefix}seats:{player}"], [self._prefix, code]))
        return None if found is None else found.decode()

    async def owned(self, player: str) -> int:
        """See GameStore."""
        count: int = await self._ask(self._redis.hlen(f"{self._prefix}seats:{player}"))
        return count

    async def latest(self, player: str) -> str | None:
        """See GameStore."""
        running = f"{self._prefix}running:{player}"
        while found := await self._ask(self._redis.zrange(running, 0, 0, desc=True)):
            code: str = found[0].decode()
            if await self.find(player, code) is not None:
                return code
            await self._ask(self._redis.zrem(running, code))  # the game is forgotten
        return None

    async def expire(self, before: int) -> int:  # noqa: ARG002
        """Redis forgets by itself."""
        return 0

    async def _change(self, script: AsyncScript, record: str, *said: str | bytes | int) -> None:
        if not await self._ask(script(self._keys(record), [*self._always, *said])):
            raise Conflict

    async def _ask(self, command: Any) -> Any:  # noqa: ANN401 - redis-py says no more of its answers
        try:
            return await cast("Awaitable[Any]", command)
        except (RedisError, OSError) as error:
            raise self._told(error) from error

    def _told(self, error: Exception) -> StoreError:
        """An error of Redis as one of ours."""
        words = " ".join(str(error).split())
        match error:
            case AuthenticationError() | AuthorizationError() | NoPermissionError():
                return StoreUnusable(f"{self.name} doesn't let us in ({words})")
            case BusyLoadingError() | ConnectionError() | TimeoutError() | OSError():
                return StoreAway(f"{self.name} can't be reached ({words})")
            case ReadOnlyError():
                return StoreReadOnly(f"{self.name} can't be written ({words})")
            case OutOfMemoryError():
                return StoreFull(f"{self.name} is full ({words})")
            case ResponseError() if words.startswith("MISCONF"):
                return StoreFull(f"{self.name} can't keep what it takes ({words})")
            case _:
                return StoreUnusable(f"{self.name} can't be used ({words})")
