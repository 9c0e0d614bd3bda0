"""Which option a reply commits to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.choice import extract_letter, read_choice
from support.golden import golden
from support.phrasings import phrasings

SEVERAL_BUT_ONE_EXPECTED = {
    "mcq-mmlupro-Yi-6b-Chat-6524",
    "mcq-mmlupro-Qwen1.5-7B-Chat-5984",
    "mcq-mmlupro-Qwen1.5-7B-Chat-9945",
    "mcq-bbh-hyperbaton-97",
    "mcq-bbh-snarks-147",
}
"""Replies that say "(A) and (B)" or "(A), (F), and (J)"; the golden letter is the first that a pattern caught."""

CAPITALS = ["Paris", "London", "Rome", "Berlin"]


@pytest.mark.parametrize("row", phrasings("choice"))
def test_phrasing(row: dict[str, Any]) -> None:
    found = read_choice(row["reply"], row["choices"], labels=row.get("labels"))
    assert found.letter == row["letter"], found.rule


def verdict(expected: str | None, found: str | None) -> str:
    if found == expected:
        return "right letter" if expected else "right none"
    if expected is None:
        return "guessed"
    return "missed" if found is None else "wrong letter"


def test_golden_rows_have_fewer_errors_than_the_best_reference() -> None:
    tallies: dict[str, Counter[str]] = {"ringtrue": Counter()}
    apart = set()
    for row in golden("mcq_extraction"):
        if row["ambiguous"]:
            continue
        expected, given = row["expected"]["letter"], row["input"]
        found = extract_letter(given["response"], given["choices"], labels=given["labels"])
        tallies["ringtrue"][verdict(expected, found)] += 1
        if found != expected:
            apart.add(row["id"])
        for oracle, said in row["oracles"].items():
            tallies.setdefault(oracle, Counter())[verdict(expected, said)] += 1
    for name, tally in tallies.items():
        print(f"{name:14}", dict(tally))
    errors = {name: tally["wrong letter"] + tally["missed"] + tally["guessed"] for name, tally in tallies.items()}
    assert apart <= SEVERAL_BUT_ONE_EXPECTED
    assert errors.pop("ringtrue") < min(errors.values())


@pytest.mark.parametrize(
    "row", [row for row in golden("mcq_extraction") if row["ambiguous"]], ids=lambda row: row["id"]
)
def test_ambiguous_golden_rows_are_read_as_noted(row: dict[str, Any]) -> None:
    given = row["input"]
    assert extract_letter(given["response"], given["choices"], labels=given["labels"]) == row["expected"]["letter"]


def test_the_quick_reading_of_a_plain_ending_is_the_full_one() -> None:
    """An invisible character at the end switches the short cut off and changes nothing else."""
    for row in golden("mcq_extraction"):
        given = row["input"]
        quick = extract_letter(given["response"], given["choices"], labels=given["labels"])
        full = extract_letter(given["response"] + "\u200b", given["choices"], labels=given["labels"])
        assert quick == full, row["id"]


@pytest.mark.parametrize(
    ("choices", "labels", "reply", "letter"),
    [
        (None, None, "The answer is J.", "J"),
        (None, None, "The answer is K.", None),
        (CAPITALS, None, "The answer is D.", "D"),
        (CAPITALS, None, "The answer is E.", None),
        ({"A": "Paris", "B": "London"}, None, "London", "B"),
        ({"a": "Paris", "b": "London"}, None, "B", "B"),
        (None, ["(A)", "(B)"], "The answer is C.", None),
        (CAPITALS, "AB", "The answer is C.", None),
        (["Paris", "Paris"], None, "Paris", None),
        ([], None, "A", None),
        ([""], None, "A", "A"),
        (CAPITALS, None, "الإجابة: ب", "B"),
        (CAPITALS, None, "উত্তর: **ড**।", "C"),
        (CAPITALS, None, "أ", "A"),
        (CAPITALS, None, "ব্যাখ্যা: বাংলা ভাষা", None),
    ],
    ids=[
        "j",
        "beyond-j",
        "within",
        "beyond",
        "mapping",
        "small-keys",
        "labels",
        "labels-cut",
        "twins",
        "none",
        "blank",
        "arabic-letter",
        "bengali-letter",
        "arabic-letter-alone",
        "bengali-words-are-no-letters",
    ],
)
def test_which_letters_count(choices: Any, labels: Any, reply: str, letter: str | None) -> None:
    assert extract_letter(reply, choices, labels=labels) == letter


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("The answer is (B).", "answer"),
        ("B", "letter alone"),
        ("I choose B.", "choice"),
        ("B is correct.", "verdict"),
        ("London", "option text"),
        ("A or B", "several options"),
        ("The answer is E.", "a letter beyond the options"),
        ("The answer is A. Hmm, that's wrong.", "taken back"),
        ("The answer is (A).\nThe answer is (B).\nThe answer is (C).", "every option in turn"),
        ("", "empty"),
        ("I do not know.", "no commitment"),
    ],
)
def test_the_rule_is_named(reply: str, rule: str) -> None:
    assert read_choice(reply, CAPITALS).rule == rule


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_any_text_gives_a_letter_of_the_options_or_none(reply: str) -> None:
    assert extract_letter(reply, CAPITALS) in {"A", "B", "C", "D", None}
    assert extract_letter(reply) in {*"ABCDEFGHIJ", None}


WORDS = "A B C D (A) (B) The answer is not . , ; : ? \n or and so option I think correct wrong no wait but $ \\boxed{ }"


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(" ".join))
def test_any_sequence_of_telling_words_gives_a_letter_of_the_options_or_none(reply: str) -> None:
    assert extract_letter(reply, CAPITALS) in {"A", "B", "C", "D", None}


@given(st.text(max_size=200), st.sampled_from("ABCD"))
def test_a_last_paragraph_that_states_the_answer_wins(reasoning: str, letter: str) -> None:
    quiet = "".join(mark for mark in reasoning if mark.isalnum() or mark in " ,.")
    assert extract_letter(f"{quiet.lower()}\n\nThe answer is ({letter}).", CAPITALS) == letter


@pytest.mark.parametrize(
    "filler", ["x ", "A ", "(", "the answer is ", "A or ", "\n", "<think>", "\\boxed{", "Answer:\n"]
)
def test_a_long_reply_is_read_at_its_end(filler: str) -> None:
    assert extract_letter(filler * 400_000 + "\n\n</think>\n\nThe answer is (C).", CAPITALS) == "C"
