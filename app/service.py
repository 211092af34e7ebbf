"""What can be done to a game: the only road from the web to the engine.

A session is an immutable value. Every accepted change publishes a new one in its place, in one assignment under one
lock, so nobody ever sees half a change, and of two requests with the same ``rev`` one is applied and one is stale.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from app.engine import Card, Change, DealCode, Game, Move, Place, Reason, Refused
from app.engine.deal import DEALS
from app.engine.rules import CLASSIC, Rule

LONGEST_GAP: Final = 300.0
"""Seconds between two changes that count where no page tells how long it was looked at."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a game has been played, in seconds. It only grows."""

    elapsed: float = 0.0
    counted_at: float = 0.0
    """When that was, on the server's monotonic clock."""

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
    """What the move did, or what was undone; None for a restart."""


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


class GameService:
    """Every game in play, held in memory. Safe to call from several threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._seats: dict[str, dict[DealCode, str]] = {}  # player -> deal -> id; the deal played last comes last

    def __len__(self) -> int:
        return len(self._sessions)

    @staticmethod
    def random_code(rule: Rule = CLASSIC) -> DealCode:
        """A deal that nobody can foresee."""
        return DealCode(rule, secrets.randbelow(DEALS))

    @staticmethod
    def new_player() -> str:
        """A player's name: 128 random bits."""
        return secrets.token_urlsafe(16)

    def open(self, code: DealCode) -> Session:
        """Make a game that is known by its id alone."""
        session = Session(secrets.token_urlsafe(16), Game.new(code))
        self._sessions[session.id] = session
        return session

    def get(self, game: str | Seat) -> Session:
        """The game of this id or seat. A seat without a game shows the deal; nothing is stored.

        Raises UnknownGame for an id.
        """
        if isinstance(game, str):
            try:
                return self._sessions[game]
            except KeyError:
                raise UnknownGame from None
        held = self._seats.get(game.player, {}).get(game.code)
        return self._sessions[held] if held else Session("", Game.new(game.code))

    def latest(self, player: str) -> DealCode | None:
        """The deal of the running game that a player touched last."""
        deals = self._seats.get(player, {})
        return next((code for code, held in reversed(deals.items()) if not self._sessions[held].game.is_won), None)

    def elapsed(self, session: Session) -> float:
        """Seconds played until now."""
        clock = session.clock
        return clock.count(self._now(), None).elapsed if session.is_running else clock.elapsed

    def move(self, game: str | Seat, rev: int, card: Card, to: Place | None, visible: float | None = None) -> Accepted:
        """Move a card, with those on it; ``to`` None: to the place that two quick taps choose.

        Raises NotAllowed, Stale and UnknownGame; nothing is changed then, and no game made.
        """

        def play(held: Game) -> tuple[Game, Change]:
            return held.play(Move(card, held.seek(card) if to is None else to))

        return self._change(game, rev, play, visible, card, to)

    def undo(self, game: str | Seat, rev: int, visible: float | None = None) -> Accepted:
        """Take the last step back. Raises as ``move`` does."""
        return self._change(game, rev, Game.undo, visible)

    def redo(self, game: str | Seat, rev: int, visible: float | None = None) -> Accepted:
        """Play an undone step again. Raises as ``move`` does."""
        return self._change(game, rev, Game.redo, visible)

    def restart(self, game: str | Seat, rev: int) -> Accepted:
        """Deal the same cards anew. Raises as ``move`` does, but never NotAllowed."""
        with self._lock:
            held = self._current(game, rev)
            if not held.id:  # nothing was played yet, so there is nothing to deal anew
                return Accepted(held.game, held, None)
            return self._publish(game, held, Session(held.id, held.game.restart()), None)

    def look(self, game: Seat, visible: float) -> None:
        """Count the seconds that a page was in view, without a move."""
        with self._lock:
            held = self.get(game)
            if held.id and held.is_running:
                self._sessions[held.id] = Session(held.id, held.game, held.clock.count(self._now(), visible))

    def _change(
        self,
        game: str | Seat,
        rev: int,
        act: Callable[[Game], tuple[Game, Change]],
        visible: float | None,
        card: Card | None = None,
        to: Place | None = None,
    ) -> Accepted:
        with self._lock:
            held = self._current(game, rev)
            try:
                after, change = act(held.game)
            except Refused as error:
                raise NotAllowed(held, error.reason, card, to) from None
            now = self._now()
            clock = held.clock.count(now, visible) if held.is_running else Clock(0.0, now)
            return self._publish(game, held, Session(held.id or secrets.token_urlsafe(16), after, clock), change)

    def _current(self, game: str | Seat, rev: int) -> Session:
        held = self.get(game)
        if held.game.rev != rev:
            raise Stale(held)
        return held

    def _publish(self, game: str | Seat, held: Session, session: Session, change: Change | None) -> Accepted:
        self._sessions[session.id] = session
        if isinstance(game, Seat):
            deals = self._seats.setdefault(game.player, {})
            deals.pop(game.code, None)
            deals[game.code] = session.id
        return Accepted(held.game, session, change)
