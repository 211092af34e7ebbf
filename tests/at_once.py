"""A service for tests that call one thing after the other."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from app.engine import CLASSIC, Card, DealCode, Place, Rule
from app.service import Accepted, GameService, Seat, Session
from app.store import GameStore, MemoryStore

T = TypeVar("T")


def finish(call: Coroutine[Any, Any, T]) -> T:
    """What a call gives that never waits."""
    try:
        call.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    raise AssertionError("it waits for something")


class AtOnce:
    """A GameService around a store in memory, which has nothing to wait for."""

    def __init__(self, service: GameService) -> None:
        self._service = service

    @property
    def store(self) -> GameStore:
        return self._service.store

    def __len__(self) -> int:
        """How many games are stored."""
        assert isinstance(self._service.store, MemoryStore)
        return len(self._service.store)

    @property
    def held(self) -> int:
        """How many games are held in memory besides."""
        return len(self._service._held)

    def random_code(self, rule: Rule = CLASSIC) -> DealCode:
        return self._service.random_code(rule)

    def open(self, code: DealCode) -> Session:
        return finish(self._service.open(code))

    def get(self, game: str | Seat) -> Session:
        return finish(self._service.get(game))

    def latest(self, player: str) -> DealCode | None:
        return finish(self._service.latest(player))

    def elapsed(self, session: Session) -> float:
        return self._service.elapsed(session)

    def move(self, game: str | Seat, rev: int, card: Card, to: Place | None, visible: float | None = None) -> Accepted:
        return finish(self._service.move(game, rev, card, to, visible))

    def undo(self, game: str | Seat, rev: int, visible: float | None = None, steps: int = 1) -> Accepted:
        return finish(self._service.undo(game, rev, visible, steps))

    def assist(self, game: str | Seat, rev: int, visible: float | None = None) -> Session:
        return finish(self._service.assist(game, rev, visible))

    def redo(self, game: str | Seat, rev: int, visible: float | None = None) -> Accepted:
        return finish(self._service.redo(game, rev, visible))

    def restart(self, game: str | Seat, rev: int) -> Accepted:
        return finish(self._service.restart(game, rev))

    def look(self, game: Seat, visible: float) -> None:
        finish(self._service.look(game, visible))

    def expire(self, seconds: float) -> int:
        return finish(self._service.expire(seconds))
