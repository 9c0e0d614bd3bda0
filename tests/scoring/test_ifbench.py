"""IFBench's instructions: each check agrees with the official one, on texts that follow and texts that do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.evaluators.ifbench import IFBench
from ringtrue.records import Case, Output, Trial
from ringtrue.scoring.ifbench.verdicts import CHECKS, check_instructions
from ringtrue.scoring.ifeval import InstructionError
from support.golden import golden

ROWS = golden("ifbench")


@pytest.mark.parametrize("row", ROWS, ids=[f"{place}-{row['instruction']}" for place, row in enumerate(ROWS)])
def test_a_check_agrees_with_the_official_one(row: dict[str, Any]) -> None:
    strict, _ = check_instructions([row["instruction"]], [row["kwargs"]], row["response"])
    assert strict == [row["expected"]]


@pytest.mark.parametrize(("text", "follows"), [("Does it begin so?", True), ("This sentence does not.", False)])
def test_a_verb_in_another_form_is_one(text: str, follows: bool) -> None:
    """Sentences as the authors' own tests have them."""
    assert check_instructions(["words:start_verb"], [{}], text)[0] == [follows]


@pytest.mark.parametrize(
    ("name", "arguments", "text", "follows"),
    [
        ("count:person_names", {"N": 1}, "Miami, Leonardo and Norah", False),
        ("count:person_names", {"N": 2}, "Mia's brother Leo.", True),
        ("words:words_position", {"keyword": "dog"}, "The DOG saw the dog there.", True),
        ("words:words_position", {"keyword": "dog"}, "A dog.", False),
        ("words:keywords_specific_position", {"keyword": "cat", "n": 1, "m": 3}, "Well, the Cat sat.", True),
    ],
)
def test_names_and_places_of_words_are_read_as_the_authors_correct_them(
    name: str, arguments: dict[str, Any], text: str, follows: bool
) -> None:
    assert check_instructions([name], [arguments], text)[0] == [follows]


FOLLOWED = {
    "words:palindrome": ("level radar civic refer kayak rotor madam stats tenet racecar", {}),
    "format:options": ("Maybe.", {"options": "yes/no/maybe"}),
    "custom:reverse_newline": (
        "\n".join(["Zimbabwe", *[f"Country {chr(90 - n // 3)}{9 - n % 3}" for n in range(60)]]),
        {},
    ),
    "custom:sentence_alphabet": (" ".join(f"{letter}nd so." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), {}),
    "count:keywords_multiple": (
        "a b b c c c d d d d d e e e e e e e",
        {f"keyword{place}": "abcde"[place - 1] for place in range(1, 6)},
    ),
    "repeat:repeat_span": ("cat dog cat", {"prompt_to_repeat": "the cat dog cat sat", "n_start": 1, "n_end": 4}),
    "format:output_template": ("My Answer: a\nMy Conclusion: b\nFuture Outlook: c", {}),
    "words:start_verb": ("Consider this first.", {}),
    "format:emoji": ("Fine \U0001f600. Good \U0001f600!", {}),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_few_texts_follow_can_be_followed(name: str) -> None:
    text, arguments = FOLLOWED[name]
    assert check_instructions([name], [arguments], text)[0] == [True]
    assert check_instructions([name], [arguments], "x 7")[0] == [False]


def test_the_loose_reading_leaves_out_first_and_last_lines() -> None:
    assert check_instructions(["format:no_whitespace"], [{}], "Sure:\nhello") == ([False], [True])


def test_an_unknown_instruction_and_a_missing_argument_are_errors() -> None:
    with pytest.raises(InstructionError, match="no instruction 'count:stars'"):
        check_instructions(["count:stars"], [{}], "x")
    with pytest.raises(InstructionError, match="count:numbers: its arguments cannot be read"):
        check_instructions(["count:numbers"], [{}], "x")


def test_the_evaluator_has_four_accuracies_and_a_count() -> None:
    case = Case(fields={"instruction_id_list": ["count:numbers", "format:no_whitespace"], "kwargs": [{"N": 1}, {}]})
    score = IFBench().measure(Trial(case, Output("Note:\n7")))
    assert list(score.parts.values()) == [0.0, 1.0, 0.5, 1.0, 2.0]
    assert IFBench().measure(Trial(Case(), Output("x"))).status == "skipped"


ARGUMENTS = {"min_words": 1, "max_words": 9, "N": 2, "percentage": 20, "small_n": 1, "reference_text": "a b c d",
             "options": "yes/no", "word": "a", "sep": "-", "keyword": "a", "n": 1, "m": 1, "prompt_to_repeat": "a b",
             "n_start": 0, "n_end": 1, **{f"keyword{place}": "a" for place in range(1, 6)}}  # fmt: skip


@given(st.text(max_size=120), st.sampled_from(sorted(CHECKS)))
def test_no_text_is_too_strange(text: str, name: str) -> None:
    strict, loose = check_instructions([name], [ARGUMENTS], text)
    assert strict in ([True], [False])
    assert loose == [True] or strict == [False]
