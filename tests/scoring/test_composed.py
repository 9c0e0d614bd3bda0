"""Normal forms that hostile text cannot slow down."""

from __future__ import annotations

from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.prose.normal_form import compose

FORMS: tuple[Literal["NFC", "NFKC"], ...] = ("NFC", "NFKC")
LETTERS = st.text(st.sampled_from("ae\u0301\u0316\u0344\u0f73\uff76\uff9e\u1ebf\u1100\u1161 \n\ud800"), max_size=50)


@given(LETTERS | st.text(), st.sampled_from(["", "x" * 1_000]), st.sampled_from(FORMS))
def test_it_is_the_normal_form(text: str, before: str, form: Literal["NFC", "NFKC"]) -> None:
    found = compose(before + text, form)
    assert found == normalize(form, before + text)
    assert compose(found, form) == found


@pytest.mark.parametrize("after", ["", "e\u0301"], ids=["end", "letter"])
@pytest.mark.parametrize("mark", ["\u0301\u0316", "\u0f73", "\uff9e\u0301"], ids=["two", "Tibetan", "half-width"])
@pytest.mark.parametrize("form", FORMS)
def test_more_marks_than_any_script_has_are_left(mark: str, after: str, form: Literal["NFC", "NFKC"]) -> None:
    marks = mark * 500_000  # sorted, these would take hours
    assert compose(f"e\u0301x{marks}{after}", form) == f"\u00e9x{marks}{normalize(form, after)}"
