"""Budgets, stopping, memory, threads, the cache, and what is refused."""

import threading
import time

import pytest

from app.engine import CLASSIC, TRADITIONAL, BadBoard, Board, DealCode, apply, deal
from app.solver import Budget, Status, Stop, solve
from app.solver.cache import Cache
from app.solver.plan import STAGES, room_for
from app.solver.verdict import Verdict
from tests.solver.common import KPAT, kpat_deals

BOARDS = {number: board for number, _, board in kpat_deals()}
HARD = BOARDS[26]  # a minute's search
CODE = DealCode.parse("YU1-C-ABFHTIL")


def test_a_stop_ends_a_search_within_10_milliseconds() -> None:
    delays = []
    for _ in range(5):
        stop = Stop()
        ended: list[tuple[float, Verdict]] = []
        budget = Budget(seconds=60, memory=512, stop=stop)

        def search(budget: Budget = budget, ended: list[tuple[float, Verdict]] = ended) -> None:
            verdict = solve(HARD, KPAT, budget, cache=None)
            ended.append((time.perf_counter(), verdict))

        thread = threading.Thread(target=search)
        thread.start()
        time.sleep(0.3)
        began = time.perf_counter()
        stop.set()
        thread.join()
        delays.append(ended[0][0] - began)
        assert (ended[0][1].status, ended[0][1].reason) == (Status.UNKNOWN, "stopped")
    assert min(delays) < 0.01, delays


def test_a_search_leaves_the_interpreter_free() -> None:
    stop, counted = Stop(), 0
    thread = threading.Thread(target=solve, args=(HARD, KPAT, Budget(seconds=30, memory=256, stop=stop)))
    thread.start()
    longest, last, until = 0.0, time.perf_counter(), time.perf_counter() + 0.5
    while last < until:
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last, counted = max(longest, now - last), now, counted + 1
    stop.set()
    thread.join()
    assert counted > 50, longest


def test_each_budget_names_itself() -> None:
    assert solve(HARD, KPAT, Budget(seconds=0.1, memory=256), cache=None).reason == "time"
    verdict = solve(HARD, KPAT, Budget(seconds=None, nodes=5_000, memory=256), cache=None)
    assert (verdict.status, verdict.reason, verdict.nodes) == (Status.UNKNOWN, "nodes", 5_000)
    assert solve(HARD, KPAT, Budget(seconds=60, memory=1), cache=None).reason == "memory"


def test_time_is_kept() -> None:
    began = time.process_time(), time.perf_counter()
    verdict = solve(HARD, KPAT, Budget(seconds=0.2, memory=512), cache=None)
    assert verdict.status is Status.UNKNOWN
    assert time.process_time() - began[0] < 0.3
    assert verdict.seconds >= 0.2


@pytest.mark.parametrize("memory", [1, 16, 256])
@pytest.mark.parametrize("width", [2, 3])
def test_memory_is_bounded(memory: int, width: int) -> None:
    """A position takes its key, two numbers, and at most 18 bytes of the index and of the one that it replaces."""
    for stages in STAGES.values():
        for stage in stages:
            assert room_for(memory, width, stage) * (8 * width + 8 + 18) <= memory * 2**20


def test_threads_get_the_same_answers_at_once() -> None:
    numbers = list(BOARDS)[:24]
    alone = [solve(BOARDS[number], KPAT, Budget(seconds=None, nodes=300), cache=None) for number in numbers]
    found: dict[int, Verdict] = {}

    def ask(number: int) -> None:
        found[number] = solve(BOARDS[number], KPAT, Budget(seconds=None, nodes=300), cache=None)

    threads = [threading.Thread(target=ask, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(found[n].status, found[n].moves) for n in numbers] == [(v.status, v.moves) for v in alone]


def test_a_won_line_is_known_from_every_position_on_it() -> None:
    cache, board = Cache(1000), deal(CODE)
    verdict = solve(board, CLASSIC, cache=cache)
    for played, move in enumerate(verdict.moves):
        known = cache.get(board, CLASSIC, Budget())
        assert known is not None
        assert known.moves == verdict.moves[played:]
        assert cache.get(board, TRADITIONAL, Budget()) is None
        board, _ = apply(board, CLASSIC, move)


def test_the_cache_forgets_what_was_used_least() -> None:
    cache = Cache(50)
    solve(deal(CODE), CLASSIC, cache=cache)
    assert len(cache) == 50
    assert cache.get(deal(CODE), CLASSIC, Budget()) is not None


def test_an_unknown_is_asked_again_with_a_larger_budget_only() -> None:
    cache, small = Cache(10), Budget(seconds=None, nodes=50)
    assert solve(HARD, KPAT, small, cache=cache).status is Status.UNKNOWN
    assert cache.get(HARD, KPAT, small) is not None
    assert cache.get(HARD, KPAT, Budget(seconds=None, nodes=40)) is not None
    assert cache.get(HARD, KPAT, Budget(seconds=None, nodes=60)) is None
    assert cache.get(HARD, KPAT, Budget(seconds=None)) is None


def test_a_stopped_search_is_not_remembered() -> None:
    cache, stop = Cache(10), Stop()
    stop.set()
    assert solve(HARD, KPAT, Budget(stop=stop), cache=cache).reason == "stopped"
    assert len(cache) == 0


def test_a_won_board_is_won_with_no_move() -> None:
    won = Board.parse(".\n" * 7 + "F: KS KH KD KC")
    verdict = solve(won, CLASSIC, cache=None)
    assert (verdict.status, verdict.moves) == (Status.WON, ())


def test_a_blocked_board_is_lost_at_once() -> None:
    """Each two lies on its ace, and neither can leave without the other."""
    verdict = solve(BOARDS[20], KPAT, Budget(seconds=60), cache=None)
    assert verdict.status is Status.LOST
    assert verdict.reason in ("blocked", "exhausted")


def test_an_impossible_layout_is_refused_by_name() -> None:
    text = str(deal(CODE)).replace("9S", "9C", 1)
    with pytest.raises(BadBoard, match=r"9S is missing|9C stands 2 times"):
        Board.parse(text)
