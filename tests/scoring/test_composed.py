"""NFC that hostile text cannot slow down."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.composed import composed

_LETTERS = st.text(st.sampled_from("ae\u0301\u0316\u0344\u1ebf\u1100\u1161 \n\ud800"), max_size=50)


@given(_LETTERS | st.text())
def test_it_is_nfc(text: str) -> None:
    assert composed(text) == normalize("NFC", text)
    assert composed(composed(text)) == composed(text)


@pytest.mark.parametrize("after", ["", "e\u0301"], ids=["end", "letter"])
def test_more_marks_than_any_script_has_are_left(after: str) -> None:
    marks = "\u0301\u0316" * 500_000  # sorted, these would take hours
    assert composed(f"e\u0301x{marks}{after}") == f"\u00e9x{marks}{normalize('NFC', after)}"
