"""The 19 checks of seed 000, with the meaning its tables give them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.ifeval import CHECKER_RULES, Arguments, InstructionError


def passes(instruction: str, kwargs: dict[str, Any], response: str) -> bool:
    return CHECKER_RULES[instruction](Arguments(instruction, kwargs), response)


def test_all_19_are_there() -> None:
    assert len(CHECKER_RULES) == 19


@pytest.mark.parametrize(
    ("instruction", "kwargs", "good", "bad"),
    [
        ("keywords:existence", {"keywords": ["Hello", "c++"]}, "hello C++", "hello"),
        ("keywords:forbidden_words", {"forbidden_words": ["his", "c++"]}, "I saw this", "it is HIS."),
        ("keywords:forbidden_words", {"forbidden_words": ["c++"]}, "c++x", "I like C++."),
        ("keywords:frequency", {"keyword": "a", "frequency": 2}, "A man", "a"),
        ("keywords:letter_frequency", {"letter": "E", "let_frequency": 2, "let_relation": "exactly"}, "Eve", "eve e"),
        ("keywords:letter_frequency", {"letter": "!", "let_frequency": 1, "let_relation": "at most"}, "a!", "a!!"),
        ("length_constraints:number_words", {"num_words": 2, "relation": "less than"}, "one", "one two"),
        ("length_constraints:number_words", {"num_words": 2, "relation": "more than"}, "one two three", "one two"),
        ("length_constraints:number_words", {"num_words": "2", "relation": "Exactly"}, "well-known man", "one"),
        (
            "length_constraints:number_sentences",
            {"num_sentences": 2, "relation": "exactly"},
            "Dr. Lee came. He left.",
            "Yes.",
        ),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "a\n\nb\n\nc", "a\nb"),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "a\r\n\r\nb", "a\n\n  \n"),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "a\n \t\nb", "a"),
        ("detectable_format:json_format", {}, ' {"a": [1, 2.5e3, null]}\n', "```json\n{}\n```"),
        ("detectable_format:json_format", {}, "9" * 5_000, "[NaN]"),
        ("detectable_format:json_format", {}, '"a"', "[" * 50_000),
        ("detectable_format:number_bullet_points", {"num_bullets": 3}, "* a\n - b\n•c", "*a*\n--\n**b**"),
        ("detectable_format:title", {}, "x <<A title>> y", "<< >> <b>"),
        ("detectable_format:constrained_response", {"constrained_response": ["yes", "no"]}, " yes\n", "yes, sir"),
        ("detectable_format:constrained_response", {}, "My answer is yes.", "yes"),
        ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a] [b c]", "[] [a"),
        ("detectable_content:postscript", {}, "Bye.\np.s. Write!", "PS"),
        ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "P.P.S x", "P.S. x"),
        ("punctuation:no_comma", {}, "a; b", "a, b"),
        ("change_case:english_capital", {}, 'Every Word "Starts" 3rd Élan 中文', 'A "word" Not'),
        ("change_case:english_lowercase", {}, "all small 1!", "Not all"),
        ("startend:end_checker", {"end_phrase": "The end."}, "x The end. \n", "The end. Or not"),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Say hi."}, "Sure: Say hi. Hi", "say hi."),
        ("combination:two_responses", {}, "a\n******\nb", "****** a"),
        ("combination:two_responses", {}, "a ******** b", "a ****** b ****** c"),
    ],
)
def test_a_rule_passes_and_fails(instruction: str, kwargs: dict[str, Any], good: str, bad: str) -> None:
    assert passes(instruction, kwargs, good)
    assert not passes(instruction, kwargs, bad)


@pytest.mark.parametrize(
    ("relation", "counts"),
    [
        ("at least", [2, 3]),
        ("at most", [0, 1, 2]),
        ("exactly", [2]),
        ("less than", [0, 1]),
        ("more than", [3]),
        (None, [2, 3]),
        ("", [2, 3]),
        ("At  Most ", [0, 1, 2]),
    ],
)
def test_relations(relation: str | None, counts: list[int]) -> None:
    kwargs = {"num_words": 2, "relation": relation}
    assert [n for n in range(4) if passes("length_constraints:number_words", kwargs, "x " * n)] == counts


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [("relation", {"num_words": 2, "relation": "around"}), ("num_words", {"num_words": "two", "relation": "at most"})],
)
def test_what_makes_no_sense_is_named(name: str, kwargs: dict[str, Any]) -> None:
    with pytest.raises(InstructionError, match=name):
        passes("length_constraints:number_words", kwargs, "x")


NOTHING_ASKED = sorted(
    set(CHECKER_RULES)
    - {
        "combination:two_responses",
        "detectable_content:postscript",
        "detectable_format:constrained_response",
        "detectable_format:json_format",
        "detectable_format:title",
    }
)


@pytest.mark.parametrize("instruction", NOTHING_ASKED)
@pytest.mark.parametrize("kwargs", [{}, dict.fromkeys(("keywords", "keyword", "num_words", "relation", "end_phrase"))])
def test_an_absent_argument_asks_for_nothing(instruction: str, kwargs: dict[str, Any]) -> None:
    case = {"change_case:english_lowercase": "one two."}
    assert passes(instruction, kwargs, case.get(instruction, "One Two."))


@given(st.sampled_from(sorted(CHECKER_RULES)), st.text())
def test_any_text_has_a_verdict(instruction: str, response: str) -> None:
    assert passes(instruction, {}, response) in (True, False)
