"""The solver on KPatience's 250 deals: what is decided within each budget, and what it takes.

    python -m tests.bench.bench_solver [--budgets 0.2,1,10,60] [--rules KTCR] [--memory 4096] [--sample 250]

``K`` is KPatience's own rule. Times are processor time of the one thread that searches, so that a busy machine doesn't
count; each deal is solved once with the largest budget, and counted for a smaller one if it was decided within that.
"""

import argparse
import resource
import statistics
import time

from app.engine import RULES, Board, Rule
from app.solver import Budget, Status, solve, warm_up
from tests.bench.common import show
from tests.solver.common import KPAT, kpat_deals

PATIENCE = 4  # on a busy machine, a second of processor time takes longer by the clock


def timed(board: Board, rule: Rule, seconds: float, memory: int) -> tuple[Status, float]:
    began = time.thread_time()
    verdict = solve(board, rule, Budget(PATIENCE * seconds, memory=memory), cache=None)
    return verdict.status, time.thread_time() - began


def row(budget: float, found: list[tuple[Status, float]]) -> tuple[str, ...]:
    """One line of the table: the decided within the budget, and how long all took, or would have."""
    within = [status if took <= budget else Status.UNKNOWN for status, took in found]
    times = sorted(min(took, budget) for _, took in found)
    decided = sum(status is not Status.UNKNOWN for status in within) / len(within)
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return (
        f"{budget:g} s",
        *(str(sum(status is each for status in within)) for each in Status),
        f"{decided:.1%}",
        *(f"{1000 * value:.1f}" for value in (cuts[49], cuts[89], cuts[98], times[-1])),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", default="0.2,1,10,60")
    parser.add_argument("--rules", default="KTCR")
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--sample", type=int, default=250)
    options = parser.parse_args()
    budgets = [float(word) for word in options.budgets.split(",")]
    warm_up()
    deals = kpat_deals()[: options.sample]
    for letter in options.rules:
        rule = KPAT if letter == "K" else RULES[letter]
        found = []
        for number, known, board in deals:
            status, took = timed(board, rule, max(budgets), options.memory)
            found.append((status, took))
            if letter in "KT" and {status.value, known} == {"won", "lost"}:
                print(f"CONTRADICTION: deal {number} is {known}, not {status.value}")
        head = (rule.name, *(each.value for each in Status), "decided", "median ms", "p90", "p99", "max")
        show(f"{len(deals)} deals, one core", head, [row(budget, found) for budget in budgets])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  most memory of the process so far: {peak:,.0f} MB\n", flush=True)


if __name__ == "__main__":
    main()
