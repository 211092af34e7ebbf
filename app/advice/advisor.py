"""What a player can be told about a game: what to do next, whether it can still be won, and where it was lost."""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from app.advice.process import Search, SolverProcess, Verdict, unknown
from app.engine import Board, DealCode, Game, Move, Rule, deal
from app.engine.hint import hint
from app.service import Accepted, GameService, Seat, Session

WAITING: Final = 64
"""Questions at a time, searched and waiting; whoever asks more is told to come again."""

_WARMING: Final = 1.5  # seconds that a question waits for the solver to be ready
_LOOK: Final = 0.02
_QUEUE: Final = 10.0  # seconds that a question waits for others
_DRAWN: Final = 20  # deals tried before it is given up to find one that can be won
_CERTIFYING: Final = 0.5  # seconds for each of them
_NOT_SEARCHED: Final = frozenset({"off", "busy", "warming", "stopped", "replaced"})
_LINES: Final = 200  # games whose line is remembered


@dataclass(frozen=True, slots=True)
class Hinted:
    """What to do next, by what lies face up."""

    session: Session
    move: Move | None
    """None: nothing good is in sight."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a game can still be won by a player who sees every card."""

    session: Session
    verdict: Verdict

    @property
    def looked_under(self) -> bool:
        """Face-down cards were looked at."""
        return self.verdict.reason not in _NOT_SEARCHED and self.session.game.board.face_down_count > 0


@dataclass(frozen=True, slots=True)
class Traced(Judged):
    """Where a game was lost, within the moves that can be undone."""

    back: int | None
    """How many steps back the last position lies that can be won, as far as is known; 0: this one; None: not one."""
    is_certain: bool
    """It is known of each later position that it is lost; for None, of all that can be gone back to."""


class NoneCertified(Exception):
    """No deal was found in time that can certainly be won."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        """Of the last verdict."""


class _Asking:
    """A question about a game; the next one ends it."""

    def __init__(self) -> None:
        self.ended = ""
        self.search: Search | None = None

    def end(self, reason: str) -> None:
        self.ended = reason
        if self.search is not None:
            self.search.stop(reason)


class Advisor:
    """Advice about the games of a service.

    Whatever it tells of a game marks that game as assisted first, and so raises what ``GameService.assist`` does. A
    question that could not be looked into (see ``Verdict.reason``) leaves no mark.
    """

    def __init__(
        self,
        service: GameService,
        threads: int = 1,
        seconds: float = 2.0,
        memory: int = 256,
        waiting: int = WAITING,
    ) -> None:
        """``threads``: verdicts searched at a time, 0: none ever; ``seconds`` and ``memory`` (megabytes): for each."""
        self.service: Final = service
        self._threads = threads
        self._seconds = seconds
        self._memory = memory
        self._waiting = waiting
        self._solver = SolverProcess(threads)
        self._thinking = ThreadPoolExecutor(1, "hints")
        self._asking: dict[str | Seat, _Asking] = {}
        self._lines: OrderedDict[str, tuple[Board, tuple[Move, ...]]] = OrderedDict()
        self._is_closed = False

    def start(self) -> None:
        """Get ready, in the background. The first question does that, too, but its asker may have to come again."""
        if self._threads:
            self._solver.start()

    def stop(self) -> None:
        """End every search at once; whoever waits for one, or asks from now on, is told that it was stopped."""
        self._is_closed = True
        self._solver.end()

    async def close(self) -> None:
        """``stop``, and let go of everything."""
        self.stop()
        self._thinking.shutdown(wait=False)
        await asyncio.to_thread(self._solver.close)

    async def hint(self, game: str | Seat, rev: int, visible: float | None = None) -> Hinted:
        """What to do next on the board of this ``rev``."""
        session = await self.service.assist(game, rev, visible)
        board, rule = session.game.board, session.game.rule
        thinking = self._thinking.submit(hint, board.visible(), board.foundations, rule)
        return Hinted(session, await asyncio.wrap_future(thinking))

    async def verdict(self, game: str | Seat, rev: int, visible: float | None = None) -> Judged:
        """Whether the board of this ``rev`` can still be won."""
        session = await self.service.at(game, rev)
        with self._question(game) as asking:
            verdict = await self._judge(session.game.board, session.game.rule, asking)
        return Judged(await self._marked(game, session, verdict, visible), verdict)

    async def trace(self, game: str | Seat, rev: int, visible: float | None = None) -> Traced:
        """Where it was lost. Each position came of the one before it, so one that can be won has none before it that
        cannot: the last of them is found by halving.
        """
        session = await self.service.at(game, rev)
        boards = _boards(session.game)
        known: dict[int, Verdict] = {}
        with self._question(game) as asking:

            async def status(back: int) -> str:
                if back not in known:
                    known[back] = await self._judge(boards[back], session.game.rule, asking)
                return known[back].status

            lost, won = -1, len(boards)  # the last one not known to be won before the first that is
            for back in (0, len(boards) - 1):
                if await status(back) == "won":
                    won = back
                    break
                lost = back
                if known[back].reason in _NOT_SEARCHED:
                    break
            while won < len(boards) and won - lost > 1:
                middle = (lost + won) // 2
                if await status(middle) == "won":
                    won = middle
                else:
                    lost = middle
            is_certain = won == 0 or await status(lost) == "lost"
        session = await self._marked(game, session, known[0], visible)
        return Traced(session, known[0], won if won < len(boards) else None, is_certain)

    async def show(self, game: str | Seat, rev: int, visible: float | None = None) -> tuple[Judged, Accepted | None]:
        """Play the next move of a line that wins; None where none is known. Raises what ``GameService.move`` does."""
        session = await self.service.at(game, rev)
        board, moves = self._lines.pop(session.id, (None, ()))
        if board == session.game.board:
            # The line that was begun is played to its end: of two lines each could lead back to the other.
            verdict = Verdict("won", moves=moves)
        else:
            with self._question(game) as asking:
                verdict = await self._judge(session.game.board, session.game.rule, asking)
        session = await self._marked(game, session, verdict, None)
        if not verdict.moves:
            return Judged(session, verdict), None
        card, to = verdict.moves[0]
        accepted = await self.service.move(game, rev, card, to, visible)
        self._lines[session.id] = accepted.session.game.board, verdict.moves[1:]
        while len(self._lines) > _LINES:
            self._lines.popitem(last=False)
        return Judged(accepted.session, verdict), accepted

    async def judge_deal(self, code: DealCode) -> Verdict:
        """Whether a deal can be won."""
        return await self._judge(deal(code), code.rule, _Asking())

    async def winnable(self, rule: Rule) -> DealCode:
        """A random deal that can certainly be won. Raises NoneCertified."""
        verdict = unknown("time")
        for _ in range(_DRAWN):
            code = self.service.random_code(rule)
            verdict = await self._judge(deal(code), rule, _Asking(), min(self._seconds, _CERTIFYING))
            if verdict.status == "won":
                return code
            if verdict.reason in _NOT_SEARCHED:
                break
        raise NoneCertified(verdict.reason)

    async def _marked(self, game: str | Seat, session: Session, verdict: Verdict, visible: float | None) -> Session:
        """The session of a game that has been looked into."""
        if verdict.reason not in _NOT_SEARCHED:
            return await self.service.assist(game, session.game.rev, visible)
        if isinstance(game, Seat) and visible is not None:
            await self.service.look(game, visible)
        return session

    @contextlib.contextmanager
    def _question(self, game: str | Seat) -> Iterator[_Asking]:
        """A question about a game, which ends the one before."""
        if (before := self._asking.get(game)) is not None:
            before.end("replaced")
        asking = self._asking[game] = _Asking()
        try:
            yield asking
        finally:
            if self._asking.get(game) is asking:
                del self._asking[game]

    async def _judge(self, board: Board, rule: Rule, asking: _Asking, seconds: float | None = None) -> Verdict:
        if not self._threads:
            return unknown("off")
        if not await self._is_ready():
            return unknown("stopped" if self._is_closed else "warming")
        if asking.ended:
            return unknown(asking.ended)
        if len(self._solver) >= self._waiting:
            return unknown("busy")
        seconds = self._seconds if seconds is None else seconds
        search = asking.search = self._solver.ask(board, rule, seconds, self._memory)
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(search.verdict)), seconds + _QUEUE)
        except TimeoutError:
            return unknown("busy")
        finally:
            search.stop("stopped")  # nobody waits for it any more

    async def _is_ready(self) -> bool:
        """Whether the solver is, after a while at most."""
        self._solver.start()
        until = time.monotonic() + _WARMING
        while not self._solver.warm.is_set():
            if self._is_closed or time.monotonic() > until:
                return False
            await asyncio.sleep(_LOOK)
        return not self._is_closed


def _boards(game: Game) -> list[Board]:
    """What undo leads back to, this board first."""
    boards = [game.board]
    while game.undo_steps:
        game, _ = game.undo()
        boards.append(game.board)
    return boards
