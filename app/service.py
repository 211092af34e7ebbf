"""What can be done to a game: the only road from the web to the engine and the store.

A session is an immutable value, and the store judges who was first: it takes a change only from one who has seen the
game as it is. So no lock is needed, neither between the requests of a process nor between processes. Only what the
store has taken is shown to anybody. The games played last are held in memory as well; a copy there that another process
has overtaken is noticed, since the store refuses its change, and read anew.
"""

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from app.engine import Card, Change, DealCode, Deed, Game, Move, Place, Reason, Refused, entry
from app.engine.deal import DEALS
from app.engine.rules import CLASSIC, Rule
from app.store import Addition, Conflict, GameStore, Head, MemoryStore, Record, StoreBusy
from app.store.events import FORMAT, game_of, pack, renewed

LONGEST_GAP: Final = 300.0
"""Seconds between two changes that count where no page tells how long it was looked at."""

HELD: Final = 20_000
"""How many games are held in memory, unless told otherwise."""

_TRIES: Final = 20  # each but the last was overtaken by another request of the same player
_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a game has been played, in seconds. It only grows."""

    elapsed: float = 0.0
    counted_at: float = 0.0
    """When that was, in seconds since 1970: the one clock that restarts and other machines share."""

    def count(self, now: float, visible: float | None) -> "Clock":
        """The clock after the time since it was last counted.

        ``visible``: the seconds for which the page says it was in view; never more than have passed count.
        """
        passed = max(0.0, now - self.counted_at)
        return Clock(self.elapsed + min(passed, LONGEST_GAP if visible is None else max(0.0, visible)), now)


@dataclass(frozen=True, slots=True)
class Session:
    """A game as it is held: with its name and its clock."""

    id: str
    """128 random bits: who knows it can play the game."""
    game: Game
    clock: Clock = field(default_factory=Clock)
    seat: "Seat | None" = None
    """Whose game it is; None: it is known by its id alone."""
    is_assisted: bool = False
    """The player has asked what to do, or how it stands. Neither undo nor a restart takes that back."""

    @property
    def head(self) -> Head:
        """As the store compares it."""
        return Head(self.game.rev, self.clock.elapsed, self.clock.counted_at, self.is_assisted)

    def at(self, head: Head) -> "Session":
        """The same game with what the store says of its clock and of help."""
        return replace(self, clock=Clock(head.elapsed, head.counted_at), is_assisted=head.is_assisted)

    @property
    def is_running(self) -> bool:
        """The clock runs: from the first accepted move to the win."""
        return self.game.moves > 0 and not self.game.is_won


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's own game of a deal, which the first move makes."""

    player: str
    code: DealCode


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted change."""

    before: Game
    session: Session
    change: Change | None
    """What the move did, or what was undone, the last step of several; None for a restart."""
    steps: int = 1
    """How many were undone at once."""


class UnknownGame(Exception):
    """There is no game of this id."""


class Denied(Exception):
    """Nothing was changed, for a reason. Carries the session as it is."""

    def __init__(self, session: Session, reason: Reason, card: Card | None = None, to: Place | None = None) -> None:
        super().__init__(reason.value)
        self.session = session
        self.reason = reason
        self.card = card
        """The card that should have moved, and ``to`` where; None where that was not said."""
        self.to = to


class Stale(Denied):
    """The board has changed since the caller saw it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, Reason.STALE)


class NotAllowed(Denied):
    """The rules don't allow it."""


class TooMuch(Exception):
    """That would be more than is kept. Nothing was changed."""

    def __init__(self, what: Literal["game_too_long", "too_many_games"]) -> None:
        super().__init__(what)
        self.what: Final = what


class GameService:
    """Every game there is. For one event loop."""

    def __init__(
        self,
        store: GameStore | None = None,
        now: Callable[[], float] = time.time,
        held: int = HELD,
        most_events: int = 20_000,
        most_games: int = 10_000,
    ) -> None:
        """``store``: one in memory unless given; ``held``: how many games are held in memory, too; ``most_events``: how
        many accepted changes a game may have; ``most_games``: how many games a player may have.
        """
        self.store: Final = MemoryStore() if store is None else store
        self._now = now
        self._most = held
        self._most_events = most_events
        self._most_games = most_games
        self._held: OrderedDict[str, Session] = OrderedDict()  # the one touched last comes last
        self._seats: dict[Seat, str] = {}  # of the games held
        self._played = 0

    @property
    def held(self) -> int:
        """How many games are held in memory."""
        return len(self._held)

    @staticmethod
    def random_code(rule: Rule = CLASSIC) -> DealCode:
        """A deal that nobody can foresee."""
        return DealCode(rule, secrets.randbelow(DEALS))

    @staticmethod
    def new_player() -> str:
        """A player's name: 128 random bits."""
        return secrets.token_urlsafe(16)

    async def open(self, code: DealCode) -> Session:
        """Make a game that is known by its id alone."""
        session = Session(secrets.token_urlsafe(16), Game.new(code))
        await self.store.create(self._record(session, b""))
        self._hold(session)
        return session

    async def get(self, game: str | Seat) -> Session:
        """The game of this id or seat, as it is now. A seat without a game shows the deal; nothing is stored.

        Raises UnknownGame for an id.
        """
        held = self._find_held(game)
        return await (self._load(game) if held is None else self._refresh(game, held))

    async def is_new(self, seat: Seat) -> bool:
        """Whether the first accepted change at this seat will make a game."""
        return self._find_held(seat) is None and not (await self._load(seat)).id

    async def latest(self, player: str) -> DealCode | None:
        """The deal of the running game that a player touched last."""
        code = await self.store.latest(player)
        return None if code is None else DealCode.parse(code)

    def elapsed(self, session: Session) -> float:
        """Seconds played until now."""
        clock = session.clock
        return clock.count(self._now(), None).elapsed if session.is_running else clock.elapsed

    async def move(
        self, game: str | Seat, rev: int, card: Card, to: Place | None, visible: float | None = None
    ) -> Accepted:
        """Move a card, with those on it; ``to`` None: to the place that two quick taps choose.

        Raises NotAllowed, Stale, TooMuch and UnknownGame; nothing is changed then, and no game made. Where the store
        fails it raises StoreError; then, too, nothing is changed, unless it was only the store's answer that got lost.
        """

        def play(held: Game) -> tuple[Game, Change]:
            return held.play(Move(card, held.seek(card) if to is None else to))

        return await self._change(game, rev, Deed.MOVE, play, visible, card, to)

    async def undo(self, game: str | Seat, rev: int, visible: float | None = None, steps: int = 1) -> Accepted:
        """Take the last steps back: all of so many, or none. Raises as ``move`` does."""

        def back(held: Game) -> tuple[Game, Change]:
            after, change = held.undo()
            for _ in range(steps - 1):
                after, change = after.undo()
            return after, change

        return await self._change(game, rev, Deed.UNDO, back, visible, steps=steps)

    async def redo(self, game: str | Seat, rev: int, visible: float | None = None) -> Accepted:
        """Play an undone step again. Raises as ``move`` does."""
        return await self._change(game, rev, Deed.REDO, Game.redo, visible)

    async def restart(self, game: str | Seat, rev: int) -> Accepted:
        """Deal the same cards anew. Raises as ``move`` does, but never NotAllowed."""
        return await self._change(game, rev, Deed.RESTART, lambda held: (held.restart(), None), None)

    async def at(self, game: str | Seat, rev: int) -> Session:
        """The game that is played on the board of this ``rev``.

        Raises Stale for another board, NotAllowed for a won game, UnknownGame and StoreError.
        """
        held = await self.get(game)
        if held.game.rev != rev:
            raise Stale(held)
        if held.game.is_won:
            raise NotAllowed(held, Reason.GAME_OVER)
        return held

    async def assist(self, game: str | Seat, rev: int, visible: float | None = None) -> Session:
        """Note for good that a player is helped with the board of this ``rev``; a seat without a game gets one.

        ``visible``: seconds that the page was in view, to be counted; None: it doesn't say. A change that goes on at
        the same time is not disturbed. Raises Stale, NotAllowed for a won game, TooMuch, UnknownGame and StoreError.
        """
        for _ in range(_TRIES):
            held = await self.at(game, rev)
            clock = held.clock
            if visible is not None and held.is_running:
                clock = clock.count(self._now(), visible)
            after = replace(held, id=held.id or secrets.token_urlsafe(16), clock=clock, is_assisted=True)
            if after == held:
                return held
            try:
                if held.id:
                    await self.store.count(held.id, held.head, after.head)
                else:
                    await self._create(after, b"")
            except Conflict:
                continue
            self._hold(after)
            return after
        raise StoreBusy("a game changes faster than it can be read")

    async def look(self, game: Seat, visible: float) -> None:
        """Count the seconds that a page was in view, without a move."""
        for _ in range(_TRIES):
            held = await self.get(game)
            if not held.id or not held.is_running:
                return
            after = replace(held, clock=held.clock.count(self._now(), visible))
            try:
                await self.store.count(held.id, held.head, after.head)
            except Conflict:
                continue
            self._hold(after)
            return

    async def expire(self, seconds: float) -> int:
        """Forget the games that nobody has played for so long and that are not won; how many."""
        return await self.store.expire(int((self._now() - seconds) * 1e6))

    async def _change(
        self,
        game: str | Seat,
        rev: int,
        deed: Deed,
        act: Callable[[Game], tuple[Game, Change | None]],
        visible: float | None,
        card: Card | None = None,
        to: Place | None = None,
        steps: int = 1,
    ) -> Accepted:
        held = self._find_held(game)
        is_fresh = held is None
        if held is None:
            held = await self._load(game)
        for _ in range(_TRIES):
            try:
                if held.game.rev != rev:
                    raise Stale(held)
                if deed is Deed.RESTART and not held.id:  # nothing was played yet, so there is nothing to deal anew
                    return Accepted(held.game, held, None)
                if held.game.rev + steps > self._most_events:
                    raise TooMuch("game_too_long")
                try:
                    after, change = act(held.game)
                except Refused as error:
                    raise NotAllowed(held, error.reason, card, to) from None
                session = self._next(held, after, deed, visible)
                await self._store(held, session, deed)
            except (Denied, Conflict) as error:
                # What was held may be of yesterday: nobody is told of a game that is not the one in the store.
                if isinstance(error, Denied) and is_fresh:
                    raise
                held, is_fresh = await self._refresh(game, held), True
            else:
                self._hold(session)
                return Accepted(held.game, session, change, steps)
        raise StoreBusy("a game changes faster than it can be read")

    def _next(self, held: Session, after: Game, deed: Deed, visible: float | None) -> Session:
        """The session after a change."""
        now = self._now()
        if deed is Deed.RESTART:
            clock = Clock()
        else:
            clock = held.clock.count(now, visible) if held.is_running else Clock(0.0, now)
        return replace(held, id=held.id or secrets.token_urlsafe(16), game=after, clock=clock)

    async def _store(self, held: Session, session: Session, deed: Deed) -> None:
        """Raises Conflict."""
        seconds = session.clock.elapsed - held.clock.elapsed
        event = pack(entry(deed, session.game), seconds)
        event += pack(entry(deed, session.game), 0.0) * (session.game.rev - held.game.rev - 1)
        if not held.id:
            await self._create(session, event)
            return
        addition = Addition(event, session.head, session.game.is_won, self._next_played())
        await self.store.append(held.id, held.head, addition)

    async def _create(self, session: Session, events: bytes) -> None:
        """Raises Conflict and TooMuch."""
        if session.seat is not None and await self.store.owned(session.seat.player) >= self._most_games:
            raise TooMuch("too_many_games")
        await self.store.create(self._record(session, events))

    def _record(self, session: Session, events: bytes) -> Record:
        player = None if session.seat is None else session.seat.player
        code, played = str(session.game.code), self._next_played()
        return Record(session.id, code, player, session.head, events, FORMAT, session.game.is_won, played)

    def _next_played(self) -> int:
        """Now, in microseconds; later than any before, for the order of a player's games depends on it."""
        self._played = max(self._played + 1, int(self._now() * 1e6))
        return self._played

    def _find_held(self, game: str | Seat) -> Session | None:
        """The copy in memory."""
        known = game if isinstance(game, str) else self._seats.get(game, "")
        held = self._held.get(known)
        if held is not None:
            self._held.move_to_end(known)
        return held

    async def _refresh(self, game: str | Seat, held: Session) -> Session:
        """The session as it is in the store, read only where what is held is another. Raises UnknownGame."""
        head = await self.store.head(held.id) if held.id else None
        if head is not None and head == held.head:
            return held
        if head is not None and head.rev == held.game.rev:
            counted = held.at(head)
            self._hold(counted)
            return counted
        return await self._load(game)

    async def _load(self, game: str | Seat) -> Session:
        """The session in the store; for a seat without a game the deal. Raises UnknownGame."""
        known = game if isinstance(game, str) else await self.store.find(game.player, str(game.code))
        record = await self.store.load(known) if known is not None and _ID.fullmatch(known) else None
        if record is None:
            self._forget(game)
            if isinstance(game, str):
                raise UnknownGame
            return Session("", Game.new(game.code), seat=game)
        if record.format < FORMAT:
            try:
                await self.store.renew(record.id, record.head, renewed(record), FORMAT)
            except Conflict:  # another process was faster
                return await self._load(game)
        found = game_of(record)
        seat = None if record.player is None else Seat(record.player, found.code)
        session = Session(record.id, found, seat=seat).at(record.head)
        self._hold(session)
        return session

    def _hold(self, session: Session) -> None:
        """Hold a session in memory, in the place of the one that was touched least recently."""
        self._held[session.id] = session
        self._held.move_to_end(session.id)
        if session.seat is not None:
            self._seats[session.seat] = session.id
        while len(self._held) > self._most:
            _, oldest = self._held.popitem(last=False)
            if oldest.seat is not None:
                self._seats.pop(oldest.seat, None)

    def _forget(self, game: str | Seat) -> None:
        held = self._held.pop(game if isinstance(game, str) else self._seats.get(game, ""), None)
        if held is not None and held.seat is not None:
            self._seats.pop(held.seat, None)
