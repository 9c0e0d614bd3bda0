"""The official IFEval verdicts: golden rows, quirks of the official checker, arguments that make no sense."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.scoring.ifeval import INSTRUCTIONS, InstructionError, argument_list, check_response, instruction_ids
from ringtrue.scoring.ifeval.loose import variants
from support.golden import golden

ROWS = {"ifeval": golden("ifeval"), "ifeval_perturbed": golden("ifeval_perturbed")}


def verdicts(row: dict[str, Any]) -> dict[str, list[bool]]:
    given_ = row["input"]
    return check_response(given_["instruction_id_list"], given_["kwargs"], given_["response"] or "")._asdict()


@pytest.mark.parametrize("name", ROWS)
def test_golden(name: str) -> None:
    """Every verdict that the official checker gives whatever its seed."""
    wrong = [
        (row["id"], mode, row["input"]["instruction_id_list"][place])
        for row in ROWS[name]
        for mode, found in verdicts(row).items()
        for place, expected in enumerate(row["expected"][mode])
        if expected is not None and found[place] != expected
    ]
    assert wrong == []


def test_a_character_that_is_not_a_letter_is_counted_as_it_is() -> None:
    """The official checker counts a random letter instead."""
    rows = [row for row in ROWS["ifeval"] if "literal_reading" in row]
    assert rows
    for row in rows:
        for place, expected in row["literal_reading"].items():
            assert verdicts(row)["strict"][int(place)] == expected


def test_golden_accuracies() -> None:
    """Each model's four accuracies lie where the verdicts that depend on a seed leave them."""
    by_model = defaultdict(list)
    for row in ROWS["ifeval"]:
        by_model[row["input"]["model"]].append(verdicts(row))
    for expected in golden("ifeval_accuracies"):
        found = by_model[expected["model"]]
        assert len(found) == expected["n_prompts"]
        for mode in ("strict", "loose"):
            prompt = fmean(all(row[mode]) for row in found)
            instruction = fmean(followed for row in found for followed in row[mode])
            for measured, (low, high) in (
                (prompt, expected[f"prompt_{mode}"]),
                (instruction, expected[f"inst_{mode}"]),
            ):
                assert low - 1e-9 <= measured <= high + 1e-9


LESS, LEAST = "less than", "at least"


@pytest.mark.parametrize(
    ("instruction", "kwargs", "response", "strict", "loose"),
    [
        ("keywords:existence", {"keywords": ["what?"]}, "wha", True, True),
        ("keywords:existence", {"keywords": ["K"]}, "temperature in \u212a", True, True),
        ("keywords:existence", {"keywords": ["straße"]}, "Die STRASSE, die Straße", True, True),
        ("keywords:existence", {"keywords": ["hello"]}, "he*llo*", False, True),
        ("keywords:frequency", {"keyword": " so ", "frequency": 2, "relation": LEAST}, "So also", True, True),
        ("keywords:forbidden_words", {"forbidden_words": ["his"]}, "I saw this", True, True),
        ("keywords:forbidden_words", {"forbidden_words": ["his"]}, "His hat", False, False),
        ("keywords:forbidden_words", {"forbidden_words": ["his"]}, "It is his\nhat", False, True),
        ("keywords:forbidden_words", {"forbidden_words": ["a|b"]}, "ax", False, False),
        ("keywords:letter_frequency", {"letter": "O", "let_frequency": 2, "let_relation": LEAST}, "Oo", True, True),
        ("length_constraints:number_words", {"num_words": 3, "relation": LESS}, "well-known man", False, False),
        ("length_constraints:number_words", {"num_words": 3, "relation": LESS}, "Sure:\na b\nBye", False, True),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "***\na\n***\nb\n***", True, True),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "a\n***\n***\nb", False, False),
        ("length_constraints:number_sentences", {"num_sentences": 2, "relation": LESS}, "Dr. Who. No", False, False),
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Then"},
            'a\n\n"then, b',
            True,
            True,
        ),
        ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a] [[b]\n[c", True, True),
        ("detectable_content:postscript", {"postscript_marker": "P.S."}, "x p. s. y", True, True),
        ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "x P.P.S", True, True),
        ("detectable_content:postscript", {"postscript_marker": "N.B"}, "a man-bun", True, True),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n  - b\n** c", True, True),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}, "*\n* b", True, True),
        ("detectable_format:number_bullet_lists", {"num_bullets": 0}, "a\n*", True, True),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 2}, "*a* **b** * *", True, True),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "SECTION", "num_sections": 2},
            "SECTION 1 SECTION2",
            True,
            True,
        ),
        ("detectable_format:multiple_sections", {"section_spliter": "Part", "num_sections": 1}, "part 1", False, False),
        ("detectable_format:json_format", {}, "```JSON\n[1, NaN]\n```", True, True),
        ("detectable_format:json_format", {}, "Here:\n{}", False, True),
        ("detectable_format:title", {}, "<<>>> << >>", True, True),
        ("detectable_format:title", {}, "<< >>", False, False),
        ("detectable_format:title", {}, "<<a\nb>>", False, False),
        ("detectable_format:constrained_response", {}, "I think My answer is no. Really", True, True),
        ("combination:two_responses", {}, "a ****** b", True, True),
        ("combination:two_responses", {}, "a ****** a", False, False),
        ("combination:two_responses", {}, "****** a ****** b ******", True, True),
        ("combination:repeat_prompt", {"prompt_to_repeat": " Say hi "}, "SAY HI. Hi", True, True),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Say hi"}, "Sure:\nsay hi. Hi", False, True),
        ("startend:end_checker", {"end_phrase": "The End"}, 'x the end"', True, True),
        ("startend:quotation", {}, ' "a" ', True, True),
        ("startend:quotation", {}, '"', False, False),
        ("change_case:english_capital", {}, "Ⅷ !", True, True),
        ("change_case:english_lowercase", {}, "this is a plain english sentence about the weather.", True, True),
        (
            "change_case:english_lowercase",
            {},
            "das ist ein ganz gewöhnlicher deutscher satz über das wetter.",
            False,
            False,
        ),
        (
            "change_case:capital_word_frequency",
            {"capital_frequency": 3, "capital_relation": LEAST},
            "I CANNOT",
            True,
            True,
        ),
        (
            "change_case:capital_word_frequency",
            {"capital_frequency": 2, "capital_relation": LESS},
            "ÉCOLE DU BOIS",
            False,
            False,
        ),
        ("punctuation:no_comma", {}, "Yes,\nfine", False, True),
        ("punctuation:no_comma", {}, "fine，", True, True),
        ("language:response_language", {"language": "hi"}, "hello there", False, False),
        ("language:response_language", {"language": "hi"}, "123", True, True),
    ],
)
def test_official_rule(instruction: str, kwargs: dict[str, Any], response: str, strict: bool, loose: bool) -> None:
    assert check_response([instruction], [kwargs], response) == ([strict], [loose])


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
@pytest.mark.parametrize("response", ["", " \n\t "])
def test_a_blank_response_follows_nothing(instruction: str, response: str) -> None:
    assert check_response([instruction], [SENSIBLE | dict.fromkeys(RELATIONS, LESS)], response) == ([False], [False])


SENSIBLE: dict[str, Any] = {
    "keywords": ["ab", "c"],
    "keyword": "a",
    "frequency": 2,
    "forbidden_words": ["a", "x.y"],
    "letter": "a",
    "let_frequency": 2,
    "language": "en",
    "num_sentences": 2,
    "num_words": 3,
    "num_paragraphs": 2,
    "nth_paragraph": 1,
    "first_word": "a",
    "num_placeholders": 1,
    "postscript_marker": "P.S.",
    "num_bullets": 1,
    "num_highlights": 1,
    "section_spliter": "Section",
    "num_sections": 1,
    "prompt_to_repeat": "a b",
    "end_phrase": "c",
    "capital_frequency": 1,
}
RELATIONS = ("relation", "let_relation", "capital_relation")
pieces = [
    *"aAbBc .,!?\n*-[]<>\"'{}1",
    "\n",
    "\n\n",
    "***",
    "******",
    "<<",
    ">>",
    "P.S.",
    "Section 1",
    "- ",
    "* ",
    "x.y",
    "AB ",
    "İ",
    "ſ",
    "Σ",
]
awkward = st.lists(st.sampled_from(pieces), max_size=40).map("".join)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(sorted(INSTRUCTIONS)), st.sampled_from([LESS, LEAST]), awkward | st.text())
def test_loose_is_any_of_eight_variants(instruction: str, relation: str, response: str) -> None:
    """What the loose reading leaves out never changes its verdict."""
    kwargs = [SENSIBLE | dict.fromkeys(RELATIONS, relation)]
    found = check_response([instruction], kwargs, response)
    each = [check_response([instruction], kwargs, variant).strict[0] for variant in variants(response)]
    assert found == ([each[0]], [any(each)])


def test_variants() -> None:
    """The first line, the last line, both; then the same without asterisks."""
    assert variants("*a*\n b \n*c") == ["*a*\n b \n*c", "b \n*c", "*a*\n b", "b", "a\n b \nc", "b \nc", "a\n b", "b"]
    assert variants("one*") == ["one*", "", "", "", "one", "", "", ""]


@pytest.mark.parametrize(
    ("instruction", "kwargs", "named"),
    [
        ("keywords:exist", {}, "keywords:exist"),
        ("keywords:existence", {}, "keywords"),
        ("keywords:existence", {"keywords": []}, "keywords"),
        ("keywords:existence", {"keywords": [None]}, "keywords"),
        ("keywords:frequency", {"keyword": "a", "frequency": 2, "relation": "at most"}, "relation"),
        ("keywords:frequency", {"keyword": " ", "frequency": 2, "relation": LEAST}, "keyword"),
        ("length_constraints:number_words", {"num_words": "many", "relation": LEAST}, "num_words"),
        ("length_constraints:number_words", {"num_words": True, "relation": LEAST}, "num_words"),
        ("length_constraints:number_words", {"num_words": 2.5, "relation": LEAST}, "num_words"),
        ("language:response_language", {"language": "English"}, "language"),
        ("combination:repeat_prompt", {}, "prompt_to_repeat"),
        ("startend:end_checker", {"end_phrase": {}}, "end_phrase"),
    ],
)
def test_what_cannot_be_checked_is_named(instruction: str, kwargs: dict[str, Any], named: str) -> None:
    """The official checker raises there, or makes up arguments at random."""
    with pytest.raises(InstructionError, match=named) as caught:
        check_response([instruction], [kwargs], "x")
    assert caught.value.instruction == instruction


@pytest.mark.parametrize("number", [2, "2", " 2", 2.0])
def test_numbers_may_be_written_otherwise(number: object) -> None:
    kwargs = [{"num_words": number, "relation": LEAST, "unused": None}]
    assert check_response(["length_constraints:number_words"], kwargs, "a b").strict == [True]


@pytest.mark.parametrize("keyword", ["b", ["b"], ("b",), ["b", 1]])
def test_one_word_may_be_for_a_list(keyword: object) -> None:
    assert check_response(["keywords:existence"], [{"keywords": keyword}], "a b 1").strict == [True]


@pytest.mark.parametrize("kwargs", [None, [], [None], [{}], ({},), "[{}]", {}, [{"language": None}]])
def test_absent_arguments(kwargs: object) -> None:
    """None, a short list, None in it and JSON text are all fine where nothing is needed."""
    assert check_response(["punctuation:no_comma"], kwargs, "a").strict == [True]


@pytest.mark.parametrize("kwargs", [5, "five", [5], ["five"], [[1]]])
def test_arguments_of_a_wrong_kind(kwargs: object) -> None:
    with pytest.raises(InstructionError, match="kwargs"):
        argument_list(kwargs, ["punctuation:no_comma"])


def test_the_prompt_stands_in_for_the_request() -> None:
    ids = ["combination:repeat_prompt"]
    assert check_response(ids, None, "say hi. Hi", "Say hi").strict == [True]
    assert check_response(ids, [{"prompt_to_repeat": "Say"}], "say no", "Say hi").strict == [True]


@pytest.mark.parametrize(
    ("value", "ids"), [(None, []), ([], []), ("a:b", ["a:b"]), ('["a:b"]', ["a:b"]), (("a:b",), ["a:b"])]
)
def test_instruction_ids(value: object, ids: list[str]) -> None:
    assert instruction_ids(value) == ids


@pytest.mark.parametrize("value", [5, {"a": 1}, [1], [None]])
def test_instruction_ids_of_a_wrong_kind(value: object) -> None:
    with pytest.raises(InstructionError, match="instruction_id_list"):
        instruction_ids(value)


@pytest.mark.parametrize("keyword", ["(", "[", "\\", "a{9999999999}", "(" * 500, "x" * 2_000 + "("])
def test_a_keyword_that_is_not_an_expression_is_plain_text(keyword: str) -> None:
    assert check_response(["keywords:existence"], [{"keywords": [keyword]}], f"x {keyword} y").strict == [True]
    assert check_response(["keywords:existence"], [{"keywords": [keyword]}], "x y").strict == [False]


@pytest.mark.parametrize("keyword", ["(a+)+$", "(a|a)*b", "(a*)*b", "(?:a?){60}a{60}b"])
def test_a_keyword_that_takes_too_long_is_plain_text(keyword: str) -> None:
    response = ("a" * 5_000 + "!*\n") * 3
    assert check_response(["keywords:existence"], [{"keywords": [keyword]}], response + keyword).strict == [True]
    assert check_response(["keywords:existence"], [{"keywords": [keyword]}], response).strict == [False]
