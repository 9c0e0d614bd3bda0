"""Markdown that text from outside cannot break out of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import score_file
from ringtrue.reports.markdown import fence, run_markdown


@pytest.mark.parametrize(("text", "least", "marks"), [("", 3, 3), ("a ``` b", 3, 4), ("`` `", 1, 3), ("plain", 1, 1)])
def test_a_fence_has_as_many_marks_as_it_needs(text: str, least: int, marks: int) -> None:
    assert fence(text, least) == "`" * marks


@given(st.text("`a\n"))
def test_no_text_closes_its_fence(text: str) -> None:
    assert fence(text) not in text


def test_a_summary_says_when_a_case_passes_and_how_many_rows_have_no_number() -> None:
    rows = [{"id": 1, "answer": "Lima", "response": "Lima"}, {"id": 2, "response": "?"}]
    text = run_markdown(score_file(rows, ["exact_match"]))
    assert "\nexact_match, passes at 1.00 · 2 cases\n" in text
    assert "| pass_rate | 100.0 % (20.7–100.0) (1 skipped) |" in text
