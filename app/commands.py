"""The commands about deals: ``yukon deal``, ``yukon solve`` and ``yukon study``.

The solver is loaded where it is used: with it come half a second and 100 MB that no other command wants.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from app.engine import DEALS, RULES, BadBoard, BadCode, Board, DealCode, Rule, deal

if TYPE_CHECKING:
    from app.solver import Verdict


class RuleType(click.ParamType[Rule]):
    """A rule by its letter or name."""

    name = "C|R|T"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Rule:
        if isinstance(value, Rule):
            return value
        for rule in RULES.values():
            if str(value).casefold() in (rule.letter.casefold(), rule.name):
                return rule
        return self.fail(f"{value!r} is no rule: C (classic), R (relaxed) or T (traditional)", param, ctx)


class CodeType(click.ParamType[DealCode]):
    """A deal code, as freely written as anywhere."""

    name = "code"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> DealCode:
        try:
            return value if isinstance(value, DealCode) else DealCode.parse(str(value))
        except BadCode as error:
            return self.fail(str(error), param, ctx)


RULE: Final = RuleType()
SECONDS: Final = click.FloatRange(min=0)
MEMORY: Final = click.IntRange(min=1)


@click.command("deal")
@click.argument("code", type=CodeType())
def show_deal(code: DealCode) -> None:
    """Print the layout of a deal: a line per column, - before each face-down card."""
    click.echo(f"# {code}")
    click.echo("\n".join(str(deal(code)).splitlines()[:7]))


@click.command("solve")
@click.argument("codes", nargs=-1, type=CodeType(), metavar="CODE...")
@click.option(
    "--layouts", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Solve a file of layouts."
)
@click.option("--rule", type=RULE, help="C, R or T.  [default: as in the code; for layouts C]")
@click.option("--seconds", type=SECONDS, default=60.0, show_default=True, help="At most, for each deal.")
@click.option("--memory", type=MEMORY, default=1024, show_default=True, help="Megabytes, at most.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON per deal.")
def solve_deals(
    codes: tuple[DealCode, ...], layouts: Path | None, rule: Rule | None, seconds: float, memory: int, as_json: bool
) -> None:
    """Say whether deals can be won by a player who sees every card, and how."""
    if bool(codes) == bool(layouts):
        raise click.UsageError("Give deal codes, or a file with --layouts.")
    for name, board, rules in [*_of_codes(codes, rule)] if layouts is None else _of_layouts(layouts, rule):
        verdict = _solved(board, rules, seconds, memory)
        click.echo(json.dumps(_line(name, rules, verdict)) if as_json else _told(name, rules, verdict))


def _of_codes(codes: tuple[DealCode, ...], rule: Rule | None) -> Iterator[tuple[str | int, Board, Rule]]:
    for typed in codes:
        code = typed if rule is None else DealCode(rule, typed.number)
        yield str(code), deal(code), code.rule


def _of_layouts(path: Path, rule: Rule | None) -> Iterator[tuple[str | int, Board, Rule]]:
    from app.solver.layouts import read_layouts

    try:
        found = list(read_layouts(path.read_text(encoding="utf-8")))
    except BadBoard as error:
        raise click.ClickException(f"{path.name}: {error}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{path.name} is not a text file") from None
    if not found:
        raise click.ClickException(f"{path.name} holds no layout")
    for name, board in found:
        number = re.match(r"deal (\d+)\b", name)
        yield int(number[1]) if number else name, board, rule or RULES["C"]


def _solved(board: Board, rule: Rule, seconds: float, memory: int) -> "Verdict":
    """The verdict, searched in another thread so that Ctrl+C is heard."""
    from app.solver import Budget, Stop, solve

    stop = Stop()
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(solve, board, rule, Budget(seconds, memory=memory, stop=stop), cache=None)
        try:
            return asked.result()
        except KeyboardInterrupt:
            stop.set()
            raise


def _line(name: str | int, rule: Rule, verdict: "Verdict") -> dict[str, object]:
    return {
        "deal": name,
        "rule": rule.letter,
        "status": verdict.status.value,
        "moves": [str(move) for move in verdict.moves],
        "nodes": verdict.nodes,
        "seconds": round(verdict.seconds, 6),
        **({"reason": verdict.reason} if verdict.reason else {}),
    }


def _told(name: str | int, rule: Rule, verdict: "Verdict") -> str:
    reason = f" ({verdict.reason})" if verdict.reason else ""
    head = f"{name}, {rule.name}: {verdict.status.value}{reason}, {verdict.nodes} positions, {verdict.seconds:.3f} s"
    return "\n  ".join([head, " ".join(map(str, verdict.moves))]) if verdict.moves else head


@click.command("study")
@click.option(
    "--from", "first", type=click.IntRange(0, DEALS - 1), default=0, show_default=True, help="The first number."
)
@click.option("--count", type=click.IntRange(min=1), default=100, show_default=True, help="How many deals.")
@click.option("--rule", type=RULE, default="C", show_default=True, help="C, R or T.")
@click.option("--budget", type=SECONDS, default=10.0, show_default=True, help="Seconds for each deal.")
@click.option("--memory", type=MEMORY, default=1024, show_default=True, help="Megabytes for each job.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="How many deals at once.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="  [default: study-RULE.jsonl]")
def study(first: int, count: int, rule: Rule, budget: float, memory: int, jobs: int, output: Path | None) -> None:
    """Solve a row of deals, and tell how many can be won.

    A line of JSON per deal is added to the output file. Deals that are in it already are not solved again, unless
    they are unknown and this budget is larger: an interrupted study goes on where it was.
    """
    path = output or Path(f"study-{rule.letter}.jsonl")
    last = min(first + count, DEALS)
    done = _read(path, rule, range(first, last))
    waiting = [n for n in range(first, last) if n not in done or _may_gain(done[n], budget)]
    with (
        path.open("a", encoding="utf-8") as lines,
        click.progressbar(length=last - first, label=f"{rule.name} deals", show_pos=True) as bar,
    ):
        bar.update(last - first - len(waiting))
        for number, verdict in _solve_all(waiting, rule, budget, memory, jobs):
            line = {"number": number, **_line(str(DealCode(rule, number)), rule, verdict), "budget": budget}
            done[number] = line
            lines.write(json.dumps(line) + "\n")
            lines.flush()
            bar.update(1)
    click.echo(_summary([str(line["status"]) for line in done.values()]))


def _solve_all(
    numbers: list[int], rule: Rule, budget: float, memory: int, jobs: int
) -> Iterator[tuple[int, "Verdict"]]:
    """Each deal with its verdict, as they come."""
    from app.solver import Budget, Stop, solve

    stop = Stop()
    waiting = iter(numbers)
    running: dict[Future[Verdict], int] = {}
    with ThreadPoolExecutor(jobs) as threads:
        try:
            while True:
                while len(running) < jobs and (number := next(waiting, None)) is not None:
                    board = deal(DealCode(rule, number))
                    limits = Budget(budget, memory=memory, stop=stop)
                    running[threads.submit(solve, board, rule, limits, cache=None)] = number
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            stop.set()


def _read(path: Path, rule: Rule, numbers: range) -> dict[int, dict[str, object]]:
    """What the output file says already; a line cut short by an interruption says nothing, and is ended."""
    from app.solver import Status

    done: dict[int, dict[str, object]] = {}
    if not path.exists():
        return done
    text = path.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        with path.open("a", encoding="utf-8") as lines:
            lines.write("\n")
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            if entry["rule"] == rule.letter and entry["number"] in numbers and entry["status"] in set(Status):
                done[entry["number"]] = entry
        except (ValueError, KeyError, TypeError):
            continue
    return done


def _may_gain(entry: dict[str, object], budget: float) -> bool:
    before = entry.get("budget")
    return entry["status"] == "unknown" and (not isinstance(before, int | float) or budget > before)


def _summary(statuses: list[str]) -> str:
    from app.solver import wilson

    won, lost, unknown = (statuses.count(status) for status in ("won", "lost", "unknown"))
    low, _ = wilson(won, len(statuses))
    _, high = wilson(won + unknown, len(statuses))
    lines = [f"won {won}, lost {lost}, unknown {unknown} of {len(statuses)} deals"]
    decided_low, decided_high = wilson(won, won + lost)
    lines.append(f"winnable, of those decided: 95 % Wilson interval {decided_low:.2%} to {decided_high:.2%}")
    if unknown:
        lines.append(f"winnable, whatever the unknown are: {low:.2%} to {high:.2%}")
    return "\n".join(lines)
