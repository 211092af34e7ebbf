"""Questions to the solver: which are answered, which are told to wait, and that all searches end when they should."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

import app.solver
from app.advice import Advisor, Hinted, Judged, NoneCertified, Traced, Verdict
from app.engine import CLASSIC, DealCode, Game, Move
from app.service import GameService, NotAllowed, Seat
from app.settings import DEFAULTS
from app.web import create_app
from tests.example import CODE, LOSING, LOST, MOVES
from tests.store.live import Link, Server, serving

EASY = DealCode.parse(CODE)
HOPELESS = DealCode.parse(LOST)
HARD = [DealCode(CLASSIC, number) for number in (78, 108, 109, 128, 144, 162)]
"""Not decided in seconds."""

T = TypeVar("T")


class Asker:
    """Asks an advisor whose solver is ready."""

    def __init__(self, **limits: Any) -> None:
        self.advisor = Advisor(GameService(), **limits)
        self.advisor.start()
        until = time.monotonic() + 120
        while self.run(self.advisor.judge_deal(EASY)).reason == "warming":
            assert time.monotonic() < until

    def run(self, questions: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(questions)

    def close(self) -> None:
        self.run(self.advisor.close())


@pytest.fixture(scope="module")
def patient() -> Iterator[Asker]:
    """It searches one question at a time, for a minute."""
    asker = Asker(seconds=60.0, waiting=3)
    yield asker
    asker.close()


@pytest.fixture
def other() -> Iterator[Asker]:
    """The same, to be ended."""
    asker = Asker(seconds=60.0)
    yield asker
    asker.close()


async def begun(advisor: Advisor, searches: int) -> None:
    """Wait until so many questions are under way."""
    while len(advisor._solver) < searches:  # noqa: ASYNC110
        await asyncio.sleep(0.005)


# Answers


def test_a_verdict_is_the_one_of_the_solver(patient: Asker) -> None:
    advisor = patient.advisor
    won, lost = (patient.run(advisor.judge_deal(DealCode.parse(code))) for code in (CODE, LOST))
    assert (won.status, won.reason, lost.status) == ("won", "", "lost")
    assert Game.replay(EASY, won.moves).is_won
    assert (won.nodes > 0, won.seconds >= 0) == (True, True)


def test_what_is_asked_about_a_game_marks_it(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> None:
        for number, question in enumerate((advisor.hint, advisor.verdict, advisor.trace, advisor.show)):
            seat = Seat(f"anna{number}", EASY)
            await question(seat, 0)
            assert (await advisor.service.get(seat)).is_assisted

    patient.run(ask())


def test_where_it_was_lost_is_told_to_the_move(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> tuple[Traced, Judged]:
        session = await advisor.service.open(EASY)
        for rev, move in enumerate(LOSING):
            await advisor.service.move(session.id, rev, *Move.parse(move))
        traced = await advisor.trace(session.id, len(LOSING))
        assert traced.back is not None
        undone = await advisor.service.undo(session.id, len(LOSING), steps=traced.back)
        return traced, await advisor.verdict(session.id, undone.session.game.rev)

    traced, before = patient.run(ask())
    assert (traced.back, traced.is_certain, traced.verdict.status) == (1, True, "lost")
    assert before.verdict.status == "won"


def test_a_line_that_is_shown_is_played_to_its_end(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> int:
        session = await advisor.service.open(EASY)
        judged, accepted = await advisor.show(session.id, 0)
        moves = 1
        while accepted is not None and not accepted.session.game.is_won:
            expected = judged.verdict.moves[1:]
            judged, accepted = await advisor.show(session.id, moves)
            assert judged.verdict.moves == expected
            moves += 1
        with pytest.raises(NotAllowed, match="game_over"):
            await advisor.show(session.id, moves)
        return moves

    assert patient.run(ask()) >= 52


def test_where_the_player_goes_another_way_another_line_is_shown(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> None:
        session = await advisor.service.open(EASY)
        await advisor.show(session.id, 0)
        undone = await advisor.service.undo(session.id, 1)
        played = await advisor.service.move(session.id, undone.session.game.rev, *Move.parse(MOVES[0]))
        judged, accepted = await advisor.show(session.id, played.session.game.rev)
        assert judged.verdict.status == "won"
        assert accepted is not None

    patient.run(ask())


# Too many questions


def test_more_than_can_wait_are_told_to_come_again(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> Verdict:
        waiting = [asyncio.create_task(advisor.judge_deal(code)) for code in HARD[:3]]
        await begun(advisor, 3)
        refused = await advisor.judge_deal(EASY)
        with pytest.raises(NoneCertified, match="busy"):
            await advisor.winnable(CLASSIC)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        return refused

    assert (patient.run(ask()).status, patient.run(patient.advisor.judge_deal(EASY)).status) == ("unknown", "won")


def test_a_later_question_about_a_game_ends_the_one_before(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> tuple[Judged, Traced, Judged]:
        session = await advisor.service.open(HARD[0])
        first = asyncio.create_task(advisor.verdict(session.id, 0))
        await begun(advisor, 1)
        second = asyncio.create_task(advisor.trace(session.id, 0))
        found = await first
        await begun(advisor, 1)
        third = asyncio.create_task(advisor.verdict(session.id, 0))
        traced = await second
        await begun(advisor, 1)
        elsewhere = await advisor.service.open(HOPELESS)
        free = asyncio.create_task(advisor.verdict(elsewhere.id, 0))
        third.cancel()
        return found, traced, await free

    found, traced, free = patient.run(ask())
    assert (found.verdict.status, found.verdict.reason) == ("unknown", "replaced")
    assert (traced.verdict.reason, traced.back, traced.is_certain) == ("replaced", None, False)
    assert free.verdict.status == "lost", "no other game is disturbed, and the thread is free again"


def test_a_question_that_is_over_before_the_one_it_ended_harms_nothing(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> Judged:
        session = await advisor.service.open(HARD[0])
        first = asyncio.create_task(advisor.verdict(session.id, 0))
        await begun(advisor, 1)
        with advisor._question(session.id):
            pass
        return await first

    assert patient.run(ask()).verdict.reason == "replaced"


def test_a_question_nobody_waits_for_is_searched_no_longer(patient: Asker) -> None:
    advisor = patient.advisor

    async def ask() -> Verdict:
        given_up = asyncio.create_task(advisor.judge_deal(HARD[1]))
        await begun(advisor, 1)
        given_up.cancel()
        await asyncio.wait([given_up])
        assert len(advisor._solver) == 0
        return await advisor.judge_deal(HOPELESS)  # one at a time: this waits for the end of the other

    began = time.monotonic()
    assert patient.run(ask()).status == "lost"
    assert time.monotonic() - began < 30


def test_twenty_hard_questions_hold_up_no_move() -> None:
    settings = DEFAULTS.model_copy(update={"solver_seconds": 60.0, "limit_verdicts": ""})
    application = create_app(settings=settings)

    async def play() -> None:
        transport = httpx.ASGITransport(application)
        async with (
            application.router.lifespan_context(application),
            httpx.AsyncClient(transport=transport, base_url="http://yukon.test") as client,
        ):
            until = time.monotonic() + 120
            while (await client.get(f"/api/v1/deals/{CODE}/verdict")).json()["reason"] == "warming":
                assert time.monotonic() < until
            games = [
                (await client.post("/api/v1/games", json={"code": str(HARD[n % len(HARD)])})).json()["id"]
                for n in range(20)
            ]
            asked = [
                asyncio.create_task(client.post(f"/api/v1/games/{id_}/verdict", json={"rev": 0}, timeout=120))
                for id_ in games
            ]
            await asyncio.sleep(0.2)
            game = (await client.post("/api/v1/games", json={"code": CODE})).json()
            for rev, move in enumerate(MOVES):
                card, to = move.split(">")
                body = {"rev": rev, "card": card, "to": to}
                game = (await client.post(f"/api/v1/games/{game['id']}/moves", json=body)).json()
            assert (game["won"], [task.done() for task in asked]) == (True, [False] * 20)
            for task in asked:
                task.cancel()
            await asyncio.wait(asked)

    asyncio.run(play())


# Beginning and end


def test_until_all_is_compiled_the_answer_is_to_come_again() -> None:
    """Another process compiles, as far as this one can see."""
    fcntl = pytest.importorskip("fcntl")
    place = os.open(Path(app.solver.__file__).parent, os.O_RDONLY)
    fcntl.flock(place, fcntl.LOCK_EX)
    advisor = Advisor(GameService())

    async def ask() -> None:
        session = await advisor.service.open(EASY)
        early = (await advisor.verdict(session.id, 0)).verdict
        assert (early.status, early.reason) == ("unknown", "warming")
        assert not (await advisor.service.get(session.id)).is_assisted, "nothing was told"
        assert isinstance(await advisor.hint(session.id, 0), Hinted), "hints need no solver"
        with pytest.raises(NoneCertified, match="warming"):
            await advisor.winnable(CLASSIC)
        os.close(place)
        until = time.monotonic() + 120
        while (found := (await advisor.verdict(session.id, 0)).verdict).reason == "warming":
            assert time.monotonic() < until
        assert found.status == "won"
        await advisor.close()

    asyncio.run(ask())


def test_closing_ends_every_search_at_once(other: Asker) -> None:
    advisor = other.advisor
    process = advisor._solver._process
    assert process is not None

    async def ask() -> list[Verdict]:
        session = await advisor.service.open(HARD[0])
        asked = [asyncio.create_task(advisor.judge_deal(code)) for code in HARD[:3]]
        await begun(advisor, 3)
        began = time.monotonic()
        await advisor.close()
        found = await asyncio.gather(*asked)
        assert time.monotonic() - began < 3
        found.append((await advisor.verdict(session.id, 0)).verdict)
        with pytest.raises(NoneCertified, match="stopped"):
            await advisor.winnable(CLASSIC)
        return found

    assert {(one.status, one.reason) for one in other.run(ask())} == {("unknown", "stopped")}
    assert process.returncode is not None


def answers_again(asker: Asker) -> bool:
    """Whether it does, before a minute has passed."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found = asker.run(asker.advisor.judge_deal(EASY))
        if found.reason not in ("warming", "stopped"):
            return found.status == "won"
    return False


def test_a_solver_that_is_killed_is_told_of_and_another_takes_its_place(
    other: Asker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    advisor = other.advisor
    monkeypatch.setattr("app.advice.process._AGAIN", 0.0)
    process = advisor._solver._process
    assert process is not None

    async def ask() -> Verdict:
        asked = asyncio.create_task(advisor.judge_deal(HARD[0]))
        await begun(advisor, 1)
        process.kill()
        return await asked

    with caplog.at_level(logging.ERROR):
        assert other.run(ask()).reason == "stopped"
        process.wait(10)
    assert answers_again(other)
    assert "the solver ended" in caplog.text


def test_a_solver_that_hangs_holds_nobody_up_and_another_takes_its_place(
    other: Asker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    advisor = other.advisor
    monkeypatch.setattr("app.advice.process._AGAIN", 0.0)
    process = advisor._solver._process
    assert process is not None
    process.send_signal(signal.SIGSTOP)

    async def ask() -> None:
        for number in range(2000):  # more than what a pipe holds
            asked = asyncio.create_task(advisor.judge_deal(DealCode(CLASSIC, number)))
            await asyncio.sleep(0)
            asked.cancel()
            if process.poll() is not None:
                return
        await asyncio.sleep(0)

    with caplog.at_level(logging.ERROR):
        other.run(ask())
        process.wait(10)
    assert answers_again(other)
    assert "the solver ended" in caplog.text


_ORPHAN = """
import time
from app.advice.process import SolverProcess
solver = SolverProcess(1)
solver.start()
print(solver._process.pid, flush=True)
time.sleep(60)
"""


def test_the_solver_ends_with_the_process_that_asks_it() -> None:
    with subprocess.Popen([sys.executable, "-c", _ORPHAN], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + 30
    while is_running(pid):
        assert time.monotonic() < until
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


async def ready(link: Link) -> None:
    """Wait until a server's solver has compiled."""
    until = time.monotonic() + 120
    while (await link.ask("GET", f"/api/v1/deals/{CODE}/verdict"))[1]["reason"] == "warming":
        assert time.monotonic() < until


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_stops_searching_and_answers(number: signal.Signals) -> None:
    async def play(server: Server) -> None:
        links = [Link(server.port) for _ in range(3)]
        await ready(links[0])
        asked = [
            asyncio.create_task(link.ask("GET", f"/api/v1/deals/{code}/verdict"))
            for link, code in zip(links, HARD, strict=False)
        ]
        await asyncio.sleep(0.5)
        began = time.monotonic()
        process, server.process = server.process, None
        assert process is not None
        process.send_signal(number)
        for status, body in await asyncio.gather(*asked):
            assert (status, body["status"], body["reason"]) == (200, "unknown", "stopped")
        await asyncio.to_thread(process.wait, 15)
        assert time.monotonic() - began < 4, "it waits for no search"
        for link in links:
            await link.close()

    server = Server("memory:", solver_threads="1", solver_seconds="60")
    with serving(server):
        asyncio.run(play(server))


def test_a_client_that_goes_away_takes_its_question_along() -> None:
    async def ask(port: int) -> None:
        link, other = Link(port), Link(port)
        await ready(link)
        _, game = await link.ask("POST", "/api/v1/games", {"code": str(HARD[0])})
        for method, path, body in (
            ("POST", f"/api/v1/games/{game['id']}/verdict", {"rev": 0}),
            ("GET", f"/api/v1/deals/{HARD[1]}/verdict", None),
        ):
            asking = asyncio.create_task(other.ask(method, path, body))
            await asyncio.sleep(0.5)
            assert not asking.done()
            asking.cancel()
            await asyncio.wait([asking])
            await other.close()
        began = time.monotonic()
        _, verdict = await link.ask("GET", f"/api/v1/deals/{HOPELESS}/verdict")
        assert (verdict["status"], time.monotonic() - began < 30) == ("lost", True)
        await link.close()

    server = Server("memory:", solver_threads="1", solver_seconds="60")
    with serving(server):
        asyncio.run(ask(server.port))


def test_no_command_and_no_server_loads_the_solver_unless_it_searches() -> None:
    program = (
        "import sys; from app.cli import main; from app.web import create_app; create_app(); "
        f"main(['deal', '{CODE}'], standalone_mode=False); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0
