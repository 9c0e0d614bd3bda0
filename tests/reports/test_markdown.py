"""Markdown that text from outside cannot break out of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import evaluate, score_file
from ringtrue.reports.markdown import fence, run_markdown


@pytest.mark.parametrize(("text", "marks"), [("", 3), ("a ``` b", 4), ("`` `", 3), ("```` ``", 5)])
def test_a_fence_has_as_many_marks_as_it_needs(text: str, marks: int) -> None:
    assert fence(text) == "`" * marks


@given(st.text("`a\n"))
def test_no_text_closes_its_fence(text: str) -> None:
    assert fence(text) not in text


def test_a_summary_says_what_passes_when_and_how_many_rows_have_no_number() -> None:
    rows = [{"id": 1, "answer": "Lima", "response": "Lima"}, {"id": 2, "response": "?"}]
    text = run_markdown(score_file(rows, ["exact_match"]))
    assert "\n**answers passes 1 of 1 case**, 100.0 % (95 % interval 20.7 to 100.0); 1 skipped.\n" in text
    assert "\nexact_match, passes at 1.00 · 2 cases\n" in text
    assert "\n| system | passed, % | 95 % interval | n | passed | failed | skipped | errors |\n" in text
    assert "\n| answers | 100.0 | 20.7–100.0 | 1 | 1 | 0 | 1 | 0 |\n" in text


def test_a_summary_compares_systems_and_names_the_threshold_of_every_score() -> None:
    rows = [{"question": f"q{n}", "answer": "Lima"} for n in range(12)]

    def right(_: str) -> str:
        return "Lima"

    def wrong(_: str) -> str:
        return "Rome"

    text = run_markdown(evaluate([right, wrong], rows, ["exact_match", "not_empty"], progress=False, store=None).run)
    assert "**right is better than wrong**: +100.0 points" in text
    assert "| not_empty | wrong | 100.0 % | 75.8–100.0 | 1.00 | 12 | 12 | 0 | 0 | 0 |" in text


def test_a_system_without_any_number_does_not_repeat_the_headline_below() -> None:
    def broken(_: str) -> str:
        raise ValueError("down")

    def right(_: str) -> str:
        return "Lima"

    rows = [{"question": f"q{n}", "answer": "Lima"} for n in range(3)]
    text = run_markdown(evaluate([right, broken], rows, ["exact_match"], progress=False, store=None).run)
    assert "| score |" not in text
    assert "3 answers missing, first: ValueError: down" in text
    assert "ValueError: down" in text.partition("## Failures")[2]
