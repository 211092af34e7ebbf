"""Deal codes and the layouts behind them: a public format that never changes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import CLASSIC, RELAXED, RULES, TRADITIONAL, BadCode, DealCode, Rule, deal
from tests.engine.naive import ALPHABET, code_of, layout

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "deal_vectors.json").read_text("utf-8")
)
LAST = 32**7 - 1

numbers = st.integers(0, LAST)
rules = st.sampled_from(list(RULES.values()))


def columns_of(code: DealCode) -> list[list[str]]:
    return [line.split() for line in str(deal(code)).splitlines()[:7]]


def refusal(text: str) -> str:
    """The problem for which a code is refused."""
    with pytest.raises(BadCode) as caught:
        DealCode.parse(text)
    return caught.value.problem


# The layout


def test_there_are_64_vectors() -> None:
    assert len({vector["number"] for vector in VECTORS}) == 64


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["code"])
def test_a_number_gives_the_published_layout(vector: dict[str, Any]) -> None:
    code = DealCode.parse(vector["code"])
    assert code == DealCode(CLASSIC, vector["number"])
    assert str(code) == vector["code"]
    assert columns_of(code) == vector["columns"]


@given(rules, numbers)
def test_any_number_gives_the_layout_that_the_format_describes(rule: Rule, number: int) -> None:
    assert columns_of(DealCode(rule, number)) == layout(code_of(rule.letter, number))


@given(numbers)
def test_a_number_is_the_same_layout_under_every_rule(number: int) -> None:
    assert deal(DealCode(CLASSIC, number)) == deal(DealCode(RELAXED, number)) == deal(DealCode(TRADITIONAL, number))


@given(numbers)
def test_every_deal_has_21_cards_face_down_under_31_face_up(number: int) -> None:
    board = deal(DealCode(CLASSIC, number))
    assert [len(column) for column in board.columns] == [1, 6, 7, 8, 9, 10, 11]
    assert [column.count(None) for column in board.visible()] == [0, 1, 2, 3, 4, 5, 6]
    assert sorted(card for column in board.columns for card in column) == list(range(52))
    assert [board.top(suit) for suit in range(4)] == [None] * 4


@pytest.mark.parametrize(
    ("flags", "environment"),
    [
        ([], {"PYTHONHASHSEED": "0"}),
        ([], {"PYTHONHASHSEED": "4242", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
        (["-O"], {"PYTHONHASHSEED": "random", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "TZ": "Asia/Tokyo"}),
        (["-X", "utf8"], {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}),
    ],
)
def test_a_code_is_the_same_layout_in_every_process(flags: list[str], environment: dict[str, str]) -> None:
    codes = [*(vector["code"] for vector in VECTORS[::8]), "yu1tiiiiiii", "1111111", "7777777"]
    script = "import sys; from app.engine import DealCode, deal; [print(deal(DealCode.parse(a))) for a in sys.argv[1:]]"
    environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ} | environment
    root = Path(__file__).parent.parent.parent
    there = subprocess.run(
        [sys.executable, *flags, "-c", script, *codes], env=environment, cwd=root, capture_output=True, check=True
    )
    here = "\n".join(str(deal(DealCode.parse(code))) for code in codes)
    assert there.stdout.decode("ascii").split() == here.split()


# Writing a code


def test_numbers_run_from_seven_a_to_seven_sevens() -> None:
    assert str(DealCode(CLASSIC, 0)) == "YU1-C-AAAAAAA"
    assert str(DealCode(RELAXED, 1)) == "YU1-R-AAAAAAB"
    assert str(DealCode(TRADITIONAL, LAST)) == "YU1-T-7777777"


@pytest.mark.parametrize("number", [-1, LAST + 1, 10**30])
def test_there_is_no_deal_beyond_them(number: int) -> None:
    with pytest.raises(ValueError, match="no such deal number"):
        DealCode(CLASSIC, number)


@given(rules, numbers)
def test_a_code_that_is_written_reads_back_as_itself(rule: Rule, number: int) -> None:
    code = DealCode(rule, number)
    assert str(code) == code_of(rule.letter, number)
    assert DealCode.parse(str(code)) == code


@given(rules, numbers)
def test_equal_codes_are_one_key(rule: Rule, number: int) -> None:
    assert {DealCode(rule, number): "here"}[DealCode.parse(code_of(rule.letter, number))] == "here"


# Reading what a person typed


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("YU1-R-ABCD234", "YU1-R-ABCD234"),
        ("yu1-r-abcd234", "YU1-R-ABCD234"),
        ("Yu1-t-aBcD234", "YU1-T-ABCD234"),
        ("  YU1-R-ABCD234 ", "YU1-R-ABCD234"),
        ("\tYU1-R-ABCD234\r\n", "YU1-R-ABCD234"),
        ("\u00a0YU1-R-ABCD234\u2003", "YU1-R-ABCD234"),
        ("YU1RABCD234", "YU1-R-ABCD234"),
        ("YU1R-ABCD234", "YU1-R-ABCD234"),
        ("YU1-RABCD234", "YU1-R-ABCD234"),
        ("YU1--R--ABCD234", "YU1-R-ABCD234"),
        ("YU1-R-ABC-D234", "YU1-R-ABCD234"),
        ("-YU1-R-ABCD234-", "YU1-R-ABCD234"),
        ("YU1–R–ABCD234", "YU1-R-ABCD234"),
        ("YU1—R—ABCD234", "YU1-R-ABCD234"),
        ("YU1−R−ABCD234", "YU1-R-ABCD234"),
        ("YU1\u2011R\u2011ABCD234", "YU1-R-ABCD234"),
        ("YU1-C-0000000", "YU1-C-OOOOOOO"),
        ("YU1-C-1111111", "YU1-C-IIIIIII"),
        ("YU1-C-8888888", "YU1-C-BBBBBBB"),
        ("yu1c018oib7", "YU1-C-OIBOIB7"),
        ("ABCD234", "YU1-C-ABCD234"),
        ("abcd234", "YU1-C-ABCD234"),
        (" abc-d234 ", "YU1-C-ABCD234"),
        ("0180180", "YU1-C-OIBOIBO"),
        ("TAAAAAA", "YU1-C-TAAAAAA"),
        ("YUKONAA", "YU1-C-YUKONAA"),
        ("  yu1–t-0a1b8-cd \n", "YU1-T-OAIBBCD"),
        (" " * 25 + "YU1-R-ABCD234" + " " * 26, "YU1-R-ABCD234"),
    ],
)
def test_a_code_is_read_as_it_was_meant(typed: str, canonical: str) -> None:
    assert str(DealCode.parse(typed)) == canonical


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("YU2-C-AAAAAAB", "version"),
        ("yu2-c-aaaaaab", "version"),
        ("YU0-C-AAAAAAB", "version"),
        ("YU9-C-AAAAAAB", "version"),
        ("YU2CAAAAAAB", "version"),
        ("YU–2–C–AAAAAAB", "version"),
        ("YU2-CAAA", "version"),
        ("YU2C-AAA", "version"),
        ("YU-2-CAAA", "version"),
        ("YU2-AAAA", "version"),
        ("yu2–caaa", "version"),
        ("YUI-C-AAA", "version"),
        ("YU1-X-AAAAAAB", "rule"),
        ("YU1-A-AAAAAAB", "rule"),
        ("YU1XAAAAAAB", "rule"),
        ("YU1-1-AAAAAAB", "rule"),
        ("", "length"),
        ("   ", "length"),
        ("-", "length"),
        ("—–—", "length"),
        ("A", "length"),
        ("AAAAAA", "length"),
        ("AAAAAAAA", "length"),
        ("CAAAAAAB", "length"),
        ("C-AAAAAAB", "length"),
        ("YU1", "length"),
        ("YU1-", "length"),
        ("YU1-C", "length"),
        ("YU1-C-", "length"),
        ("YU1-C-A", "length"),
        ("YU1-C-AAA", "length"),
        ("YU1CAAA", "length"),
        ("yu1caaa", "length"),
        ("YU1-CAAA", "length"),
        ("YU1-AAAA", "length"),
        ("YU1AAAA", "length"),
        ("YU1-C-AAAAAA", "length"),
        ("YU1-C-AAAAAAAA", "length"),
        ("YU1-AAAAAAB", "rule"),
        ("YU1-CAAAAAA", "length"),
        ("YU1-C-YU1-C-AAAAAAB", "length"),
        ("А" + "AAAAAA", "letters"),
        ("YU1-C-AAAAАAB", "letters"),
        ("YU1-С-AAAAAAB", "letters"),
        ("УU1-C-AAAAAAB", "letters"),
        ("YU1-C-AAAAAA9", "letters"),
        ("YU1-C-AAA_AAB", "letters"),
        ("YU1-C-AAA AAB", "length"),
        ("YU1-C-AAAAAA=", "letters"),
        ("YU1-C-ＡＡＡＡＡＡＢ", "letters"),
        ("YU1-C-AAAAAAß", "letters"),
        ("YU1-C-AAAAAAı", "letters"),
        ("YU1-C-AAAAAAſ", "letters"),
        ("YU1-C-AAAAAA٣", "letters"),
        ("YU¹-C-AAAAAAB", "letters"),
        ("YU1-C-AAAA\u200bAAB", "letters"),
        ("YU1-C-AAAAAA\ud800", "letters"),
        ("\0", "letters"),
        ("YU1-C-AAAAAAB\0", "letters"),
        ("AAA\0AAB", "letters"),
        ("A" * 65, "too_long"),
        (" " * 300 + "YU1-C-AAAAAAB", "too_long"),
        ("YU1-C-AAAAAAB" + " " * 52, "too_long"),
        ("YU1" + "-" * 80 + "CAAAAAAB", "too_long"),
        ("А" * 1_000_000, "too_long"),
    ],
)
def test_anything_else_is_refused_and_named(typed: str, problem: str) -> None:
    assert refusal(typed) == problem


@pytest.mark.parametrize("typed", ["YU1 C AAAAAAB", "YU1 - C - AAAAAAB", "yu1 c AAAA AAB", "YU1\u00a0C\u2003AAAAAAB"])
def test_spaces_within_a_code_do_for_hyphens(typed: str) -> None:
    assert str(DealCode.parse(typed)) == "YU1-C-AAAAAAB"


def test_a_refusal_tells_what_was_typed_but_never_all_of_a_book() -> None:
    with pytest.raises(BadCode, match="YU2-C-AAAAAAB"):
        DealCode.parse("YU2-C-AAAAAAB")
    with pytest.raises(BadCode) as caught:
        DealCode.parse("A" * 1_000_000)
    assert len(str(caught.value)) < 200


@given(st.sampled_from("CRT"), numbers, st.data())
def test_a_code_that_lost_its_end_is_never_another_deal(letter: str, number: int, data: st.DataObject) -> None:
    code = code_of(letter, number)
    written = data.draw(st.sampled_from([code, code.replace("-", ""), code.lower(), code.replace("-", "–")]))
    assert refusal(written[: data.draw(st.integers(0, len(written) - 1))])


@given(st.sampled_from("023456789"), st.sampled_from("CRTX"), numbers, st.data())
def test_a_later_version_is_never_another_deal(version: str, letter: str, number: int, data: st.DataObject) -> None:
    code = f"YU{version}-{letter}-{code_of('C', number)[-7:]}"
    assert refusal(code) == refusal(code.lower()) == refusal(code.replace("-", "")) == "version"
    assert refusal(code[: data.draw(st.integers(0, len(code)))])


@given(rules, numbers, st.data())
def test_however_a_code_is_typed_it_is_the_same_deal(rule: Rule, number: int, data: st.DataObject) -> None:
    code = DealCode(rule, number)
    head, payload = str(code)[:6], str(code)[6:]
    twins = {"O": "O0o", "I": "I1i", "B": "B8b"}
    typed = head.replace("-", data.draw(st.sampled_from(["-", "", "--", "–", "—", "−", "\u2011"])))
    typed += "".join(data.draw(st.sampled_from(twins.get(letter, letter + letter.lower()))) for letter in payload)
    typed = data.draw(st.sampled_from(["", " ", "\n", "  "])) + typed + data.draw(st.sampled_from(["", " ", "\t"]))
    assert DealCode.parse(typed) == code
    assert DealCode.parse(typed.lower()) == code


near_misses = st.text(alphabet="YU12C-RTtcyu0189ABZabz7 –—−\u2011А\0ı", max_size=20)
near_payloads = st.text(alphabet=ALPHABET + "-018", min_size=5, max_size=13)


@given(st.text(max_size=80) | near_misses | near_payloads)
def test_any_text_is_a_deal_or_a_bad_code_and_nothing_else(text: str) -> None:
    try:
        code = DealCode.parse(text)
    except BadCode as error:
        assert error.problem in {"too_long", "version", "rule", "length", "letters"}  # noqa: PT017
    else:
        assert DealCode.parse(str(code)) == code
        assert str(code) == code_of(code.rule.letter, code.number)
