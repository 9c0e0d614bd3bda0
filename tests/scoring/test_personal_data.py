"""Personal data is found where it is, not where it only seems to be, and in time that grows with the text alone."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.scoring.patterns.cost import search_cost
from ringtrue.scoring.personal_data import (
    JURISDICTIONS,
    KINDS,
    Finding,
    check_digits,
    find_personal_data,
)
from ringtrue.scoring.personal_data.find import CUES, REACH, SHAPES, cue_words
from ringtrue.scoring.personal_data.shape import NUMBER
from support.golden import golden
from support.personal import CLEAN, FOUND

LOOKS = [shape.pattern for shape in SHAPES]
PATTERNS = [NUMBER, cue_words(frozenset(KINDS)), *LOOKS, *(cue.value for cue in CUES)]
STEPS_PER_CHARACTER = 60_000
"""What all patterns together may do at one place of a text in the worst case, whatever is there."""
CALLS_PER_CHARACTER = 100


@pytest.mark.parametrize(("text", "kind", "value"), FOUND, ids=range(len(FOUND)))
def test_found(text: str, kind: str, value: str) -> None:
    found = find_personal_data(text)
    assert [(item.kind, text[item.start : item.end]) for item in found] == [(kind, value)]


@pytest.mark.parametrize("text", CLEAN, ids=range(len(CLEAN)))
def test_clean(text: str) -> None:
    assert [(item.kind, text[item.start : item.end]) for item in find_personal_data(text)] == []


def test_every_kind_has_a_phrase_and_a_law() -> None:
    known = {shape.kind for shape in SHAPES} | {cue.kind for cue in CUES}
    assert {kind for _, kind, _ in FOUND} == set(KINDS) == known
    assert all(set(kinds) <= set(KINDS) for kinds in JURISDICTIONS.values())


def test_only_the_kinds_that_are_asked_for() -> None:
    text = "a@b.com, 555-123-4567, MRN 12345678"
    assert [item.kind for item in find_personal_data(text)] == ["email", "phone_us", "medical_record_number"]
    assert [item.kind for item in find_personal_data(text, JURISDICTIONS["gdpr"])] == ["email", "phone_us"]
    assert find_personal_data(text, ["email"]) == [Finding("email", 0, 7)]
    assert find_personal_data(text, []) == []


def test_without_strictness_wrong_check_digits_count() -> None:
    assert not find_personal_data("4111 1111 1111 1112")
    assert find_personal_data("4111 1111 1111 1112", strict=False) == [Finding("credit_card", 0, 19)]


def test_far_from_any_digit_and_across_blocks() -> None:
    filler = "word " * 1_000
    text = f"{filler}born on the 2nd of March 1990 {filler}a@b.com{filler}SSN: 536-90-4399"
    assert [item.kind for item in find_personal_data(text)] == ["date_of_birth", "email", "ssn"]
    for size in range(0, 200, 7):
        assert [item.kind for item in find_personal_data(" " * size + "call 5551234567")] == ["phone_us"]


@pytest.mark.parametrize("row", golden("check_digits"), ids=lambda row: row["id"])
def test_check_digits(row: dict[str, Any]) -> None:
    assert getattr(check_digits, row["check"])(row["number"]) is row["valid"]


@pytest.mark.parametrize(
    ("check", "number", "valid"),
    [
        ("vin", "1HGCM82633A004352", True),
        ("vin", "1HGCM82643A004352", False),
        ("npi", "1234567893", True),
        ("npi", "1234567890", False),
        ("dea", "AP5836727", True),
        ("dea", "AP5836726", False),
        ("dk_cpr", "2110625629", True),
        ("dk_cpr", "3113625629", False),
    ],
)
def test_check_digits_that_no_tool_made(check: str, number: str, valid: bool) -> None:
    assert getattr(check_digits, check)(number) is valid


signs = st.text(st.sampled_from("0123456789 -.+()/:@#,'\nABab\u0661\u00a0\ud800é"), max_size=60)
words = st.sampled_from(["call ", "DOB: ", "SSN ", "passport ", "lives at ", "Street", "IBAN DE89", "4111 ", "@x.com"])


@given(st.lists(st.one_of(signs, words, st.text(max_size=20)), max_size=8).map("".join), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_text_has_findings_in_order_and_none_inside_another(text: str, strict: bool) -> None:
    found = find_personal_data(text, strict=strict)
    assert all(0 <= item.start < item.end <= len(text) and item.kind in KINDS for item in found)
    for before, after in pairwise(found):
        assert before.start <= after.start
        assert before.end < after.end


@pytest.mark.parametrize("place", range(len(SHAPES)), ids=lambda place: f"{place}-{SHAPES[place].kind}")
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_no_candidate_breaks_its_check(place: int, data: st.DataObject) -> None:
    pattern = SHAPES[place].pattern
    text = data.draw(st.from_regex(re.compile(pattern.pattern, re.ASCII)))
    match = pattern.search(text)
    if match:
        assert 0 <= SHAPES[place].holds(match[1]) <= len(match[1])


@pytest.mark.parametrize("place", range(len(CUES)), ids=lambda place: f"{place}-{CUES[place].kind}")
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_no_announced_candidate_breaks_its_check(place: int, data: st.DataObject) -> None:
    pattern = CUES[place].value
    text = data.draw(st.from_regex(re.compile(pattern.pattern, re.ASCII)))
    match = pattern.match(text)
    if match:
        assert 0 <= CUES[place].holds(match[1]) <= len(match[1])


def test_the_work_at_one_place_is_bounded_whatever_the_text() -> None:
    """Linear by construction: no pattern's steps grow faster than the text, and their sum at one place is known."""
    costs = [search_cost(_parser.parse(pattern.pattern, pattern.flags), pattern.flags) for pattern in PATTERNS]
    assert {cost.degree for cost in costs} == {1}
    assert sum(cost.constant for cost in costs) <= STEPS_PER_CHARACTER


def test_no_pattern_reads_further_than_the_reach() -> None:
    begun = [shape.pattern for shape in SHAPES if not shape.needs]
    assert max(_parser.parse(pattern.pattern).getwidth()[1] for pattern in begun) <= REACH
    announced = [
        _parser.parse(cue.words).getwidth()[1] + _parser.parse(cue.value.pattern).getwidth()[1] for cue in CUES
    ]
    assert max(announced) <= REACH


def calls(text: str) -> int:
    """How many functions are called on a text; each does bounded work."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        find_personal_data(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "7",
        "1 ",
        "1-",
        "1.",
        "(1",
        "+1",
        "1,",
        "4111 1111 1111 1112 ",
        "12 Main ",
        "call 1 ",
        "a@b.",
        "a1 ",
        "1:",
        "１ ",
    ],
)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    small, large = (calls(unit * (size // len(unit))) for size in (10_000, 20_000))
    assert large <= 2.1 * small + 100
    assert large <= CALLS_PER_CHARACTER * 20_000


def test_a_hundred_kilobytes_of_digits_cost_a_call_in_a_block() -> None:
    assert calls("7" * 100_000) <= 100_000
