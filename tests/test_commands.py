"""The command line: deals printed, solved and studied."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli import main
from app.engine import RULES, Board, DealCode, Move, apply, deal
from app.solver import wilson

pytestmark = pytest.mark.xdist_group("solver")  # one worker compiles it

CODE = "YU1-C-ABFHTIL"
DATA = Path(__file__).parent / "data" / "kpat_deals.txt"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def lines(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def wins(board: Board, letter: str, moves: object) -> bool:
    assert isinstance(moves, list)
    for move in moves:
        board, _ = apply(board, RULES[letter], Move.parse(move))
    return board.is_won


def test_a_deal_is_printed_as_a_layout() -> None:
    result = run("deal", "abfhtil")
    assert result.exit_code == 0
    head, *layout = result.output.splitlines()
    assert head == f"# {CODE}"
    assert Board.parse("\n".join(layout)) == deal(DealCode.parse(CODE))


def test_codes_are_solved_as_json() -> None:
    found = lines(run("solve", CODE, "yu1-r-aaaaaab", "--json"))
    assert [(line["deal"], line["rule"], line["status"]) for line in found] == [
        (CODE, "C", "won"),
        ("YU1-R-AAAAAAB", "R", "won"),
    ]
    for line in found:
        assert {"deal", "rule", "status", "moves", "nodes", "seconds"} <= set(line)
        code = DealCode.parse(str(line["deal"]))
        assert wins(deal(code), code.rule.letter, line["moves"])


def test_a_rule_given_overrides_that_of_the_code() -> None:
    (line,) = lines(run("solve", CODE, "--rule", "T", "--json"))
    assert (line["deal"], line["rule"]) == ("YU1-T-ABFHTIL", "T")


def test_layouts_are_solved_under_their_names(tmp_path: Path) -> None:
    text = "\n".join(DATA.read_text().splitlines()[:18])  # two layouts
    path = tmp_path / "layouts.txt"
    path.write_text(text)
    found = lines(run("solve", "--layouts", path, "--rule", "traditional", "--json"))
    assert [(line["deal"], line["rule"], line["status"]) for line in found] == [(1, "T", "won"), (2, "T", "won")]


def test_what_a_layout_gives_deal_reads(tmp_path: Path) -> None:
    path = tmp_path / "layout.txt"
    path.write_text(run("deal", CODE).output)
    result = run("solve", "--layouts", path)
    assert result.exit_code == 0
    assert f"{CODE}, classic: won" in result.output


@pytest.mark.parametrize(
    ("change", "said"),
    [(("JD", "."), "JD is missing"), (("# deal 1 won\n", "# deal 1 won\n2S\n"), "2S")],
)
def test_an_impossible_layout_is_refused_by_name(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    path = tmp_path / "layout.txt"
    path.write_text("\n".join(DATA.read_text().splitlines()[2:10]).replace(*change, 1) + "\n")
    result = run("solve", "--layouts", path)
    assert result.exit_code == 1
    assert "deal 1" in result.output
    assert said in result.output


@pytest.mark.parametrize(
    "words", [("solve",), ("solve", CODE, "--layouts", DATA), ("solve", "no"), ("solve", CODE, "--rule", "X")]
)
def test_wrong_use_is_refused(words: tuple[object, ...]) -> None:
    assert run(*words).exit_code == 2


def test_a_study_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    common = ("study", "--rule", "R", "--budget", 20, "--jobs", 2, "--output", path)
    assert run(*common, "--from", 3, "--count", 4).exit_code == 0
    first = path.read_text()
    path.write_text(first[:-20])  # interrupted while the last line was written
    result = run(*common, "--from", 3, "--count", 6)
    assert result.exit_code == 0
    assert path.read_text().startswith(first[:-20])
    kept = []
    for line in path.read_text().splitlines():
        try:
            kept.append(json.loads(line))
        except ValueError:
            continue
    assert sorted(line["number"] for line in kept) == [3, 4, 5, 6, 7, 8]
    for line in kept:
        assert line["status"] == "won"
        assert wins(deal(DealCode.parse(line["deal"])), "R", line["moves"])
    assert "won 6, lost 0, unknown 0 of 6 deals" in result.output
    assert "60.97% to 100.00%" in result.output
    assert run(*common, "--from", 3, "--count", 6).exit_code == 0
    assert len(path.read_text().splitlines()) == 7


def test_the_interval_is_wilsons() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10) == pytest.approx((0.0, 0.27754), abs=1e-5)
    assert wilson(81, 263) == pytest.approx((0.25528, 0.36620), abs=1e-5)  # Newcombe 1998, table I
