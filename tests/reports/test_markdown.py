"""Markdown that text from outside cannot break out of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.reports.markdown import fence


@pytest.mark.parametrize(("text", "least", "marks"), [("", 3, 3), ("a ``` b", 3, 4), ("`` `", 1, 3), ("plain", 1, 1)])
def test_a_fence_has_as_many_marks_as_it_needs(text: str, least: int, marks: int) -> None:
    assert fence(text, least) == "`" * marks


@given(st.text("`a\n"))
def test_no_text_closes_its_fence(text: str) -> None:
    assert fence(text) not in text
